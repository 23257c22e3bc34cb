#include <gtest/gtest.h>

#include <stdexcept>

#include "errorbounds/dw.hpp"
#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/judge.hpp"
#include "refused_precisions.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

/// a/b = c/d.
void expect_equal(const RelativeBound& bound, const RelativeBound& want) {
  EXPECT_TRUE(bound <= want && want <= bound);
}

/// num/den·2^e.
RelativeBound fraction(int num, int den, int e) { return {Dyadic::scaled(num, e), den}; }

TEST(DoubleWordBounds, AreTheirPolynomialsAtPrecisionEight) {
  expect_equal(add_word_bound(8), fraction(2, 1, -16));
  expect_equal(accurate_add_bound(8), fraction(3, 252, -8));  // 3u²/(1 − 4u) = 3·2⁻⁸/(256 − 4)
  expect_equal(mul_word1_bound(8), fraction(3 * 128 + 4, 1, -24));
  expect_equal(mul_word2_bound(8), fraction(3, 1, -16));
  expect_equal(mul_word3_bound(8), fraction(2, 1, -16));
  expect_equal(mul1_bound(8), fraction(5, 257 * 257, 0));
  expect_equal(mul1_any_tie_bound(8), fraction(11, 1, -17));
  expect_equal(mul2_bound(8), fraction(5, 1, -16));
  expect_equal(mul3_bound(8), fraction(4, 1, -16));
  expect_equal(div_word2_bound(8), fraction(7, 1, -17));
  expect_equal(div_word2_sharp_bound(8), fraction(3, 1, -16));
  expect_equal(div_word3_bound(8), fraction(3, 1, -16));
  expect_equal(div2_bound(8), fraction(15 * 256 + 56, 1, -24));
  expect_equal(div2_sharp_bound(8), fraction(17 * 128 + 16, 1, -24));
  expect_equal(div3_bound(14), fraction(49, 5, -28));
  expect_equal(div3_sharp_bound(14), fraction(27 * 4096 + 32, 1, -42));
  expect_equal(sqrt_bound(8), fraction(25, 1, -19));
}

TEST(DoubleWordBounds, OutsideTheRangesHaveTermsWithTheSmallestSubnormal) {
  constexpr oracle::Format toy{12, -100, 100};
  const Dyadic eta = Dyadic::scaled(1, -111);
  const auto u2 = [](int times) { return Dyadic::scaled(times, -24); };
  const auto expect = [](const Bound& bound, const Dyadic& numerator, const Dyadic& denominator) {
    EXPECT_EQ(bound.numerator * denominator, numerator * bound.denominator);
  };
  expect(outside_product_word_bound(toy, 3), u2(12) * 8 + eta * 9, 8);
  expect(outside_product_bound(toy, 3), u2(27) * 8 + eta * 17, 8);
  expect(outside_quotient_word_bound(toy, 3, 5), u2(27) * 16 + eta * 54, 80);
  expect(outside_quotient_bound(toy, 3, 5), u2(60) * 16 + eta * 63, 80);
  const RelativeBound root = outside_root_bound(toy, 4);
  EXPECT_EQ(root.numerator * 40, (u2(180) + eta * 3) * root.denominator);
}

TEST(DoubleWordBounds, OfTheAccurateSumStayBelowTheirPublishedExpansion) {
  for (const int p : {8, 24, 53}) {
    const RelativeBound expansion{Dyadic::scaled(3, -2 * p) + Dyadic::scaled(13, -3 * p), 1};
    EXPECT_TRUE(accurate_add_bound(p) <= expansion) << p;
  }
}

TEST(DoubleWordBounds, FallWithThePrecision) {
  for (int p = 14; p < 60; ++p) {
    EXPECT_TRUE(accurate_add_bound(p + 1) < accurate_add_bound(p)) << p;
    EXPECT_TRUE(mul1_bound(p + 1) < mul1_bound(p)) << p;
    EXPECT_TRUE(div3_bound(p + 1) < div3_bound(p)) << p;
  }
}

TEST(DoubleWordBounds, RefusePrecisionsOutsideTheirTheorems) {
  expect_refused({{add_word_bound, 2},
                  {accurate_add_bound, 2},
                  {sloppy_add_same_sign_bound, 4},
                  {mul_word1_bound, 3},
                  {mul1_bound, 5},
                  {mul2_bound, 4},
                  {mul3_bound, 4},
                  {div_word2_bound, 3},
                  {div_word2_sharp_bound, 2},
                  {div2_bound, 6},
                  {div2_sharp_bound, 4},
                  {div3_bound, 13},
                  {div3_sharp_bound, 13},
                  {sqrt_bound, 4}});
}

TEST(DoubleWordBounds, NameThePrecisionTheyRequire) {
  try {
    div3_bound(13);
    FAIL() << "div3_bound(13) was accepted";
  } catch (const std::domain_error& error) {
    EXPECT_STREQ(error.what(), "the bound of double-word ÷ double-word, Algorithm 18, requires p >= 14: p = 13");
  }
}

/// x = 1 + 2u + (u − 2u²): the root's leading word is 1, the residual r = 3u − 2u² is a tie that rounds to 3u, and its
/// half is a number. Error (1 + 9/8)u², all but the last term of the bound.
TEST(DoubleWordBounds, OfTheSquareRootIsReachedToTwoThirdsByATiedResidual) {
  const int p = 53;
  const Dyadic u = unit_roundoff(p);
  const Dyadic truth_square = Dyadic(1) + Dyadic(3) * u - Dyadic(2) * u * u;
  const Dyadic r2 = Dyadic(3) * u;  // 3u − 2u² lies half-way between 3u − 4u² and 3u; 3u has the even significand
  const Dyadic d = [&] {
    Dyadic half = r2;
    return half.mul_2exp(-1);  // 1.5u is a number: no second rounding error
  }();
  const oracle::Exact truth = oracle::square_root(truth_square);
  EXPECT_EQ(judge_within(Dyadic(1) + d, truth, sqrt_bound(p)).verdict, Verdict::holds);
  EXPECT_GT(judge_within(Dyadic(1) + d, truth, sqrt_bound(p)).tightness, 0.67);  // (1 + 9/8)/(25/8) = 0.68
}

static_assert(add_box(oracle::binary64) == Box{-1074, 1016});
static_assert(add_word_box(oracle::binary64) == Box{-1074, 1018});
static_assert(add_box(oracle::binary32) == Box{-149, 120});
static_assert(product_box(oracle::binary64) == Box{-484, 484});
static_assert(product_box(oracle::binary32) == Box{-51, 51});
static_assert(quotient_box(oracle::binary64) == Box{-229, 229});
static_assert(quotient_box(oracle::binary32) == Box{-19, 19});
static_assert(reciprocal_quotient_box(oracle::binary64) == Box{-216, 216});
static_assert(reciprocal_quotient_box(oracle::binary32) == Box{-13, 13});
static_assert(sqrt_box(oracle::binary64) == Box{-968, 1022});

}  // namespace
}  // namespace assay
