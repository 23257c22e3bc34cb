#pragma once
// Floating-point numbers with a significand of L limbs (words of 32 bits), 2 ≤ L ≤ 64, and the rounding of integers to
// them. The values are those of MPFR with a precision of 32·L bits and its default range of exponents.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"

namespace assay::limb {

/// Exponents of finite numbers: those of MPFR where nobody changed them.
inline constexpr std::int32_t most_exponent = (std::int32_t{1} << 30) - 1;
inline constexpr std::int32_t least_exponent = -most_exponent;
/// The exponents of zeros, infinities and NaNs.
inline constexpr std::int32_t zero_exponent = INT32_MIN;
inline constexpr std::int32_t infinity_exponent = INT32_MAX - 1;
inline constexpr std::int32_t nan_exponent = INT32_MAX;

/// (−1)^sign·W·2^(exponent − 32L), W = Σ word_k·2^(32k), in one form for each value: 2^(32L − 1) ≤ W < 2^(32L) and
/// least_exponent ≤ exponent ≤ most_exponent; zeros, infinities and NaNs have W = 0, and a NaN has sign 0.
template <int L>
struct Float {
  static_assert(2 <= L && L <= 64);
  std::uint32_t word[L];
  std::int32_t exponent;
  std::uint32_t sign;
};

template <int L>
ASSAY_HD constexpr bool is_nan(const Float<L>& x) {
  return x.exponent == nan_exponent;
}
template <int L>
ASSAY_HD constexpr bool is_infinite(const Float<L>& x) {
  return x.exponent == infinity_exponent;
}
template <int L>
ASSAY_HD constexpr bool is_zero(const Float<L>& x) {
  return x.exponent == zero_exponent;
}
/// Whether x is neither zero nor infinite nor a NaN.
template <int L>
ASSAY_HD constexpr bool is_regular(const Float<L>& x) {
  return x.exponent >= least_exponent && x.exponent <= most_exponent;
}

/// ±0, ±∞ or a NaN, by its exponent.
template <int L>
ASSAY_HD constexpr Float<L> special(std::int32_t exponent, bool minus = false) {
  Float<L> x{};
  x.exponent = exponent;
  x.sign = minus ? 1 : 0;
  return x;
}
template <int L>
ASSAY_HD constexpr Float<L> zero(bool minus = false) {
  return special<L>(zero_exponent, minus);
}
template <int L>
ASSAY_HD constexpr Float<L> infinity(bool minus = false) {
  return special<L>(infinity_exponent, minus);
}
template <int L>
ASSAY_HD constexpr Float<L> nan() {
  return special<L>(nan_exponent);
}

/// 1.
template <int L>
ASSAY_HD constexpr Float<L> one() {
  Float<L> x{};
  x.word[L - 1] = std::uint32_t{1} << 31;
  x.exponent = 1;
  return x;
}

/// −x; a NaN stays as it is.
template <int L>
ASSAY_HD constexpr Float<L> negated(Float<L> x) {
  if (!is_nan(x)) x.sign ^= 1;
  return x;
}

/// Whether the direction rounds a number of this sign away from zero, where it is no number of the format.
ASSAY_HD constexpr bool rounds_outward(Rounding to, bool minus) {
  return to == Rounding::ru ? !minus : to == Rounding::rd && minus;
}

/// The sign of a sum that is zero exactly, of operands with these signs.
ASSAY_HD constexpr bool zero_sum_is_negative(bool a, bool b, Rounding to) { return a == b ? a : to == Rounding::rd; }

/// (−1)^minus·(X + t)·2^(exponent − 32·count), X an integer of `count` words, 0 ≤ t < 1, t ≠ 0 if and only if `rest`,
/// rounded once to 32L bits; RN with ties to even. Beyond the range of exponents RN, and the direction away from zero,
/// give ±∞, the others the largest number. Below it the direction away from zero gives the least number, the one
/// towards zero gives zero, and RN the nearer one: zero for half the least number. This is what MPFR does.
/// Requires: X ≠ 0; if `rest`, X has more than 32L bits; the exponent fits into 34 bits (not checked).
/// limb.rounding.1. Cost: two passes.
template <int L>
ASSAY_HD constexpr Float<L> rounded_float(const std::uint32_t* x, int count, std::int64_t exponent, bool minus,
                                          bool rest, Rounding to) {
  const int bits = bit_length(x, count);
  std::int64_t e = exponent - (32 * count - bits);
  const bool outward = rounds_outward(to, minus);
  if (e < least_exponent) {
    const bool above_half = e == least_exponent - 1 && (rest || any_below(x, bits - 1));
    if (to == Rounding::rn ? !above_half : !outward) return zero<L>(minus);
    Float<L> least{};
    least.word[L - 1] = std::uint32_t{1} << 31;
    least.exponent = least_exponent;
    least.sign = minus ? 1 : 0;
    return least;
  }
  const int position = bits - 32 * L;  // of the last bit that the result has
  Float<L> z;
  for (int k = 0; k < L; ++k) z.word[k] = word_at(x, count, position + 32 * k);
  const bool half = position > 0 && (x[(position - 1) / 32] >> ((position - 1) % 32) & 1) != 0;
  const bool low = rest || (position > 1 && any_below(x, position - 1));
  if (to == Rounding::rn ? half && (low || (z.word[0] & 1) != 0) : outward && (half || low)) {
    std::uint64_t carry = 1;
    for (int k = 0; k < L; ++k) {
      carry += z.word[k];
      z.word[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) {
      z.word[L - 1] = std::uint32_t{1} << 31;
      ++e;
    }
  }
  if (e > most_exponent) {
    if (to == Rounding::rn || outward) return infinity<L>(minus);
    for (int k = 0; k < L; ++k) z.word[k] = ~std::uint32_t{0};
    e = most_exponent;
  }
  z.exponent = static_cast<std::int32_t>(e);
  z.sign = minus ? 1 : 0;
  return z;
}

}  // namespace assay::limb
