#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
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

TEST(MpGemvExactBound, IsOneRounding) { EXPECT_TRUE(equal(mp_gemv_exact_bound(3, -40), Bound{5})); }

TEST(RoundedToBits, RoundsToNearestWithTiesToEven) {
  const std::pair<long, long> of_three_bits[] = {{0, 0},     {5, 5},     {17, 16},   {18, 16},  {19, 20},
                                                 {22, 24},   {30, 32},   {31, 32},   {36, 32},  {37, 40},
                                                 {-17, -16}, {-22, -24}, {-30, -32}, {-12, -12}};
  for (const auto& [x, rounded] : of_three_bits) EXPECT_EQ(rounded_to_bits(3, Dyadic(x)), Dyadic(rounded)) << x;
}

TEST(RoundedToBits, SeesABitFarBelowATie) {
  const Dyadic far = Dyadic::scaled(1, -100000);
  EXPECT_EQ(rounded_to_bits(3, Dyadic(18) + far), Dyadic(20));
  EXPECT_EQ(rounded_to_bits(3, Dyadic(22) - far), Dyadic(20));
  EXPECT_EQ(rounded_to_bits(3, Dyadic(20) - far), Dyadic(20));
}

}  // namespace
}  // namespace assay
