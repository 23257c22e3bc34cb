#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::oracle {

/// Which codes of a number format are not finite numbers.
enum class Codes {
  ieee,        ///< the largest exponent field: an infinity (fraction 0) and NaNs
  finite_nan,  ///< the largest code of each sign is a NaN
  finite,      ///< every code is a number
  fnuz,        ///< the code of −0 is the one NaN
  p3109,       ///< as fnuz, and the largest code of each sign is an infinity
  no_zero,     ///< unsigned, code c is 2^(emin + c); the largest code is the one NaN
  integer,     ///< two's complement, or unsigned
  book         ///< the numbers of a code book, in ascending order
};

/// Numbers in ascending order, and the border between each two neighbors, as patterns of binary32.
struct CodeBook {
  std::array<std::uint32_t, 16> numbers;
  std::array<std::uint32_t, 15> borders;
};

/// A format of numbers of up to 64 bits. Floats are sign, exponent field, precision − 1 fraction bits, with subnormals;
/// `emin` is the exponent of the smallest normal number. An integer has as many bits of precision as bits. Two codes of
/// 4 bits may lie in a byte.
struct NumberFormat {
  std::string_view name;
  std::string_view alias;  ///< another name; empty for none
  int bits;
  int precision;
  int emin;
  Codes codes;
  bool is_signed = true;
  bool is_pair = false;  ///< two codes in a byte
  const CodeBook* book = nullptr;

  [[nodiscard]] constexpr bool is_integer() const { return codes == Codes::integer; }
  [[nodiscard]] constexpr std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - bits); }
  [[nodiscard]] constexpr std::uint64_t sign_bit() const { return is_signed ? std::uint64_t{1} << (bits - 1) : 0; }
  /// The code of the largest number of that sign, without its sign bit; for an integer its magnitude.
  [[nodiscard]] constexpr std::uint64_t largest(bool negative = false) const {
    const std::uint64_t all = mask() & ~sign_bit();
    switch (codes) {
      case Codes::ieee:
        return ((all >> (precision - 1)) << (precision - 1)) - 1;
      case Codes::finite_nan:
      case Codes::p3109:
      case Codes::no_zero:
        return all - 1;
      case Codes::integer:
        return negative ? sign_bit() : all;
      default:
        return all;
    }
  }
  [[nodiscard]] constexpr bool has_infinity() const { return codes == Codes::ieee || codes == Codes::p3109; }
  [[nodiscard]] constexpr bool has_nan() const {
    return codes != Codes::finite && codes != Codes::book && !is_integer();
  }
  [[nodiscard]] constexpr bool has_negative_zero() const {
    return is_signed && (codes == Codes::ieee || codes == Codes::finite_nan || codes == Codes::finite);
  }
  /// The number of bytes in which a kernel stores a number, or a pair: the code is in the low bits.
  [[nodiscard]] constexpr std::size_t bytes() const { return bits <= 8 ? 1 : static_cast<std::size_t>(bits) / 8; }
  /// The number of bytes of so many numbers. Requires: an even number of those in pairs (not checked).
  [[nodiscard]] constexpr std::size_t bytes_for(std::size_t count) const {
    return (is_pair ? count / 2 : count) * bytes();
  }
};

/// All formats.
std::span<const NumberFormat> number_formats();
/// The format of that name or alias, or nullptr.
const NumberFormat* find_number_format(std::string_view name);

/// The meaning of a code: ±m·2^e, an infinity or a NaN.
struct Number {
  enum class Kind { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  std::uint64_t m = 0;
  int e = 0;
};
/// The meaning of a code. Requires: no bit above format.bits is set (not checked).
Number decode(const NumberFormat& format, std::uint64_t code);

/// The rounding of a number between two neighbors: to the nearest one, with ties to the even code (`even`), away from
/// zero, toward zero, up or down; to the one toward zero, up, down, or away from zero (`outward`); to the one with an
/// odd code.
enum class Direction { even, away, toward, ties_up, ties_down, zero, up, down, outward, odd };
/// The result for a finite number whose rounding with unbounded exponent lies beyond the largest number: the largest
/// number; an infinity, or a NaN, if the direction leads outward, and else the largest number; the low bits of the
/// rounded integer.
enum class Overflow { saturate, infinity, nan, wrap };
/// The result for an infinity: the largest number of its sign; an infinity; a NaN; 0.
enum class OfInfinity { saturate, infinity, nan, zero };
/// The result for a NaN: any NaN; one with the sign bit of the input; +0; the largest number; the largest number of its
/// sign; the least number.
enum class OfNan { nan, signed_nan, zero, max, signed_max, least };
/// The result for a number below 0 in an unsigned format: the least number; the result for its magnitude; a NaN.
enum class OfNegative { clamp, magnitude, nan };

/// The choices of a conversion that the two formats leave open.
struct Rule {
  Direction direction = Direction::even;
  Overflow overflow = Overflow::saturate;
  OfInfinity infinite = OfInfinity::saturate;
  OfNan nan = OfNan::nan;
  bool keeps_sign_of_zero = true;  ///< else −0 and numbers that round to it give +0
  OfNegative negative = OfNegative::clamp;
  bool zero_is_nan = false;    ///< if the format has no zero; else 0 gives the least number
  bool is_high_first = false;  ///< of two codes in a byte, the first is the high half; else the low half
  bool operator==(const Rule&) const = default;
};

/// "even.saturate.nan": direction, overflow, NaN, and words for unusual choices.
std::string name_of(const Rule& rule);
/// The rule with that name, its words in any order; empty for a text that is not a rule.
std::optional<Rule> rule_named(std::string_view name);
/// Every rule of the two formats that has a different name and behavior. If several rules agree, the first one is the
/// most usual.
std::vector<Rule> rules_between(const NumberFormat& from, const NumberFormat& to);

/// A word of the names of rules.
struct RuleWord {
  std::string_view word;
  std::string_view meaning;
  bool is_usual = false;  ///< names omit it
};
/// The words by the aspect that they decide: direction, overflow, NaN, infinity, sign of zero, negative numbers, zero,
/// order of a pair.
struct RuleAspect {
  std::string_view decides;
  std::vector<RuleWord> words;
};
std::span<const RuleAspect> rule_aspects();
/// Which word of each aspect a rule has, in the order of rule_aspects().
std::array<int, 8> choices_of(const Rule& rule);

/// The result that a rule requires: a code, any NaN, or a NaN of that sign.
struct Expected {
  enum class Kind { code, nan, signed_nan };
  Kind kind = Kind::code;
  std::uint64_t code = 0;  ///< for a NaN: one acceptable code
  bool operator==(const Expected&) const = default;
};
/// The result of a number, wherever it lies in a pair. Integer arithmetic only, one rounding. Cost: about 10 ns.
/// Requires: no code book (not checked).
Expected converted(const Number& x, const NumberFormat& to, const Rule& rule);
/// Whether the code is the expected one.
bool fits(const Expected& expected, const NumberFormat& to, std::uint64_t code);

}  // namespace assay::oracle
