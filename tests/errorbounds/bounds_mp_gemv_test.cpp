#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gemv.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

bool equal(const RelativeBound& a, const RelativeBound& b) { return a <= b && b <= a; }
bool equal(const Bound& a, const Bound& b) { return a <= b && b <= a; }

TEST(MpGemvUnit, IsHalfThePublishedOneForAProductJustBelowAPowerOfFour) {
  const Dyadic M = Dyadic::scaled(1, 216) - Dyadic(1);
  const RelativeBound twice = RelativeBound{2, 1} * mp_gemv_unit(M);
  EXPECT_TRUE(mp_published_unit(M) <= twice);
  EXPECT_TRUE(twice <= RelativeBound({Dyadic(1) + Dyadic::scaled(1, -15), 1}) * mp_published_unit(M));
}

TEST(MpGemvUnit, HasTwoToTheMinusTwentyToSpare) {
  const Dyadic M = Dyadic::scaled(1, 216) - Dyadic(1);
  EXPECT_TRUE(equal(mp_gemv_unit(M), RelativeBound({Dyadic(1) + Dyadic::scaled(1, -20), 1}) * mp_unit(M)));
}

TEST(MpGemvShape, CountsTheRoundingsOfAProduct) {
  const auto count = [](std::uint64_t terms, std::uint64_t threads) {
    return MpGemvShape{terms, threads, true, true, true}.product_roundings();
  };
  EXPECT_EQ(count(1, 1), 3u);
  EXPECT_EQ(count(1000, 1), 1002u);
  EXPECT_EQ(count(1000, 32), 32u + 5 + 2);
  EXPECT_EQ(count(1, 32), 3u);
  EXPECT_EQ(count(3, 32), 1u + 2 + 2);
  EXPECT_EQ(count(33, 32), 2u + 5 + 2);
}

TEST(MpGemvShape, LeavesOutWhatIsExact) {
  EXPECT_EQ((MpGemvShape{8, 1, false, true, true}.product_roundings()), 9u);
  EXPECT_EQ((MpGemvShape{8, 1, true, false, false}.product_roundings()), 9u);
  EXPECT_EQ((MpGemvShape{8, 1, false, false, false}.product_roundings()), 8u);
}

TEST(MpGemvShape, CountsTheRoundingsOfTheStart) {
  EXPECT_EQ((MpGemvShape{8, 1, true, true, true}.start_roundings()), 2u);
  EXPECT_EQ((MpGemvShape{8, 1, true, true, false}.start_roundings()), 1u);
  EXPECT_EQ((MpGemvShape{8, 1, true, false, true}.start_roundings()), 0u);
  EXPECT_EQ((MpGemvShape{0, 1, true, true, true}.start_roundings()), 1u);
}

TEST(MpGemvShape, IsNeverAboveThePublishedCount) {
  for (std::uint64_t terms = 1; terms < 70; ++terms) {
    for (std::uint64_t threads = 1; threads <= 32; threads *= 2) {
      EXPECT_LE((MpGemvShape{terms, threads, true, true, true}.product_roundings()), terms + 2);
    }
  }
}

TEST(MpGemvPublishedFactor, IsGammaOfNPlusTwo) { EXPECT_TRUE(equal(mp_gemv_published_factor(6, {1, 100}), {8, 92})); }

TEST(MpGemvPublishedFactor, ThrowsWhereItSaysNothing) {
  EXPECT_THROW(mp_gemv_published_factor(98, {1, 100}), std::domain_error);
  EXPECT_NO_THROW(mp_gemv_published_factor(97, {1, 100}));
}

TEST(MpGemvPublishedBound, OfANormIsTheSumOfTheEntries) {
  const RelativeBound u{1, 100};
  const std::vector<MpGemvWeights> entries{{3, 4}, {5, 0}, {0, 1}};
  Bound sum{0, 1};
  for (const MpGemvWeights& each : entries) sum = sum + mp_gemv_published_bound(6, u, each);
  EXPECT_TRUE(equal(mp_gemv_published_norm_bound(6, u, entries), sum));
}

TEST(MpGemvTreeBound, HasNoDenominator) {
  const MpGemvShape shape{1000, 32, true, true, true};
  EXPECT_TRUE(equal(mp_gemv_tree_bound(shape, {1, 10}, {7, 5}), Bound{Dyadic(39 * 7 + 2 * 5), 10}));
}

TEST(MpGemvExactDepth, LeavesRoomForAsManyProductsAsThereAre) {
  EXPECT_EQ(mp_gemv_exact_depth(216, 107, 1), 216 + 107 + 2);
  EXPECT_EQ(mp_gemv_exact_depth(216, 107, 1000), 216 + 107 + 10 + 2);
  EXPECT_EQ(mp_gemv_exact_depth(216, 107, 1025), 216 + 107 + 11 + 2);
}

TEST(MpGemvExactBound, IsOneRoundingWhereNothingIsDropped) {
  EXPECT_TRUE(equal(mp_gemv_exact_bound(3, -40, 0), Bound{5}));
}

TEST(MpGemvExactBound, CountsWhatIsDroppedOnceAndInItsRounding) {
  EXPECT_TRUE(equal(mp_gemv_exact_bound(3, 40, 8), Bound{5 + 8 + 1}));
}

}  // namespace
}  // namespace assay
