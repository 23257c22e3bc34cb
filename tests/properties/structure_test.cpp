#include "properties/framework/structure.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>

namespace assay {
namespace {

using oracle::Dyadic;

constexpr int p = 53;

ExactWords words(std::initializer_list<double> x) {
  ExactWords out;
  EXPECT_TRUE(exact_words<double>(std::span(x.begin(), x.size()), out));
  return out;
}

bool holds(const Judgement& judgement) { return judgement.verdict == Verdict::holds; }

TEST(ExactWords, RefuseWhatIsNotFinite) {
  const double x[] = {1, std::numeric_limits<double>::infinity()};
  ExactWords out;
  EXPECT_FALSE(exact_words<double>(x, out));
}

TEST(UlpNonoverlapping, AllowsAnUlpAndNoMore) {
  EXPECT_TRUE(holds(judge_ulp_nonoverlapping(words({1, 0x1p-52}), p)));
  EXPECT_TRUE(holds(judge_ulp_nonoverlapping(words({0x1.fffffffffffffp0, -0x1p-52}), p)));
  EXPECT_FALSE(holds(judge_ulp_nonoverlapping(words({1, 0x1.0000000000001p-52}), p)));
}

TEST(PriestNonoverlapping, RefusesAWholeUlp) {
  EXPECT_FALSE(holds(judge_priest_nonoverlapping(words({1, 0x1p-52}), p)));
  EXPECT_TRUE(holds(judge_priest_nonoverlapping(words({1, 0x1.fffffffffffffp-53}), p)));
}

TEST(BaileyNonoverlapping, AllowsHalfAnUlpAndNoMore) {
  EXPECT_TRUE(holds(judge_bailey_nonoverlapping(words({1, 0x1p-53}), p)));
  EXPECT_FALSE(holds(judge_bailey_nonoverlapping(words({1, 0x1.0000000000001p-53}), p)));
}

TEST(Renormalized, AllowsFiveUnitRoundoffsMoreThanHalfAnUlp) {
  EXPECT_TRUE(holds(judge_renormalized(words({1, 0x1.0000000000005p-53}), p)));
  EXPECT_FALSE(holds(judge_renormalized(words({1, 0x1.0000000000006p-53}), p)));
}

TEST(NeighbourJudges, RefuseAZeroBeforeAWord) {
  EXPECT_FALSE(holds(judge_ulp_nonoverlapping(words({1, 0, 0x1p-200}), p)));
  EXPECT_FALSE(holds(judge_priest_nonoverlapping(words({0, 1}), p)));
  EXPECT_TRUE(holds(judge_priest_nonoverlapping(words({1, 0, 0}), p)));
  EXPECT_TRUE(holds(judge_bailey_nonoverlapping(words({0, 0}), p)));
}

TEST(NeighbourJudges, TellHowNearTheBoundIs) {
  EXPECT_EQ(judge_ulp_nonoverlapping(words({1, 0x1p-53, 0x1p-110}), p).tightness, 0.5);
}

TEST(NeighbourJudges, SeeTheWorstOfSeveralWords) {
  EXPECT_FALSE(holds(judge_bailey_nonoverlapping(words({1, 0x1p-54, 0x1p-54}), p)));
}

TEST(ShewchukNonoverlapping, LooksAtTheLastSetBit) {
  EXPECT_TRUE(holds(judge_shewchuk_nonoverlapping(words({6, 1.75}))));
  EXPECT_FALSE(holds(judge_shewchuk_nonoverlapping(words({6, 2}))));
}

TEST(ShewchukNonoverlapping, LooksPastZeros) {
  EXPECT_TRUE(holds(judge_shewchuk_nonoverlapping(words({0, 6, 0, -1.75, 0}))));
  EXPECT_FALSE(holds(judge_shewchuk_nonoverlapping(words({6, 0, -3}))));
}

TEST(HalfUlsNonoverlapping, AllowsHalfTheLastBitAndNoMore) {
  EXPECT_TRUE(holds(judge_half_uls_nonoverlapping(words({6, 0, 1}))));
  EXPECT_FALSE(holds(judge_half_uls_nonoverlapping(words({6, 1.25}))));
}

TEST(ShewchukOrEqualPowers, AllowsEqualPowersOfTwoAlone) {
  EXPECT_TRUE(holds(judge_shewchuk_or_equal_powers(words({16, 2, -2, 0.5}))));
  EXPECT_FALSE(holds(judge_shewchuk_or_equal_powers(words({6, 2}))));
  EXPECT_FALSE(holds(judge_shewchuk_or_equal_powers(words({2, 4}))));
}

TEST(UlsNonoverlapping, AllowsTheLastBitOnceAndThenHalfOfIt) {
  EXPECT_TRUE(holds(judge_uls_nonoverlapping(words({6, 2}))));
  EXPECT_TRUE(holds(judge_uls_nonoverlapping(words({6, 2, 1}))));
  EXPECT_FALSE(holds(judge_uls_nonoverlapping(words({6, 2, 2}))));
}

TEST(ZerosLast, HoldsForZerosBehindWords) {
  EXPECT_TRUE(zeros_last(words({1, 2, 0, 0})));
  EXPECT_TRUE(zeros_last(words({0})));
  EXPECT_FALSE(zeros_last(words({0, 1})));
}

TEST(Overlaps, CountExponentDifferences) {
  EXPECT_TRUE(overlaps(words({4, 3, 1.5}), Overlap::p_minus_1));
  EXPECT_FALSE(overlaps(words({4, 3, 2}), Overlap::p_minus_1));
  EXPECT_TRUE(overlaps(words({4, 1.5}), Overlap::p_minus_2));
  EXPECT_FALSE(overlaps(words({4, 3}), Overlap::p_minus_2));
}

TEST(Overlaps, PassOverZeros) {
  EXPECT_FALSE(overlaps(words({4, 0, 4}), Overlap::p_minus_1));
  EXPECT_TRUE(overlaps(words({0, 4, 0, 3}), Overlap::p_minus_1));
}

TEST(Overlaps, AllowSinglePairsAtOneExponent) {
  EXPECT_TRUE(overlaps(words({4, 7, 1.5, 1}), Overlap::in_pairs));
  EXPECT_TRUE(overlaps(words({4, 3, 0.5, 0.25}), Overlap::in_pairs));
  EXPECT_FALSE(overlaps(words({4, 5, 3}), Overlap::in_pairs));
  EXPECT_FALSE(overlaps(words({4, 8}), Overlap::in_pairs));
}

TEST(Overlaps, AllowPairsOfMergedExpansionsBesideSingleDifferencesOfOne) {
  EXPECT_TRUE(overlaps(words({8, 2, 3, 1, 0.5}), Overlap::merged));
  EXPECT_FALSE(overlaps(words({8, 4, 5}), Overlap::merged));
  EXPECT_FALSE(overlaps(words({4, 5, 6}), Overlap::merged));
  EXPECT_FALSE(overlaps(words({8, 2, 3, 1}), Overlap::in_pairs));
}

TEST(FirstPair, AllowsFourUnitRoundoffsMoreThanHalfAnUlp) {
  EXPECT_TRUE(holds(judge_first_pair(1, Dyadic::scaled(1, -53) + Dyadic::scaled(4, -105), p)));
  EXPECT_FALSE(holds(judge_first_pair(1, Dyadic::scaled(1, -53) + Dyadic::scaled(5, -105), p)));
}

TEST(LeadsWithRoundedSum, BreaksTiesToEven) {
  const double even[] = {1, 0x1p-53};
  const double above[] = {1, 0x1p-53, 0x1p-120};
  EXPECT_TRUE(leads_with_rounded_sum<double>(even));
  EXPECT_FALSE(leads_with_rounded_sum<double>(above));
}

}  // namespace
}  // namespace assay
