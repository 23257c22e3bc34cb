#include "assay/campaign/shrink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <optional>
#include <set>

#include "assay/campaign/campaign.hpp"
#include "assay/campaign/findings.hpp"
#include "properties/framework/shrink.hpp"
#include "tests/assay/model_without_kernel.hpp"

namespace assay::campaign {
namespace {

Record number(std::int64_t value) { return {{{"n", value}}}; }
std::int64_t value_of(const Record& record) { return std::get<std::int64_t>(record.fields.front().value); }

/// A case is an integer; smaller cases are 0, its half and its predecessor.
class Integers final : public ModelWithoutKernel {
 public:
  Integers() {
    info_.name = "fake.integers";
    info_.claims = {{"first", "", "", "", false}, {"second", "", "", "", false}};
    info_.classes = {{"all", 1}};
    finish();
  }
  std::optional<Record> make(std::uint64_t, std::uint64_t n) const override {
    return number(static_cast<std::int64_t>(n));
  }
  bool fits(const Record&) const override { return true; }
  bool contains(const Record& record) const override { return value_of(record) >= 0; }
  std::size_t shrink_passes() const override { return 1; }
  ShrinkPass shrink(const Record& record, std::size_t) const override {
    const std::int64_t n = value_of(record);
    if (n == 0) return {};
    return {3, [n](std::size_t i) { return number(i == 0 ? 0 : i == 1 ? n / 2 : n - 1); }, true};
  }
};

/// A scripted subject: the first claim fails from 10 on; the result is infinite from 1000 on.
class Scripted final : public process::Asker {
 public:
  std::optional<std::int64_t> crashes_at{};
  bool crashes_from_10 = false;
  std::size_t words = 1;  ///< of each result
  int judged = 0;
  std::map<std::int64_t, int> times;           ///< by number: how often it was judged
  std::set<std::optional<std::size_t>> asked;  ///< the claims of the questions

  process::Answer<Tally> run(const CaseRange&) override { return process::Stop{}; }
  process::Answer<std::vector<CaseOutcome>> judge(std::span<const Record> cases,
                                                  std::optional<std::size_t> claim) override {
    asked.insert(claim);
    std::vector<CaseOutcome> outcomes;
    for (const Record& each : cases) {
      const std::int64_t n = value_of(each);
      ++judged;
      ++times[n];
      if (n == crashes_at || (crashes_from_10 && n >= 10)) {
        return process::Stop{store::Finding::crashed, "", {}};
      }
      CaseOutcome& outcome = outcomes.emplace_back();
      outcome.got = {oracle::binary64,
                     Words::Shape::scalar,
                     {n >= 1000 ? oracle::binary64.infinity() : std::bit_cast<std::uint64_t>(1.0)}};
      outcome.got.bits.resize(words);
      outcome.claims.resize(2);
      outcome.claims[0].judgement = Judgement::of(n < 10);
      outcome.claims[1].judgement = Judgement::of(n >= 10);
    }
    return outcomes;
  }
  process::Answer<std::vector<Words>> evaluate(std::span<const Record>) override { return process::Stop{}; }
  process::Answer<ProbeTally> probe(std::size_t, std::uint64_t, std::size_t) override { return process::Stop{}; }
  process::Answer<ClimbState> climb(const ClimbGoal&, std::uint64_t, const ClimbState&) override {
    return process::Stop{};
  }
  void retire() override {}
};

constexpr std::uint64_t plenty = 10000;

TEST(ShrinkCase, CallsACaseMinimalOnlyWhenEveryStepWasTried) {
  Scripted asker;
  EXPECT_TRUE(shrink_case(Integers(), asker, number(10), {0, false, {}}, 3).minimal);
  EXPECT_FALSE(shrink_case(Integers(), asker, number(10), {0, false, {}}, 2).minimal);
}

TEST(ShrinkCase, ReachesALocalMinimum) {
  Scripted asker;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(800), {0, false, {}}, plenty);
  EXPECT_EQ(value_of(shrunk.record), 10);
  EXPECT_TRUE(shrunk.minimal);
}

TEST(ShrinkCase, KeepsTheClaimThatFails) {
  Scripted asker;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(9), {1, false, {}}, plenty);
  EXPECT_EQ(value_of(shrunk.record), 0);
}

TEST(ShrinkCase, HasTheClaimAloneJudgedThatFails) {
  Scripted asker;
  shrink_case(Integers(), asker, number(9), {1, false, {}}, plenty);
  EXPECT_THAT(asker.asked, ::testing::ElementsAre(1U));
}

TEST(ShrinkCase, HasEveryClaimJudgedOfAKernelThatCrashes) {
  Scripted asker;
  asker.crashes_from_10 = true;
  shrink_case(Integers(), asker, number(800), {0, false, store::Finding::crashed}, plenty);
  EXPECT_THAT(asker.asked, ::testing::ElementsAre(std::nullopt));
}

TEST(ShrinkCase, KeepsTheKindOfFailure) {
  Scripted asker;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(5000), {0, true, {}}, plenty);
  EXPECT_EQ(value_of(shrunk.record), 1000);
}

TEST(ShrinkCase, SaysThatNoSmallerCaseFailsOnlyWhereNoneFailsInAnotherWay) {
  Scripted asker;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(5000), {0, true, {}}, plenty);
  EXPECT_TRUE(shrunk.whole);
  EXPECT_FALSE(shrunk.minimal) << "999 fails with a finite result";
  asker.crashes_at = 9;
  const Shrunk beside_a_crash = shrink_case(Integers(), asker, number(20), {0, false, {}}, plenty);
  EXPECT_EQ(value_of(beside_a_crash.record), 10);
  EXPECT_FALSE(beside_a_crash.minimal) << "9 crashes";
}

TEST(ShrinkCase, TakesTheKindOfAFailureFromTheComponentThatFails) {
  CaseOutcome outcome;
  outcome.got = {oracle::binary64, Words::Shape::fixed, {oracle::binary64.nan(), std::bit_cast<std::uint64_t>(1.0)}};
  outcome.components = 2;
  outcome.claims.resize(1);
  outcome.claims[0].judgement = Judgement::fail(1);
  EXPECT_EQ(failure_of(outcome, 0), (FailureKind{0, false, {}}));
  outcome.claims[0].judgement = Judgement::fail(0);
  EXPECT_EQ(failure_of(outcome, 0), (FailureKind{0, true, {}}));
}

TEST(ShrinkCase, StopsWhenItsStepsAreSpent) {
  Scripted asker;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(800), {0, false, {}}, 4);
  EXPECT_EQ(shrunk.tried, 4U);
  EXPECT_EQ(value_of(shrunk.record), 100);
  EXPECT_FALSE(shrunk.minimal);
}

TEST(ShrinkCase, CountsCandidatesUpToTheAcceptedOne) {
  Scripted asker;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(10), {0, false, {}}, plenty);
  EXPECT_EQ(shrunk.tried, 3U);
}

TEST(ShrinkCase, JudgesNoHarmlessCandidateAgainInTheSecondDescent) {
  Scripted asker;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(20), {0, false, {}}, plenty);
  EXPECT_EQ(value_of(shrunk.record), 10);
  for (const std::int64_t harmless : {0, 5, 9}) EXPECT_EQ(asker.times[harmless], 1) << harmless;
}

TEST(ShrinkCase, PassesOverCandidatesThatCrash) {
  Scripted asker;
  asker.crashes_at = 7;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(14), {0, false, {}}, plenty);
  EXPECT_EQ(value_of(shrunk.record), 10);
  EXPECT_TRUE(shrunk.minimal);
}

TEST(ShrinkCase, ShrinksACrashToTheSmallestThatCrashes) {
  Scripted asker;
  asker.crashes_from_10 = true;
  const Shrunk shrunk = shrink_case(Integers(), asker, number(800), {0, false, store::Finding::crashed}, plenty);
  EXPECT_EQ(value_of(shrunk.record), 10);
}

TEST(HardestCase, HasAResultOfAtMost64Words) {
  Scripted asker;
  const auto words_of_hardest = [&](std::size_t words) {
    asker.words = words;
    return hardest_case(Integers(), "host", asker, number(9), 0).evidence->got.size();
  };
  EXPECT_EQ(words_of_hardest(64), 64U);
  EXPECT_EQ(words_of_hardest(65), 0U);
}

}  // namespace
}  // namespace assay::campaign
