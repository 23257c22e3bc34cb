#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/judge.hpp"
#include "errorbounds/sum.hpp"
#include "oracle/exact.hpp"

namespace assay {
namespace {

using oracle::binary32;
using oracle::binary64;
using oracle::Dyadic;

void expect_equal(const Bound& bound, const Bound& want) { EXPECT_TRUE(bound <= want && want <= bound); }

TEST(Gamma, IsNOverTwoToThePMinusN) {
  const RelativeBound bound = gamma(3, 8);
  EXPECT_EQ(bound.numerator * Dyadic(253), bound.denominator * Dyadic(3));
}

TEST(Gamma, RefusesNuOfOneAndNamesTheHypothesis) {
  EXPECT_NO_THROW(gamma(255, 8));
  try {
    gamma(256, 8);
    FAIL() << "gamma(256, 8) was accepted";
  } catch (const std::domain_error& error) {
    EXPECT_STREQ(error.what(), "gamma(n) requires n·u < 1: n = 256, u = 2^-8");
  }
}

TEST(Gamma, GrowsWithN) {
  for (std::uint64_t n = 0; n < 200; ++n) {
    EXPECT_TRUE(gamma(n, 8) < gamma(n + 1, 8)) << n;
  }
}

TEST(RecursiveSumBound, IsAttainedUpToItsDenominatorByOneAndManyU) {
  const Dyadic u = unit_roundoff(53);
  for (const int n : {2, 3, 10, 1000}) {
    const Dyadic truth = Dyadic(1) + Dyadic(n - 1) * u;  // 1, u, …, u: every addition is a tie that goes to 1
    const Judgement judged =
        judge_within(Dyadic(1), truth, recursive_sum_bound(static_cast<std::uint64_t>(n), truth, 53));
    EXPECT_EQ(judged.verdict, Verdict::holds) << n;
    EXPECT_GT(judged.tightness, 0.999999) << n;
  }
}

TEST(TreeSumBound, IsAttainedUpToItsDenominatorByOneUInEachLevel) {
  const Dyadic u = unit_roundoff(24);
  for (const int h : {1, 5, 10}) {
    const Dyadic truth = Dyadic(1) + Dyadic(h) * u;
    const Judgement judged = judge_within(Dyadic(1), truth, tree_sum_bound(static_cast<std::uint64_t>(h), truth, 24));
    EXPECT_EQ(judged.verdict, Verdict::holds) << h;
    EXPECT_GT(judged.tightness, 0.99999) << h;
  }
}

TEST(PairwiseHeight, IsTheCeilingOfTheLogarithm) {
  const std::vector<std::uint64_t> want{0, 0, 1, 2, 2, 3, 3, 3, 3, 4};
  for (std::size_t n = 0; n < want.size(); ++n) {
    EXPECT_EQ(pairwise_height(n), want[n]) << n;
  }
}

TEST(Sum2Bound, HoldsForTheWitnessThatItIsNotCorrectlyRounded) {
  const Dyadic u = unit_roundoff(53);
  const Dyadic truth = Dyadic(1) + u + u * u;
  const Judgement judged = judge_within(Dyadic(1), truth, sum2_bound(3, truth, truth, 53));
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_GT(judged.tightness, 0.999999);
}

TEST(Sum2Bound, IsHalfAnUlpTermForAnExactlyKnownSum) {
  const Dyadic u = unit_roundoff(8);
  // n = 1: γ₀ = 0.
  expect_equal(sum2_bound(1, -3, 3, 8), {Dyadic(3) * u, 1});
  // n = 3: u·|s| + (2/254)²·S.
  expect_equal(sum2_bound(3, 1, 7, 8), Bound{u, 1} + Bound{4 * 7, 254 * 254});
}

TEST(Sum2Bound, IsThatOfNeumaier) { expect_equal(neumaier_sum_bound(9, 5, 11, 24), sum2_bound(9, 5, 11, 24)); }

TEST(KahanSumBound, IsItsPolynomial) {
  // p = 8, n = 2: (256 + 257·(2 + 26/256)·7)/2¹⁶ with s = 1, S = 7.
  expect_equal(kahan_sum_bound(2, 1, 7, 8), {Dyadic(256 * 256 + 257 * (512 + 26) * 7), Dyadic::scaled(1, 24)});
}

TEST(KahanSumBound, HoldsForTheSumThatItLoses) {
  const Dyadic big = Dyadic::scaled(1, 332);
  const Dyadic truth = 2;
  EXPECT_EQ(judge_within(Dyadic(0), truth, kahan_sum_bound(4, truth, Dyadic(2) * big + Dyadic(2), 53)).verdict,
            Verdict::holds);
}

TEST(SumKBound, ShrinksWithEachLevelForIllConditionedSums) {
  const Dyadic tiny = Dyadic::scaled(1, -300);
  EXPECT_TRUE(sum_k_bound(3, 1000, tiny, 1, 53) < sum2_bound(1000, tiny, 1, 53));
  EXPECT_TRUE(sum_k_bound(4, 1000, tiny, 1, 53) < sum_k_bound(3, 1000, tiny, 1, 53));
}

TEST(SummationBounds, RefuseLengthsOutsideTheirHypotheses) {
  EXPECT_THROW(sum2_bound(256, 1, 1, 8), std::domain_error);
  EXPECT_THROW(kahan_sum_bound(17, 1, 1, 8), std::domain_error);
  EXPECT_THROW(kahan_sum_bound(1, 1, 1, 4), std::domain_error);
  EXPECT_THROW(sum_k_bound(3, 65, 1, 1, 8), std::domain_error);
  EXPECT_THROW(sum_k_bound(2, 1, 1, 1, 8), std::domain_error);
  const oracle::Format toy{8, -126, 127};
  EXPECT_THROW(dot2_bound(129, 1, 1, toy), std::domain_error);
  EXPECT_THROW(dot_k_bound(3, 33, 1, 1, toy), std::domain_error);
  EXPECT_THROW(block_dot2_bound({64 * 128, 64}, 1, 1, toy), std::domain_error);
}

TEST(SummationBounds, AcceptTheLastLengthOfTheirHypotheses) {
  EXPECT_NO_THROW(kahan_sum_bound(16, 1, 1, 8));
  EXPECT_NO_THROW(sum_k_bound(3, 64, 1, 1, 8));
  const oracle::Format toy{8, -126, 127};
  EXPECT_NO_THROW(dot2_bound(128, 1, 1, toy));
  EXPECT_NO_THROW(dot_k_bound(3, 32, 1, 1, toy));
}

TEST(RecursiveDotBound, StaysWithinAFactorOfOnePlusUOfNu) {
  const Dyadic u = unit_roundoff(24);
  for (const int n : {1, 2, 100}) {
    const Dyadic nu = Dyadic(n) * u;
    const Bound with_underflow{(Dyadic(1) + nu) * Dyadic(n) * smallest_subnormal(binary32), 2};
    EXPECT_TRUE(recursive_dot_bound(static_cast<std::uint64_t>(n), 1, binary32) <=
                (Bound{(Dyadic(1) + u) * nu, 1} + with_underflow))
        << n;
  }
}

TEST(RecursiveDotBound, IsOneRoundingForOneProduct) {
  // (1 + u·2)(1 + …) products round with at most u/(1 + u); the underflow term is η/2.
  expect_equal(recursive_dot_bound(1, 1, binary64),
               Bound{1, Dyadic::scaled(1, 53) + Dyadic(1)} + Bound{smallest_subnormal(binary64), 2});
}

TEST(RecursiveDotBound, CoversAProductThatUnderflowsToZero) {
  const Dyadic truth = Dyadic::scaled(1, -1075);
  const Judgement judged = judge_within(Dyadic(0), truth, recursive_dot_bound(1, truth, binary64));
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_GT(judged.tightness, 0.999999);
}

TEST(Dot2Bound, HasTheUnderflowTermOfFiveEtaForEachProduct) {
  expect_equal(dot2_bound(7, 0, 0, binary64), {Dyadic(35) * smallest_subnormal(binary64), 1});
}

TEST(DotKBound, ShrinksWithK) {
  const Dyadic tiny = Dyadic::scaled(1, -400);
  EXPECT_TRUE(dot_k_bound(4, 100, tiny, 1, binary64) < dot_k_bound(3, 100, tiny, 1, binary64));
  EXPECT_TRUE(dot_k_bound(3, 100, tiny, 1, binary64) < dot2_bound(100, tiny, 1, binary64));
}

TEST(BlockShape, HasTheHeightOfItsThreadsAndLevels) {
  const auto height = [](std::uint64_t n) { return BlockShape{n, 64}.height(); };
  EXPECT_EQ(height(0), 6u);
  EXPECT_EQ(height(64), 6u);
  EXPECT_EQ(height(65), 7u);
  EXPECT_EQ(height(129), 8u);
}

TEST(BlockShape, CountsTwoAdditionsForEachLevelOfACorrection) {
  EXPECT_EQ((BlockShape{129, 64}.sum2_correction_height()), 13u);
  EXPECT_EQ((BlockShape{1, 64}.sum2_correction_height()), 12u);
  EXPECT_EQ((BlockShape{129, 64}.dot2_correction_height()), 15u);
}

TEST(BlockSumBound, IsBelowTheRecursiveOneForLongVectors) {
  EXPECT_TRUE(block_sum_bound({6400, 64}, 1, 53) < recursive_sum_bound(6400, 1, 53));
}

TEST(SummationBounds, GrowWithTheLength) {
  for (std::uint64_t n = 1; n < 300; ++n) {
    EXPECT_TRUE(sum2_bound(n, 1, 1, 24) <= sum2_bound(n + 1, 1, 1, 24)) << n;
    EXPECT_TRUE(kahan_sum_bound(n, 1, 1, 24) <= kahan_sum_bound(n + 1, 1, 1, 24)) << n;
    EXPECT_TRUE(block_sum2_bound({n, 64}, 1, 1, 24) <= block_sum2_bound({n + 1, 64}, 1, 1, 24)) << n;
    EXPECT_TRUE(block_dot2_bound({n, 64}, 1, 1, binary32) <= block_dot2_bound({n + 1, 64}, 1, 1, binary32)) << n;
  }
}

}  // namespace
}  // namespace assay
