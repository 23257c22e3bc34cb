#pragma once
// RN(α·x·2^e + β·c) of an integer x in words of 32 bits: the last step of every product that is found as an integer.

#include <cstdint>

#include "arith/hd.hpp"
#include "arith/limb_integer.hpp"
#include "arith/traits.hpp"

namespace assay::limb {

/// |x| = significand·2^exponent, significand < 2⁵³. Requires: x finite (not checked).
struct Significand {
  std::uint64_t significand;
  int exponent;
};
ASSAY_HD constexpr Significand significand_of(double x) {
  const std::uint64_t bits = assay::detail::magnitude_bits(x);
  const int field = static_cast<int>(bits >> 52);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  return {field == 0 ? fraction : fraction | std::uint64_t{1} << 52, (field == 0 ? 1 : field) - 1075};
}

/// x ← −x in two's complement.
ASSAY_HD constexpr void negate(std::uint32_t* x, int count) {
  std::uint64_t carry = 1;
  for (int k = 0; k < count; ++k) {
    carry += static_cast<std::uint32_t>(~x[k]);
    x[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

/// x ← x·m in count + 2 words. Requires: m < 2⁵³ (not checked).
ASSAY_HD constexpr void multiply(std::uint32_t* x, int count, std::uint64_t m) {
  const std::uint64_t low = m & 0xFFFFFFFFu;
  const std::uint64_t high = m >> 32;
  std::uint64_t before = 0;
  std::uint64_t carry = 0;
  for (int k = 0; k < count + 2; ++k) {
    const std::uint64_t word = k < count ? x[k] : 0;
    const std::uint64_t first = word * low;
    const std::uint64_t second = before * high;
    const std::uint64_t sum = (first & 0xFFFFFFFFu) + (second & 0xFFFFFFFFu) + (carry & 0xFFFFFFFFu);
    carry = (carry >> 32) + (first >> 32) + (second >> 32) + (sum >> 32);
    x[k] = static_cast<std::uint32_t>(sum);
    before = word;
  }
}

/// x ← x ± y·2^offset modulo 2^(32·count), y of 4 words. Requires: offset ≥ 0 (not checked).
ASSAY_HD constexpr void add_shifted(std::uint32_t* x, int count, const std::uint32_t* y, int offset, bool subtract) {
  const int first = offset / 32;
  std::uint64_t carry = subtract ? 1 : 0;
  for (int k = first; k < count; ++k) {
    const std::uint32_t part = k <= first + 4 ? static_cast<std::uint32_t>(detail::bits_at(y, 4, 32 * k - offset)) : 0;
    carry += std::uint64_t{x[k]} + (subtract ? static_cast<std::uint32_t>(~part) : part);
    x[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

/// Words that updated() needs behind those of x.
inline constexpr int update_room = 2;

/// RN(α·x·2^e + β·c), ties to even, subnormal results and overflow as IEEE 754 has them; an exact 0 gives +0, a result
/// that underflows keeps its sign. x has `count` words, two's complement, least significant first, in an array of W,
/// and is destroyed; c is not looked at for β = 0. Requires: count + update_room ≤ W; α, β and c finite, |e| < 2²⁸ (not
/// checked).
///
/// Both summands are integers times a power of two. They are added exactly where that takes few words more than x has;
/// otherwise the smaller one lies so far below the other that only its sign matters: docs/bounds/ozaki.md.
template <int W>
ASSAY_HD constexpr double updated(std::uint32_t (&x)[W], int count, int e, double alpha, double beta, double c) {
  bool minus = x[count - 1] >> 31 != 0;
  if (minus) negate(x, count);
  minus = minus != signbit(alpha);
  const Significand a = significand_of(alpha);
  e += a.exponent;
  constexpr std::uint64_t first_bit = std::uint64_t{1} << 52;
  if (a.significand == first_bit) {
    e += 52;
  } else {
    multiply(x, count, a.significand);
    count += 2;
  }
  const bool nothing = bit_length(x, count) == 0;
  const Significand b = significand_of(beta);
  const Significand start = beta == 0 ? Significand{0, 0} : significand_of(c);
  if (b.significand == 0 || start.significand == 0) {
    return rounded(x, count, e, minus && !nothing, Rounding::rn);
  }
  std::uint32_t y[4] = {static_cast<std::uint32_t>(start.significand),
                        static_cast<std::uint32_t>(start.significand >> 32), 0, 0};
  multiply(y, 2, b.significand);
  const int f = b.exponent + start.exponent;
  const bool minus_y = signbit(beta) != signbit(c);
  if (nothing) return rounded(y, 4, f, minus_y, Rounding::rn);

  constexpr int far = 192;  // bits; a multiple of 32
  std::uint32_t z[W + 11] = {};
  const int words = count + 11;
  int low = e;          // the exponent of bit 0 of z
  int place_x = 0;      // where x stands in z, in words
  int place_y = f - e;  // and y, in bits
  if (f < e - far) {
    low = e - far;
    place_x = far / 32;
    place_y = 0;
    y[0] = 1;
    y[1] = y[2] = y[3] = 0;
  } else if (f < e) {
    place_x = (e - f + 31) / 32;
    low = e - 32 * place_x;
    place_y = f - low;
  } else if (f > e + 32 * count + 64) {
    low = f - far;
    place_y = far;
    x[0] = 1;
    for (int k = 1; k < count; ++k) x[k] = 0;
  }
  for (int k = 0; k < count; ++k) z[place_x + k] = x[k];
  add_shifted(z, words, y, place_y, minus != minus_y);
  if (z[words - 1] >> 31 != 0) {
    negate(z, words);
    minus = !minus;
  }
  return rounded(z, words, low, minus && bit_length(z, words) != 0, Rounding::rn);
}

}  // namespace assay::limb
