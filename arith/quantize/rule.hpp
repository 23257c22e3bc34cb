#pragma once
// How a quantizer makes a scale and codes of a block of numbers: the choices that a block format leaves open. The words
// of these values in names of rules, such as mxfp4.floor.even, are those of docs/quantize.md.

#include <cstdint>

namespace assay::quantize {

/// What a block format does with scales.
enum class Scaling : std::uint8_t {
  power_of_two,  ///< scale·code, the scale in E8M0
  factor,        ///< scale·code
  two_level,     ///< scale·code·(number of the tensor), the scale in E4M3 without sign
  zero_point,    ///< scale·(code − zero point)
  offset_code,   ///< scale·(code − 2^(bits − 1)): llama.cpp's Q4_0, Q5_0
  minimum        ///< scale·code + minimum: llama.cpp's Q4_1, Q5_1
};

/// The rounding of a number between two neighbors: to the nearest one, with ties to the even code (`even`), away from
/// zero, toward zero, up or down; or to the one toward zero, up, down, away from zero (`outward`), with an odd code.
enum class Direction : std::uint8_t { even, away, toward, ties_up, ties_down, zero, up, down, outward, odd };

/// How the scale follows from the largest magnitude M of a block, with the exponent e of M and the largest number V of
/// the elements, whose exponent is Emax. Operations are those of binary32.
enum class ScaleRule : std::uint8_t {
  floor,         ///< 2^(e − Emax)
  ceil,          ///< 2^(⌈log₂M⌉ − Emax)
  round_up,      ///< the least power of two X with M/X ≤ V
  round_up_f32,  ///< the least power of two that is not below M·(1/V)
  round_even,    ///< like floor, for M rounded to the precision of the elements, ties up
  log2,          ///< the power of two that is nearest to M/2^Emax on a logarithmic scale
  divide,        ///< M/V
  reciprocal,    ///< M·(1/V)
  inverse,       ///< 1/S with S = V/M, by which entries are multiplied
  power,         ///< the least power of two that is not below M/V
  two_level,     ///< RN(448·M/T) in e4m3, with the largest magnitude T of the tensor
  two_level_f32  ///< M·(E·(1/6)) in e4m3, E = 2688/T
};

/// How an entry x is scaled before it is rounded: x/s; x·(1/s); x·(1/s) + offset with two roundings, or with one.
enum class Factor : std::uint8_t { quotient, product, separate, fused };

/// The number for which M stands: the largest integer Q, Q + ½ or Q + 1.
enum class Range : std::uint8_t { narrow, half, full };

/// The least M, or with a zero point the least max − min: none, 10⁻⁴, 10⁻¹⁰, 10⁻¹², 10⁻⁵; or a scale of at least 2⁻²³.
enum class Least : std::uint8_t { none, e4, e10, e12, e5, scale };

/// The choices of a quantizer. A block with a NaN or an infinity has the scale NaN if scales are powers of two; for
/// other scales such a block is outside of what is defined.
struct Rule {
  ScaleRule scale = ScaleRule::floor;
  Direction direction = Direction::even;
  Factor factor = Factor::quotient;
  Range range = Range::narrow;
  Least least = Least::none;
  bool keeps_sign_of_zero = true;     ///< else −0 and negative numbers that round to it have the code of +0
  bool is_high_half_first = false;    ///< of two codes in a byte the first is the high half
  bool zeros_have_scale_one = false;  ///< else a block of zeros has the least scale
  bool spans_zero = true;             ///< with a zero point: min and max are extended to 0
  bool zero_point_of_sum = false;     ///< the rounded L − min/s, with the least code L; else L less the rounded min/s
};

}  // namespace assay::quantize
