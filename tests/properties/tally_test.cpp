#include "properties/framework/tally.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t classes = 3;

/// A tally of judged cases, each a (number, ratio) pair; a ratio above 1 is a violation.
Tally tally_of(const std::vector<std::pair<std::uint8_t, std::uint8_t>>& judged) {
  Tally tally;
  tally.classes.resize(classes);
  ClaimTally claim;
  claim.executed_by_class.resize(classes);
  claim.features.emplace_back(4);
  for (const auto& [number, ratio] : judged) {
    const std::size_t in_class = number % classes;
    ++tally.classes[in_class].planned;
    ++tally.classes[in_class].executed;
    ++tally.errors[number % ulp_bins];
    const double tightness = ratio / 128.0;
    Judgement judgement{tightness > 1 ? Verdict::violated : Verdict::holds, tightness, 0};
    judgement.terms[0] = {number % 2 == 0 ? "even" : "odd", tightness / 2};
    if (number % 5 == 0) judgement.boundary = -static_cast<long>(ratio);
    if (number % 3 == 0) judgement.terms[1] = {"of three", tightness / 4};
    claim.add(judgement, number, in_class);
    claim.silence.take(number % 4, number, std::to_string(number));
    claim.features[0][number % 4u].take(tightness, number);
  }
  tally.claims.push_back(claim);
  return tally;
}

Tally merged(Tally a, const Tally& b) {
  a.merge(b);
  return a;
}

using Judged = std::vector<std::pair<std::uint8_t, std::uint8_t>>;

TEST(ClaimTally, CountsComponentsAndThoseThatViolate) {
  ClaimTally tally;
  tally.executed_by_class.resize(1);
  Judgement bad{Verdict::violated, 2, 3};
  bad.further = 4;
  bad.judged = 12;
  tally.add(bad, 0, 0);
  Judgement good;
  good.judged = 6;
  tally.add(good, 1, 0);
  EXPECT_EQ(tally.violated, 1u);
  EXPECT_EQ(tally.components, 18u);
  EXPECT_EQ(tally.violated_components, 5u);
}

TEST(ClaimTally, KeepsTheReasonOfTheFirstCaseOfWhichItSaysNothing) {
  Silence silence;
  silence.take(0, 1, "nothing is missing");
  EXPECT_EQ(silence, Silence());
  silence.take(2, 9, "of nine");
  silence.take(3, 4, "of four");
  silence.take(1, 7, "of seven");
  EXPECT_EQ(silence, (Silence{6, 4, "of four"}));
}

TEST(Judgement, AddsUpTheComponentsOfWhichItSaysNothing) {
  Judgement judgement;
  judgement.silent = 2;
  Judgement worse = Judgement::fail(1);
  worse.silent = 3;
  judgement.worsen(worse);
  EXPECT_EQ(judgement.silent, 5U);
}

TEST(UlpBin, HasAnEdgeInTheBinNearerToZero) {
  EXPECT_EQ(ulp_bin(0), 12u);
  EXPECT_EQ(ulp_bin(0x1p-1000), 13u);
  EXPECT_EQ(ulp_bin(0.125), 13u);
  EXPECT_EQ(ulp_bin(-0.126), 10u);
  EXPECT_EQ(ulp_bin(1), 20u);
  EXPECT_EQ(ulp_bin(-2), 3u);
  EXPECT_EQ(ulp_bin(8), 23u);
  EXPECT_EQ(ulp_bin(std::numeric_limits<double>::infinity()), 24u);
  EXPECT_EQ(ulp_bin(-0x1p900), 0u);
}

TEST(ClaimTally, KeepsTheSmallestDistanceToABoundaryAndItsFirstCase) {
  const auto judged = [](long log2, std::uint64_t number) {
    ClaimTally tally;
    tally.executed_by_class.resize(1);
    Judgement judgement;
    judgement.boundary = log2;
    tally.add(judgement, number, 0);
    return tally;
  };
  EXPECT_EQ(judged(no_boundary, 3).closest, Closest{});
  ClaimTally merged = judged(-40, 7);
  for (const auto& [log2, number] :
       {std::pair(no_boundary, 0u), std::pair(-41L, 9u), std::pair(-41L, 8u), std::pair(-2L, 1u)}) {
    merged.merge(judged(log2, number));
  }
  EXPECT_EQ(merged.closest, (Closest{-41, 8}));
}

TEST(ClaimTally, KeepsTheLargestValueOfEachTermAndItsFirstCase) {
  ClaimTally tally;
  tally.executed_by_class.resize(1);
  Judgement judgement;
  judgement.terms = {{{"u|s|", 0.5}, {"5nη", 0}}};
  tally.add(judgement, 7, 0);
  judgement.terms = {{{"5nη", 0.25}, {"u|s|", 0.5}}};
  tally.add(judgement, 3, 0);
  EXPECT_EQ(tally.terms, (decltype(tally.terms){{"5nη", {0.25, 3}}, {"u|s|", {0.5, 3}}}));
}

RC_GTEST_PROP(TallyMerge, IsAssociative, (const Judged& a, const Judged& b, const Judged& c)) {
  const Tally x = tally_of(a);
  const Tally y = tally_of(b);
  const Tally z = tally_of(c);
  RC_ASSERT(merged(merged(x, y), z) == merged(x, merged(y, z)));
}

RC_GTEST_PROP(TallyMerge, IsCommutative, (const Judged& a, const Judged& b)) {
  const Tally x = tally_of(a);
  const Tally y = tally_of(b);
  RC_ASSERT(merged(x, y) == merged(y, x));
}

RC_GTEST_PROP(TallyMerge, HasTheEmptyTallyAsNeutral, (const Judged& a)) {
  const Tally x = tally_of(a);
  RC_ASSERT(merged(x, tally_of({})) == x);
}

RC_GTEST_PROP(TallyMerge, IsTheTallyOfBothSets, (Judged a, const Judged& b)) {
  const Tally parts = merged(tally_of(a), tally_of(b));
  a.insert(a.end(), b.begin(), b.end());
  RC_ASSERT(parts == tally_of(a));
}

TEST(RatioBin, PutsNoErrorIntoBinZero) { EXPECT_EQ(ratio_bin(0.0), 0u); }

TEST(RatioBin, PutsOneIntoTheLastBinOfTheBound) { EXPECT_EQ(ratio_bin(1.0), 40u); }

TEST(RatioBin, PutsWhateverIsAboveOneIntoTheLastBin) {
  EXPECT_EQ(ratio_bin(std::nextafter(1.0, 2.0)), 41u);
  EXPECT_EQ(ratio_bin(std::numeric_limits<double>::infinity()), 41u);
}

TEST(RatioBin, PutsTinyRatiosIntoBinOne) {
  EXPECT_EQ(ratio_bin(0x1p-20), 1u);
  EXPECT_EQ(ratio_bin(0x1p-1074), 1u);
}

TEST(RatioBin, HasHalfOctaves) {
  EXPECT_EQ(ratio_bin(0.5), 39u);
  EXPECT_EQ(ratio_bin(std::nextafter(0.5, 0.0)), 38u);
  EXPECT_EQ(ratio_bin(std::nextafter(1.0, 0.0)), 40u);
  const double root_half = std::sqrt(0.5);  // rounded up: its square is above 1/2
  EXPECT_EQ(ratio_bin(root_half), 40u);
  EXPECT_EQ(ratio_bin(std::nextafter(root_half, 0.0)), 39u);
}

TEST(Worst, GoesToTheSmallestNumberAmongTies) {
  Worst worst;
  worst.take(0.5, 9);
  worst.take(0.5, 3);
  worst.take(0.25, 1);
  EXPECT_EQ(worst, (Worst{0.5, 3}));
}

}  // namespace
}  // namespace assay
