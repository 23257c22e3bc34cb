#pragma once
// The elements of block formats: numbers of at most 8 bits, as codes. Conversions from binary32 saturate; the code of a
// NaN is not defined.

#include <bit>
#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"
#include "arith/hd.hpp"
#include "arith/quantize/rule.hpp"

namespace assay::quantize {

namespace detail {

inline constexpr std::uint32_t sign_mask = 0x80000000u;
inline constexpr std::uint32_t exponent_mask = 0x7F800000u;
inline constexpr std::uint32_t fraction_mask = 0x007FFFFFu;

ASSAY_HD inline float smaller(float a, float b) { return ASSAY_ON_DEVICE(fminf(a, b), (a < b ? a : b)); }
ASSAY_HD inline float larger(float a, float b) { return ASSAY_ON_DEVICE(fmaxf(a, b), (a > b ? a : b)); }
ASSAY_HD inline float magnitude(float x) {
  return ASSAY_ON_DEVICE(fabsf(x), from_bits<float>(to_bits(x) & ~sign_mask));
}

/// The pattern of x, rounded to binary16.
ASSAY_HD inline std::uint16_t half_pattern(float x) {
#if defined(__CUDA_ARCH__)
  std::uint16_t pattern;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(pattern) : "f"(x));
  return pattern;
#else
  return binary16(x).bits();
#endif
}

/// ⌊x⌋ and x − ⌊x⌋, exactly. Requires: 0 ≤ x < 2²² (not checked).
struct Parts {
  std::uint32_t whole;
  float rest;
};
ASSAY_HD inline Parts parts_of(float x) {
#if defined(__CUDA_ARCH__)
  constexpr float unit = 0x1p23f;  // the sum, rounded toward 0, counts units in its last bits
  const float sum = __fadd_rz(x, unit);
  return {to_bits(sum) - to_bits(unit), x - (sum - unit)};
#else
  const auto whole = static_cast<std::uint32_t>(x);
  return {whole, x - static_cast<float>(whole)};
#endif
}

/// Whether k + rest goes to k + 1, for the magnitude of a number with that sign. Requires: 0 ≤ rest < 1 (not checked).
ASSAY_HD constexpr bool goes_outward(Direction direction, std::uint32_t k, float rest, bool is_negative) {
  switch (direction) {
    case Direction::even:
      return rest > 0.5f || (rest == 0.5f && (k & 1) != 0);
    case Direction::away:
      return rest >= 0.5f;
    case Direction::toward:
      return rest > 0.5f;
    case Direction::ties_up:
      return is_negative ? rest > 0.5f : rest >= 0.5f;
    case Direction::ties_down:
      return is_negative ? rest >= 0.5f : rest > 0.5f;
    case Direction::up:
      return !is_negative && rest > 0;
    case Direction::down:
      return is_negative && rest > 0;
    case Direction::outward:
      return rest > 0;
    case Direction::odd:
      return rest > 0 && (k & 1) == 0;
    default:
      return false;
  }
}

}  // namespace detail

/// A float of p bits of precision: a sign bit, an exponent field, p − 1 fraction bits. 2^least is the smallest normal
/// number, and `largest_code` the code of the largest number.
template <int p, int least, std::uint32_t largest_code>
struct FloatElement {
  static_assert(p >= 2);  // the code and the significand have the same parity
  static constexpr bool is_integer = false;
  static constexpr int precision = p;
  static constexpr int bits = std::bit_width(largest_code) + 1;
  static constexpr std::uint32_t sign_bit = std::uint32_t{1} << (bits - 1);

  /// The number of a code that is no NaN. The code's exponent field and fraction are those of a number of binary32,
  /// subnormal or normal, that is 2^(least + 126) times smaller.
  ASSAY_HD static constexpr float value(std::uint32_t code) {
    return from_bits<float>((code & (sign_bit - 1)) << (24 - p) | (code & sign_bit) << (32 - bits)) *
           bits::power_of_two<float>(least + 126);
  }
  static constexpr std::uint32_t largest_bits = largest_code;
  static constexpr int largest_exponent = static_cast<int>(largest_code >> (p - 1)) - 1 + least;
  /// The fraction bits of the largest number in binary32.
  static constexpr std::uint32_t largest_fraction = largest_code << (24 - p) & detail::fraction_mask;

  /// To nearest with ties to even: 2^(e + 24 − p) is added to the magnitude, with its exponent e, at least `least`. The
  /// sum rounds it to a multiple of the element's unit 2^(e − p + 1), and the last bits of the sum count these units.
  ASSAY_HD static std::uint32_t nearest_even(float y) {
    constexpr std::uint32_t lowest = static_cast<std::uint32_t>(least + 127) << 23;
    const float t = detail::smaller(detail::magnitude(y), value(largest_code));
    const std::uint32_t field = to_bits(t) & detail::exponent_mask;
    const std::uint32_t e = field > lowest ? field : lowest;
    const std::uint32_t unit = e + (static_cast<std::uint32_t>(24 - p) << 23);
    return (to_bits(t + from_bits<float>(unit)) - unit + (e >> (24 - p)) - (lowest >> (24 - p))) |
           ((to_bits(y) >> (32 - bits)) & sign_bit);
  }

  /// The codes of a and b, in the low and the next byte. Devices of compute capability 8.9 and above have an
  /// instruction for E4M3 and E5M2, which gives the code of every number (docs/convert.md).
  ASSAY_HD static std::uint32_t nearest_even_pair(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    std::uint16_t codes;
    if constexpr (largest_code == 0x7E) {
      asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(codes) : "f"(b), "f"(a));
      return codes;
    } else if constexpr (largest_code == 0x7B) {
      asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(codes) : "f"(b), "f"(a));
      return codes;
    }
#endif
    return nearest_even(a) | nearest_even(b) << 8;
  }

  /// The same for numbers of at most 11 bits: of a format with a smaller range than binary16, with two numbers in a
  /// word. Numbers that binary16 rounds are below 2⁻¹⁴, far below half of the least element.
  ASSAY_HD static std::uint32_t nearest_even_pair_of_short(float a, float b) {
#if defined(__CUDA_ARCH__)
    if constexpr (least > -6) {
      constexpr std::uint32_t both = 0x00010001u;
      constexpr std::uint32_t lowest = static_cast<std::uint32_t>(least + 15) << 10;
      constexpr std::uint32_t top = binary16(value(largest_code)).bits() * both;
      std::uint32_t y, t, sum;
      asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(b), "f"(a));
      asm("min.f16x2 %0, %1, %2;" : "=r"(t) : "r"(y & 0x7FFF * both), "r"(top));
      const std::uint32_t e = __vmaxu2(t & 0x7C00 * both, lowest * both);
      const std::uint32_t unit = e + (static_cast<std::uint32_t>(11 - p) << 10) * both;
      asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(t), "r"(unit));
      const std::uint32_t code =
          (sum - unit + (e >> (11 - p)) - (lowest >> (11 - p)) * both) | (y >> (16 - bits) & sign_bit * both);
      return __byte_perm(code, 0, 0x4420);
    }
#endif
    return nearest_even_pair(a, b);
  }

  /// The code of y.
  ASSAY_HD static std::uint32_t code(float y, Direction direction) {
    if (direction == Direction::even) return nearest_even(y);
    const float t = detail::smaller(detail::magnitude(y), value(largest_code));
    const int field = static_cast<int>(to_bits(t) >> 23) - 127;
    const int e = field > least ? field : least;
    const detail::Parts scaled = detail::parts_of(t * bits::power_of_two<float>(p - 1 - e));  // exact, and below 2^p
    const bool is_negative = (to_bits(y) & detail::sign_mask) != 0;
    const std::uint32_t k = scaled.whole + (static_cast<std::uint32_t>(e - least) << (p - 1));
    return (k + (detail::goes_outward(direction, k, scaled.rest, is_negative) ? 1 : 0)) | (is_negative ? sign_bit : 0);
  }
};

/// Integers of that many bits, in two's complement or unsigned.
template <int width, bool is_signed>
struct IntegerElement {
  static constexpr bool is_integer = true;
  static constexpr int bits = width;
  static constexpr int least = is_signed ? -(1 << (width - 1)) : 0;
  static constexpr int most = least + (1 << width) - 1;
  static constexpr std::uint32_t mask = (std::uint32_t{1} << width) - 1;

  ASSAY_HD static constexpr float value(std::uint32_t code) {
    const auto k = static_cast<int>(code & mask);
    return static_cast<float>(k > most ? k - (1 << width) : k);
  }

  /// y rounded in that direction, between `low` and `high`. Requires: |low|, |high| ≤ 2²⁰ (not checked).
  ASSAY_HD static int rounded(float y, int low, int high, Direction direction) {
    const float t = detail::larger(detail::smaller(y, static_cast<float>(high)), static_cast<float>(low));
    if (direction == Direction::even) {
      constexpr float unit = 0x1.8p23f;  // the sum rounds t to an integer, which its last bits count
      return static_cast<int>(to_bits(t + unit) - to_bits(unit));
    }
    const detail::Parts size = detail::parts_of(detail::magnitude(t));
    const bool is_negative = t < 0;
    const bool outward = detail::goes_outward(direction, size.whole, size.rest, is_negative);
    const auto k = static_cast<int>(size.whole + (outward ? 1 : 0));
    return is_negative ? -k : k;
  }
};

using E4m3 = FloatElement<4, -6, 0x7E>;
using E5m2 = FloatElement<3, -14, 0x7B>;
using E3m2 = FloatElement<3, -2, 0x1F>;
using E2m3 = FloatElement<4, 0, 0x1F>;
using E2m1 = FloatElement<2, 0, 0x7>;
using Int8 = IntegerElement<8, true>;
using Int4 = IntegerElement<4, true>;
using Uint8 = IntegerElement<8, false>;
using Uint5 = IntegerElement<5, false>;
using Uint4 = IntegerElement<4, false>;

}  // namespace assay::quantize
