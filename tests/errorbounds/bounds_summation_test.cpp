#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "errorbounds/contract.hpp"
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

/// The sum of the terms of a bound.
Bound sum_of_terms(const Bound& bound) {
  Bound sum{0};
  for (const BoundTerm& each : bound.terms) sum = sum + Bound{each.numerator, each.denominator};
  return sum;
}

TEST(BoundTerms, SumToTheBound) {
  const Dyadic s = Dyadic::scaled(3, -7);
  const Dyadic S = 5;
  for (const Bound& bound :
       {kahan_sum_bound(9, s, S, 24), sum2_bound(9, s, S, 24), sum_k_bound(3, 9, s, S, 24),
        recursive_dot_bound(9, S, binary32), tree_dot_bound(9, 4, S, binary32), dot2_bound(9, s, S, binary32),
        dot_k_bound(4, 9, s, S, binary32), block_sum2_bound({99, 64}, s, S, 24),
        block_dot2_bound({99, 64}, s, S, binary32), dot2_bound(9, s, S, binary32) * Dyadic(3),
        sum2_sharp_bound(9, s, S, 24), sum_k_sharp_bound(4, 9, s, S, 24), dot2_sharp_bound(9, s, S, binary32)}) {
    EXPECT_GE(bound.terms.size(), 2u);
    expect_equal(sum_of_terms(bound), bound);
  }
}

TEST(BoundTerms, OfOneNameAreOneTerm) {
  const Bound bound = named("a", {1, 3}) + (named("b", {1, 5}) + named("a", {1, 7}));
  ASSERT_EQ(bound.terms.size(), 2u);
  expect_equal({bound.terms[0].numerator, bound.terms[0].denominator}, {10, 21});
}

TEST(BoundTerms, AreFourAtMost) {
  const Bound four = named("a", {1}) + named("b", {1}) + named("c", {1}) + named("d", {1});
  EXPECT_NO_THROW(four + named("d", {1}));
  EXPECT_THROW(four + named("e", {1}), std::logic_error);
}

TEST(BoundTerms, OfABoundOfOnePieceAreNone) {
  EXPECT_TRUE((recursive_sum_bound(9, 5, 24) + Bound{1, 3}).terms.empty());
  EXPECT_EQ(judge_within(2, 1, Bound{4}).terms[0].name, nullptr);
}

TEST(BoundTerms, SayHowMuchOfThemTheErrorNeeds) {
  const Bound bound = named("a", {3}) + named("b", {1}) + named("c", {0});
  const Judgement judged = judge_within(Dyadic::scaled(7, -1), Dyadic(), bound);
  EXPECT_EQ(judged.tightness, 0.875);
  EXPECT_STREQ(judged.terms[0].name, "a");
  EXPECT_EQ(judged.terms[0].value, 2.5 / 3);
  EXPECT_EQ(judged.terms[1].value, 0.5);
  EXPECT_STREQ(judged.terms[2].name, "c");
  EXPECT_EQ(judged.terms[2].value, 0);
  EXPECT_EQ(judged.terms[3].name, nullptr);
  EXPECT_EQ(judge_within(Dyadic(5), Dyadic(), bound).terms[1].value, 2);
  EXPECT_EQ(judge_within(Dyadic(3), Dyadic(), bound).terms[1].value, 0);  // the first term explains it alone
  EXPECT_EQ(judge_within(Dyadic(3), Dyadic(), named("a", {0}) + named("b", {0})).terms[1].value, 0);
}

// A subject that returns the truth and half of the second term, where the second term is nearly all of the bound.
TEST(BoundTerms, SeeAnErrorOfHalfTheSecondTerm) {
  const std::uint64_t n = 9;
  const Dyadic s = Dyadic::scaled(1, -200);
  const Bound bound = sum2_bound(n, s, 1, 24);
  const BoundTerm& second = bound.terms[1];
  // got = s + half of the term, both times its denominator; the bound likewise.
  const Dyadic got = second.denominator * s + Dyadic::scaled(1, -1) * second.numerator;
  const Judgement judged = judge_within(got, second.denominator * s, bound * second.denominator);
  EXPECT_NEAR(judged.terms[1].value, 0.5, 1e-12);
  EXPECT_EQ(judged.terms[0].value, 0);
}

TEST(BoundTerms, KeepTheLargestOverTheComponents) {
  const Bound bound = named("a", {1}) + named("b", {3});
  Judgement worst = judge_within(3, 0, bound, 0);
  worst.worsen(judge_within(7, 0, named("b", {1}) + named("a", {7}), 1));
  worst.worsen(Judgement::fail(2));
  EXPECT_EQ(worst.component, 2u);
  EXPECT_STREQ(worst.terms[0].name, "b");
  EXPECT_NEAR(worst.terms[0].value, 2.0 / 3, 1e-15);
  EXPECT_NEAR(worst.terms[1].value, 6.0 / 7, 1e-15);
}

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

/// Sum2 in binary32.
float sum2(const std::vector<float>& x) {
  float sum = 0;
  float lost = 0;
  for (const float each : x) {
    const float next = sum + each;
    const float part = next - sum;
    lost += (sum - (next - part)) + (each - part);
    sum = next;
  }
  return sum + lost;
}

// 1, q, …, q, −1 with q just below u: every q is an error, and the second half of their additions lose half an ulp
// each.
TEST(Sum2Bound, IsAttainedToAnEighthInItsSecondTerm) {
  const int k = 8;
  const Dyadic q = Dyadic::scaled((1 << 24) - (1 << (k - 1)) - 1, -48);
  std::vector<float> x((1 << k) + 2, static_cast<float>(q.to_double_nearest()));
  x.front() = 1;
  x.back() = -1;
  const Dyadic truth = Dyadic(1 << k) * q;
  const auto got = Dyadic(static_cast<std::int64_t>(std::ldexp(sum2(x), 80 - 20))).mul_2exp(20 - 80);
  const Judgement judged = judge_within(got, truth, sum2_bound(x.size(), truth, Dyadic(2) + truth, 24));
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_STREQ(judged.terms[1].name, "γ²S");
  EXPECT_GT(judged.terms[1].value, 0.12);
  EXPECT_LT(judged.terms[1].value, 0.125);
}

TEST(Sum2Bound, IsHalfAnUlpTermForAnExactlyKnownSum) {
  const Dyadic u = unit_roundoff(8);
  // n = 1: γ₀ = 0.
  expect_equal(sum2_bound(1, -3, 3, 8), {Dyadic(3) * u, 1});
  // n = 3: u·|s| + (2/254)²·S.
  expect_equal(sum2_bound(3, 1, 7, 8), Bound{u, 1} + Bound{4 * 7, 254 * 254});
}

TEST(Sum2Bound, IsThatOfNeumaier) { expect_equal(neumaier_sum_bound(9, 5, 11, 24), sum2_bound(9, 5, 11, 24)); }

TEST(SumOfLeadingBits, AddsThePowersOfTwoAtOrBelowEachNumber) {
  Dyadic sum;
  for (std::uint64_t n = 0; n <= 70; sum += Dyadic(std::bit_floor(++n))) EXPECT_EQ(sum_of_leading_bits(n), sum) << n;
  EXPECT_EQ(sum_of_leading_bits((std::uint64_t{1} << 40) - 1) * Dyadic(3), Dyadic::scaled(1, 80) - Dyadic(1));
}

// p = 8, n = 6, φ(4) = 9: |s|/2⁸ + 9/(250·2⁸)·(S + |s|)/2.
TEST(Sum2SharpBound, IsTheFormulaOfItsTheorem) {
  expect_equal(sum2_sharp_bound(6, -2, 12, 8), Bound{2, 256} + Bound{9 * 7, 250 * 256});
  expect_equal(sum2_sharp_bound(2, 3, 3, 8), {3, 256});
}

TEST(Sum2SharpBound, IsNowhereAboveThePublishedOne) {
  for (std::uint64_t n = 2; n < 256; ++n) {
    EXPECT_TRUE(sum2_sharp_bound(n, 1, 1, 8) <= sum2_bound(n, 1, 1, 8)) << n;
  }
}

TEST(Sum2SharpBound, IsASixthOfThePublishedOneForLongIllConditionedSums) {
  const Dyadic tiny = Dyadic::scaled(1, -300);
  EXPECT_TRUE(sum2_sharp_bound(1025, tiny, 1, 53) * Dyadic(599) < sum2_bound(1025, tiny, 1, 53) * Dyadic(100));
}

TEST(Sum2TooSmallBound, IsThreeTenthsOfNSquared) {
  expect_equal(sum2_too_small_bound(10, -1, 3, 8), Bound{1, 256} + Bound{60, 65536});
}

// p = 8, n = 3: λ = 1/(253·2⁸), γ₂ = 2/254.
TEST(SumKSharpBound, IsTheFormulaOfItsTheorem) {
  const Bound of_sum = Bound{1, 256} + Bound{3, 2 * 253 * 256};
  expect_equal(sum_k_sharp_bound(3, 3, -1, 3, 8), of_sum + Bound{2 * 2, 253 * 256 * 254});
  expect_equal(sum_k_sharp_bound(4, 3, -1, 3, 8), of_sum + Bound{2 * 4, Dyadic(253 * 256 * 254) * Dyadic(254)});
}

TEST(SumKSharpBound, IsATwelfthOfThePublishedOneForLongIllConditionedSums) {
  const Dyadic tiny = Dyadic::scaled(1, -300);
  EXPECT_TRUE(sum_k_sharp_bound(3, 1025, tiny, 1, 53) * Dyadic(11) < sum_k_bound(3, 1025, tiny, 1, 53));
  EXPECT_TRUE(sum_k_sharp_bound(4, 1025, tiny, 1, 53) * Dyadic(23) < sum_k_bound(4, 1025, tiny, 1, 53));
}

// p = 8, n = 3, φ(6) = 17: κ = 14/(256 − 5).
TEST(Dot2SharpBound, IsTheFormulaOfItsTheorem) {
  const oracle::Format format{8, -20, 20};
  const RelativeBound unit{Dyadic(257 * 251 + 14 * 256), Dyadic(256 * 251)};
  const Bound underflow = unit * (Dyadic(3) * Dyadic::scaled(1, -28));
  expect_equal(dot2_sharp_bound(3, -2, 8, format), Bound{2, 256} + Bound{14 * 5, 251 * 256} + underflow);
}

// p = 8, n = 16: 16²/8 = 32, γ = 16/240.
TEST(Dot2TooSmallBound, IsAQuarterOfNSquared) {
  const Bound underflow = RelativeBound{4, 3} * Dyadic::scaled(1, -24);
  expect_equal(dot2_too_small_bound(16, -2, 8, {8, -20, 20}), Bound{2, 256} + Bound{32 * 10, 65536} + underflow);
}

TEST(KahanSumBound, IsItsPolynomial) {
  // p = 8, n = 2: (256 + 257·(2 + 22/256)·7)/2¹⁶ with s = 1, S = 7.
  expect_equal(kahan_sum_bound(2, 1, 7, 8), {Dyadic(256 * 256 + 257 * (512 + 22) * 7), Dyadic::scaled(1, 24)});
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
  EXPECT_THROW(sum2_sharp_bound(256, 1, 1, 8), std::domain_error);
  EXPECT_THROW(sum_k_sharp_bound(3, 65, 1, 1, 8), std::domain_error);
  EXPECT_THROW(sum_k_sharp_bound(2, 9, 1, 1, 8), std::domain_error);
  EXPECT_THROW(dot2_sharp_bound(4097, 1, 1, binary32), std::domain_error);
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
  EXPECT_NO_THROW(sum2_sharp_bound(255, 1, 1, 8));
  EXPECT_NO_THROW(sum_k_sharp_bound(3, 64, 1, 1, 8));
  EXPECT_NO_THROW(dot2_sharp_bound(4096, 1, 1, binary32));
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

TEST(Dot2Bound, HasAnUnderflowTermOfHalfEtaForEachProductThatGrowsOnTheWay) {
  const RelativeBound growth = gamma(7, 53);
  expect_equal(dot2_bound(7, 0, 0, binary64),
               {(growth.denominator + Dyadic(5) * growth.numerator) * Dyadic(7) * smallest_subnormal(binary64),
                Dyadic(2) * growth.denominator});
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

TEST(NormBound, IsTheFormulaOfItsTheorem) {
  const RelativeBound bound = norm_bound(2, 3);  // u = 1/8: (9/8)·(1/4)/(5/4) + 1/8
  EXPECT_EQ(bound.numerator * Dyadic(20), bound.denominator * Dyadic(7));
  EXPECT_EQ(norm_bound(0, 3).numerator * Dyadic(8), norm_bound(0, 3).denominator);
}

TEST(TwoRoundingsBound, IsTheFormulaOfItsTheorem) {
  const Bound bound = two_roundings_bound(-6, 2, {3, -4, 4});  // u = 1/8, η = 2^-6: 2/8 + (9/8)(6/8 + 2^-7)
  expect_equal(bound, {Dyadic(1129), 1024});
  expect_equal(sum_of_terms(bound), bound);
}

TEST(NormBound, RefusesTooManyNumbers) {
  EXPECT_NO_THROW(norm_bound(4, 3));
  EXPECT_THROW(norm_bound(5, 3), std::domain_error);
}

TEST(BinnedSumBound, IsWhatTheTermsLeaveBehindTheLastBin) {
  expect_equal(binned_sum_bound(3, 40, 7, 5), {35, Dyadic::scaled(1, 80)});
  expect_equal(binned_sum_bound(1, 13, 7, 5), {35});
  EXPECT_THROW(binned_sum_bound(0, 40, 1, 1), std::domain_error);
  expect_equal(binned_dot_bound(2, 13, 4, 3, 24), {Dyadic(18) * (Dyadic(1) + Dyadic::scaled(1, -24)), 8192});
}

TEST(BinnedNormBound, IsOfTheRootAndOfItsRoundings) {
  // δ = (1 + 2⁻¹)·(3/2)·n·2^((1 − K)W) with K = 2, W = 1 and p = 1: 9/8 for n = 1, 9/4 for n = 2; 9/16 with W = 2.
  const Dyadic v = Dyadic::scaled(1, -53);
  const RelativeBound rounding{Dyadic(3) * v * (Dyadic(1) + v), 2};
  const auto expect_root = [&](const RelativeBound& bound, const RelativeBound& of_root) {
    const RelativeBound want = of_root + rounding * (RelativeBound{1, 1} + of_root);
    expect_equal({bound.numerator, bound.denominator}, {want.numerator, want.denominator});
  };
  expect_root(binned_norm_bound(2, 1, 1, 1), {1, 1});
  expect_root(binned_norm_bound(2, 1, 2, 1), {9, 8});
  expect_root(binned_norm_bound(2, 2, 1, 1), {9, 23});
}

}  // namespace
}  // namespace assay
