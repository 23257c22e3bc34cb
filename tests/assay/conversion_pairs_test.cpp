// Conversions from and to pairs: two codes of 4 bits in a byte.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "assay/conversions/document.hpp"
#include "tests/assay/right_conversions.hpp"

namespace assay::conversions {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A kernel from binary16 that stores two results in a byte. `half`: the code of the number that is stored in the low
/// or the high half; a kernel may convert both in its own way.
ByteConversion packing(bool is_high_first,
                       const std::function<std::uint64_t(float low, float high, bool is_high)>& half) {
  return [=](std::span<const std::byte> inputs, std::size_t count, std::span<std::byte> codes) {
    const auto number = [&](std::size_t i) {
      std::uint16_t code = 0;
      std::memcpy(&code, inputs.data() + 2 * i, sizeof code);
      return value("f16", code);
    };
    for (std::size_t i = 0; i + 1 < count; i += 2) {
      const float low = number(is_high_first ? i + 1 : i);
      const float high = number(is_high_first ? i : i + 1);
      codes[i / 2] = static_cast<std::byte>(half(low, high, false) | half(low, high, true) << 4);
    }
  };
}
Answer packed(const std::string& rule, bool is_high_first,
              const std::function<std::uint64_t(float, float, bool)>& half) {
  const Question question = question_of("f16:e2m1x2", rule, false, 1);
  return asked(question, on_patterns(*question.from, *question.to, packing(is_high_first, half)));
}

TEST(Pairs, AreNamedWithTheirOrder) {
  const Right right("e2m1", "even.saturate.nan_max");
  const auto half = [&](float low, float high, bool is_high) { return right(is_high ? high : low); };
  EXPECT_THAT(names(packed("", false, half).follows), ElementsAre("even.saturate.nan_max"));
  const Question question = question_of("f16:e2m1x2", "even.saturate.nan_max", false, 1);
  const Answer answer = packed("even.saturate.nan_max", true, half);
  EXPECT_FALSE(answer.holds());
  EXPECT_THAT(text_of(question, answer),
              AllOf(HasSubstr("convert f16:e2m1x2: even.saturate.nan_max is broken by "),
                    HasSubstr("follows even.saturate.nan_max.high_first on all 65536 inputs: proved for this build"),
                    HasSubstr("not even.saturate.nan_max: 0x0")));
  EXPECT_TRUE(packed("even.saturate.nan_max.high_first", true, half).holds());
}

TEST(Pairs, WithAMistakeInOneHalfAreRefused) {
  const Right right("e2m1", "even.saturate.nan_max");
  const Right away("e2m1", "away.saturate.nan_max");
  const std::pair<const char*, std::function<std::uint64_t(float, float, bool)>> mistakes[] = {
      {"another direction in the high half",
       [&](float low, float high, bool is_high) { return is_high ? away(high) : right(low); }},
      {"another direction in the low half",
       [&](float low, float high, bool is_high) { return is_high ? right(high) : away(low); }},
      {"the same number twice", [&](float low, float, bool) { return right(low); }},
      {"one half left out", [&](float low, float, bool is_high) { return is_high ? 0 : right(low); }},
      {"NaN where its neighbor is one", [&](float low, float high, bool is_high) {
         return right(std::isnan(low) || std::isnan(high) ? std::nanf("") : is_high ? high : low);
       }}};
  for (const auto& [what, half] : mistakes) {
    for (const bool is_high_first : {false, true}) {
      const Answer answer = packed("", is_high_first, half);
      EXPECT_FALSE(answer.holds()) << what;
      const bool is_named = answer.unsteady || answer.follows.empty();
      EXPECT_TRUE(is_named) << what;
    }
  }
}

TEST(Pairs, WithTwoResultsOfANumberNameThatNumber) {
  const Right right("e2m1", "even.saturate.nan_max");
  const Right away("e2m1", "away.saturate.nan_max");
  const auto half = [&](float low, float high, bool is_high) { return is_high ? away(high) : right(low); };
  for (const bool is_high_first : {false, true}) {
    const Answer answer = packed("", is_high_first, half);
    ASSERT_TRUE(answer.unsteady);
    const float x = value("f16", answer.unsteady->input);
    EXPECT_EQ(std::minmax({answer.unsteady->first, answer.unsteady->second}), std::minmax({right(x), away(x)}));
    EXPECT_NE(right(x), away(x)) << x;
  }
}

TEST(Pairs, MayBeTheSource) {
  for (const std::string source : {"e2m1", "int4", "uint4"}) {
    const Question question = question_of(source + "x2:f32", "", false, 1);
    for (const bool is_high_first : {false, true}) {
      const auto unpack = [&](std::span<const std::byte> inputs, std::size_t count, std::span<std::byte> numbers) {
        for (std::size_t i = 0; i < count; ++i) {
          const bool is_high = (i % 2 == 0) == is_high_first;
          const float number = value(source, std::to_integer<std::uint64_t>(inputs[i / 2]) >> (is_high ? 4 : 0) & 0xF);
          std::memcpy(numbers.data() + 4 * i, &number, sizeof number);
        }
      };
      const Answer answer = asked(question, on_patterns(*question.from, *question.to, unpack));
      EXPECT_TRUE(answer.holds() && answer.is_proof) << source;
      EXPECT_EQ(answer.follows.front().is_high_first, is_high_first) << source;
      EXPECT_EQ(answer.asked, 16U) << source;
    }
  }
}

/// Of a wider source no inputs are all: it is a sample, or a proof under the hypothesis of the theorem.
TEST(Pairs, OfAWiderSourceAreNamedToo) {
  const Right right("e2m1", "even.saturate.nan_max");
  Question question = question_of("f32:e2m1x2", "even.saturate.nan_max.high_first", false, 1);
  question.random = 256;
  const Answer answer = asked(question, [&](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
    for (std::size_t i = 0; i < inputs.size(); ++i) codes[i] = right(single(inputs[i ^ 1]));
  });
  EXPECT_TRUE(answer.holds());
  EXPECT_THAT(text_of(question, answer), HasSubstr("a proof, except for NaNs, if it is monotone"));
}

TEST(Pairs, AreRefusedWhereNothingShowsTheirOrder) {
  EXPECT_THROW((void)question_of("int4x2:e2m1x2", "", false, 1), std::invalid_argument);
  EXPECT_THROW((void)question_of("f32:e2m1x2", "", true, 1), std::invalid_argument);
  EXPECT_THROW((void)question_of("f32:e2m1", "even.saturate.nan_max.high_first", false, 1), std::invalid_argument);
}

}  // namespace
}  // namespace assay::conversions
