#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"

namespace assay::limb {
/// α·s·x·2^e + β·c, rounded once to binary64 in the direction `to`, RN with ties to even; s = −1 if `minus` and 1
/// otherwise. Subnormal results and overflow as in `rounded`. x is an integer of `count` ≤ L words. An exact zero is
/// +0; a result that underflows to zero has the sign of the exact value. Requires: α, β and c finite, |e| < 2²⁸ (not
/// checked). Both products are integers times powers of two. If one window of L + 9 words holds both, it holds their
/// sum. Otherwise the smaller product is far below 2^(q − 64), where 2^q is the unit of the larger one, and a power of
/// two that brings it just below 2^(q − 64) is as good: no number or midpoint of the format lies strictly within
/// 2^(q − 55) of a multiple of 2^q, unless a larger one is nearer (docs/bounds/gemm.md, gemm.combination.1). Cost:
/// 3·count products of 32 bits and a few passes over the words in use.
template <int L>
ASSAY_HD constexpr double combination(const std::uint32_t* x, int count, bool minus, int e, double alpha, double beta,
                                      double c, Rounding to = Rounding::rn) {
  constexpr int window = L + 9;
  constexpr int window_bits = 32 * window;
  constexpr int beside = 64;  // bits from the unit of the larger product down to a smaller one outside of its window
  const bits::Significand a = bits::significand(alpha);
  const bits::Significand b = bits::significand(beta);
  const bits::Significand g = bits::significand(c);
  const bits::WideProduct product = bits::wide_product(b.m, g.m);
  const std::uint32_t second[4] = {
      static_cast<std::uint32_t>(product.low), static_cast<std::uint32_t>(product.low >> 32),
      static_cast<std::uint32_t>(product.high), static_cast<std::uint32_t>(product.high >> 32)};
  const int second_bits = bit_length(second);
  int second_exponent = b.e + g.e;
  const bool second_minus = b.minus != g.minus;

  while (count > 0 && x[count - 1] == 0) {
    --count;
  }
  const std::uint64_t factor = a.m;
  int first_exponent = e + a.e;
  int first_bits = bit_length(x, count);
  const bool first_minus = minus != a.minus;
  if (factor == 0 || first_bits == 0) {
    count = 0;
    first_exponent = second_exponent;
    first_bits = 0;
  } else {
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(factor), static_cast<std::uint32_t>(factor >> 32)};
    first_bits += bit_length(words);  // an upper bound
  }
  if (second_bits == 0) {
    second_exponent = first_exponent;
  }

  int base = first_exponent < second_exponent ? first_exponent : second_exponent;
  if (first_exponent - base + first_bits >= window_bits) {
    second_exponent = base = first_exponent - beside - second_bits;
  } else if (second_exponent - base + second_bits >= window_bits) {
    first_exponent = base = second_exponent - beside - first_bits;
  }

  const int first_shift = first_exponent - base;
  const int second_shift = second_exponent - base;
  const int first_end = first_shift + first_bits;
  const int second_end = second_shift + second_bits;
  const int used = (first_end > second_end ? first_end : second_end) / 32 + 1;  // with a bit for the carry
  std::uint32_t w[window];
  for (int k = 0; k < used; ++k) {
    w[k] = 0;
  }
  const int first_word = first_shift / 32;
  const int first_bit = first_shift % 32;
  const std::uint32_t factors[3] = {static_cast<std::uint32_t>(factor << first_bit),
                                    static_cast<std::uint32_t>(factor << first_bit >> 32),
                                    first_bit == 0 ? 0 : static_cast<std::uint32_t>(factor >> (64 - first_bit))};
  for (int j = 0; j < 3; ++j) {
    std::uint64_t carry = 0;
    for (int k = 0; k < count; ++k) {
      const int to = first_word + j + k;
      if (to < used) {
        carry += std::uint64_t{w[to]} + std::uint64_t{factors[j]} * x[k];
        w[to] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    if (first_word + j + count < used) {
      w[first_word + j + count] = static_cast<std::uint32_t>(carry);
    }
  }
  bool result_minus = first_minus;
  if (count == 0) {
    result_minus = second_minus;
  }
  const bool opposite = result_minus != second_minus;
  std::uint64_t carry = opposite ? 1 : 0;
  for (int k = second_shift / 32; k < used; ++k) {
    const std::uint32_t part = word_at(second, 4, 32 * k - second_shift);
    carry += std::uint64_t{w[k]} + (opposite ? static_cast<std::uint32_t>(~part) : part);
    w[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (opposite && w[used - 1] >> 31 != 0) {
    negate(w, used);
    result_minus = !result_minus;
  }
  if (bit_length(w, used) == 0) {
    return 0.0;
  }
  return rounded(w, used, base, result_minus, to);
}

}  // namespace assay::limb
