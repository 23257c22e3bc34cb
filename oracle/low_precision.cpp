#include "oracle/low_precision.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace assay::oracle {
namespace {

constexpr NumberFormat signed_float(std::string_view name, int bits, int precision, int emin, Codes codes,
                                    std::string_view alias = "") {
  return {name, alias, bits, precision, emin, codes};
}
constexpr NumberFormat integer(std::string_view name, std::string_view alias, int bits, bool is_signed) {
  return {name, alias, bits, bits, bits - 1, Codes::integer, is_signed};
}
/// Binary8 of the interim report of IEEE P3109 with p bits of precision: signed, with infinities.
constexpr NumberFormat binary8(std::string_view name, int p) {
  return {name, "", 8, p, 1 - (1 << (7 - p)), Codes::p3109};
}

constexpr NumberFormat pair(std::string_view name, NumberFormat format) {
  format.name = name;
  format.is_pair = true;
  return format;
}

constexpr std::array formats{
    signed_float("f64", 64, 53, -1022, Codes::ieee, "float64"),
    signed_float("f32", 32, 24, -126, Codes::ieee, "float32"),
    signed_float("f16", 16, 11, -14, Codes::ieee, "float16"),
    signed_float("bf16", 16, 8, -126, Codes::ieee, "bfloat16"),
    signed_float("e5m2", 8, 3, -14, Codes::ieee),
    signed_float("e4m3fn", 8, 4, -6, Codes::finite_nan, "e4m3"),
    signed_float("e4m3_ieee", 8, 4, -6, Codes::ieee),
    signed_float("e3m4", 8, 5, -2, Codes::ieee),
    signed_float("e5m2fnuz", 8, 3, -15, Codes::fnuz),
    signed_float("e4m3fnuz", 8, 4, -7, Codes::fnuz),
    signed_float("e4m3b11fnuz", 8, 4, -10, Codes::fnuz),
    signed_float("e3m2", 6, 3, -2, Codes::finite, "e3m2fn"),
    signed_float("e2m3", 6, 4, 0, Codes::finite, "e2m3fn"),
    signed_float("e2m1", 4, 2, 0, Codes::finite, "e2m1fn"),
    NumberFormat{"e8m0", "e8m0fnu", 8, 1, -127, Codes::no_zero, false},
    NumberFormat{"ue4m3", "", 7, 4, -6, Codes::finite_nan, false},
    binary8("p3109_p1", 1),
    binary8("p3109_p2", 2),
    binary8("p3109_p3", 3),
    binary8("p3109_p4", 4),
    binary8("p3109_p5", 5),
    binary8("p3109_p6", 6),
    binary8("p3109_p7", 7),
    integer("int8", "s8", 8, true),
    integer("uint8", "u8", 8, false),
    integer("int4", "s4", 4, true),
    integer("uint4", "u4", 4, false),
    pair("e2m1x2", signed_float("", 4, 2, 0, Codes::finite)),
    pair("int4x2", integer("", "", 4, true)),
    pair("uint4x2", integer("", "", 4, false)),
};

const std::vector<RuleAspect>& aspects() {
  static const std::vector<RuleAspect> all{
      {"direction",
       {{"even", "to nearest, ties to the even code"},
        {"away", "to nearest, ties away from zero"},
        {"toward", "to nearest, ties toward zero"},
        {"ties_up", "to nearest, ties up"},
        {"ties_down", "to nearest, ties down"},
        {"zero", "toward zero (truncation)"},
        {"up", "up"},
        {"down", "down"},
        {"outward", "away from zero"},
        {"odd", "to the neighbor with an odd code"}}},
      {"overflow",
       {{"saturate", "beyond the largest number: the largest number"},
        {"infinity", "an infinity; the largest number where the direction leads inward"},
        {"overflow_nan", "a NaN; the largest number where the direction leads inward"},
        {"wrap", "the low bits of the rounded integer"}}},
      {"NaN",
       {{"nan", "any NaN"},
        {"signed_nan", "a NaN with the sign of the input"},
        {"nan_zero", "+0"},
        {"nan_max", "the largest number"},
        {"nan_signed_max", "the largest number of the NaN's sign"},
        {"nan_least", "the least number"}}},
      {"infinite inputs",
       {{"inf_saturate", "the largest number of that sign; usual with saturate"},
        {"inf_infinity", "an infinity; usual with infinity"},
        {"inf_nan", "a NaN; usual with overflow_nan"},
        {"inf_zero", "0; usual with wrap"}}},
      {"sign of zero",
       {{"signed_zero", "-0, and what rounds to it from below, gives -0", true},
        {"plus_zero", "-0, and what rounds to it from below, gives +0"}}},
      {"negative numbers of an unsigned format",
       {{"clamp", "the least number", true}, {"magnitude", "what the magnitude gives"}, {"negative_nan", "a NaN"}}},
      {"zero of a format without one", {{"zero_least", "the least number", true}, {"zero_nan", "a NaN"}}},
      {"two codes in a byte",
       {{"low_first", "the first is the low half", true}, {"high_first", "it is the high half"}}}};
  return all;
}

constexpr OfInfinity usual(Overflow overflow) {
  switch (overflow) {
    case Overflow::infinity:
      return OfInfinity::infinity;
    case Overflow::nan:
      return OfInfinity::nan;
    case Overflow::wrap:
      return OfInfinity::zero;
    case Overflow::saturate:
      break;
  }
  return OfInfinity::saturate;
}

Rule of_choices(const std::array<int, 8>& choice) {
  return {static_cast<Direction>(choice[0]),
          static_cast<Overflow>(choice[1]),
          static_cast<OfInfinity>(choice[3]),
          static_cast<OfNan>(choice[2]),
          choice[4] == 0,
          static_cast<OfNegative>(choice[5]),
          choice[6] == 1,
          choice[7] == 1};
}

/// Whether the word applies to conversions between the two formats.
bool applies(std::size_t aspect, int word, const NumberFormat& from, const NumberFormat& to) {
  const bool is_float = !to.is_integer();
  switch (aspect) {
    case 0:
      return true;
    case 1: {
      const auto overflow = static_cast<Overflow>(word);
      return overflow == Overflow::saturate || (overflow == Overflow::infinity && to.has_infinity()) ||
             (overflow == Overflow::nan && to.has_nan()) || (overflow == Overflow::wrap && to.is_integer());
    }
    case 2: {
      const auto of_nan = static_cast<OfNan>(word);
      if (!from.has_nan()) return of_nan == OfNan::nan;
      if (of_nan == OfNan::nan) return to.has_nan();
      if (of_nan == OfNan::signed_nan) return to.has_nan() && to.has_negative_zero();
      if (of_nan == OfNan::signed_max || of_nan == OfNan::least) return to.is_signed;
      return true;
    }
    case 3: {
      const auto of_infinity = static_cast<OfInfinity>(word);
      return of_infinity == OfInfinity::saturate || (of_infinity == OfInfinity::infinity && to.has_infinity()) ||
             (of_infinity == OfInfinity::nan && to.has_nan()) || (of_infinity == OfInfinity::zero && !is_float);
    }
    case 4:
      return word == 0 || to.has_negative_zero();
    case 5:
      return word == 0 || (is_float && !to.is_signed && from.is_signed && (word == 1 || to.has_nan()));
    case 6:
      return word == 0 || to.codes == Codes::no_zero;
    default:
      return word == 0 || from.is_pair || to.is_pair;
  }
}

/// The remainder of a magnitude below a unit.
enum class Rest { none, below_half, half, above_half };
struct Cut {
  std::uint64_t kept;
  Rest rest;
};
/// m·2^e = (kept + rest)·2^q. Requires: kept < 2^64 (not checked).
Cut cut(std::uint64_t m, int e, int q) {
  const int places = q - e;
  if (places <= 0) return {m << -places, Rest::none};
  if (places > 64) return {0, Rest::below_half};
  const std::uint64_t kept = places == 64 ? 0 : m >> places;
  const std::uint64_t rest = m << (64 - places);
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  return {kept, rest == 0 ? Rest::none : rest < half ? Rest::below_half : rest == half ? Rest::half : Rest::above_half};
}

bool increments(Direction direction, Rest rest, bool negative, bool is_odd) {
  const bool is_inexact = rest != Rest::none;
  const auto nearest = [&](bool tie) { return rest == Rest::above_half || (rest == Rest::half && tie); };
  switch (direction) {
    case Direction::even:
      return nearest(is_odd);
    case Direction::away:
      return nearest(true);
    case Direction::toward:
      return nearest(false);
    case Direction::ties_up:
      return nearest(!negative);
    case Direction::ties_down:
      return nearest(negative);
    case Direction::zero:
      return false;
    case Direction::outward:
      return is_inexact;
    case Direction::up:
      return is_inexact && !negative;
    case Direction::down:
      return is_inexact && negative;
    case Direction::odd:
      break;
  }
  return is_inexact && !is_odd;
}

/// Whether overflow in this direction leads to an infinity.
bool leads_outward(Direction direction, bool negative) {
  switch (direction) {
    case Direction::zero:
    case Direction::odd:
      return false;
    case Direction::up:
      return !negative;
    case Direction::down:
      return negative;
    default:
      return true;
  }
}

std::uint64_t infinity(const NumberFormat& to, bool negative) {
  const std::uint64_t magnitude = to.largest() + 1;
  return magnitude | (negative ? to.sign_bit() : 0);
}

/// The code of a magnitude, or of its code, with a sign.
std::uint64_t with_sign(const NumberFormat& to, std::uint64_t magnitude, bool negative) {
  if (to.is_integer()) return (negative ? 0 - magnitude : magnitude) & to.mask();
  return magnitude | (negative && (magnitude != 0 || to.has_negative_zero()) ? to.sign_bit() : 0);
}

std::uint64_t largest(const NumberFormat& to, bool negative) {
  return negative && !to.is_signed ? 0 : with_sign(to, to.largest(negative), negative);
}

Expected some_nan(const NumberFormat& to, bool negative = false, Expected::Kind kind = Expected::Kind::nan) {
  if (to.codes == Codes::fnuz || to.codes == Codes::p3109) return {kind, to.sign_bit()};
  const std::uint64_t quiet = to.codes == Codes::ieee ? std::uint64_t{1} << (to.precision - 2) : 0;
  return {kind, (to.largest() + 1) | quiet | (negative ? to.sign_bit() : 0)};
}

Expected code(std::uint64_t value) { return {Expected::Kind::code, value}; }

Expected of_nan(const Number& x, const NumberFormat& to, OfNan rule) {
  switch (rule) {
    case OfNan::nan:
      return to.has_nan() ? some_nan(to) : code(0);
    case OfNan::signed_nan:
      return some_nan(to, x.negative, Expected::Kind::signed_nan);
    case OfNan::zero:
      return code(0);
    case OfNan::max:
      return code(largest(to, false));
    case OfNan::signed_max:
      return code(largest(to, x.negative));
    case OfNan::least:
      break;
  }
  return code(largest(to, true));
}

Expected of_infinity(const NumberFormat& to, bool negative, OfInfinity rule) {
  switch (rule) {
    case OfInfinity::infinity:
      return code(infinity(to, negative));
    case OfInfinity::nan:
      return some_nan(to);
    case OfInfinity::zero:
      return code(0);
    case OfInfinity::saturate:
      break;
  }
  return code(largest(to, negative));
}

Expected overflowed(const NumberFormat& to, bool negative, const Rule& rule) {
  const bool is_outward = leads_outward(rule.direction, negative);
  if (rule.overflow == Overflow::infinity && is_outward) return code(infinity(to, negative));
  if (rule.overflow == Overflow::nan && is_outward) return some_nan(to);
  return code(largest(to, negative));
}

Expected of_integer(const Number& x, const NumberFormat& to, const Rule& rule) {
  const int top = static_cast<int>(std::bit_width(x.m)) + x.e;  // |x| < 2^top
  constexpr int beyond = 62;
  if (top > beyond) {
    if (rule.overflow != Overflow::wrap) return overflowed(to, x.negative, rule);
    // A number of 53 bits that is this large is an integer.
    return code(x.e >= 64 ? 0 : with_sign(to, x.m << std::max(x.e, 0), x.negative));
  }
  const Cut parts = cut(x.m, x.e, 0);
  const std::uint64_t k = parts.kept + (increments(rule.direction, parts.rest, x.negative, parts.kept & 1) ? 1 : 0);
  const std::uint64_t most = x.negative && !to.is_signed ? 0 : to.largest(x.negative);
  if (k > most && rule.overflow != Overflow::wrap) return overflowed(to, x.negative, rule);
  return code(with_sign(to, k, x.negative));
}

}  // namespace

std::span<const NumberFormat> number_formats() { return formats; }

const NumberFormat* find_number_format(std::string_view name) {
  const auto found = std::ranges::find_if(
      formats, [&](const NumberFormat& each) { return each.name == name || (!name.empty() && each.alias == name); });
  return found == formats.end() ? nullptr : &*found;
}

Number decode(const NumberFormat& format, std::uint64_t code) {
  using enum Number::Kind;
  const bool negative = (code & format.sign_bit()) != 0;
  if (format.is_integer()) return {finite, negative, (negative ? 0 - code : code) & format.mask(), 0};
  if (format.book != nullptr) return decode(*find_number_format("f32"), format.book->numbers[code]);
  const std::uint64_t magnitude = code & ~format.sign_bit();
  const bool has_one_nan = format.codes == Codes::fnuz || format.codes == Codes::p3109;
  if (has_one_nan && negative && magnitude == 0) return {nan, true};
  if (magnitude > format.largest()) {
    return {format.has_infinity() && magnitude == format.largest() + 1 ? infinite : nan, negative};
  }
  const std::uint64_t shifted = magnitude + (format.codes == Codes::no_zero ? 1 : 0);
  const int fraction = format.precision - 1;
  const auto field = static_cast<int>(shifted >> fraction);
  const std::uint64_t leading = field == 0 ? 0 : std::uint64_t{1} << fraction;
  return {finite, negative, (shifted & ((std::uint64_t{1} << fraction) - 1)) | leading,
          std::max(field, 1) - 1 + format.emin - fraction};
}

Expected converted(const Number& x, const NumberFormat& to, const Rule& rule) {
  if (x.kind == Number::Kind::nan) return of_nan(x, to, rule.nan);
  const bool is_unsigned_float = !to.is_signed && !to.is_integer();
  const bool is_zero = x.kind == Number::Kind::finite && x.m == 0;
  bool negative = x.negative;
  if (is_unsigned_float && negative) {
    if (!is_zero && rule.negative == OfNegative::nan) return some_nan(to);
    if (!is_zero && rule.negative == OfNegative::clamp) return code(0);
    negative = false;
  }
  if (x.kind == Number::Kind::infinite) return of_infinity(to, negative, rule.infinite);
  const bool keeps_sign = negative && rule.keeps_sign_of_zero;
  if (is_zero)
    return to.codes == Codes::no_zero && rule.zero_is_nan ? some_nan(to) : code(with_sign(to, 0, keeps_sign));
  if (to.is_integer()) return of_integer(x, to, rule);

  const int leading = static_cast<int>(std::bit_width(x.m)) - 1 + x.e;  // 2^leading ≤ |x| < 2^(leading + 1)
  const int binade = std::max(leading, to.emin);
  const Cut parts = cut(x.m, x.e, binade - to.precision + 1);
  const std::uint64_t base = static_cast<std::uint64_t>(binade - to.emin) << (to.precision - 1);
  std::uint64_t magnitude = base + parts.kept;
  const bool is_odd = ((magnitude - (to.codes == Codes::no_zero ? 1 : 0)) & 1) != 0;
  magnitude += increments(rule.direction, parts.rest, negative, is_odd) ? 1 : 0;
  if (to.codes == Codes::no_zero) magnitude -= magnitude == 0 ? 0 : 1;
  if (magnitude > to.largest()) return overflowed(to, negative, rule);
  return code(with_sign(to, magnitude, magnitude == 0 ? keeps_sign : negative));
}

bool fits(const Expected& expected, const NumberFormat& to, std::uint64_t code) {
  if (expected.kind == Expected::Kind::code) return code == expected.code;
  if ((code & ~to.mask()) != 0 || decode(to, code).kind != Number::Kind::nan) return false;
  return expected.kind == Expected::Kind::nan || ((code ^ expected.code) & to.sign_bit()) == 0;
}

std::span<const RuleAspect> rule_aspects() { return aspects(); }

std::array<int, 8> choices_of(const Rule& rule) {
  return {static_cast<int>(rule.direction), static_cast<int>(rule.overflow), static_cast<int>(rule.nan),
          static_cast<int>(rule.infinite),  rule.keeps_sign_of_zero ? 0 : 1, static_cast<int>(rule.negative),
          rule.zero_is_nan ? 1 : 0,         rule.is_high_first ? 1 : 0};
}

std::string name_of(const Rule& rule) {
  const std::array<int, 8> choice = choices_of(rule);
  std::string name;
  for (std::size_t aspect = 0; aspect < choice.size(); ++aspect) {
    const RuleWord& word = aspects()[aspect].words[static_cast<std::size_t>(choice[aspect])];
    if (word.is_usual || (aspect == 3 && rule.infinite == usual(rule.overflow))) continue;
    name += (name.empty() ? "" : ".") + std::string(word.word);
  }
  return name;
}

std::optional<Rule> rule_named(std::string_view name) {
  std::array<int, 8> choice{-1, -1, -1, -1, -1, -1, -1, -1};
  while (true) {
    const std::size_t end = std::min(name.find('.'), name.size());
    const std::string_view text = name.substr(0, end);
    bool is_known = false;
    for (std::size_t aspect = 0; aspect < choice.size(); ++aspect) {
      const auto& words = aspects()[aspect].words;
      const auto found = std::ranges::find(words, text, &RuleWord::word);
      if (found == words.end()) continue;
      if (choice[aspect] >= 0) return std::nullopt;
      choice[aspect] = static_cast<int>(found - words.begin());
      is_known = true;
    }
    if (!is_known) return std::nullopt;
    if (end == name.size()) break;
    name.remove_prefix(end + 1);
  }
  if (std::ranges::any_of(std::span(choice).first(3), [](int each) { return each < 0; })) return std::nullopt;
  if (choice[3] < 0) choice[3] = static_cast<int>(usual(static_cast<Overflow>(choice[1])));
  for (int& each : choice) each = std::max(each, 0);
  return of_choices(choice);
}

std::vector<Rule> rules_between(const NumberFormat& from, const NumberFormat& to) {
  std::vector<Rule> rules;
  std::array<int, 8> choice{};
  const auto add = [&](const auto& self, std::size_t aspect) -> void {
    if (aspect == choice.size()) {
      rules.push_back(of_choices(choice));
      return;
    }
    const auto count = static_cast<int>(aspects()[aspect].words.size());
    for (int word = 0; word < count; ++word) {
      choice[aspect] = word;
      const bool is_without_infinity = aspect == 3 && !from.has_infinity();
      const bool is_usual = word == static_cast<int>(usual(static_cast<Overflow>(choice[1])));
      if (is_without_infinity ? is_usual : applies(aspect, word, from, to)) self(self, aspect + 1);
    }
  };
  add(add, 0);
  // The usual order of pairs comes first, then the usual treatment of infinities, among rules that are otherwise alike.
  std::ranges::stable_sort(
      rules, {}, [](const Rule& each) { return std::pair(each.is_high_first, each.infinite != usual(each.overflow)); });
  return rules;
}

}  // namespace assay::oracle
