#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/combination.hpp"
#include "arith/limbs/integer.hpp"

namespace assay {

/// Digits of radix 2³² and the kinds of terms that exact sums keep.
namespace accumulators {

/// Hands ±m·2^position out to digits of radix 2³²: add(k, d) for the digits d·2^(32k) that sum to it, |d| < 2³², three
/// of them at most. Requires: position ≥ 0 (not checked).
template <class Add>
ASSAY_HD constexpr void scatter(std::uint64_t m, int position, bool minus, Add&& add) {
  const int k = position >> 5;
  const int shift = position & 31;
  const std::uint64_t low = m << shift;
  const std::uint64_t digits[3] = {low & 0xFFFFFFFFu, low >> 32, shift == 0 ? 0 : m >> (64 - shift)};
  for (int i = 0; i < 3; ++i) {
    if (digits[i] != 0) {
      const auto d = static_cast<std::int64_t>(digits[i]);
      add(k + i, minus ? -d : d);
    }
  }
}

/// Passes on the carries of Σ word_k·2^(32k): afterwards 0 ≤ word_k < 2³², except for the last word, which has the
/// sign. Requires: |word_k| < 2⁶³ − 2³² (not checked).
ASSAY_HD constexpr void propagate_carries(std::int64_t* word, int count) {
  ASSAY_UNROLL(1)
  for (int k = 0; k + 1 < count; ++k) {
    word[k + 1] += word[k] >> 32;
    word[k] &= 0xFFFFFFFF;
  }
}

/// The words first ≤ k < end.
struct WordRange {
  int first, end;
};

/// The range of words from the first to the last that is not 0; from `count` to `count` if all are 0.
ASSAY_HD constexpr WordRange used_words(const std::int64_t* word, int count) {
  int first = 0;
  while (first < count && word[first] == 0) {
    ++first;
  }
  int end = count;
  while (end > first && word[end - 1] == 0) {
    --end;
  }
  return {first, end};
}

/// Σ word_k·2^(32k)·2^e of `count` words, rounded to binary64 in the direction `to`; the zero of sign `minus_zero` for
/// 0. Requires: 0 ≤ count ≤ 133, |word_k| < 2⁶³ − 2³² (not checked).
ASSAY_HD constexpr double rounded_digits(const std::int64_t* word, int count, int e, bool minus_zero, Rounding to) {
  std::uint32_t limbs[134];
  const bool minus = limb::magnitude_of_digits(word, count, limbs);
  const bool zero = limb::bit_length(limbs, count + 1) == 0;
  return limb::rounded(limbs, count + 1, e, zero ? minus_zero : minus, to);
}

/// The kinds of numbers in a sum other than finite ones, and whether it had anything but −0: flags, joined by |.
enum SeenTerms : std::uint32_t {
  saw_nothing = 0,
  saw_nan = 1,
  saw_plus_infinity = 2,
  saw_minus_infinity = 4,
  saw_minus_zero = 8,
  saw_number = 16  ///< a finite number other than −0
};

ASSAY_HD constexpr std::uint32_t seen(double x) {
  if (is_nan(x)) {
    return saw_nan;
  }
  if (!is_finite(x)) {
    return signbit(x) ? saw_minus_infinity : saw_plus_infinity;
  }
  return bits::magnitude_bits(x) == 0 && signbit(x) ? saw_minus_zero : saw_number;
}

/// For the exact product ab: 0·∞ is a NaN.
ASSAY_HD constexpr std::uint32_t seen_product(double a, double b) {
  const bool minus = signbit(a) != signbit(b);
  const bool zero = bits::magnitude_bits(a) == 0 || bits::magnitude_bits(b) == 0;
  if (is_finite(a) && is_finite(b)) {
    return zero && minus ? saw_minus_zero : saw_number;
  }
  return is_nan(a) || is_nan(b) || zero ? saw_nan : minus ? saw_minus_infinity : saw_plus_infinity;
}

/// Whether a term was not finite; then the sum is `special_sum`.
ASSAY_HD constexpr bool saw_special(std::uint32_t flags) {
  return (flags & (saw_nan | saw_plus_infinity | saw_minus_infinity)) != 0;
}

/// The sum of terms that are not all finite: NaN with a NaN or both infinities among them, otherwise the infinity.
ASSAY_HD constexpr double special_sum(std::uint32_t flags) {
  constexpr std::uint64_t infinity = bits::max_finite_bits<double> + 1;
  constexpr std::uint64_t quiet_nan = infinity | infinity >> 1;
  const std::uint32_t special = flags & (saw_nan | saw_plus_infinity | saw_minus_infinity);
  return from_bits<double>(special == saw_plus_infinity    ? infinity
                           : special == saw_minus_infinity ? infinity | bits::sign_bit<double>
                                                           : quiet_nan);
}

}  // namespace accumulators

/// A sum of binary64 numbers and of their products, exactly: Σ word_k·2^(32k − 2148), in which words carry up to 31
/// bits beyond their digit. Kulisch 2008, "Computer Arithmetic and Validity", §8 (the long accumulator); words with
/// room for carries as in Collange, Defour, Graillat, Iakymchuk, "Numerical reproducibility for the parallel reduction
/// on multi- and many-core architectures", Parallel Computing 49, 2015. `Superaccumulator{}` is the empty sum. Holds
/// up to 2⁴⁰ terms of any magnitude (docs/bounds/sum.md). Integer operations only: the same bits everywhere,
/// in every order.
struct Superaccumulator {
  static constexpr int words = 133;
  static constexpr int unit = -2148;  ///< 2^unit is the smallest square of a subnormal number

  std::int64_t word[words];
  std::uint32_t pending;  ///< |word_k| ≤ pending·2³²
  std::uint32_t flags;    ///< accumulators::SeenTerms

  /// this += x. Infinities and NaNs are kept for `round`.
  ASSAY_HD constexpr void add(double x) {
    flags |= accumulators::seen(x);
    if (is_finite(x) && bits::magnitude_bits(x) != 0) {
      const bits::Significand s = bits::significand(x);
      deposit(s.m, s.e - unit, s.minus);
    }
  }

  /// this += a·b, the exact product, whatever its magnitude.
  ASSAY_HD constexpr void add_product(double a, double b) {
    flags |= accumulators::seen_product(a, b);
    if (is_finite(a) && is_finite(b)) {
      const bits::Significand x = bits::significand(a);
      const bits::Significand y = bits::significand(b);
      const bits::WideProduct m = bits::wide_product(x.m, y.m);
      deposit(m.low, x.e + y.e - unit, x.minus != y.minus);
      deposit(m.high, x.e + y.e - unit + 64, x.minus != y.minus);
    }
  }

  /// this += other.
  ASSAY_HD constexpr void add(const Superaccumulator& other) {
    make_room();
    ASSAY_UNROLL(1)
    for (int k = 0; k < words; ++k) {
      word[k] += other.word[k];
    }
    pending += other.pending;
    make_room();  // it may be the other of the next addition
    flags |= other.flags;
  }

  /// this += ±m·2^(unit + position). Requires: 0 ≤ position ≤ 4160 (not checked).
  ASSAY_HD ASSAY_NOINLINE constexpr void deposit(std::uint64_t m, int position, bool minus) {
    make_room();
    accumulators::scatter(m, position, minus, [this](int k, std::int64_t d) { word[k] += d; });
    ++pending;
  }

  /// The sum, rounded once to binary64 in the direction `to`, RN with ties to even. An exact 0 is −0 if there were
  /// terms and all of them were −0, otherwise +0, in every direction. With terms that are not finite: NaN if one is a
  /// NaN or a product 0·∞, or if there are both infinities; otherwise the infinity. 133 comparisons, and about six
  /// operations for each word from the first to the last that is not 0.
  [[nodiscard]] ASSAY_HD constexpr double round(Rounding to) const {
    if (accumulators::saw_special(flags)) {
      return accumulators::special_sum(flags);
    }
    const auto [first, end] = accumulators::used_words(word, words);
    return accumulators::rounded_digits(word + first, end - first, unit + 32 * first,
                                        flags == accumulators::saw_minus_zero, to);
  }

 private:
  /// Between two calls, and before every addition, pending ≤ 2²⁹; so |word_k| ≤ 2⁶² always.
  ASSAY_HD constexpr void make_room() {
    if (pending >= std::uint32_t{1} << 29) {
      accumulators::propagate_carries(word, words);
      pending = 1;
    }
  }
};

/// αs + βy, rounded once in the direction `to`; an exact 0 is +0. α = 0 and β = 0 leave out their term whatever the
/// other factor is. Terms of s, β and y that are not finite count as in `Superaccumulator::round`. Requires: α finite
/// (not checked). Cost: 133 comparisons, and about twenty operations for each word from the first to the last that is
/// not 0; limb::combination.
ASSAY_HD ASSAY_NOINLINE constexpr double scaled_sum(const Superaccumulator& s, double alpha, double beta, double y,
                                                    Rounding to) {
  const bool with_y = bits::magnitude_bits(beta) != 0;
  const bool with_s = bits::magnitude_bits(alpha) != 0;
  std::uint32_t flags = with_y ? accumulators::seen_product(beta, y) : 0;
  if (with_s && accumulators::saw_special(s.flags)) {
    flags |= accumulators::seen_product(alpha, accumulators::special_sum(s.flags));
  }
  if (accumulators::saw_special(flags)) {
    return accumulators::special_sum(flags);
  }
  const auto [first, end] = accumulators::used_words(s.word, with_s ? Superaccumulator::words : 0);
  constexpr int most = Superaccumulator::words + 1;
  std::uint32_t limbs[most];
  const bool minus = limb::magnitude_of_digits(s.word + first, end - first, limbs);
  return limb::combination<most>(limbs, end - first + 1, minus, Superaccumulator::unit + 32 * first, alpha,
                                 with_y ? beta : 0.0, with_y ? y : 0.0, to);
}

}  // namespace assay
