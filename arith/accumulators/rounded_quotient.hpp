#pragma once

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"

namespace assay {

/// s/divisor, rounded once to binary64 in the direction `to`, RN with ties to even: the sum exactly, whatever its
/// magnitude, subnormal results and overflow per IEEE 754. If a term of s or the divisor is not finite, or s or the
/// divisor is 0, it is the quotient of the rounded sum. The first 128 bits of |s| are divided by the significand m of
/// the divisor, bit after bit: with |s| = (H + f)·2^k, H an integer and 0 ≤ f < 1, and H = Qm + r it is (H + f)/m = Q +
/// (r + f)/m with (r + f)/m < 1. Q has more than 74 bits, and whether r + f is 0 is all that rounding needs of the
/// rest. Cost: the cost of Superaccumulator::round, and about 500 operations.
ASSAY_HD ASSAY_NOINLINE constexpr double rounded_quotient(const Superaccumulator& s, double divisor, Rounding to) {
  const auto [first, end] = accumulators::used_words(s.word, Superaccumulator::words);
  if (accumulators::saw_special(s.flags) || !is_finite(divisor) || bits::magnitude_bits(divisor) == 0 || first == end) {
    return s.round(to) / divisor;
  }
  std::uint32_t limbs[Superaccumulator::words + 1];
  const bool minus = limb::magnitude_of_digits(s.word + first, end - first, limbs);
  const int count = end - first + 1;
  const int length = limb::bit_length(limbs, count);
  if (length == 0) {
    return s.round(to) / divisor;
  }
  const bits::Significand m = bits::significand(divisor);
  const std::uint64_t high = limb::bits_at(limbs, count, length - 64);
  const std::uint64_t low = limb::bits_at(limbs, count, length - 128);
  std::uint64_t rest = 0;
  std::uint32_t quotient[5] = {0, 0, 0, 0, 0};  // 2Q + (r + f ≠ 0)
  ASSAY_UNROLL(1)
  for (int i = 127; i >= 0; --i) {
    rest = rest << 1 | (((i < 64 ? low : high) >> (i & 63)) & 1);
    if (rest >= m.m) {
      rest -= m.m;
      quotient[(i + 1) >> 5] |= std::uint32_t{1} << ((i + 1) & 31);
    }
  }
  if (rest != 0 || (length > 128 && limb::any_below(limbs, length - 128))) {
    quotient[0] |= 1;
  }
  const int e = Superaccumulator::unit + 32 * first + length - 128 - m.e - 1;
  return limb::rounded(quotient, 5, e, minus != m.minus, to);
}

}  // namespace assay
