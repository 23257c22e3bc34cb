#pragma once
// Block formats, and the rules by which blocks of numbers become scales and codes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/low_precision.hpp"
#include "oracle/stochastic.hpp"

namespace assay::oracle {

/// How a block format represents numbers.
enum class Scaling {
  power_of_two,  ///< scale·code, the scale a power of two
  factor,        ///< scale·code, the scale a number of binary32
  two_level,     ///< scale·code·(number of the tensor)
  offset_code,   ///< scale·(code − 2^(bits − 1)), as llama.cpp's Q4_0 and Q5_0
  zero_point,    ///< scale·(code − zero point), where the zero point is an integer for each block
  minimum,       ///< scale·code + minimum, as llama.cpp's Q4_1 and Q5_1
  stored         ///< as minimum, but the quantizer chooses both, and stores those of 8 blocks in a record: Q4_K
};

/// Elements, and blocks with a scale each. Codes of 4 bits are stored two in a byte; each other code has a byte.
struct BlockFormat {
  std::string_view name;
  const NumberFormat& element;
  std::size_t rows;     ///< of a block; 0: all rows of the tensor
  std::size_t columns;  ///< of a block; 0: all columns
  const NumberFormat& scale;
  Scaling scaling;
  const NumberFormat* second = nullptr;  ///< of a block (minimum, zero_point) or of the tensor (two_level)
  std::size_t partner = 1;               ///< entries i and i + partner share a byte

  [[nodiscard]] bool is_packed() const { return element.bits == 4; }
  /// How many blocks, in a row, share their scales' bytes.
  [[nodiscard]] std::size_t blocks_in_record() const { return scaling == Scaling::stored ? 8 : 1; }
};
std::span<const BlockFormat> block_formats();
/// The format of that name, or nullptr.
const BlockFormat* find_block_format(std::string_view name);

/// The bytes of the results for a tensor: codes row by row, scales or records row by row of the blocks, and a number
/// for each block or for the tensor if the format has one outside of records.
struct BlockSizes {
  std::size_t codes = 0;
  std::size_t scales = 0;
  std::size_t seconds = 0;
};
/// Requires: rows of whole blocks; where a row ends in a shorter block, an even number of columns if codes of 4 bits
/// are stored two in a byte (not checked).
BlockSizes sizes_of(const BlockFormat& format, std::size_t rows, std::size_t columns);

/// The scale of a block and its second number, as codes of the format.
struct StoredScale {
  std::uint64_t scale = 0;
  std::uint64_t second = 0;
};
/// A record of Q4_K as llama.cpp stores it: d and dmin in binary16, then 12 bytes with 8 scales and 8 minima of 6 bits.
inline constexpr std::size_t record_bytes = 16;
/// d·scale and −dmin·minimum of each block as numbers of binary32, which has them.
std::array<StoredScale, 8> scales_of_record(std::span<const std::byte, record_bytes> record);

/// How the scale follows from the largest magnitude M of a block. e is the exponent of M, Emax that of the largest
/// number V of the elements.
enum class ScaleRule {
  floor,         ///< 2^(e − Emax)
  ceil,          ///< 2^(⌈log₂M⌉ − Emax)
  round_up,      ///< the least power of two X with M/X ≤ V
  round_up_f32,  ///< the least power of two that is not below RN(M·RN(1/V)) in binary32
  round_even,    ///< like floor, for M rounded to the precision of the elements, ties up
  log2,          ///< the power of two that is nearest to M/2^Emax on a logarithmic scale
  divide,        ///< RN(M/V) in binary32
  reciprocal,    ///< RN(M·RN(1/V))
  inverse,       ///< RN(1/S) with S = RN(V/M), by which entries are multiplied
  power,         ///< the least power of two that is not below RN(M/V)
  two_level,     ///< RN(448·M/T) in e4m3 with the largest magnitude T of the tensor; entries divided by that·(T/2688)
  two_level_f32,  ///< the same in binary32: E = 2688/T, RN(M·RN(E/6)), entries times 1/(scale·(1/E))
  stored          ///< any; codes are those of x − minimum under the stored scale
};
/// How an entry x is scaled before it is rounded: x/s; x·RN(1/s); in llama.cpp, x·RN(1/s) + offset with two roundings,
/// or with one rounding (a compiler that fuses the two operations). With a zero point z, the last two have z as offset
/// and round after the addition. The first two add z to the rounded number.
enum class Factor { quotient, product, separate, fused };
/// The code for the largest magnitude: the largest integer Q; Q + ½; Q + 1.
enum class Range { narrow, half, full };
/// The smallest M that is used: it replaces a smaller magnitude. With a zero point, the smallest max − min. `scale`:
/// the scale is at least 2^−23.
enum class LeastAmax { none, e4, e10, e12, e5, scale };
/// With a zero point, min and max of a block are extended to 0, or used as they are.
enum class Span { with_zero, as_is };
/// How the zero point follows from the least code L and the scale s: L minus the rounded RN(min/s), or the rounded
/// RN(L − RN(min/s)). It is clamped to the range of codes.
enum class ZeroPoint { of_quotient, of_sum };
/// Of the two codes in a byte, the first is the low or the high half.
enum class Nibbles { low_first, high_first };
/// A block of zeros has: the least scale; the scale 1; any scale.
enum class OfZeros { least, one, any };
/// A NaN in a block: the scale is a NaN; it does not count for M, and its own code is a NaN, the largest number, the
/// largest number of its sign, or 0; anything.
enum class NanInBlock { block, nan, max, signed_max, zero, any };
/// An infinity in a block: the scale is a NaN; the largest scale, and infinite entries saturate; anything.
enum class InfInBlock { block, scale, any };

/// The choices of a quantizer that the format leaves open.
struct QuantizationRule {
  const BlockFormat* format = nullptr;
  ScaleRule scale = ScaleRule::floor;
  Direction direction = Direction::even;
  Factor factor = Factor::quotient;
  Range range = Range::narrow;
  LeastAmax least = LeastAmax::none;
  bool keeps_sign_of_zero = true;
  Nibbles nibbles = Nibbles::low_first;
  OfZeros zeros = OfZeros::least;
  NanInBlock nan = NanInBlock::block;
  InfInBlock infinite = InfInBlock::block;
  Span span = Span::with_zero;
  ZeroPoint zero_point = ZeroPoint::of_quotient;
  std::optional<Draw> draw = std::nullopt;  ///< in place of the direction, which is `outward` then
  bool is_reversed = false;                 ///< the smallest words round away from zero
  bool operator==(const QuantizationRule&) const = default;
};

/// The aspects that the words of a name decide.
enum class QuantizationAspect {
  scale,
  direction,
  factor,
  range,
  least,
  sign,
  nibbles,
  span,
  zero_point,
  words,
  zeros,
  nan,
  infinite
};
inline constexpr std::size_t quantization_aspects = 13;
using QuantizationChoices = std::array<std::uint8_t, quantization_aspects>;
QuantizationChoices choices_of(const QuantizationRule& rule);
/// A word of the names of rules. The first word of an aspect for a format is usual, and names omit it, except for scale
/// and direction.
struct QuantizationWord {
  std::string_view word;
  std::string_view meaning;
};
std::span<const QuantizationWord> words_of(QuantizationAspect aspect);
std::string_view decides(QuantizationAspect aspect);
inline std::string_view scale_word(ScaleRule scale) {
  return words_of(QuantizationAspect::scale)[static_cast<std::size_t>(scale)].word;
}

/// "mxfp4.floor.even": format, scale, direction or draw, and words for unusual choices.
std::string name_of(const QuantizationRule& rule);
/// The rule with that name, its words after the format in any order; empty for a text that is not a rule.
std::optional<QuantizationRule> quantization_rule_named(std::string_view name);
/// Whether the elements of a format may be rounded with random words: a code is that of x over a scale, and no code of
/// a book or of llama.cpp.
bool has_draws(const BlockFormat& format);
/// Every rule of the format that finite numbers other than 0 can distinguish; all other aspects have the usual word.
/// `with_words`: the rules with a draw.
std::vector<QuantizationRule> finite_rules_of(const BlockFormat& format, bool with_words = false);
/// The rules that differ from this one in one word. Both have a draw, or neither.
std::vector<QuantizationRule> rules_beside(const QuantizationRule& rule);

/// The place in a block's codes, low halves first, of the code of entry i.
constexpr std::size_t place_of_code(const QuantizationRule& rule, std::size_t i) {
  const std::size_t partner = rule.format->partner;
  if (rule.nibbles == Nibbles::low_first) return i;
  return partner == 1 ? i ^ 1 : (i + partner) % (2 * partner);
}

/// The result that a rule requires at a place: a code, or one of two, a NaN, or anything.
struct Wanted {
  enum class Kind { code, nan, any };
  Kind kind = Kind::code;
  std::uint64_t code = 0;
  std::optional<std::uint64_t> other = std::nullopt;  ///< another code that is right, if the random word is unknown
};
bool fits(const Wanted& wanted, const NumberFormat& format, std::uint64_t code);
struct WantedBlock {
  Wanted scale;
  Wanted second;
  std::vector<Wanted> codes;
  std::vector<Number> scaled;  ///< of a rule with a draw, by entry: the number that is rounded; empty where any code is
};
/// The random word of each entry, of so many bits. Without words, each result that a word gives is right.
struct RandomWords {
  std::span<const std::uint32_t> words;
  int bits = 0;
};
/// Scale and codes of a block by integer arithmetic. `tensor_amax`: the largest finite magnitude of the whole tensor,
/// for two_level; `stored`: the result of the quantizer, for `stored`; `random`: for a rule with a draw. Requires:
/// entries of binary32, binary16 or bfloat16; a word below 2^bits for each entry (not checked). Cost: about 20 ns for
/// each entry.
void quantize(const QuantizationRule& rule, std::span<const Number> block, const Number& tensor_amax,
              WantedBlock& wanted, const StoredScale& stored = {}, const RandomWords& random = {});

/// Whether |a| < |b|. Requires: finite numbers of one format (not checked).
constexpr bool is_smaller(const Number& a, const Number& b) {
  if (a.m == 0 || b.m == 0) return b.m != 0 && a.m == 0;
  return a.e != b.e ? a.e < b.e : a.m < b.m;
}

}  // namespace assay::oracle
