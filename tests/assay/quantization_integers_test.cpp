// Quantizers to integers, also with zero points, and their mistakes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/quantizations/document.hpp"
#include "assay/quantizations/facts.hpp"
#include "tests/assay/quantizers.hpp"

namespace assay::quantizations {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// The rules of ONNX DynamicQuantizeLinear, torchao and AWQ, and forms that add the zero point before rounding.
TEST(ZeroPoints, OfTheLibrariesAreNamed) {
  for (const char* const each :
       {"uint8_zero_tensor.divide.even", "int8_zero_row.divide.even.product.least_scale",
        "uint4_zero_1x128.divide.even.least_1e-5.as_is", "uint8_zero_row.divide.even.separate.least_scale",
        "int8_zero_tensor.divide.even.zero_of_sum", "int4_zero_1x32.reciprocal.away.zeros_one",
        "uint4_zero_1x32.divide.even.high_first"}) {
    const QuantizationRule of = rule(each);
    const Answer answer = answer_of("f32:" + std::string(of.format->name), each, right(of, "f32"));
    EXPECT_EQ(answer.promised->breaks, 0U) << each;
    EXPECT_THAT(names(answer.follows), Contains(each));
  }
}

/// A right quantizer. `change` is then applied to its result.
OfBlock then_changed(const char* name, const std::function<void(FloatBlock&, std::span<const float>, float)>& change) {
  return [quantizer = FloatQuantizer(rule(name)), change](std::span<const float> x, float tensor, const Place&, auto) {
    FloatBlock result = quantizer(x, tensor);
    change(result, x, tensor);
    return result;
  };
}

TEST(ZeroPoints, WithAMistakeAreRefused) {
  const char* const uint8 = "uint8_zero_row.divide.even";
  const char* const int8 = "int8_zero_row.divide.even";
  for (const Mistake& each : {
           Mistake{"a truncated zero point", uint8,
                   then_changed(uint8, [truncating = FloatQuantizer(rule("uint8_zero_row.divide.zero"))](
                                           FloatBlock& result, auto x,
                                           float tensor) { result.second = truncating(x, tensor).second; })},
           Mistake{"no zero point", uint8,
                   then_changed(uint8, [](FloatBlock& result, auto, float) { result.second = 0; })},
           Mistake{
               "a zero point one too large", int8,
               then_changed(int8, [](FloatBlock& result, auto, float) { result.second = (result.second + 1) & 0xFF; })},
           Mistake{"min and max of the block as they are", "uint4_zero_1x32.divide.even.least_1e-5",
                   of_rule("uint4_zero_1x32.divide.even.least_1e-5.as_is")},
           Mistake{"a rounded 1/255", uint8, of_rule("uint8_zero_row.reciprocal.even")},
           Mistake{"a reciprocal for a quotient", int8, of_rule("int8_zero_row.divide.even.product")},
           Mistake{"the zero point added before rounding", "uint8_zero_row.divide.even.product",
                   of_rule("uint8_zero_row.divide.even.separate")},
           Mistake{"a fused sum", "int8_zero_row.divide.even.separate", of_rule("int8_zero_row.divide.even.fused")},
           Mistake{"a zero point rounded after the sum", int8, of_rule("int8_zero_row.divide.even.zero_of_sum")},
           Mistake{"ties away", int8, of_rule("int8_zero_row.divide.away")},
           Mistake{"no least scale", "uint8_zero_row.divide.even.least_scale", of_rule(uint8)},
           Mistake{"the largest magnitude for the larger of max and 0", uint8,
                   of_changed(uint8, [](std::vector<float>& x) { x.front() = amax_of(x); })},
       }) {
    EXPECT_FALSE(is_accepted(each)) << each.what;
  }
}

TEST(ZeroPoints, AreToldWithTheirBlock) {
  const Question question = question_of("f32:int8_zero_row", "", false, 1);
  const Answer answer = asked(question, right(rule("int8_zero_row.divide.even"), "f32"));
  EXPECT_THAT(text_of(question, answer), HasSubstr("keeps round_trip.divide: 1/510*(1 + 2^-12) of max - min"));
  EXPECT_THAT(text_of(question, answer), HasSubstr("not int8_zero_row.divide.even.zero_of_sum: a block with amax "));
  EXPECT_THAT(text_of(question, answer), HasSubstr("gets the zero point "));
}

/// The bound of quantize.round_trip.4 is nearly attained next to a midpoint: a bound smaller by 2^-11 would be broken.
TEST(ZeroPoints, KeepTheBoundOfTheirRoundTripAndComeNearToIt) {
  for (const char* const each :
       {"uint8_zero_row.divide.even", "int8_zero_row.reciprocal.even.fused", "int4_zero_1x32.divide.away.product"}) {
    const QuantizationRule of = rule(each);
    EXPECT_TRUE(holds("f32:" + std::string(of.format->name), "round_trip.divide", right(of, "f32"))) << each;
    const Answer answer = answer_of("f32:" + std::string(of.format->name), "", right(of, "f32"));
    const RoundTripBound bound = *round_trip_bound(*of.format, of.scale);
    // W is at most 2M. In some blocks it is within 2^-12 of 2M, relatively.
    const double limit = 2.0 / static_cast<double>(bound.denominator);
    EXPECT_GT(answer.facts.round_trip, limit * (1 - 0x1p-9)) << each;
  }
  EXPECT_FALSE(holds("f32:uint8_zero_row", "round_trip.divide", right(rule("uint8_zero_row.divide.zero"), "f32")));
}

/// quantize.round_trip.5 to .7: results keep the bound of their rule, and come as close to it as the page states.
TEST(RoundTrips, OfIntegersAndTwoLevelsKeepTheirBoundsAndComeNearToThem) {
  const std::array<std::pair<const char*, double>, 9> cases{{{"int8_1x128.divide.even", 1 - 0x1p-11},
                                                             {"int4_1x32.inverse.away.product", 1 - 0x1p-11},
                                                             {"int4_1x32.power.even", 0.95},
                                                             {"q8_0.divide.away", 0.998},
                                                             {"q4_0.divide.ties_up", 0.9997},
                                                             {"q4_1.divide.ties_up", 0.94},
                                                             {"q5_0.divide.ties_up", 0.9995},
                                                             {"q5_1.divide.ties_up", 0.9},
                                                             {"nvfp4.two_level_f32.even", 0.999}}};
  for (const auto& [name, share] : cases) {
    const QuantizationRule of = rule(name);
    const Answer answer = answer_of("f32:" + std::string(of.format->name), "", right(of, "f32"));
    const RoundTripBound bound = *round_trip_bound(*of.format, of.scale);
    const double limit = static_cast<double>(bound.numerator) / static_cast<double>(bound.denominator);
    EXPECT_THAT(answer.facts.kept_round_trips, Contains(std::string(scale_word(of.scale)))) << name;
    EXPECT_GT(answer.facts.round_trip, limit * share) << name;
  }
}

TEST(RoundTrips, OfQuantizersThatTruncateAreRefused) {
  for (const char* const each :
       {"int8_row.divide.zero", "q8_0.divide.zero", "q4_1.divide.zero", "nvfp4.two_level.zero"}) {
    const QuantizationRule of = rule(each);
    const std::string contract = "round_trip." + std::string(scale_word(of.scale));
    EXPECT_FALSE(holds("f32:" + std::string(of.format->name), contract, right(of, "f32"))) << each;
  }
}

}  // namespace
}  // namespace assay::quantizations
