#pragma once
// The kernels of BLAS 1, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "kernels/expansion/detail/entry.hpp"
#include "kernels/expansion/detail/lane_sums.hpp"

namespace assay::expansion {
namespace detail {

/// A vector in memory: entry i at words[i·step·W]. `aligned`: to 16 bytes, W even.
template <int W, bool aligned = false>
struct VectorOperand {
  const double* words;
  std::int64_t step;
  ASSAY_HD typename Entry<W>::Value operator()(std::int64_t i) const {
    if constexpr (aligned) {
      return Entry<W>::load_aligned(words + i * step * W);
    } else {
      return Entry<W>::load(words + i * step * W);
    }
  }
};

/// Entry i of y ← αx + y.
template <int W>
struct AxpyBody {
  typename Entry<W>::Value alpha;
  VectorOperand<W> x;
  double* y;
  std::int64_t step;
  ASSAY_HD void operator()(std::size_t i) const {
    const auto k = static_cast<std::int64_t>(i);
    double* const to = y + k * step * W;
    typename Entry<W>::Sum sum{};
    sum.add(alpha, x(k));
    sum.add_as_right(Entry<W>::load(to));
    Entry<W>::store(sum.result(), to);
  }
};

/// Of Σ xᵢyᵢ.
template <int W, bool aligned>
struct ProductTerms {
  static constexpr int words = W;
  static constexpr int tile = 8 / W;  ///< 128 bytes
  using Sum = typename Entry<W>::Sum;
  struct Term {
    typename Entry<W>::Value x, y;
  };
  VectorOperand<W, aligned> x, y;
  [[nodiscard]] ASSAY_HD bool skips() const { return false; }
  [[nodiscard]] ASSAY_HD Term load(std::int64_t i) const { return {x(i), y(i)}; }
  ASSAY_HD static void add(Sum& sum, const Term& term) { sum.add(term.x, term.y); }
};

/// Of Σ |xᵢ|.
template <int W, bool aligned>
struct MagnitudeTerms {
  static constexpr int words = W;
  static constexpr int tile = 16 / W;
  using Sum = typename Entry<W>::Sum;
  using Term = typename Entry<W>::Value;
  VectorOperand<W, aligned> x;
  [[nodiscard]] ASSAY_HD bool skips() const { return false; }
  [[nodiscard]] ASSAY_HD Term load(std::int64_t i) const { return x(i); }
  ASSAY_HD static void add(Sum& sum, const Term& term) {
    const bool negative = leading_word(term) < 0;
    Term magnitude{};
    ASSAY_UNROLL(W)
    for (int i = 0; i < W; ++i) magnitude.x[i] = negative ? -term.x[i] : term.x[i];
    sum.add_as_left(magnitude);
  }

 private:
  /// The first word that is not 0.
  ASSAY_HD static double leading_word(const Term& a) {
    double leading = a.x[0];
    ASSAY_UNROLL(W)
    for (int i = 1; i < W; ++i) leading = leading == 0 ? a.x[i] : leading;
    return leading;
  }
};

/// Writes the words of a sum.
template <int W>
struct StoreSum {
  double* result;
  ASSAY_HD void operator()(const typename Entry<W>::Sum& sum) const { Entry<W>::store(sum.result(), result); }
};

}  // namespace detail
}  // namespace assay::expansion
