// The rule that a quantizer follows: right quantizers of every format, mistakes that their authors would not notice,
// and the theorems of docs/bounds/quantize.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "assay/quantizations/document.hpp"
#include "assay/quantizations/facts.hpp"
#include "assay/quantizations/inputs.hpp"
#include "tests/assay/quantizers.hpp"

namespace assay::quantizations {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

/// Compares the oracle with the second implementation on the test blocks of the rule.
void expect_same(const QuantizationRule& of, std::string_view source, const std::vector<Group>& groups) {
  const FloatQuantizer second(of);
  const NumberFormat& from = *oracle::find_number_format(source);
  oracle::WantedBlock wanted;
  for (const Group& group : groups) {
    for (const Block& block : group) {
      if (!block.is_finite() && of.format->scaling != Scaling::power_of_two) continue;
      std::vector<float> x;
      for (const std::uint64_t each : block.patterns) x.push_back(value_of(from, each));
      const FloatBlock result =
          second(x, static_cast<float>(std::ldexp(static_cast<double>(block.tensor_amax.m), block.tensor_amax.e)));
      quantize(of, block.numbers, block.tensor_amax, wanted);
      ASSERT_TRUE(fits(wanted.scale, of.format->scale, result.scale))
          << name_of(of) << " scale " << result.scale << ", not " << wanted.scale.code << " of " << block.amax.m
          << "*2^" << block.amax.e << " in " << block.tensor_amax.m << "*2^" << block.tensor_amax.e;
      if (of.format->second != nullptr && block.tensor_amax.m != 0) {
        ASSERT_EQ(wanted.second.code, result.second) << name_of(of);
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_TRUE(fits(wanted.codes[i], of.format->element, result.codes[i]))
            << name_of(of) << " " << x[i] << " gives " << int{result.codes[i]} << ", not " << wanted.codes[i].code;
      }
    }
  }
}

/// Every 97th group with blocks of a format, under each rule for its scales.
TEST(Rules, AreThoseOfASecondImplementation) {
  for (const BlockFormat& format : oracle::block_formats()) {
    if (format.scaling == Scaling::stored) continue;  // quantization_stored_test
    const NumberFormat& from = *oracle::find_number_format("f32");
    const std::vector<Group> of_scales = groups_for_scales(from, format, 1);
    const std::vector<QuantizationRule> rules = finite_rules_of(format);
    const std::size_t step = std::max<std::size_t>(1, rules.size() / 12);
    std::size_t turn = 0;
    for (std::size_t r = 0; r < rules.size(); r += step) {
      std::vector<Group> groups = groups_for_codes(from, rules[r], of_scales, false, 1);
      std::vector<Group> some;
      const std::size_t stride = format.rows == 128 ? 3 : 17;
      for (std::size_t i = turn++ % 5; i < of_scales.size(); i += stride) some.push_back(of_scales[i]);
      for (std::size_t i = turn % 7; i < groups.size(); i += stride) some.push_back(std::move(groups[i]));
      expect_same(rules[r], "f32", some);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Rules, AreReadFromTheirNames) {
  for (const BlockFormat& format : oracle::block_formats()) {
    for (const QuantizationRule& each : finite_rules_of(format)) {
      const std::optional<QuantizationRule> read = oracle::quantization_rule_named(name_of(each));
      ASSERT_TRUE(read && *read == each) << name_of(each);
    }
  }
}

TEST(Rules, AreNotReadFromOtherTexts) {
  for (const char* const text : {"", "mxfp4", "mxfp4.floor", "mxfp4.even.even", "mxfp5.floor.even", "mxfp4.floor.even.",
                                 "mxfp4.divide.even", "e4m3_row.inverse.even"}) {
    EXPECT_FALSE(oracle::quantization_rule_named(text)) << text;
  }
}

/// A block with the largest magnitude 7: floor saturates, the others take the next scale. Values computed by the
/// libraries.
TEST(Rules, HaveThePublishedScales) {
  const auto scale = [](const char* name, double amax) {
    int e = 0;
    const double fraction = std::frexp(amax, &e);
    const Number m{Number::Kind::finite, false, static_cast<std::uint64_t>(std::ldexp(fraction, 24)), e - 24};
    oracle::WantedBlock wanted;
    quantize(rule(name), std::span(&m, 1), m, wanted);
    return wanted.scale.code;
  };
  EXPECT_EQ(scale("mxfp4.floor.even", 7), 0x7FU);
  for (const char* const each : {"round_up", "round_up_f32", "round_even", "ceil", "log2"}) {
    EXPECT_EQ(scale((std::string("mxfp4.") + each + ".even").c_str(), 7), 0x80U) << each;
  }
  EXPECT_EQ(scale("mxfp4.round_up.even", 6), 0x7FU);
  EXPECT_EQ(scale("mxfp4.ceil.even", 6), 0x80U);
  EXPECT_EQ(scale("mxfp4.round_even.even", 6), 0x7FU);
  EXPECT_EQ(scale("mxfp4.log2.even", 6), 0x80U);
  EXPECT_EQ(scale("mxfp4.round_up.even", 0x1.800002p-125), 1U);
  EXPECT_EQ(scale("mxfp4.round_up_f32.even", 0x1.800002p-125), 0U);  // the product is subnormal
}

TEST(RightQuantizers, AreAcceptedByTheirRule) {
  for (const BlockFormat& format : oracle::block_formats()) {
    if (format.rows == 128) continue;                 // large blocks: the next test
    if (format.scaling == Scaling::stored) continue;  // quantization_stored_test
    const QuantizationRule usual = finite_rules_of(format).front();
    const std::string formats = "f32:" + std::string(format.name);
    const Answer answer = answer_of(formats, "", right(usual, "f32"));
    EXPECT_EQ(answer.nearest.breaks, 0U) << text_of(question_of(formats, "", false, 1), answer);
    EXPECT_EQ(name_of(answer.nearest.rule), name_of(usual));
    EXPECT_FALSE(answer.unsteady) << format.name;
  }
}

/// Also where the first of two codes in a byte is the high half.
TEST(OtherContracts, AreKeptByRightQuantizersWithEitherHalfFirst) {
  for (const char* const each : {"mxfp4.floor.even", "mxfp4.floor.even.high_first", "q4_0.divide.ties_up.high_first",
                                 "uint4_zero_1x32.divide.even.high_first"}) {
    const QuantizationRule of = rule(each);
    const std::string formats = "f32:" + std::string(of.format->name);
    for (const std::string& contract : {std::string("monotone"), "round_trip." + std::string(scale_word(of.scale))}) {
      EXPECT_TRUE(holds(formats, contract, right(of, "f32"))) << each << " " << contract;
    }
  }
  EXPECT_TRUE(holds("f32:mxfp4", "idempotent", right(rule("mxfp4.floor.even.high_first"), "f32")));
}

TEST(RightQuantizers, OfSquareBlocksAreAcceptedByTheirRule) {
  EXPECT_TRUE(holds("bf16:e4m3_128x128", "e4m3_128x128.divide.even.product",
                    right(rule("e4m3_128x128.divide.even.product"), "bf16")));
}

TEST(RightQuantizers, OfWhatTheLibrariesHaveAreNamed) {
  for (const char* const each : {"mxfp4.round_up_f32.even.nan_max.inf_scale",
                                 "mxfp4.floor.toward.plus_zero.nan_zero",
                                 "mxfp4.log2.toward",
                                 "mxfp8_e4m3.round_up.even.nan.inf_scale",
                                 "mxfp8_e5m2.round_even.even",
                                 "mxfp6_e2m3.ceil.away",
                                 "mxfp4.floor.even.high_first",
                                 "mxfp4.floor.even.zeros_one",
                                 "nvfp4.two_level_f32.even",
                                 "e4m3_1x128.divide.even.product.least_1e-4",
                                 "e4m3_1x128.power.even.least_1e-4",
                                 "e4m3_row.reciprocal.even",
                                 "e4m3_tensor.inverse.even.product.least_1e-12",
                                 "int8_row.divide.away",
                                 "int4_1x32.divide.even.product.half",
                                 "q8_0.divide.away",
                                 "q4_0.divide.ties_up",
                                 "q4_1.divide.ties_up.fused",
                                 "q4_0.divide.ties_up.high_first",
                                 "q5_0.divide.ties_up",
                                 "q5_1.divide.ties_up.fused"}) {
    const QuantizationRule of = rule(each);
    const Answer answer = answer_of("bf16:" + std::string(of.format->name), each, right(of, "bf16"));
    EXPECT_EQ(answer.promised->breaks, 0U) << each;
    EXPECT_THAT(names(answer.follows), Contains(each));
  }
}

/// Codes with a scale computed from other numbers.
OfBlock of_other_scale(const char* name,
                       const std::function<float(std::span<const float>, std::span<const float>)>& amax) {
  return [quantizer = FloatQuantizer(rule(name)), amax](std::span<const float> x, float tensor, const Place&,
                                                        std::span<const float> neighbor) {
    const float of = amax(x, neighbor);
    std::vector<float> longer(x.begin(), x.end());
    for (float& each : longer) each = std::isfinite(each) ? std::clamp(each, -of, of) : each;
    longer.push_back(of);
    longer.push_back(of);
    FloatBlock result = quantizer(longer, tensor);
    result.codes.resize(x.size());
    return result;
  };
}
float through_f16(float x) { return value_of(*oracle::find_number_format("f16"), oracle::tables::half_bits(x)); }

std::vector<Mistake> mistakes() {
  const char* const usual = "mxfp4.floor.even";
  const auto next_scale = [](std::span<const float>, std::span<const float> neighbor) { return amax_of(neighbor); };
  return {
      {"ties away", usual, of_rule("mxfp4.floor.away")},
      {"ties toward zero", usual, of_rule("mxfp4.floor.toward")},
      {"truncation", usual, of_rule("mxfp4.floor.zero")},
      {"ties away in E4M3", "mxfp8_e4m3.floor.even", of_rule("mxfp8_e4m3.floor.away")},
      {"double rounding through f16", "e4m3_row.divide.even",
       of_changed("e4m3_row.divide.even",
                  [](std::vector<float>& x) {
                    const float scale = amax_of(x) / 448;
                    for (float& each : x) each = scale == 0 ? each : through_f16(each / scale) * scale;
                  })},
      {"double rounding of entries of MXFP8", "mxfp8_e4m3.floor.even",
       of_changed("mxfp8_e4m3.floor.even",
                  [](std::vector<float>& x) {
                    if (amax_of(x) == 0 || !std::isfinite(amax_of(x))) return;
                    const int k = std::ilogb(amax_of(x)) - 8;
                    for (float& each : x) each = std::ldexp(through_f16(std::ldexp(each, -k)), k);
                  })},
      {"floor for ceil", "mxfp4.ceil.even", of_rule("mxfp4.floor.even")},
      {"floor for round_up", "mxfp8_e5m2.round_up.even", of_rule("mxfp8_e5m2.floor.even")},
      {"round_up for even", "mxfp4.round_even.even", of_rule("mxfp4.round_up.even")},
      {"amax of the neighbor", usual, of_other_scale(usual, next_scale)},
      {"the larger amax of two blocks", usual,
       of_other_scale(usual, [](auto x, auto neighbor) { return std::max(amax_of(x), amax_of(neighbor)); })},
      {"amax without the last entry", usual,
       of_other_scale(usual, [](auto x, auto) { return amax_of(x.first(x.size() - 1)); })},
      {"amax without the signs", usual,
       of_other_scale(usual, [](auto x, auto) { return std::max(0.F, *std::ranges::max_element(x)); })},
      {"the last eight entries are not written", usual,
       [quantizer = FloatQuantizer(rule(usual))](auto x, float tensor, const Place&, auto) {
         FloatBlock result = quantizer(x, tensor);
         std::fill(result.codes.end() - 8, result.codes.end(), std::uint8_t{0});
         return result;
       }},
      {"NaN as zero", usual, of_rule("mxfp4.floor.even.nan_zero")},
      {"NaN as the largest number", usual, of_rule("mxfp4.floor.even.nan_max")},
      {"infinity saturates", usual, of_rule("mxfp4.floor.even.inf_scale")},
      {"-0 lost", usual, of_rule("mxfp4.floor.even.plus_zero")},
      {"nibbles swapped", usual, of_rule("mxfp4.floor.even.high_first")},
      {"halves of a block of llama.cpp swapped", "q4_0.divide.ties_up", of_rule("q4_0.divide.ties_up.high_first")},
      {"a block of zeros has the scale 1", usual, of_rule("mxfp4.floor.even.zeros_one")},
      {"saturation before the division", "mxfp4.floor.even",
       of_changed(usual,
                  [](std::vector<float>& x) {
                    for (float& each : x) each = std::isfinite(each) ? std::clamp(each, -6.F, 6.F) : each;
                  })},
      {"saturation to the largest integer before rounding", "int8_row.divide.even.full",
       of_rule("int8_row.divide.even")},
      {"subnormal entries flushed", usual,
       of_changed(usual,
                  [](std::vector<float>& x) {
                    for (float& each : x) each = std::fabs(each) < 0x1p-126F ? std::copysign(0.F, each) : each;
                  })},
      {"the least scale flushed", usual,
       [quantizer = FloatQuantizer(rule(usual))](auto x, float tensor, const Place&, auto) {
         FloatBlock result = quantizer(x, tensor);
         if (result.scale == 0) std::ranges::fill(result.codes, std::uint8_t{0});
         return result;
       }},
      {"a scale off by one", usual,
       [quantizer = FloatQuantizer(rule(usual))](auto x, float tensor, const Place&, auto) {
         FloatBlock result = quantizer(x, tensor);
         result.scale += result.scale < 0xFE ? 1 : 0;
         return result;
       }},
      {"the scale of the tensor for each row", "e4m3_row.divide.even",
       [quantizer = FloatQuantizer(rule("e4m3_row.divide.even"))](std::span<const float> x, float tensor, const Place&,
                                                                  auto) {
         std::vector<float> longer(x.begin(), x.end());
         longer.push_back(tensor);
         FloatBlock result = quantizer(longer, tensor);
         result.codes.pop_back();
         return result;
       }},
      {"a reciprocal for a quotient", "e4m3_1x128.divide.even", of_rule("e4m3_1x128.divide.even.product")},
      {"a rounded 1/448", "e4m3_1x128.divide.even", of_rule("e4m3_1x128.reciprocal.even")},
      {"no least amax", "e4m3_1x128.divide.even.least_1e-4", of_rule("e4m3_1x128.divide.even")},
      {"127.5 for 127", "int8_row.divide.even", of_rule("int8_row.divide.even.half")},
      {"the scale of a block for the tensor's", "nvfp4.two_level.even",
       [quantizer = FloatQuantizer(rule("nvfp4.two_level.even"))](auto x, float, const Place&, auto) {
         return quantizer(x, amax_of(x));
       }},
      {"a fused addition", "q4_0.divide.ties_up", of_rule("q4_0.divide.ties_up.fused")},
      {"ties to even in llama.cpp", "q8_0.divide.away", of_rule("q8_0.divide.even")},
      {"16 is added, not 16.5", "q5_0.divide.ties_up", of_rule("q5_0.divide.zero")},
      {"the fifth bit is lost", "q5_1.divide.ties_up",
       [quantizer = FloatQuantizer(rule("q5_1.divide.ties_up"))](auto x, float tensor, const Place&, auto) {
         FloatBlock result = quantizer(x, tensor);
         for (std::uint8_t& each : result.codes) each &= 0xF;
         return result;
       }},
  };
}

TEST(Mistakes, AreRefusedByTheRuleThatTheirAuthorsClaim) {
  for (const Mistake& each : mistakes()) EXPECT_FALSE(is_accepted(each)) << each.what;
}

TEST(Answers, NameTheRuleAndTheSmallestBlockThatOthersDecideOtherwise) {
  const Question question = question_of("bf16:mxfp4", "", false, 1);
  const Answer answer = asked(question, right(rule("mxfp4.floor.even"), "bf16"));
  EXPECT_THAT(
      text_of(question, answer),
      AllOf(
          HasSubstr("quantize bf16:mxfp4: follows mxfp4.floor.even on all "), HasSubstr("(quantize.reduced.1)"),
          HasSubstr("not mxfp4.round_up.even: a block with amax 0x1.82p-125 gets the scale 0x00 = 0x1p-127, not 0x01 = "
                    "0x1p-126"),
          HasSubstr("not mxfp4.floor.even.nan_zero: a block with amax ")));
}

TEST(Answers, TellWhatBreaksTheNearestRule) {
  const Question question = question_of("bf16:mxfp4", "", false, 1);
  const Answer answer =
      asked(question,
            by_blocks(*question.to, "bf16",
                      [quantizer = FloatQuantizer(rule("mxfp4.floor.even"))](auto x, float tensor, const Place&, auto) {
                        FloatBlock result = quantizer(x, tensor);
                        for (std::size_t i = 0; i < x.size(); ++i) {
                          if (x[i] == 1.5F && result.scale == 0x7F) result.codes[i] = 4;
                        }
                        return result;
                      }));
  EXPECT_TRUE(answer.follows.empty());
  EXPECT_THAT(
      text_of(question, answer),
      AllOf(
          HasSubstr("quantize bf16:mxfp4: follows mxfp4.floor.even, but for inputs like 0x1.8p+0 in a block with amax "
                    "0x1"),
          HasSubstr(": it gives 0x4 = 0x1p+1, not 0x3 = 0x1.8p+0\n"), HasSubstr("\n  the rule is broken by "),
          HasSubstr(" blocks tested, such as\n")));
}

TEST(Answers, TellThatNoRuleIsNear) {
  const Question question = question_of("f32:mxfp4", "", false, 1);
  const Answer answer = asked(
      question, by_blocks(*question.to, "f32",
                          [quantizer = FloatQuantizer(rule("mxfp4.floor.even"))](auto x, float tensor, auto&, auto) {
                            FloatBlock result = quantizer(x, tensor);
                            for (std::uint8_t& each : result.codes) each ^= 1;
                            return result;
                          }));
  EXPECT_THAT(text_of(question, answer), HasSubstr("follows no rule; the nearest one,\nmxfp4."));
}

TEST(Answers, TellOfAQuantizerThatDependsOnThePlace) {
  const Question question = question_of("f32:mxfp4", "", false, 1);
  const Answer answer = asked(question, by_blocks(*question.to, "f32",
                                                  [even = FloatQuantizer(rule("mxfp4.floor.even")),
                                                   away = FloatQuantizer(rule("mxfp4.floor.away"))](
                                                      auto x, float tensor, const Place& place, auto) {
                                                    return place.column % 2 == 0 ? even(x, tensor) : away(x, tensor);
                                                  }));
  EXPECT_TRUE(answer.unsteady);
  EXPECT_THAT(text_of(question, answer), HasSubstr("not a function of a block"));
}

TEST(Questions, AreRefusedWithTheWordsThatThereAre) {
  const auto refusal = [](const char* formats, const char* contract) -> std::string {
    try {
      question_of(formats, contract, false, 1);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("f32", ""), HasSubstr("such as f32:mxfp4"));
  EXPECT_THAT(refusal("f64:mxfp4", ""), HasSubstr("accepted are f32, f16 and bf16"));
  EXPECT_THAT(refusal("f32:mxfp5", ""), HasSubstr("there are: mxfp8_e4m3, mxfp8_e5m2"));
  EXPECT_THAT(refusal("f32:mxfp4", "mxfp8_e4m3.floor.even"), HasSubstr("rules, such as mxfp4.floor.even, and "));
  EXPECT_THAT(refusal("f32:mxfp4", "round_trip.log2"), HasSubstr("and round_trip.floor, round_trip.round_up, "));
  EXPECT_THAT(refusal("f32:e4m3_row", "idempotent"),
              AllOf(HasSubstr("no contract 'idempotent' of f32:e4m3_row: its scales are not powers of two, so "),
                    HasSubstr("round_trip.power, monotone")));
  EXPECT_THAT(refusal("f32:mxfp4:rows", ""), HasSubstr("only ':tails' may follow a block format"));
  for (const char* const each : {"f32:q4_0:tails", "f32:int8_row:tails", "f32:e4m3_128x128:tails"}) {
    EXPECT_THAT(refusal(each, ""),
                HasSubstr(": only formats with blocks of one row have tails, and llama.cpp's do not"));
  }
}

/// quantize.round_trip.1, .2 and .3: results of each rule keep its bound, and come within 2^-16 of it.
TEST(RoundTrips, KeepTheirBoundsAndComeNearToThem) {
  for (const char* const each :
       {"mxfp4.floor.even", "mxfp4.round_up.even", "mxfp4.ceil.even", "mxfp4.round_even.even", "mxfp6_e2m3.floor.even",
        "mxfp6_e3m2.round_up.away", "mxfp6_e2m3.round_even.even", "mxfp8_e5m2.floor.even", "mxfp8_e5m2.ceil.even",
        "e4m3_row.divide.even", "e4m3_row.power.even", "e5m2_row.reciprocal.even.product"}) {
    const QuantizationRule of = rule(each);
    const Answer answer = answer_of("f32:" + std::string(of.format->name), "", right(of, "f32"));
    const RoundTripBound bound = *round_trip_bound(*of.format, of.scale);
    const double limit = static_cast<double>(bound.numerator) / static_cast<double>(bound.denominator);
    EXPECT_THAT(answer.facts.kept_round_trips, Contains(std::string(scale_word(of.scale)))) << each;
    EXPECT_GT(answer.facts.round_trip, limit * (1 - 0x1p-12)) << each;
  }
}

TEST(RoundTrips, OfFloorBreakTheBoundOfRoundUp) {
  EXPECT_FALSE(holds("f32:mxfp4", "round_trip.round_up", right(rule("mxfp4.floor.even"), "f32")));
  EXPECT_TRUE(holds("f32:mxfp4", "round_trip.floor", right(rule("mxfp4.round_up.even"), "f32")));
}

TEST(Idempotence, IsThatOfFloorAndRoundUpAndNotOfLog2) {
  EXPECT_TRUE(holds("f32:mxfp4", "idempotent", right(rule("mxfp4.floor.even"), "f32")));
  EXPECT_TRUE(holds("f32:mxfp4", "idempotent", right(rule("mxfp4.round_up.even"), "f32")));
  EXPECT_FALSE(holds("f32:mxfp4", "idempotent", right(rule("mxfp4.log2.even"), "f32")));
}

TEST(Monotony, IsBrokenByOneCodeOutOfOrder) {
  EXPECT_TRUE(holds("f32:mxfp4", "monotone", right(rule("mxfp4.floor.even"), "f32")));
  const BlockFormat& format = *oracle::find_block_format("mxfp4");
  EXPECT_FALSE(
      holds("f32:mxfp4", "monotone",
            by_blocks(format, "f32",
                      [quantizer = FloatQuantizer(rule("mxfp4.floor.even"))](auto x, float tensor, const Place&, auto) {
                        FloatBlock result = quantizer(x, tensor);
                        for (std::uint8_t& each : result.codes) each = each == 2 ? 5 : each;
                        return result;
                      })));
}

TEST(Monotony, IsNotThatOfScalesThatAreNoNumbers) {
  EXPECT_FALSE(
      holds("f32:mxfp4", "monotone",
            by_blocks(*oracle::find_block_format("mxfp4"), "f32",
                      [quantizer = FloatQuantizer(rule("mxfp4.floor.even"))](auto x, float tensor, const Place&, auto) {
                        FloatBlock result = quantizer(x, tensor);
                        result.scale = 0xFF;
                        return result;
                      })));
}

/// quantize.reduced.1 for a source that is small enough to test every pair of M and x: for two neighbors in (B), or two
/// numbers next to each other in (A), all numbers between them have the same result.
TEST(Reduced, NeighborsOfTheSetHaveTheResultOfAllNumbersBetweenThem) {
  const NumberFormat source{"", "", 18, 12, -14, oracle::Codes::ieee};
  const BlockFormat& format = *oracle::find_block_format("mxfp4");
  const std::vector<Group> of_scales = groups_for_scales(source, format, 1);
  std::vector<std::uint64_t> magnitudes;
  for (const Group& group : of_scales) {
    for (const Block& block : group) {
      if (!block.is_finite() || block.amax.m == 0) continue;
      magnitudes.push_back(converted(block.amax, source, oracle::Rule{}).code);
    }
  }
  std::ranges::sort(magnitudes);
  oracle::WantedBlock wanted;
  for (const char* const scale : {"floor", "round_up", "round_even", "ceil", "log2"}) {
    const QuantizationRule of = rule("mxfp4." + std::string(scale) + ".even");
    const auto scale_of = [&](std::uint64_t code) {
      const Number m = decode(source, code);
      quantize(of, std::span(&m, 1), m, wanted);
      return wanted.scale.code;
    };
    for (std::uint64_t code = 1; code <= source.largest(); ++code) {
      const auto above = std::ranges::lower_bound(magnitudes, code);
      ASSERT_TRUE(above != magnitudes.end());
      if (*above == code) continue;
      ASSERT_TRUE(above != magnitudes.begin());
      ASSERT_TRUE(scale_of(code) == scale_of(*above) && scale_of(code) == scale_of(*std::prev(above))) << scale << code;
    }
    // Entries under one scale.
    std::map<std::uint64_t, std::vector<std::uint64_t>> entries;
    std::map<std::uint64_t, std::uint64_t> largest;
    for (const Group& group : groups_for_codes(source, of, of_scales, false, 1)) {
      for (const Block& block : group) {
        const std::uint64_t m = converted(block.amax, source, oracle::Rule{}).code;
        const std::uint64_t x = scale_of(m);
        largest[x] = m;
        for (const std::uint64_t each : block.patterns) entries[x].push_back(each & ~source.sign_bit());
      }
    }
    for (auto& [x, all] : entries) {
      std::ranges::sort(all);
      const auto code_of = [&](std::uint64_t pattern) {
        const std::array<Number, 2> block{decode(source, pattern), decode(source, largest[x])};
        quantize(of, block, block[1], wanted);
        return wanted.codes[0].code;
      };
      for (std::uint64_t code = 0; code <= largest[x]; code += 7) {
        const auto above = std::ranges::lower_bound(all, code);
        ASSERT_TRUE(above != all.end());
        if (*above == code) continue;
        ASSERT_TRUE(above != all.begin());
        ASSERT_TRUE(code_of(code) == code_of(*above) && code_of(code) == code_of(*std::prev(above)))
            << scale << " " << x << " " << code;
      }
    }
  }
}

}  // namespace
}  // namespace assay::quantizations
