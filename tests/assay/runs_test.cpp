// Conversions by the list of what they give on all inputs.

#include "assay/conversions/runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "assay/conversions/inputs.hpp"

namespace assay::conversions {
namespace {

using oracle::NumberFormat;
using oracle::Rule;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const NumberFormat& format(std::string_view name) { return *oracle::find_number_format(name); }
Rule rule(std::string_view name) { return *oracle::rule_named(name); }

std::vector<std::string> names(const std::vector<Rule>& rules) {
  std::vector<std::string> all;
  for (const Rule& each : rules) all.push_back(name_of(each));
  return all;
}

/// What a rule gives for a code of `from`; for a NaN the oracle's choice among them.
std::uint64_t result(std::uint64_t input, const NumberFormat& from, const NumberFormat& to, std::string_view of) {
  return converted(decode(from, input), to, rule(of)).code;
}

/// The runs of a rule on all numbers of binary32: it changes its result at the borders only.
std::vector<Run> runs_of(std::string_view of, std::string_view target) {
  const NumberFormat& from = format("f32");
  std::set<std::uint64_t> firsts{0, from.sign_bit()};
  for (const std::uint64_t border : borders_between(from, format(target))) {
    firsts.insert({border, border | from.sign_bit()});
  }
  const std::uint64_t infinity = from.largest() + 1;
  for (const std::uint64_t each : {infinity, infinity + 1}) firsts.insert({each, each | from.sign_bit()});
  std::vector<Run> runs;
  for (const std::uint64_t first : firsts) {
    const Run run{first, result(first, from, format(target), of)};
    if (runs.empty() || runs.back().code != run.code) runs.push_back(run);
  }
  return runs;
}

/// The same with another code for one input.
std::vector<Run> with(std::vector<Run> runs, std::uint64_t input, std::uint64_t code) {
  auto next = std::ranges::upper_bound(runs, input, {}, &Run::first);
  const Run before = *(next - 1);
  if (next == runs.end() || next->first != input + 1) next = runs.insert(next, {input + 1, before.code});
  if (before.first == input) {
    (next - 1)->code = code;
  } else {
    runs.insert(next, {input, code});
  }
  return runs;
}

Answer answer_of_runs(const std::string& formats, const std::vector<Run>& runs, const std::string& promised = "") {
  return answer_of(question_of(formats, promised, true, 1), runs);
}

TEST(Runs, OfARuleFollowIt) {
  for (const auto& [target, of] :
       {std::pair{"e4m3fn", "even.saturate.nan"}, std::pair{"e4m3fn", "away.overflow_nan.nan"},
        std::pair{"e2m1", "zero.saturate.nan_max"}, std::pair{"e8m0", "up.saturate.nan.magnitude"},
        std::pair{"e5m2fnuz", "odd.overflow_nan.nan"}, std::pair{"e5m2", "up.infinity.signed_nan"}}) {
    const Answer answer = answer_of_runs(std::string("f32:") + target, runs_of(of, target), of);
    EXPECT_EQ(answer.promised->breaks, 0U) << of;
    EXPECT_TRUE(answer.is_proof);
    EXPECT_EQ(answer.asked, std::uint64_t{1} << 32);
  }
}

TEST(Runs, ShowTheSmallestInputThatAnotherRuleDecidesOtherwise) {
  const Answer answer = answer_of_runs("f32:e4m3fn", runs_of("even.saturate.nan", "e4m3fn"), "away.saturate.nan");
  EXPECT_THAT(names(answer.follows), ElementsAre("even.saturate.nan"));
  EXPECT_EQ(answer.promised->examples.front().input, 0x3A800000U);  // 2^-10, a tie between 0 and 2^-9
  EXPECT_EQ(answer.promised->breaks, 2U * 63);                      // the ties above codes 0 to 124, with both signs
}

TEST(Runs, WithOneOtherResultFollowNoRule) {
  const std::vector<conversions::Run> right = runs_of("even.saturate.nan", "e4m3fn");
  // Just above a tie, at the largest number, at an infinity, among the NaNs, and the last input.
  for (const std::uint64_t input : {0x3F880001U, 0x43E00000U, 0x7F800000U, 0xFFC12345U, 0xFFFFFFFFU}) {
    const Answer answer = answer_of_runs("f32:e4m3fn", with(right, input, 0x01), "even.saturate.nan");
    EXPECT_TRUE(answer.follows.empty());
    ASSERT_EQ(answer.promised->breaks, 1U) << input;
    EXPECT_EQ(answer.promised->examples.front().input, input);
    EXPECT_EQ(answer.promised->examples.front().got, 1U);
  }
}

TEST(Runs, OfASourceOf16BitsAreWhatASweepFinds) {
  const NumberFormat& from = format("f16");
  for (const auto& [target, of] :
       {std::pair{"e2m1", "toward.saturate.nan_max"}, std::pair{"int8", "zero.wrap.nan_zero"}}) {
    std::vector<conversions::Run> runs;
    const auto one = [&](std::uint64_t input) { return input == 0x3C01 ? 2 : result(input, from, format(target), of); };
    for (std::uint64_t input = 0; input <= from.mask(); ++input) {
      if (runs.empty() || runs.back().code != one(input)) runs.push_back({input, one(input)});
    }
    const Question question = question_of(std::string("f16:") + target, of, true, 1);
    const Answer by_runs = answer_of(question, runs);
    const Answer by_calls = asked(question, [&](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
      std::ranges::transform(inputs, codes.begin(), one);
    });
    EXPECT_EQ(names(by_runs.follows), names(by_calls.follows));
    EXPECT_EQ(by_runs.promised->breaks, by_calls.promised->breaks);
    ASSERT_EQ(by_runs.others.size(), by_calls.others.size());
    for (std::size_t i = 0; i < by_runs.others.size(); ++i) {
      EXPECT_EQ(by_runs.others[i].breaks, by_calls.others[i].breaks);
      EXPECT_EQ(by_runs.others[i].examples.front().input, by_calls.others[i].examples.front().input);
    }
  }
}

TEST(Runs, AreReadFromLines) {
  EXPECT_THAT(runs_in("0x0 0x0\n0x3a800001 0x1\n0x80000000 0x80", format("f32"), format("e4m3fn")),
              ElementsAre(conversions::Run{0, 0}, conversions::Run{0x3A800001, 1}, conversions::Run{0x80000000, 0x80}));
}

TEST(Runs, AreRefusedWithTheLine) {
  const auto refusal = [](std::string_view text) -> std::string {
    try {
      runs_in(text, format("f32"), format("e4m3fn"));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(""), "line 1: there is no run");
  EXPECT_EQ(refusal("0x1 0x0\n"), "line 1: the first input is not 0");
  EXPECT_EQ(refusal("0x0 0x0\n0x5 0x1\n0x5 0x2\n"), "line 3: the input is not above the one before");
  EXPECT_EQ(refusal("0x0 0x0\n0x100000000 0x1\n"), "line 2: the input has more than 32 bits");
  EXPECT_EQ(refusal("0x0 0x100\n"), "line 1: the result has more than 8 bits");
  for (const char* const text : {"0x0\n", "0 0\n", "0x0  0x0\n", "0x0 0x0 \n", "0x0 0xg\n", "0x0 0x\n", "\n"}) {
    EXPECT_THAT(refusal(text), HasSubstr("line 1: an input and its result are accepted")) << text;
  }
}

}  // namespace
}  // namespace assay::conversions
