// Block formats, their bytes, and the names of rules.

#include <algorithm>
#include <utility>

#include "oracle/quantization.hpp"

namespace assay::oracle {
namespace {

using enum QuantizationAspect;

const NumberFormat& format(std::string_view name) { return *find_number_format(name); }
/// The codes of llama.cpp's Q5_0 and Q5_1: no conversion has them as its target.
constexpr NumberFormat uint5{"uint5", "", 5, 5, 4, Codes::integer, false};

/// NF4: quantiles of the normal distribution, scaled to ±1 (Dettmers et al., "QLoRA: Efficient Finetuning of Quantized
/// LLMs", 2023, appendix E). The borders are those of bitsandbytes' dQuantizeNF4: means, rounded to binary32; where a
/// mean is halfway between two numbers of binary32, either of them.
constexpr CodeBook normal_quantiles{
    {0xBF800000, 0xBF3239B1, 0xBF066B30, 0xBECA32A0, 0xBE91A24D, 0xBE3D353F, 0xBDBA7871, 0x00000000, 0x3DA2FAFF,
     0x3E24CAE3, 0x3E7C04DD, 0x3EAD033A, 0x3EE1A4B8, 0x3F1007AB, 0x3F3913B3, 0x3F800000},
    {0xBF591CD9, 0xBF1C5270, 0xBEEB8480, 0xBEADEA76, 0xBE703CEC, 0xBE0D38BC, 0xBD3A7871, 0x3D22FAFF, 0x3DF64863,
     0x3E5067E0, 0x3E9582D4, 0x3EC753F9, 0x3F006D03, 0x3F248DAF, 0x3F5C89D9}};
constexpr NumberFormat nf4{"nf4", "", 4, 24, -4, Codes::book, false, false, &normal_quantiles};

const auto& all_formats() {
  static const std::array all{
      BlockFormat{"mxfp8_e4m3", format("e4m3fn"), 1, 32, format("e8m0"), Scaling::power_of_two},
      BlockFormat{"mxfp8_e5m2", format("e5m2"), 1, 32, format("e8m0"), Scaling::power_of_two},
      BlockFormat{"mxfp6_e3m2", format("e3m2"), 1, 32, format("e8m0"), Scaling::power_of_two},
      BlockFormat{"mxfp6_e2m3", format("e2m3"), 1, 32, format("e8m0"), Scaling::power_of_two},
      BlockFormat{"mxfp4", format("e2m1"), 1, 32, format("e8m0"), Scaling::power_of_two},
      BlockFormat{"nvfp4", format("e2m1"), 1, 16, format("ue4m3"), Scaling::two_level, &format("f32")},
      BlockFormat{"e4m3_1x128", format("e4m3fn"), 1, 128, format("f32"), Scaling::factor},
      BlockFormat{"e4m3_128x128", format("e4m3fn"), 128, 128, format("f32"), Scaling::factor},
      BlockFormat{"e4m3_row", format("e4m3fn"), 1, 0, format("f32"), Scaling::factor},
      BlockFormat{"e4m3_tensor", format("e4m3fn"), 0, 0, format("f32"), Scaling::factor},
      BlockFormat{"e5m2_row", format("e5m2"), 1, 0, format("f32"), Scaling::factor},
      BlockFormat{"e5m2_tensor", format("e5m2"), 0, 0, format("f32"), Scaling::factor},
      BlockFormat{"int8_row", format("int8"), 1, 0, format("f32"), Scaling::factor},
      BlockFormat{"int8_tensor", format("int8"), 0, 0, format("f32"), Scaling::factor},
      BlockFormat{"int8_1x128", format("int8"), 1, 128, format("f32"), Scaling::factor},
      BlockFormat{"int4_1x32", format("int4"), 1, 32, format("f32"), Scaling::factor},
      BlockFormat{"int4_1x128", format("int4"), 1, 128, format("f32"), Scaling::factor},
      BlockFormat{"uint8_zero_row", format("uint8"), 1, 0, format("f32"), Scaling::zero_point, &format("uint8")},
      BlockFormat{"uint8_zero_tensor", format("uint8"), 0, 0, format("f32"), Scaling::zero_point, &format("uint8")},
      BlockFormat{"int8_zero_row", format("int8"), 1, 0, format("f32"), Scaling::zero_point, &format("int8")},
      BlockFormat{"int8_zero_tensor", format("int8"), 0, 0, format("f32"), Scaling::zero_point, &format("int8")},
      BlockFormat{"uint4_zero_1x32", format("uint4"), 1, 32, format("f32"), Scaling::zero_point, &format("uint8")},
      BlockFormat{"uint4_zero_1x128", format("uint4"), 1, 128, format("f32"), Scaling::zero_point, &format("uint8")},
      BlockFormat{"int4_zero_1x32", format("int4"), 1, 32, format("f32"), Scaling::zero_point, &format("int8")},
      BlockFormat{"q8_0", format("int8"), 1, 32, format("f16"), Scaling::factor},
      BlockFormat{"q4_0", format("uint4"), 1, 32, format("f16"), Scaling::offset_code, nullptr, 16},
      BlockFormat{"q4_1", format("uint4"), 1, 32, format("f16"), Scaling::minimum, &format("f16"), 16},
      BlockFormat{"q5_0", uint5, 1, 32, format("f16"), Scaling::offset_code},
      BlockFormat{"q5_1", uint5, 1, 32, format("f16"), Scaling::minimum, &format("f16")},
      BlockFormat{"q4_k", format("uint4"), 1, 32, format("f32"), Scaling::stored, &format("f32"), 32},
      BlockFormat{"nf4_1x64", nf4, 1, 64, format("f32"), Scaling::factor},
      BlockFormat{"nf4_1x128", nf4, 1, 128, format("f32"), Scaling::factor},
  };
  return all;
}

struct Words {
  std::string_view decides;
  std::vector<QuantizationWord> words;
};
/// The words for an aspect of conversions, such as the direction.
Words of_conversions(std::string_view decides, std::span<const RuleAspect> aspects) {
  const RuleAspect& aspect = *std::ranges::find(aspects, decides, &RuleAspect::decides);
  Words all{aspect.decides, {}};
  for (const RuleWord& each : aspect.words) all.words.push_back({each.word, each.meaning});
  return all;
}
/// The directions, and after them the draws, which stand in their place.
Words of_directions() {
  Words all = of_conversions("direction", rule_aspects());
  for (const QuantizationWord& each : of_conversions("draw", stochastic_aspects()).words) all.words.push_back(each);
  all.decides = "direction, or with a random word of r bits for each entry a draw";
  return all;
}
constexpr std::uint8_t first_draw = 10;
const std::array<Words, quantization_aspects>& all_words() {
  static const std::array<Words, quantization_aspects> all{
      {{"scale, from the largest magnitude M (with a zero point RN(max - min), and V the largest code less the least)",
        {{"floor", "2^(e - Emax), with the exponent e of M and Emax of the largest number V of the elements"},
         {"ceil", "2^(ceil(log2 M) - Emax)"},
         {"round_up", "the least power of two X with M/X <= V"},
         {"round_up_f32", "the least power of two not below RN(M*RN(1/V)) in binary32"},
         {"round_even", "as floor, of M rounded to the precision of the elements, ties up"},
         {"log2", "the power of two nearest to M/2^Emax on a logarithmic scale"},
         {"divide", "RN(M/V) in binary32"},
         {"reciprocal", "RN(M*RN(1/V))"},
         {"inverse", "RN(1/S) with S = RN(V/M), by which entries are multiplied"},
         {"power", "the least power of two not below RN(M/V)"},
         {"two_level", "the number of e4m3 nearest to 448*M/T, with the largest magnitude T of the tensor"},
         {"two_level_f32", "the same in binary32, by E = 2688/T"},
         {"stored", "any; the codes are those of x - minimum under the scale and the minimum that are stored"}}},
       of_directions(),
       {"entries x with the scale s",
        {{"quotient", "RN(x/s)"},
         {"product", "RN(x*RN(1/s))"},
         {"separate", "RN(RN(x*RN(1/s)) + offset)"},
         {"fused", "RN(x*RN(1/s) + offset)"}}},
       {"what M stands for", {{"narrow", "the largest integer Q"}, {"half", "Q + 1/2"}, {"full", "Q + 1"}}},
       {"the least M",
        {{"no_least", "M as it is"},
         {"least_1e-4", "at least 1e-4"},
         {"least_1e-10", "at least 1e-10"},
         {"least_1e-12", "at least 1e-12"},
         {"least_1e-5", "at least 1e-5"},
         {"least_scale", "M as it is, and a scale of at least 2^-23"}}},
       of_conversions("sign of zero", rule_aspects()),
       {"two codes in a byte", {{"low_first", "the first is the low half"}, {"high_first", "it is the high half"}}},
       {"min and max with a zero point",
        {{"with_zero", "extended to 0: at most 0, and at least 0"}, {"as_is", "those of the block"}}},
       {"zero point, with the least code L, clamped to the codes",
        {{"zero_of_quotient", "L less the rounded RN(min/s)"}, {"zero_of_sum", "the rounded RN(L - RN(min/s))"}}},
       of_conversions("words", stochastic_aspects()),
       {"a block of zeros",
        {{"zeros_least", "the least scale"}, {"zeros_one", "the scale 1"}, {"zeros_any", "any scale"}}},
       {"a NaN in a block",
        {{"nan_block", "the scale is a NaN"},
         {"nan", "it is left out of M, and its code is a NaN"},
         {"nan_max", "it is left out of M, and its code is the largest number"},
         {"nan_signed_max", "the same, with the sign of the NaN"},
         {"nan_zero", "it is left out of M, and its code is 0"},
         {"nan_any", "anything"}}},
       {"an infinity in a block",
        {{"inf_block", "the scale is a NaN"},
         {"inf_scale", "the largest scale; infinite entries saturate"},
         {"inf_any", "anything"}}}}};
  return all;
}

bool is_of_ggml(const BlockFormat& format) { return format.scale.name == "f16"; }

/// The words of an aspect that a format has, the usual one first. `with_words`: those of rules with a draw.
std::vector<std::uint8_t> choices(const BlockFormat& format, QuantizationAspect aspect, bool with_words = false) {
  const auto are = [](auto... each) { return std::vector<std::uint8_t>{static_cast<std::uint8_t>(each)...}; };
  const bool is_integer = format.element.is_integer();
  const bool is_book = format.element.book != nullptr;
  switch (aspect) {
    case scale:
      if (format.scaling == Scaling::stored) return are(ScaleRule::stored);
      if (is_of_ggml(format)) return are(ScaleRule::divide);
      if (format.scaling == Scaling::power_of_two) {
        return are(ScaleRule::floor, ScaleRule::round_up, ScaleRule::round_up_f32, ScaleRule::round_even,
                   ScaleRule::ceil, ScaleRule::log2);
      }
      if (format.scaling == Scaling::two_level) return are(ScaleRule::two_level, ScaleRule::two_level_f32);
      if (format.scaling == Scaling::zero_point) return are(ScaleRule::divide, ScaleRule::reciprocal);
      if (is_book) return are(ScaleRule::divide);
      return are(ScaleRule::divide, ScaleRule::reciprocal, ScaleRule::inverse, ScaleRule::power);
    case direction:
      if (with_words) return are(first_draw, first_draw + 1, first_draw + 2, first_draw + 3);
      if (is_book) {
        return are(Direction::ties_down, Direction::even, Direction::away, Direction::toward, Direction::ties_up,
                   Direction::zero, Direction::up, Direction::down, Direction::outward, Direction::odd);
      }
      if (format.scaling == Scaling::offset_code || format.scaling == Scaling::minimum) {
        return are(Direction::ties_up, Direction::even, Direction::away, Direction::toward, Direction::ties_down,
                   Direction::zero, Direction::up, Direction::down, Direction::outward, Direction::odd);
      }
      return are(Direction::even, Direction::away, Direction::toward, Direction::ties_up, Direction::ties_down,
                 Direction::zero, Direction::up, Direction::down, Direction::outward, Direction::odd);
    case factor:
      if (format.scaling == Scaling::offset_code || format.scaling == Scaling::minimum) {
        return are(Factor::separate, Factor::fused);
      }
      if (format.scaling == Scaling::zero_point) {
        return are(Factor::quotient, Factor::product, Factor::separate, Factor::fused);
      }
      if (format.name == "q8_0" || is_book) return are(Factor::product, Factor::quotient);
      if (format.scaling == Scaling::factor || format.scaling == Scaling::stored) {
        return are(Factor::quotient, Factor::product);
      }
      return are(Factor::quotient);
    case range:
      if (is_integer && format.scaling == Scaling::factor && !is_of_ggml(format))
        return are(Range::narrow, Range::half, Range::full);
      return are(Range::narrow);
    case least:
      if (format.scaling == Scaling::zero_point) return are(LeastAmax::none, LeastAmax::e5, LeastAmax::scale);
      if (format.scaling == Scaling::factor && !is_of_ggml(format) && !is_book) {
        return are(LeastAmax::none, LeastAmax::e4, LeastAmax::e10, LeastAmax::e12);
      }
      return are(LeastAmax::none);
    case sign:
      return is_integer || is_book ? are(0) : are(0, 1);
    case nibbles:
      if (is_book) return are(Nibbles::high_first, Nibbles::low_first);
      return format.is_packed() && format.scaling != Scaling::stored ? are(Nibbles::low_first, Nibbles::high_first)
                                                                     : are(Nibbles::low_first);
    case span:
      return format.scaling == Scaling::zero_point ? are(Span::with_zero, Span::as_is) : are(Span::with_zero);
    case zero_point:
      // If the least code is 0, there is no sum.
      if (format.scaling == Scaling::zero_point && format.element.is_signed) {
        return are(ZeroPoint::of_quotient, ZeroPoint::of_sum);
      }
      return are(ZeroPoint::of_quotient);
    case words:
      return with_words ? are(0, 1) : are(0);
    case zeros:
      if (format.scaling == Scaling::two_level || format.scaling == Scaling::stored) return are(OfZeros::any);
      return is_of_ggml(format) ? are(OfZeros::least) : are(OfZeros::least, OfZeros::one, OfZeros::any);
    case nan:
      if (format.scaling != Scaling::power_of_two) return are(NanInBlock::any);
      if (format.element.has_nan()) {
        return are(NanInBlock::block, NanInBlock::nan, NanInBlock::max, NanInBlock::signed_max, NanInBlock::zero,
                   NanInBlock::any);
      }
      return are(NanInBlock::block, NanInBlock::max, NanInBlock::signed_max, NanInBlock::zero, NanInBlock::any);
    case infinite:
      break;
  }
  if (format.scaling != Scaling::power_of_two) return are(InfInBlock::any);
  return are(InfInBlock::block, InfInBlock::scale, InfInBlock::any);
}

QuantizationRule of_choices(const BlockFormat& format, const QuantizationChoices& choice) {
  const bool has_draw = choice[1] >= first_draw;
  return {&format,
          static_cast<ScaleRule>(choice[0]),
          has_draw ? Direction::outward : static_cast<Direction>(choice[1]),
          static_cast<Factor>(choice[2]),
          static_cast<Range>(choice[3]),
          static_cast<LeastAmax>(choice[4]),
          choice[5] == 0,
          static_cast<Nibbles>(choice[6]),
          static_cast<OfZeros>(choice[10]),
          static_cast<NanInBlock>(choice[11]),
          static_cast<InfInBlock>(choice[12]),
          static_cast<Span>(choice[7]),
          static_cast<ZeroPoint>(choice[8]),
          has_draw ? std::optional(static_cast<Draw>(choice[1] - first_draw)) : std::nullopt,
          choice[9] != 0};
}

/// Whether the words of a rule go together. A multiplication by S is not a quotient. A power of two has no rounded
/// reciprocal. A block that repeats one number has max − min = 0, so `as_is` needs a smallest max − min.
bool is_rule(const QuantizationRule& rule) {
  if (rule.scale == ScaleRule::inverse && rule.factor != Factor::product) return false;
  if (rule.scale == ScaleRule::power && rule.factor != Factor::quotient) return false;
  if (rule.span == Span::as_is && rule.least == LeastAmax::none) return false;
  if (rule.is_reversed && !rule.draw) return false;
  return rule.least == LeastAmax::none || rule.zeros == OfZeros::least;
}

constexpr QuantizationAspect aspect_of(std::size_t place) { return static_cast<QuantizationAspect>(place); }

}  // namespace

std::span<const BlockFormat> block_formats() { return all_formats(); }

const BlockFormat* find_block_format(std::string_view name) {
  const auto found = std::ranges::find(all_formats(), name, &BlockFormat::name);
  return found == all_formats().end() ? nullptr : &*found;
}

BlockSizes sizes_of(const BlockFormat& format, std::size_t rows, std::size_t columns) {
  const std::size_t block_rows = format.rows == 0 ? rows : format.rows;
  const std::size_t block_columns = format.columns == 0 ? columns : format.columns;
  const std::size_t blocks = (rows / block_rows) * ((columns + block_columns - 1) / block_columns);
  const std::size_t codes = rows * columns;
  if (format.scaling == Scaling::stored) return {codes / 2, blocks / format.blocks_in_record() * record_bytes, 0};
  std::size_t seconds = 0;
  if (format.second != nullptr) {
    const std::size_t count = format.scaling == Scaling::two_level ? 1 : blocks;
    seconds = count * format.second->bytes();
  }
  return {format.is_packed() ? codes / 2 : codes, blocks * format.scale.bytes(), seconds};
}

std::array<StoredScale, 8> scales_of_record(std::span<const std::byte, record_bytes> record) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint64_t>(record[i]); };
  const NumberFormat& half = format("f16");
  const Number d = decode(half, byte(0) | byte(1) << 8);
  Number dmin = decode(half, byte(2) | byte(3) << 8);
  dmin.negative = !dmin.negative;
  const auto times = [](Number x, std::uint64_t factor) {
    if (x.kind == Number::Kind::finite) x.m *= factor;
    return converted(x, format("f32"), {.overflow = Overflow::infinity, .infinite = OfInfinity::infinity}).code;
  };
  std::array<StoredScale, 8> all;
  for (std::size_t j = 0; j < all.size(); ++j) {
    // The lower four have 6 bits of a byte each; of the upper four, the two high bits stand above those.
    const std::uint64_t of_both = byte(8 + j);
    const std::uint64_t scale = j < 4 ? byte(4 + j) & 63 : (of_both & 15) | byte(j) >> 6 << 4;
    const std::uint64_t minimum = j < 4 ? of_both & 63 : of_both >> 4 | byte(4 + j) >> 6 << 4;
    all[j] = {times(d, scale), times(dmin, minimum)};
  }
  return all;
}

QuantizationChoices choices_of(const QuantizationRule& rule) {
  const auto byte = [](auto word) { return static_cast<std::uint8_t>(word); };
  const std::uint8_t rounding =
      rule.draw ? static_cast<std::uint8_t>(first_draw + byte(*rule.draw)) : byte(rule.direction);
  return {byte(rule.scale),      rounding,
          byte(rule.factor),     byte(rule.range),
          byte(rule.least),      byte(rule.keeps_sign_of_zero ? 0 : 1),
          byte(rule.nibbles),    byte(rule.span),
          byte(rule.zero_point), byte(rule.is_reversed ? 1 : 0),
          byte(rule.zeros),      byte(rule.nan),
          byte(rule.infinite)};
}

std::span<const QuantizationWord> words_of(QuantizationAspect aspect) {
  return all_words()[static_cast<std::size_t>(aspect)].words;
}
std::string_view decides(QuantizationAspect aspect) { return all_words()[static_cast<std::size_t>(aspect)].decides; }

std::string name_of(const QuantizationRule& rule) {
  const QuantizationChoices choice = choices_of(rule);
  std::string name(rule.format->name);
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const bool is_usual = choice[i] == choices(*rule.format, aspect_of(i)).front();
    if (i < 2 || !is_usual) name += "." + std::string(words_of(aspect_of(i))[choice[i]].word);
  }
  return name;
}

std::optional<QuantizationRule> quantization_rule_named(std::string_view name) {
  const BlockFormat* const format = find_block_format(name.substr(0, name.find('.')));
  if (format == nullptr || name.find('.') == std::string_view::npos) return std::nullopt;
  std::string_view rest = name.substr(name.find('.') + 1);
  QuantizationChoices choice{};
  for (std::size_t i = 0; i < choice.size(); ++i) choice[i] = choices(*format, aspect_of(i)).front();
  std::array<bool, quantization_aspects> seen{};
  for (bool is_last = false; !is_last;) {
    const std::size_t dot = rest.find('.');
    const std::string_view word = rest.substr(0, dot);
    is_last = dot == std::string_view::npos;
    if (!is_last) rest = rest.substr(dot + 1);
    bool is_known = false;
    for (std::size_t i = 0; i < choice.size() && !is_known; ++i) {
      std::vector<std::uint8_t> all = choices(*format, aspect_of(i));
      if (has_draws(*format)) std::ranges::copy(choices(*format, aspect_of(i), true), std::back_inserter(all));
      for (const std::uint8_t each : all) {
        if (words_of(aspect_of(i))[each].word != word) continue;
        if (std::exchange(seen[i], true)) return std::nullopt;
        choice[i] = each;
        is_known = true;
        break;
      }
    }
    if (!is_known) return std::nullopt;
  }
  const QuantizationRule rule = of_choices(*format, choice);
  if (!seen[0] || !seen[1] || !is_rule(rule)) return std::nullopt;
  return rule;
}

bool has_draws(const BlockFormat& format) {
  const bool is_ratio = format.scaling == Scaling::power_of_two || format.scaling == Scaling::factor ||
                        format.scaling == Scaling::two_level;
  return is_ratio && format.element.book == nullptr && !is_of_ggml(format);
}

std::vector<QuantizationRule> finite_rules_of(const BlockFormat& format, bool with_words) {
  QuantizationChoices usual{};
  for (std::size_t i = 0; i < usual.size(); ++i) usual[i] = choices(format, aspect_of(i), with_words).front();
  std::vector<QuantizationChoices> all{usual};
  for (std::size_t i = 0; i < static_cast<std::size_t>(zeros); ++i) {
    std::vector<QuantizationChoices> longer;
    for (const QuantizationChoices& each : all) {
      for (const std::uint8_t word : choices(format, aspect_of(i), with_words)) {
        longer.push_back(each);
        longer.back()[i] = word;
      }
    }
    all = std::move(longer);
  }
  std::vector<QuantizationRule> rules;
  for (const QuantizationChoices& each : all) {
    const QuantizationRule rule = of_choices(format, each);
    if (is_rule(rule)) rules.push_back(rule);
  }
  return rules;
}

std::vector<QuantizationRule> rules_beside(const QuantizationRule& rule) {
  std::vector<QuantizationRule> all;
  for (std::size_t i = 0; i < quantization_aspects; ++i) {
    for (const std::uint8_t word : choices(*rule.format, aspect_of(i), rule.draw.has_value())) {
      QuantizationChoices choice = choices_of(rule);
      if (std::exchange(choice[i], word) == word) continue;
      const QuantizationRule other = of_choices(*rule.format, choice);
      if (is_rule(other)) all.push_back(other);
    }
  }
  return all;
}

}  // namespace assay::oracle
