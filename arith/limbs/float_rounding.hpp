#pragma once
// The rounding of integers to floating-point numbers of L limbs.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/limbs/float.hpp"
#include "arith/limbs/integer.hpp"

namespace assay::limb {

/// Whether the direction rounds a number of this sign away from zero, if it is not a number of the format.
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
