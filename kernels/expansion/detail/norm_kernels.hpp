#pragma once
// The kernels of the two-norm, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "kernels/expansion/detail/vector_kernels.hpp"

namespace assay::expansion {
namespace detail {

/// x·2^k in two steps, |k| ≤ 1023: exact if no step has a subnormal result.
ASSAY_HD inline double times_power(double x, int k) {
  const int half = k / 2;
  return x * bits::power_of_two<double>(half) * bits::power_of_two<double>(k - half);
}

/// The power of two of the largest magnitude, at least emin: entries divided by it are below 2.
ASSAY_HD inline int scale_of(double largest) { return is_finite(largest) ? bits::significand(largest).e + 52 : 0; }

/// The magnitudes of words, by the upper halves of their encodings; a lower half other than 0 sets the last bit.
struct WordRange {
  std::uint32_t most;           ///< the upper half of the largest; 0 if all words are 0
  std::uint32_t least_negated;  ///< 2³² minus the upper half of the least other than 0; 0 if all words are 0

  ASSAY_HD void add(double word) {
    const std::uint64_t magnitude = bits::magnitude_bits(word);
    const std::uint32_t top =
        static_cast<std::uint32_t>(magnitude >> 32) | (static_cast<std::uint32_t>(magnitude) != 0 ? 1u : 0u);
    add(WordRange{top, 0 - top});
  }
  ASSAY_HD void add(const WordRange& other) {
    most = most < other.most ? other.most : most;
    least_negated = least_negated < other.least_negated ? other.least_negated : least_negated;
  }
  /// A number in the binade of the largest magnitude; NaN if a word is NaN, otherwise ∞ if a word is infinite.
  [[nodiscard]] ASSAY_HD double largest() const { return from_bits<double>(std::uint64_t{most} << 32); }
  /// Whether at least one word is not 0 and each word is 0 or within [2⁻⁴⁸⁴, 2⁴⁸⁰) and at least 2⁻⁴⁸⁴ of the largest
  /// one's power of two. Then no square and no error of a square over- or underflows, with a scale or without
  /// (docs/bounds/xblas.md).
  [[nodiscard]] ASSAY_HD bool needs_no_scale() const {
    const auto field = [](int exponent) { return static_cast<std::uint32_t>(exponent + 1023); };
    const std::uint32_t high = most >> 20;
    const std::uint32_t low = (0 - least_negated) >> 20;
    return high < field(480) && low >= field(-484) && high - low <= 484;
  }
};

/// A sum of squares, and the range of the words.
template <int W>
struct RangedSum {
  typename Entry<W>::Sum sum;
  WordRange range;
  ASSAY_HD void add(const RangedSum& other) {
    sum.add(other.sum);
    range.add(other.range);
  }
};

/// Of Σ xᵢ².
template <int W, bool aligned>
struct SquareTerms {
  static constexpr int words = W;
  static constexpr int tile = 16 / W;
  using Sum = RangedSum<W>;
  using Term = typename Entry<W>::Value;
  VectorOperand<W, aligned> x;
  [[nodiscard]] ASSAY_HD bool skips() const { return false; }
  [[nodiscard]] ASSAY_HD Term load(std::int64_t i) const { return x(i); }
  ASSAY_HD static void add(Sum& sum, const Term& term) {
    ASSAY_UNROLL(W)
    for (int word = 0; word < W; ++word) sum.range.add(term.x[word]);
    sum.sum.add(term, term);
  }
};

/// Terms of Σ (xᵢ/2^e)², e from *largest; nothing to do if that is negative.
template <int W, bool aligned>
struct ScaledSquareTerms {
  static constexpr int words = W;
  static constexpr int tile = 16 / W;
  using Sum = typename Entry<W>::Sum;
  using Term = typename Entry<W>::Value;
  VectorOperand<W, aligned> x;
  const double* largest;
  [[nodiscard]] ASSAY_HD bool skips() const { return *largest < 0; }
  [[nodiscard]] ASSAY_HD Term load(std::int64_t i) const {
    const int e = scale_of(*largest);
    Term a = x(i);
    ASSAY_UNROLL(W)
    for (int word = 0; word < W; ++word) a.x[word] = times_power(a.x[word], -e);
    return a;
  }
  ASSAY_HD static void add(Sum& sum, const Term& term) { sum.add(term, term); }
};

/// The root of a sum of squares S/2^(2e), times 2^e, in the words of the result.
template <int W>
struct StoreRoot {
  const double* largest;  ///< with the scale of the sum
  double* result;

  ASSAY_HD void operator()(const typename Entry<W>::Sum& squares) const { store(squares, scale_of(*largest)); }

  ASSAY_HD void store(const typename Entry<W>::Sum& squares, int e) const {
    using Value = typename Entry<W>::Value;
    using Sum = typename Entry<W>::Sum;
    Value root{};
    Value rest = squares.result();
    if (rest.x[0] > 0) {
      constexpr int digits = W == 1 ? 2 : W + 1;
      const double first = sqrt(rest.x[0]);
      double digit = first;
      Sum sum{};
      ASSAY_UNROLL(1)
      for (int i = 0; i < digits; ++i) {
        Sum twice = Sum::product(2.0, root);  // 2Q + q
        twice.add_as_right(Value{{digit}});
        Sum left{};
        left.add_as_right(rest);
        left.add(Value{{-digit}}, twice.result());
        rest = left.result();
        sum.add_as_left(Value{{digit}});
        root = sum.result();
        digit = rest.x[0] / (2 * first);
      }
    } else {
      root.x[0] = rest.x[0] < 0 ? 0 : rest.x[0];
    }
    ASSAY_UNROLL(Entry<W>::sum_words)
    for (int word = 0; word < Entry<W>::sum_words; ++word) root.x[word] = times_power(root.x[word], e);
    Entry<W>::store(root, result);
  }
};

/// The root of a sum of squares without a scale, and *largest = −1; if the range requires a scale, only *largest. If a
/// word is not finite, the root is NaN if one is NaN, otherwise ∞, and *largest = −1.
template <int W>
struct StoreRootInRange {
  double* largest;
  double* result;

  ASSAY_HD void operator()(const RangedSum<W>& squares) const {
    const double most = squares.range.largest();
    if (!is_finite(most)) {
      typename Entry<W>::Value root{};
      root.x[0] = most;
      *largest = -1;
      Entry<W>::store(root, result);
      return;
    }
    if (!squares.range.needs_no_scale()) {
      *largest = most;
      return;
    }
    *largest = -1;
    const int e = scale_of(most);
    typename Entry<W>::Sum scaled = squares.sum;
    ASSAY_UNROLL(Entry<W>::sum_words)
    for (int word = 0; word < Entry<W>::sum_words; ++word) scaled.s[word] = times_power(scaled.s[word], -2 * e);
    StoreRoot<W>{largest, result}.store(scaled, e);
  }
};

}  // namespace detail
}  // namespace assay::expansion
