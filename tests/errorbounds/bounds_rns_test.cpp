#include "errorbounds/rns.hpp"

#include <gtest/gtest.h>

#include "errorbounds/fraction.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

/// c·2⁻⁵².
Dyadic units(std::int64_t c) { return Dyadic::scaled(c, -52); }

/// k/100 of 10⁻⁷.
RelativeBound hundredths(std::int64_t k) { return {Dyadic(k), Dyadic(1000000000)}; }

TEST(DirectedBound, IsTwiceTheUnitRoundoff) {
  EXPECT_EQ(directed_bound(53).numerator, units(1));
  EXPECT_EQ(directed_bound(53).denominator, Dyadic(1));
}

TEST(RnsSumWidth, OfAPowerOfTwoIsThatManyTimes3AndTheLogarithm) {
  EXPECT_EQ(rns_sum_width(1).numerator, units(3));
  EXPECT_EQ(rns_sum_width(2).numerator, units(8));
  EXPECT_EQ(rns_sum_width(8).numerator, units(48));
  EXPECT_EQ(rns_sum_width(128).numerator, units(1280));
}

TEST(RnsSumWidth, CountsTheAdditionsOfEveryLevel) {
  // 5 terms: 2 additions below 2, then 1 below 4 of the 3 that are left, then 1 below 8.
  EXPECT_EQ(rns_sum_width(5).numerator, units(15 + 4 + 4 + 8));
}

TEST(RnsRefinementThreshold, HasTwoTermsForEachLevelFromFourModuliOn) {
  EXPECT_EQ(rns_refinement_threshold(8).numerator, units(2 * 6 * 8 * 10000002LL));
  EXPECT_EQ(rns_refinement_threshold(128).numerator, units(2 * 14 * 128 * 10000002LL));
  EXPECT_EQ(rns_refinement_threshold(2).numerator, units(2 * 3 * 2 * 10000002LL));
}

TEST(RnsIntervalWidth, IsTheTableOfThePageForTheStandardSets) {
  const struct {
    int n;
    std::int64_t hundredths_above;
  } rows[] = {{8, 50}, {16, 44}, {32, 40}, {64, 38}, {128, 36}};
  for (const auto& row : rows) {
    EXPECT_LT(hundredths(row.hundredths_above - 1), rns_interval_width(row.n)) << row.n;
    EXPECT_LT(rns_interval_width(row.n), hundredths(row.hundredths_above)) << row.n;
  }
}

TEST(RnsIntervalWidth, IsBelow1In10To7ForEveryNumberOfModuli) {
  for (int n = 1; n <= 4096; ++n) {
    EXPECT_LT(rns_interval_width(n), hundredths(100)) << n;
  }
}

}  // namespace
}  // namespace assay
