#pragma once
// The elements of block formats: numbers of at most 8 bits, as codes. Conversions from binary32 saturate; the code of a
// NaN is not defined.

#include <bit>
#include <cstdint>
#include <type_traits>

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

/// RN(a·b + c), and the same but 0 below 0 and 1 above 1. Requires: a·b is a number of binary32 (not checked).
ASSAY_HD inline float multiply_add(float a, float b, float c) { return ASSAY_ON_DEVICE(__fmaf_rn(a, b, c), a * b + c); }
ASSAY_HD inline float saturated_multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  float sum;
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
  return sum;
#else
  const float sum = a * b + c;
  return sum > 0 ? (sum < 1 ? sum : 1) : 0;
#endif
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

/// The four bytes of b:a that the digits of `selector` number, the first byte by its last digit; a digit from 8 on
/// stands for the sign of byte (digit − 8), eight times.
ASSAY_HD inline std::uint32_t select_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  std::uint32_t bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(a), "r"(b), "r"(selector));
  return bytes;
#else
  std::uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t digit = selector >> (4 * i) & 15;
    const std::uint32_t byte = ((digit & 4) != 0 ? b : a) >> (8 * (digit & 3)) & 0xFF;
    bytes |= (digit < 8 ? byte : (byte >> 7) * 0xFF) << (8 * i);
  }
  return bytes;
#endif
}
/// The byte of each of four words that `place` numbers.
template <int place>
ASSAY_HD std::uint32_t bytes_of(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  constexpr std::uint32_t pair = (place + 4) << 4 | place;
  return select_bytes(select_bytes(a, b, pair), select_bytes(c, d, pair), 0x5410);
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

/// A word whose second byte is ⌊x⌋, or ⌊x + ½⌋. Requires: 0 ≤ x < 255 (not checked).
ASSAY_HD inline std::uint32_t floor_sum(float x) {
  return ASSAY_ON_DEVICE(to_bits(__fadd_rz(x, 0x1p15f)), static_cast<std::uint32_t>(x) << 8);
}
ASSAY_HD inline std::uint32_t half_up_sum(float x) {
  return ASSAY_ON_DEVICE(to_bits(__fadd_rz(x, 0x1p15f + 0.5f)), static_cast<std::uint32_t>(x + 0.5) << 8);
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

  /// A word whose first byte is the code of t ≥ 0, to nearest with ties to even: 2^(e + 24 − p) is added to t, which
  /// has the exponent e, at least `least`. The sum rounds t to a multiple of the element's unit 2^(e − p + 1), and its
  /// last bits count these units, from the number of the elements' units below 2^e less 2^(p − 1).
  ASSAY_HD static std::uint32_t nearest_even_sum(float t) {
    if constexpr (p == 2 && least == 0 && largest_code == 7) {
      // The units below 2, between 2 and 4, and beyond, each rounded to an even number where a tie is.
      using detail::multiply_add, detail::saturated_multiply_add;
      const float sum = multiply_add(saturated_multiply_add(t, 0.5f, 0), 4, 0x1.8p23f);
      return to_bits(saturated_multiply_add(t, 0.5f, -2) + multiply_add(saturated_multiply_add(t, 0.5f, -1), 2, sum));
    } else {
      constexpr int shift = 24 - p;
      constexpr std::uint32_t lowest = static_cast<std::uint32_t>(least + 127) << 23;
      const float size = detail::smaller(t, value(largest_code));
      const std::uint32_t field = to_bits(size) & detail::exponent_mask;
      const std::uint32_t e = field > lowest ? field : lowest;
      const std::uint32_t unit = e + (e >> shift) + ((std::uint32_t{shift} << 23) - (lowest >> shift));
      return to_bits(size + from_bits<float>(unit));
    }
  }
  ASSAY_HD static std::uint32_t nearest_even(float y) {
    return (nearest_even_sum(detail::magnitude(y)) & 0xFF) | ((to_bits(y) >> (32 - bits)) & sign_bit);
  }

  /// Whether there is an instruction that gives the code of every number (docs/convert.md).
  static constexpr bool has_instruction =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
      largest_code == 0x7E || largest_code == 0x7B;
#else
      false;
#endif

  /// The codes of four numbers, a byte each: y with an instruction, otherwise magnitudes y with the signs of the
  /// numbers as the first bits of the bytes of `signs`.
  ASSAY_HD static std::uint32_t nearest_even(const float* y, std::uint32_t signs) {
    if constexpr (has_instruction) {
#if defined(__CUDA_ARCH__)
      std::uint16_t low, high;
      if constexpr (largest_code == 0x7E) {
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(low) : "f"(y[1]), "f"(y[0]));
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(high) : "f"(y[3]), "f"(y[2]));
      } else {
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(low) : "f"(y[1]), "f"(y[0]));
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(high) : "f"(y[3]), "f"(y[2]));
      }
      return low | std::uint32_t{high} << 16;
#endif
    } else {
      return with_signs(detail::bytes_of<0>(nearest_even_sum(y[0]), nearest_even_sum(y[1]), nearest_even_sum(y[2]),
                                            nearest_even_sum(y[3])),
                        signs);
    }
  }
  /// Codes of magnitudes, below the sign bit in each byte, with the signs.
  ASSAY_HD static std::uint32_t with_signs(std::uint32_t codes, std::uint32_t signs) {
    constexpr std::uint32_t each = 0x01010101u;
    return (codes & (sign_bit - 1) * each) | (signs >> (8 - bits) & sign_bit * each);
  }

#if defined(__CUDACC__)
  /// The same with two numbers of T, binary16 or bfloat16, in a word: halves whose first 7 bits are codes. Of a format
  /// with a smaller range than T, whose codes have fewer bits than T has fraction bits. Numbers that T rounds are far
  /// below half of the least element.
  template <class T>
  __device__ static std::uint32_t nearest_even_sums(std::uint32_t y) {
    constexpr bool is_half = std::is_same_v<T, binary16>;
    constexpr std::uint32_t both = 0x00010001u;
    constexpr int fraction_bits = is_half ? 10 : 7;
    constexpr int shift = fraction_bits + 1 - p;
    constexpr std::uint32_t lowest = static_cast<std::uint32_t>(least + (is_half ? 15 : 127)) << fraction_bits;
    constexpr std::uint32_t top = T(value(largest_code)).bits() * both;
    constexpr std::uint32_t exponents = (is_half ? 0x7C00u : 0x7F80u) * both;
    static_assert(largest_code < 1u << fraction_bits);
    std::uint32_t t, sum;
    if constexpr (is_half) {
      asm("min.f16x2 %0, %1, %2;" : "=r"(t) : "r"(y & 0x7FFF * both), "r"(top));
    } else {
      asm("min.bf16x2 %0, %1, %2;" : "=r"(t) : "r"(y & 0x7FFF * both), "r"(top));
    }
    const std::uint32_t e = __vmaxu2(t & exponents, lowest * both);
    const std::uint32_t unit = e + (e >> shift) + ((std::uint32_t{shift} << fraction_bits) - (lowest >> shift)) * both;
    if constexpr (is_half) {
      asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(t), "r"(unit));
    } else {
      asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(t), "r"(0x3F80 * both), "r"(unit));
    }
    return sum;
  }
#endif

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
  static constexpr bool has_instruction = false;
  static constexpr int bits = width;
  static constexpr int least = is_signed ? -(1 << (width - 1)) : 0;
  static constexpr int most = least + (1 << width) - 1;
  static constexpr std::uint32_t mask = (std::uint32_t{1} << width) - 1;

  ASSAY_HD static constexpr float value(std::uint32_t code) {
    constexpr float unit = 0x1p23f;  // its last bits count integers
    constexpr std::uint32_t first = is_signed ? std::uint32_t{1} << (width - 1) : 0;
    return from_bits<float>(to_bits(unit) | ((code & mask) ^ first)) - (unit + static_cast<float>(first));
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

/// NF4: a book of 16 numbers in ascending order, the quantiles of the normal distribution of Dettmers et al., "QLoRA:
/// Efficient Finetuning of Quantized LLMs", 2023, appendix E, with the borders of bitsandbytes' dQuantizeNF4.
struct Nf4 {
  static constexpr bool is_integer = false;
  static constexpr bool has_instruction = false;
  static constexpr int bits = 4;
  static constexpr std::uint32_t sign_bit = 16;  // no code has it
  static constexpr std::uint32_t largest_bits = 15;
  static constexpr int count = 16;

  ASSAY_HD static constexpr float value(std::uint32_t code) {
    constexpr std::uint32_t patterns[count] = {0xBF800000, 0xBF3239B1, 0xBF066B30, 0xBECA32A0, 0xBE91A24D, 0xBE3D353F,
                                               0xBDBA7871, 0x00000000, 0x3DA2FAFF, 0x3E24CAE3, 0x3E7C04DD, 0x3EAD033A,
                                               0x3EE1A4B8, 0x3F1007AB, 0x3F3913B3, 0x3F800000};
    return from_bits<float>(patterns[code & 15]);
  }
  /// The border between numbers i and i + 1.
  ASSAY_HD static constexpr float border(int i) {
    constexpr std::uint32_t patterns[count - 1] = {0xBF591CD9, 0xBF1C5270, 0xBEEB8480, 0xBEADEA76, 0xBE703CEC,
                                                   0xBE0D38BC, 0xBD3A7871, 0x3D22FAFF, 0x3DF64863, 0x3E5067E0,
                                                   0x3E9582D4, 0x3EC753F9, 0x3F006D03, 0x3F248DAF, 0x3F5C89D9};
    return from_bits<float>(patterns[i]);
  }

  /// The code of y in any direction.
  ASSAY_HD static std::uint32_t code(float y, Direction direction) {
    if (y <= value(0)) return 0;
    std::uint32_t below = 0;
    while (below < 15 && value(below + 1) <= y) ++below;
    if (below == 15 || value(below) == y) return below;
    const float middle = border(static_cast<int>(below));
    const bool is_negative = y < 0;
    const float rest = y == middle ? 0.5f : (y < middle) == is_negative ? 0.75f : 0.25f;
    const std::uint32_t inner = below + (is_negative ? 1 : 0);
    if (!detail::goes_outward(direction, inner, rest, is_negative)) return inner;
    return is_negative ? inner - 1 : inner + 1;
  }

  /// The numbers from −1 to 1 in cells of the width 1/15, of which none has two borders: the border of each cell, or an
  /// infinity, and the number of the borders before the cell. With ties_down the code of y is that number, and one more
  /// above the border.
  struct Places {
    std::uint32_t of[15];
  };
  ASSAY_HD static constexpr Places cells_of_borders() {
    Places places{};
    for (int i = 0; i < 15; ++i) places.of[i] = static_cast<std::uint32_t>(15.0 * border(i) + 15.5);
    return places;
  }
  struct Cells {
    static constexpr std::uint32_t count = 32;
    struct alignas(8) Cell {
      float border;
      std::uint32_t before;
    };
    Cell cell[count];

    ASSAY_HD constexpr void fill(std::uint32_t c) {
      constexpr auto places = cells_of_borders();
      float border = from_bits<float>(detail::exponent_mask);
      std::uint32_t before = 0;
      ASSAY_UNROLL(15)
      for (int i = 0; i < 15; ++i) {
        if (places.of[i] == c) border = Nf4::border(i);
        before += places.of[i] < c ? 1 : 0;
      }
      cell[c] = {border, before};
    }
  };
  /// The cell of y; of other numbers than |y| < 1.03, and of NaN, any cell.
  ASSAY_HD static std::uint32_t cell_of(float y) {
    return ASSAY_ON_DEVICE(to_bits(__fmaf_rz(y, 15, 0x1p15f + 15.5f)) >> 8 & 0x1F,
                           (y > -1.03f && y < 1.03f ? static_cast<std::uint32_t>(15.0 * y + 15.5) : 0));
  }
  ASSAY_HD static std::uint32_t code_of(const Cells& cells, float y) {
    const Cells::Cell cell = cells.cell[cell_of(y)];
    return cell.before + (y > cell.border ? 1 : 0);
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
