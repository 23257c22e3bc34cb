#include "errorbounds/judge.hpp"

#include <gmock/gmock.h>

#include "oracle/decode.hpp"
#include "properties/framework/codec.hpp"
#include "tests/properties/bound_controls.hpp"

namespace assay {
namespace {

using oracle::binary64;
using oracle::Dyadic;
using oracle::Exact;
using oracle::Rounding;

TEST(Judge, TellsAnErrorThatIsTheBoundFromOneThatIsAUnitLarger) { EXPECT_THAT(bound_controls(), ::testing::IsEmpty()); }

/// The verdict on a pattern of binary16.
Verdict stored(std::uint64_t got, const Dyadic& truth, const Bound& bound) {
  return judge_stored(got, truth, bound, oracle::binary16).verdict;
}
constexpr std::uint64_t one = 0x3c00;
constexpr std::uint64_t largest = 0x7bff;
constexpr std::uint64_t infinity = 0x7c00;
constexpr std::uint64_t minus = 0x8000;

TEST(JudgeStored, TakesWhatARoundingWithinTheBoundGives) {
  EXPECT_EQ(stored(one + 1, 1, {Dyadic::scaled(1, -11)}), Verdict::holds);
  EXPECT_EQ(stored(one + 1, 1, {Dyadic::scaled(1, -11) - Dyadic::scaled(1, -60)}), Verdict::violated);
  EXPECT_EQ(stored(one - 1, 1, {Dyadic::scaled(1, -12)}), Verdict::holds);
  EXPECT_EQ(stored(minus | (one + 1), -1, {Dyadic::scaled(1, -11)}), Verdict::holds);
  EXPECT_EQ(judge_stored(one + 1, Dyadic(1), Bound{Dyadic::scaled(1, -10)}, oracle::binary16).tightness, 0.5);
}

TEST(JudgeStored, WithoutAnErrorIsRoundingToNearest) {
  const Dyadic tie = Dyadic(1) + Dyadic::scaled(1, -11);
  for (const std::uint64_t sign : {std::uint64_t{0}, minus}) {
    const Dyadic factor = sign == 0 ? 1 : -1;
    EXPECT_EQ(stored(sign | one, factor * tie, {}), Verdict::holds);
    EXPECT_EQ(stored(sign | (one + 1), factor * tie, {}), Verdict::holds);
    EXPECT_EQ(stored(sign | (one + 1), factor * (tie - Dyadic::scaled(1, -60)), {}), Verdict::violated);
    EXPECT_EQ(stored(sign | one, factor * (tie + Dyadic::scaled(1, -60)), {}), Verdict::violated);
  }
}

TEST(JudgeStored, KnowsOverflow) {
  const Dyadic first_infinite = 65520;
  EXPECT_EQ(stored(largest, first_infinite - 1, {}), Verdict::holds);
  EXPECT_EQ(stored(infinity, first_infinite - 1, {}), Verdict::violated);
  EXPECT_EQ(stored(infinity, first_infinite - 1, {1}), Verdict::holds);
  EXPECT_EQ(stored(largest, first_infinite + 1, {}), Verdict::violated);
  EXPECT_EQ(stored(infinity, Dyadic::scaled(1, 90), {}), Verdict::holds);
  EXPECT_EQ(stored(minus | infinity, Dyadic::scaled(1, 90), {}), Verdict::violated);
  EXPECT_EQ(stored(minus | infinity, -first_infinite, {}), Verdict::holds);
  EXPECT_EQ(stored(infinity + 1, 1, {Dyadic::scaled(1, 90)}), Verdict::violated);
}

TEST(JudgeStored, KnowsUnderflow) {
  const Dyadic half_smallest = Dyadic::scaled(1, -25);
  EXPECT_EQ(stored(0, half_smallest, {}), Verdict::holds);
  EXPECT_EQ(stored(minus, half_smallest, {}), Verdict::holds);
  EXPECT_EQ(stored(0, half_smallest * Dyadic(2), {half_smallest}), Verdict::holds);
  EXPECT_EQ(stored(0, half_smallest * Dyadic(2), {}), Verdict::violated);
  EXPECT_EQ(stored(minus | 1, 0, {half_smallest}), Verdict::holds);
}

/// ⌊log₂⌋ of the distance in ulps.
long boundary(const Exact& truth, Rounding direction) {
  const std::uint64_t rounded = oracle::round(truth, binary64, direction);
  const Judgement judgement = judge_rounded(rounded, truth, binary64, direction);
  EXPECT_EQ(judgement.verdict, Verdict::holds);
  return judgement.boundary;
}

TEST(BoundaryOfRounding, IsTheMidpointForRoundingToNearest) {
  const Dyadic tie = Dyadic(1) + Dyadic::scaled(1, -53);
  EXPECT_EQ(boundary(tie + Dyadic::scaled(1, -113), Rounding::nearest), -61);
  EXPECT_EQ(boundary(tie - Dyadic::scaled(1, -113), Rounding::nearest), -61);
  EXPECT_EQ(boundary(tie + Dyadic::scaled(3, -114), Rounding::nearest), -61);
  EXPECT_EQ(boundary(-(tie + Dyadic::scaled(1, -3000)), Rounding::nearest), -2948);
  EXPECT_EQ(boundary(Dyadic(1) + Dyadic::scaled(1, -54), Rounding::nearest), -2);
  EXPECT_EQ(boundary(Dyadic(1), Rounding::nearest), -1);
  EXPECT_EQ(boundary(oracle::Rational(tie) + oracle::quotient(1, Dyadic::scaled(3, 100)), Rounding::nearest), -50);
  EXPECT_EQ(boundary(oracle::square_root(Dyadic(2)), Rounding::nearest), -4);
}

TEST(BoundaryOfRounding, IsTheNearerNeighbourForADirectedRounding) {
  for (const Rounding direction : {Rounding::up, Rounding::down, Rounding::zero}) {
    EXPECT_EQ(boundary(Dyadic(1) + Dyadic::scaled(1, -113), direction), -61);
    EXPECT_EQ(boundary(Dyadic(1) + Dyadic::scaled(1, -52) - Dyadic::scaled(1, -2113), direction), -2061);
    EXPECT_EQ(boundary(-Dyadic(1) - Dyadic::scaled(3, -54), direction), -2);
    EXPECT_EQ(boundary(Dyadic(1), direction), no_boundary);
  }
}

TEST(BoundaryOfRounding, IsNotMetByATruthThatLiesOnIt) {
  EXPECT_EQ(boundary(Dyadic(1) + Dyadic::scaled(1, -53), Rounding::nearest), no_boundary);
  EXPECT_EQ(boundary(Dyadic::scaled(1, -1075), Rounding::nearest), no_boundary);
}

TEST(BoundaryOfRounding, StaysAmongSubnormalsAndBesideAPowerOfTwo) {
  EXPECT_EQ(boundary(Dyadic::scaled(1, -1075) + Dyadic::scaled(1, -1200), Rounding::nearest), -126);
  EXPECT_EQ(boundary(Dyadic(1) - Dyadic::scaled(1, -54) + Dyadic::scaled(1, -120), Rounding::nearest), -67);
}

TEST(BoundaryOfRounding, IsNoneBeyondTheLargestNumber) {
  EXPECT_EQ(boundary(Dyadic::scaled(1, 1024), Rounding::nearest), no_boundary);
  EXPECT_EQ(boundary(Dyadic::scaled(1, 1025), Rounding::zero), no_boundary);
}

TEST(BoundaryOfRounding, IsTheSmallestOfAllComponents) {
  Judgement near;
  near.boundary = -40;
  Judgement worst{Verdict::holds, 0.75, 1};
  worst.boundary = -3;
  Judgement both = near;
  both.worsen(worst);
  EXPECT_EQ(both.boundary, -40);
  EXPECT_EQ(both.tightness, 0.75);
}

}  // namespace
}  // namespace assay
