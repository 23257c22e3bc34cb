#include "oracle/product_enclosure.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <thread>

namespace assay::oracle {
namespace {

constexpr std::int64_t width = 8;   // columns that are computed together
constexpr std::int64_t height = 2;  // and rows
constexpr std::int64_t work_of_many_cores = std::int64_t{1} << 28;

// Arithmetic on vectors is IEEE's, entry by entry. The build forbids contracting a product and a sum.
typedef double Vector __attribute__((vector_size(8 * width)));
typedef std::int64_t Bits __attribute__((vector_size(8 * width)));

/// The sums of the rows and columns of one block after some terms.
struct Sums {
  Vector high[height];       // Σ aₗbₗ, rounded at each step
  Vector low[height];        // the sum of the rounding errors
  Vector magnitude[height];  // Σ |aₗbₗ|, rounded at each step
};

/// The sums of `height` rows with `width` columns. a: the rows, term by term; b: the columns, term by term.
template <EntryProducts products>
[[gnu::always_inline]] inline void add_terms(const double* a, const Vector* b, std::int64_t k, Sums& sums) {
  const Bits magnitude_bits = Bits{} + 0x7fffffffffffffff;
  for (std::int64_t l = 0; l < k; ++l) {
    for (std::int64_t i = 0; i < height; ++i) {
      const double factor = a[l * height + i];
      const Vector product = factor * b[l];
      const Vector before = sums.high[i];
      sums.high[i] = before + product;
      sums.magnitude[i] += reinterpret_cast<Vector>(reinterpret_cast<Bits>(product) & magnitude_bits);
      if constexpr (products == EntryProducts::rounded) {
        Vector of_product;
        for (std::int64_t j = 0; j < width; ++j) of_product[j] = __builtin_fma(factor, b[l][j], -product[j]);
        const Vector part = sums.high[i] - before;
        const Vector of_sum = (before - (sums.high[i] - part)) + (product - part);
        sums.low[i] += of_sum + of_product;
      }
    }
  }
}

using AddTerms = void (*)(const double*, const Vector*, std::int64_t, Sums&);

template <EntryProducts products>
void add_terms_anywhere(const double* a, const Vector* b, std::int64_t k, Sums& sums) {
  add_terms<products>(a, b, k, sums);
}
#ifdef __x86_64__
template <EntryProducts products>
[[gnu::target("avx2,fma")]] void add_terms_avx2(const double* a, const Vector* b, std::int64_t k, Sums& sums) {
  add_terms<products>(a, b, k, sums);
}
template <EntryProducts products>
[[maybe_unused, gnu::target("avx512f,avx2,fma")]] void add_terms_avx512(const double* a, const Vector* b,
                                                                        std::int64_t k, Sums& sums) {
  add_terms<products>(a, b, k, sums);
}
#endif

template <EntryProducts products>
AddTerms fastest() {
#ifdef __x86_64__
#ifndef __SANITIZE_ADDRESS__  // with it, g++ 12 does not align vectors of 64 bytes on the stack (GCC bug 110027)
  if (__builtin_cpu_supports("avx512f")) return add_terms_avx512<products>;
#endif
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return add_terms_avx2<products>;
#endif
  return add_terms_anywhere<products>;
}

/// Above every rounding error of the few operations that follow.
constexpr double up = 1 + 0x1p-48;
constexpr double down = 1 - 0x1p-48;
constexpr double unit = 0x1p-53;
constexpr double least = 0x1p-1074;

/// Value, radius and magnitude of one entry from its sums.
class Finish {
 public:
  Finish(std::int64_t k, EntryProducts products)
      : terms_(static_cast<double>(k)), gamma_(terms_ * unit / (1 - terms_ * unit) * up), products_(products) {}

  void operator()(double high, double low, double magnitude, double& value, double& radius, double& least_sum) const {
    const bool exact = products_ == EntryProducts::exact;
    const double lost = exact ? 0 : terms_ * least;
    const double largest_sum = (magnitude + lost) * up / (1 - gamma_ * up) * up;
    least_sum = std::max(0.0, (magnitude * down - 2 * lost) * (1 - gamma_ * up) * down);
    value = exact ? high : high + low;
    radius =
        exact ? gamma_ * largest_sum * up : (unit * std::abs(value) + gamma_ * gamma_ * largest_sum + 6 * lost) * up;
    if (!exact && radius > 0) radius += least;
  }

 private:
  double terms_, gamma_;
  EntryProducts products_;
};

}  // namespace

ProductEnclosure enclose_product(const MatrixView& a, const MatrixView& b, EntryProducts products) {
  const std::int64_t k = a.columns;
  if (k != b.rows) throw std::invalid_argument("inner dimensions that differ");
  if (k >= std::int64_t{1} << 32) throw std::invalid_argument("an inner dimension of 2^32 or more");
  const auto entries = static_cast<std::size_t>(a.rows * b.columns);
  ProductEnclosure all{std::vector<double>(entries), std::vector<double>(entries), std::vector<double>(entries)};
  const AddTerms add =
      products == EntryProducts::exact ? fastest<EntryProducts::exact>() : fastest<EntryProducts::rounded>();
  const Finish finish(k, products);

  std::vector<double> rows(static_cast<std::size_t>((a.rows + height - 1) / height * height * k));
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double* const block = rows.data() + i / height * height * k + i % height;
    for (std::int64_t l = 0; l < k; ++l) block[l * height] = a.at(i, l);
  }
  const auto compute_columns = [&](std::int64_t first) {
    const std::int64_t count = std::min(width, b.columns - first);
    std::vector<Vector> columns(static_cast<std::size_t>(k));
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t j = 0; j < count; ++j) columns[static_cast<std::size_t>(l)][j] = b.at(l, first + j);
    }
    for (std::int64_t top = 0; top < a.rows; top += height) {
      Sums sums{};
      add(rows.data() + top * k, columns.data(), k, sums);
      for (std::int64_t i = 0; i < std::min(height, a.rows - top); ++i) {
        for (std::int64_t j = 0; j < count; ++j) {
          const auto at = static_cast<std::size_t>((top + i) * b.columns + first + j);
          finish(sums.high[i][j], sums.low[i][j], sums.magnitude[i][j], all.value[at], all.radius[at],
                 all.magnitude[at]);
        }
      }
    }
  };

  const bool one_core = a.rows * b.columns < work_of_many_cores / std::max<std::int64_t>(k, 1);
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    for (std::int64_t first = 0; (first = next.fetch_add(width)) < b.columns;) compute_columns(first);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; !one_core && i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  return others.clear(), all;
}

}  // namespace assay::oracle
