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
