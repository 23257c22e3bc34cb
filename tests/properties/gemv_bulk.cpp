// gemv_bulk: whole multiple-precision matrix-vector products, y ← α·op(A)·x + β·y with n rows and n columns. Both forms
// do each product. The oracle judges a sample of their entries: the exact-accumulating form gives the exact value
// rounded once, the decomposed form keeps its bound. All entries of the two forms differ at most by the sum of their
// bounds, the magnitudes Σ|α·a·x| bounded from above. The numbers are a function of the seed, the row and the column,
// so that no copy of A is needed for the exact value of an entry.
//
// Exit codes: run_bulk().

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "errorbounds/gemv.hpp"
#include "errorbounds/judge.hpp"
#include "kernels/gemv/mp_gemv_decomposed.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "tests/properties/mp_bulk.hpp"

namespace assay::gemv {
namespace {

using oracle::Dyadic;

enum class Data { mixed, one_sign, cancelling };
struct Kind {
  const char* name;
  Data data;
  bool transposed;
};
constexpr Kind kinds[] = {{"signs mixed", Data::mixed, false},
                          {"one sign, transposed", Data::one_sign, true},
                          {"half a row cancels the other half, exponents far apart", Data::cancelling, false}};

/// The numbers of a product: A by row and column of op(A), x and y by place.
class Numbers {
 public:
  Numbers(const MpFormat& format, Data data, std::int64_t n, std::uint64_t seed)
      : format_(format), data_(data), half_(n / 2), seed_(seed) {}

  [[nodiscard]] Number a(std::int64_t i, std::int64_t l) const {
    if (data_ != Data::cancelling || l < half_ || l >= 2 * half_) return drawn(1 + i, l);
    Number twin = drawn(1 + i, l - half_);
    twin.negative = !twin.negative;
    twin.limbs[0] ^= static_cast<std::uint32_t>(bits::SplitMix64::mixed(seed_ + static_cast<std::uint64_t>(i)) & 1);
    return twin;
  }
  [[nodiscard]] Number x(std::int64_t l) const {
    return drawn(-1, data_ == Data::cancelling && l >= half_ && l < 2 * half_ ? l - half_ : l);
  }
  [[nodiscard]] Number y(std::int64_t i) const { return drawn(-2, i); }
  [[nodiscard]] Number alpha() const { return drawn(-3, 0); }
  [[nodiscard]] Number beta() const { return drawn(-3, 1); }

 private:
  [[nodiscard]] Number drawn(std::int64_t row, std::int64_t column) const {
    const std::int64_t spread = data_ == Data::cancelling && row > 0 ? 20 * format_.moduli : 4;
    return drawn_number(format_, seed_, row, column, spread, data_ == Data::one_sign);
  }

  const MpFormat& format_;
  Data data_;
  std::int64_t half_;
  std::uint64_t seed_;
};

class Bulk {
 public:
  Bulk(const MpBulkOptions& options, int moduli)
      : options_(options), format_(mp_format(moduli)), on_(options.executor()), threads_(options.threads) {}

  /// The entries of the product that are wrong.
  std::uint64_t run(const Kind& kind) {
    const Numbers numbers(format_, kind.data, options_.n, options_.seed);
    const auto [decomposed, exact] = results(kind, numbers);
    Count rounded;
    Count within;
    Count together;
    judge_sample(numbers, decomposed, exact, rounded, within);
    compare_all(numbers, decomposed, exact, together);
    const auto count = [](const std::atomic<std::uint64_t>& x) { return static_cast<unsigned long long>(x.load()); };
    std::printf(
        "%d moduli, %d bits, n = %lld, %s, on %s: sampled entries: exact-accumulating %llu judged, %llu wrong; "
        "decomposed %llu judged, %llu wrong; all entries of both against each other: %llu, %llu wrong\n",
        format_.moduli, format_.bits, static_cast<long long>(options_.n), kind.name, options_.on.c_str(),
        count(rounded.judged), count(rounded.wrong), count(within.judged), count(within.wrong), count(together.judged),
        count(together.wrong));
    std::fflush(stdout);
    return rounded.wrong + within.wrong + together.wrong;
  }

 private:
  template <class OfPlace>
  mp::MpArray array(std::int64_t length, OfPlace&& of_place) {
    return array_of_places(on_, threads_, format_, length, of_place);
  }

  std::pair<mp::MpNumbers, mp::MpNumbers> results(const Kind& kind, const Numbers& numbers) {
    const std::int64_t n = options_.n;
    const mp::MpArray a = array(
        n * n, [&](std::int64_t k) { return kind.transposed ? numbers.a(k / n, k % n) : numbers.a(k % n, k / n); });
    const mp::MpArray x = array(n, [&](std::int64_t l) { return numbers.x(l); });
    const mp::MpArray y = array(n, [&](std::int64_t i) { return numbers.y(i); });
    const mp::MpArray alpha = array(1, [&](std::int64_t) { return numbers.alpha(); });
    const mp::MpArray beta = array(1, [&](std::int64_t) { return numbers.beta(); });
    const auto trans = kind.transposed ? blas::Transpose::yes : blas::Transpose::no;
    const auto by = [&](std::size_t broken, auto multiply) {
      mp::MpArray result = mp::with_layout(multiply(on_, trans, n, n, alpha, a, n, x, 1, beta, y, 1), false);
      if (options_.wrong) result.sign[broken] ^= 1;
      return mp::MpNumbers{&mp::mp_system(format_.moduli), std::move(result)};
    };
    const auto last = static_cast<std::size_t>(n - 1);
    return {by(last, [](const auto&... of) { return mp_gemv_decomposed(of...); }),
            by(0, [](const auto&... of) { return mp_gemv_exact(of...); })};
  }

  [[nodiscard]] MpGemvShape shape() const {
    return {static_cast<std::uint64_t>(options_.n), mp_gemv_threads, true, true, true};
  }

  void judge_sample(const Numbers& numbers, const mp::MpNumbers& decomposed, const mp::MpNumbers& exact, Count& rounded,
                    Count& within) {
    const std::int64_t n = options_.n;
    const std::int64_t count = std::min(n, static_cast<std::int64_t>(options_.entries));
    std::vector<Dyadic> x;
    for (std::int64_t l = 0; l < n; ++l) x.push_back(numbers.x(l).value());
    const Dyadic alpha = numbers.alpha().value();
    const Dyadic beta = numbers.beta().value();
    const RelativeBound unit = mp_gemv_unit(format_.product);
    in_parallel(threads_, count, [&](std::int64_t sample) {
      const std::int64_t i = sample * n / count;
      Dyadic sum;
      Dyadic magnitudes;
      Dyadic product;
      for (std::int64_t l = 0; l < n; ++l) {
        product.set_product(numbers.a(i, l).value(), x[static_cast<std::size_t>(l)]);
        sum += product;
        magnitudes += abs(product);
      }
      const Dyadic start = beta * numbers.y(i).value();
      const Dyadic truth = alpha * sum + start;
      const auto place = static_cast<std::size_t>(i);
      Dyadic got;
      rounded.add(component_value(exact, place, got) && got == rounded_to_bits(format_.bits, truth));
      within.add(
          component_value(decomposed, place, got) &&
          judge_within(got, truth, mp_gemv_tree_bound(shape(), unit, {abs(alpha) * magnitudes, abs(start)})).verdict ==
              Verdict::holds);
    });
  }

  /// |ŷ − ỹ| compared with the bound of the decomposed form and 2⁻ᴾ|y|, where |y| ≤ (1 + 2^(1−P))·|ỹ|.
  void compare_all(const Numbers& numbers, const mp::MpNumbers& decomposed, const mp::MpNumbers& exact,
                   Count& together) {
    const std::int64_t n = options_.n;
    std::vector<Dyadic> x;
    for (std::int64_t l = 0; l < n; ++l) x.push_back(numbers.x(l).magnitude());
    const Dyadic alpha = numbers.alpha().magnitude();
    const Dyadic beta = numbers.beta().magnitude();
    const RelativeBound unit = mp_gemv_unit(format_.product);
    const Dyadic slack = Dyadic(1) + Dyadic::scaled(1, 1 - format_.bits);
    in_parallel(threads_, n, [&](std::int64_t i) {
      Dyadic magnitudes;
      for (std::int64_t l = 0; l < n; ++l) {
        magnitudes.add_mul(numbers.a(i, l).magnitude(), x[static_cast<std::size_t>(l)]);
      }
      const auto place = static_cast<std::size_t>(i);
      Dyadic of_decomposed;
      Dyadic of_exact;
      const bool finite = component_value(decomposed, place, of_decomposed) && component_value(exact, place, of_exact);
      Bound bound = mp_gemv_tree_bound(shape(), unit, {alpha * magnitudes, beta * numbers.y(i).magnitude()});
      bound.terms.clear();
      Dyadic once = abs(of_exact) * slack;
      bound.numerator += bound.denominator * once.mul_2exp(-format_.bits);
      together.add(finite && judge_within(of_decomposed, of_exact, bound).verdict == Verdict::holds);
    });
  }

  MpBulkOptions options_;
  MpFormat format_;
  Executor on_;
  unsigned threads_;
};

int run(int argc, char** argv) {
  MpBulkOptions options;
  options.entries = 1000;
  options.n = 1000;
  return run_mp_bulk<Bulk>("gemv_bulk", "Compares whole multiple-precision matrix-vector products with exact values.",
                           argc, argv, options, 8192, kinds);
}

}  // namespace
}  // namespace assay::gemv

int main(int argc, char** argv) { return assay::gemv::run(argc, argv); }
