// Quantizers of tensors whose rows end in a shorter block.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/quantizations/document.hpp"
#include "tests/assay/quantizers.hpp"

namespace assay::quantizations {
namespace {

using ::testing::HasSubstr;

TEST(Tails, OfRightQuantizersAreAccepted) {
  for (const char* const each :
       {"nvfp4.two_level_f32.even", "uint4_zero_1x32.divide.even.high_first", "mxfp8_e4m3.floor.even"}) {
    const QuantizationRule of = rule(each);
    const Question question = question_of("f32:" + std::string(of.format->name) + ":tails", each, false, 1);
    const Answer answer = asked(question, right(of, "f32"));
    EXPECT_TRUE(answer.holds(question)) << text_of(question, answer);
    EXPECT_THAT(text_of(question, answer), HasSubstr(" entries, tails among them: "));
  }
}

/// Whether a quantizer of int4_1x32 with a mistake in the tails of rows is accepted.
bool is_accepted_with_tails(const OfBlock& of_tail) {
  const QuantizationRule of = rule("int4_1x32.divide.even");
  const Quantizer quantizer =
      by_blocks(*of.format, "f32", [&, whole = FloatQuantizer(of)](auto x, float tensor, auto& place, auto next) {
        return x.size() < 32 ? of_tail(x, tensor, place, next) : whole(x, tensor);
      });
  return holds("f32:int4_1x32:tails", name_of(of), quantizer);
}

TEST(Tails, WithAMistakeAreRefused) {
  const FloatQuantizer quantizer(rule("int4_1x32.divide.even"));
  EXPECT_FALSE(is_accepted_with_tails([&](auto x, float tensor, auto&, auto next) {
    std::vector<float> longer(x.begin(), x.end());
    longer.push_back(next.front());
    FloatBlock result = quantizer(longer, tensor);
    result.codes.pop_back();
    return result;
  })) << "amax of a number of the next row";
  EXPECT_FALSE(is_accepted_with_tails([&](auto x, float tensor, auto&, auto) {
    FloatBlock result = quantizer(x, tensor);
    const auto whole = static_cast<std::ptrdiff_t>(x.size() / 4 * 4);
    std::fill(result.codes.begin() + whole, result.codes.end(), std::uint8_t{0});
    return result;
  })) << "entries after the last four are not written";
  EXPECT_FALSE(is_accepted_with_tails([](auto x, float, auto&, auto) {
    FloatBlock result;
    result.codes.resize(x.size());
    return result;
  })) << "no tail is written";
}

}  // namespace
}  // namespace assay::quantizations
