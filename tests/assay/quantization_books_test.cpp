// Quantizers to a code book, and their mistakes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "assay/quantizations/facts.hpp"
#include "tests/assay/quantizers.hpp"

namespace assay::quantizations {
namespace {

using ::testing::Contains;

constexpr const char* published = "nf4_1x64.divide.ties_down";

TEST(CodeBooks, AreNamedWithTheirRule) {
  for (const char* const each : {published, "nf4_1x64.divide.ties_up", "nf4_1x64.divide.ties_down.low_first",
                                 "nf4_1x128.divide.even.quotient"}) {
    const QuantizationRule of = rule(each);
    const Answer answer = answer_of("f32:" + std::string(of.format->name), each, right(of, "f32"));
    EXPECT_EQ(answer.promised->breaks, 0U) << each;
    EXPECT_THAT(names(answer.follows), Contains(each));
  }
}

/// A right quantizer. `code` then gives each entry x/M of the block another code.
OfBlock with_codes(const std::function<std::uint8_t(std::uint8_t, float)>& code) {
  return
      [quantizer = FloatQuantizer(rule(published)), code](std::span<const float> x, float tensor, const Place&, auto) {
        FloatBlock result = quantizer(x, tensor);
        const float scale = 1.F / std::bit_cast<float>(result.scale);
        for (std::size_t i = 0; i < x.size(); ++i) result.codes[i ^ 1] = code(result.codes[i ^ 1], x[i] * scale);
        return result;
      };
}

TEST(CodeBooks, WithAMistakeAreRefused) {
  const auto without = [](std::size_t place) {
    return of_changed(published, [place](std::vector<float>& x) { x[place] = 0; });
  };
  for (const Mistake& each : {
           Mistake{"ties up", published, of_rule("nf4_1x64.divide.ties_up")},
           Mistake{"a quotient for a product", published, of_rule("nf4_1x64.divide.ties_down.quotient")},
           Mistake{"the first code in the low half", published, of_rule("nf4_1x64.divide.ties_down.low_first")},
           Mistake{"truncated", published, of_rule("nf4_1x64.divide.zero")},
           Mistake{"the last number not written", published, without(63)},
           Mistake{"a wrong border", published, with_codes([](std::uint8_t code, float y) {
                     return code == 11 && y > 0.389F ? std::uint8_t{12} : code;
                   })},
           Mistake{"a border in another rounding", published, with_codes([](std::uint8_t code, float y) {
                     return y == 0.8614784181118011F ? std::uint8_t{15} : code;
                   })},
           Mistake{"the code of a signed integer", published,
                   with_codes([](std::uint8_t code, float) { return static_cast<std::uint8_t>((code + 8) % 16); })},
           Mistake{"small numbers take the code after zero", published, with_codes([](std::uint8_t code, float y) {
                     return code == 7 && y > 0.0397F ? std::uint8_t{8} : code;
                   })},
           Mistake{"twice the scale", published,
                   [quantizer = FloatQuantizer(rule(published))](auto x, float tensor, const Place&, auto) {
                     FloatBlock result = quantizer(x, tensor);
                     result.scale = std::bit_cast<std::uint32_t>(2 * std::bit_cast<float>(result.scale));
                     return result;
                   }},
           Mistake{"the neighbor's scale", published,
                   [quantizer = FloatQuantizer(rule(published))](auto x, float tensor, const Place&, auto neighbor) {
                     FloatBlock result = quantizer(x, tensor);
                     result.scale = quantizer(neighbor, tensor).scale;
                     return result;
                   }},
       }) {
    EXPECT_FALSE(holds("f32:nf4_1x64", each.claim, by_blocks(*rule(published).format, "f32", each.quantize)))
        << each.what;
  }
}

/// The bound of quantize.round_trip.9 is nearly attained next to the border between the first two numbers.
TEST(CodeBooks, KeepTheBoundOfTheirRoundTripAndComeNearToIt) {
  for (const char* const each : {published, "nf4_1x128.divide.even.quotient"}) {
    const QuantizationRule of = rule(each);
    const Answer answer = answer_of("f32:" + std::string(of.format->name), "", right(of, "f32"));
    EXPECT_THAT(answer.facts.kept_round_trips, Contains("divide")) << each;
    const RoundTripBound bound = *round_trip_bound(*of.format, of.scale);
    const double limit = static_cast<double>(bound.numerator) / static_cast<double>(bound.denominator);
    EXPECT_GT(answer.facts.round_trip, limit * (1 - 0x1p-19)) << each;
  }
  EXPECT_FALSE(holds("f32:nf4_1x64", "round_trip.divide", right(rule("nf4_1x64.divide.zero"), "f32")));
}

/// A block of zeros with the scale 0 may have any code, and with the scale 1 only that of 0.
TEST(CodeBooks, LeaveTheCodesOfZerosOpenWhereTheScaleIsZero) {
  const auto of_zeros = [](std::uint32_t scale, std::uint8_t code) {
    return [=, quantizer = FloatQuantizer(rule(published))](auto x, float tensor, const Place&, auto) {
      FloatBlock result = quantizer(x, tensor);
      if (amax_of(x) != 0) return result;
      result.scale = scale;
      std::ranges::fill(result.codes, code);
      return result;
    };
  };
  const auto keeps = [](const char* contract, const OfBlock& quantize) {
    return holds("f32:nf4_1x64", contract, by_blocks(*rule(published).format, "f32", quantize));
  };
  EXPECT_TRUE(keeps(published, of_zeros(0, 0)));
  EXPECT_TRUE(keeps(published, of_zeros(0, 7)));
  EXPECT_TRUE(keeps("nf4_1x64.divide.ties_down.zeros_one", of_zeros(std::bit_cast<std::uint32_t>(1.F), 7)));
  EXPECT_FALSE(keeps("nf4_1x64.divide.ties_down.zeros_one", of_zeros(std::bit_cast<std::uint32_t>(1.F), 0)));
}

}  // namespace
}  // namespace assay::quantizations
