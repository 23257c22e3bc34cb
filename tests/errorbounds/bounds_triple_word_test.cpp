#include <gtest/gtest.h>

#include <stdexcept>

#include "errorbounds/fraction.hpp"
#include "errorbounds/qd.hpp"
#include "errorbounds/triple.hpp"
#include "refused_precisions.hpp"

namespace assay {
namespace {

using oracle::Dyadic;
using oracle::Format;

constexpr Format binary64{53, -1022, 1023, oracle::Specials::ieee};
constexpr Format binary32{24, -126, 127, oracle::Specials::ieee};

/// bound = (num/den)·2^e.
void expect_equal(const RelativeBound& bound, int num, int den, int e) {
  const RelativeBound want{Dyadic::scaled(num, e), den};
  EXPECT_TRUE(bound <= want && want <= bound);
}

/// The polynomials a·u³ + b·u⁴ at u = 2⁻¹¹ are (2048a + b)·2⁻⁴⁴.
TEST(TripleWordBounds, AreTheirPolynomialsAtPrecisionEleven) {
  expect_equal(triple_add_bound(11), 2048 * 10 + 21, 5, -44);
  expect_equal(triple_mul_accurate_bound(11), 2048 * 28 + 107, 1, -44);
  expect_equal(triple_mul_fast_bound(11), 2048 * 44 + 176, 1, -44);
  expect_equal(triple_mul_double_word_accurate_bound(11), 2048 * 21 + 78, 2, -44);
  expect_equal(triple_mul_double_word_fast_bound(11), 2048 * 18 + 75, 1, -44);
  expect_equal(triple_mul_near_one_bound(11), 2048 + 620, 1, -44);
  expect_equal(triple_mul_near_one_printed_bound(11), 2048 + 260, 1, -44);
  expect_equal(triple_mul_near_one_ceiling(11), 2048 * 40 + 910, 1, -44);
  expect_equal(triple_reciprocal_accurate_bound(11), 2048 * 23 + 3660, 2, -44);
  expect_equal(triple_reciprocal_fast_bound(11), 2048 * 19 + 1870, 1, -44);
  expect_equal(triple_div_accurate_bound(11), 2048 * 27 + 2500, 1, -44);
  expect_equal(triple_div_fast_bound(11), 2048 * 42 + 2575, 1, -44);
  expect_equal(triple_sqrt_accurate_bound(11), 2048 * 24 + 10260, 1, -44);
  expect_equal(triple_sqrt_fast_bound(11), 2048 * 39 + 10333, 1, -44);
}

TEST(TripleWordBounds, ThatAreSharperAreTheirPolynomialsAtPrecisionEleven) {
  expect_equal(triple_add_sharp_bound(11), 2048 * 3 + 18, 2, -44);
  expect_equal(triple_mul_double_word_accurate_inverse_bound(11), 2048 * 7 + 200, 1, -44);
  expect_equal(triple_mul_double_word_fast_inverse_bound(11), 2048 * 11 + 200, 1, -44);
  expect_equal(triple_mul_near_one_result_bound(11), 2048 * 3 + 1000, 1, -44);
  expect_equal(triple_reciprocal_accurate_sharp_bound(11), 2048 * 23 + 5400, 3, -44);
  expect_equal(triple_reciprocal_fast_sharp_bound(11), 2048 * 35 + 5400, 3, -44);
  expect_equal(triple_div_accurate_sharp_bound(11), 2048 * 41 + 5000, 2, -44);
  expect_equal(triple_div_fast_sharp_bound(11), 2048 * 32 + 2500, 1, -44);
  expect_equal(triple_sqrt_accurate_sharp_bound(11), 2048 * 47 + 45200, 4, -44);
  expect_equal(triple_sqrt_fast_sharp_bound(11), 2048 * 35 + 22600, 2, -44);
}

/// The published bounds hold for the same precisions, so that a sharper one must be below each.
TEST(TripleWordBounds, ThatAreSharperAreBelowThePublishedOnes) {
  for (int p = 11; p <= 53; ++p) {
    EXPECT_TRUE(triple_add_sharp_bound(p) <= triple_add_bound(p)) << p;
    EXPECT_TRUE(triple_reciprocal_accurate_sharp_bound(p) <= triple_reciprocal_accurate_bound(p)) << p;
    EXPECT_TRUE(triple_reciprocal_fast_sharp_bound(p) <= triple_reciprocal_fast_bound(p)) << p;
    EXPECT_TRUE(triple_div_accurate_sharp_bound(p) <= triple_div_accurate_bound(p)) << p;
    EXPECT_TRUE(triple_div_fast_sharp_bound(p) <= triple_div_fast_bound(p)) << p;
    EXPECT_TRUE(triple_sqrt_accurate_sharp_bound(p) <= triple_sqrt_accurate_bound(p)) << p;
    EXPECT_TRUE(triple_sqrt_fast_sharp_bound(p) <= triple_sqrt_fast_bound(p)) << p;
  }
}

TEST(TripleWordBounds, ThatAreTooSmallAreTheirPolynomialsAtPrecisionEleven) {
  expect_equal(triple_add_too_small_bound(11), 2048 * 3 - 2, 2, -44);
  expect_equal(triple_mul_accurate_too_small_bound(11), 2048 * 27 + 107, 1, -44);
  expect_equal(triple_mul_fast_too_small_bound(11), 2048 * 43 + 176, 1, -44);
  expect_equal(triple_reciprocal_accurate_too_small_bound(11), 2048 * 7 + 1800, 1, -44);
  expect_equal(triple_reciprocal_fast_too_small_bound(11), 2048 * 11 + 1800, 1, -44);
}

TEST(TripleWordBounds, OfToyFormatsAreThoseOfTheirDocstring) {
  expect_equal(triple_add_toy_bound(3), 3, 2, -9);
  expect_equal(triple_mul_accurate_toy_bound(3), 27, 2, -9);
  expect_equal(triple_mul_fast_toy_bound(3), 29, 2, -9);
  expect_equal(triple_mul_double_word_accurate_toy_bound(3), 6, 1, -9);
  expect_equal(triple_mul_double_word_fast_toy_bound(3), 17, 2, -9);
  expect_equal(triple_add_toy_bound(4), 3, 2, -12);
  expect_equal(triple_mul_accurate_toy_bound(4), 16, 1, -12);
  expect_equal(triple_mul_fast_toy_bound(4), 23, 1, -12);
  expect_equal(triple_mul_double_word_accurate_toy_bound(4), 7, 1, -12);
  expect_equal(triple_mul_double_word_fast_toy_bound(4), 9, 1, -12);
}

TEST(TripleWordBounds, OfToyFormatsRefuseOtherPrecisions) {
  for (const int p : {2, 5, 24}) {
    expect_refused({{triple_add_toy_bound, p},
                    {triple_mul_accurate_toy_bound, p},
                    {triple_mul_fast_toy_bound, p},
                    {triple_mul_double_word_accurate_toy_bound, p},
                    {triple_mul_double_word_fast_toy_bound, p}});
  }
}

TEST(TripleWordBounds, RefusePrecisionsOutsideTheirTheorems) {
  expect_refused({{triple_add_bound, 5},
                  {triple_mul_accurate_bound, 5},
                  {triple_mul_double_word_fast_bound, 5},
                  {triple_mul_near_one_bound, 5},
                  {triple_mul_near_one_ceiling, 10},
                  {triple_reciprocal_fast_bound, 9},
                  {triple_div_accurate_bound, 9},
                  {triple_mul_double_word_fast_inverse_bound, 9},
                  {triple_mul_near_one_result_bound, 9},
                  {triple_reciprocal_fast_sharp_bound, 9},
                  {triple_div_accurate_sharp_bound, 9},
                  {triple_sqrt_accurate_sharp_bound, 10},
                  {triple_sqrt_accurate_bound, 10}});
}

TEST(TripleWordBoxes, OfBinary64AreThoseOfTheirDocstrings) {
  EXPECT_EQ(triple_add_box(binary64), (Box{-1074, 1016}));
  EXPECT_EQ(triple_round_box(binary64), (Box{-969, 1021}));
  EXPECT_EQ(triple_product_box(binary64), (Box{-484, 484}));
  EXPECT_EQ(triple_reciprocal_box(binary64), (Box{-200, 26}));
  EXPECT_EQ(triple_quotient_box(binary64), (Box{-150, 13}));
  EXPECT_EQ(triple_sqrt_box(binary64), (Box{-152, 34}));
}

/// The inequalities of docs/bounds/triple.md that keep every exact intermediate result a multiple of η.
TEST(TripleWordBoxes, MeetTheInequalitiesOfTheirDerivation) {
  constexpr int p = binary64.precision;
  constexpr int emin = binary64.emin;
  const Box reciprocal = triple_reciprocal_box(binary64);
  EXPECT_GE(3 * reciprocal.low - 4 * reciprocal.high, emin + 6 * p - 2);
  const Box quotient = triple_quotient_box(binary64);
  EXPECT_GE(4 * (quotient.low - quotient.high), emin + 7 * p - 3);
  const Box root = triple_sqrt_box(binary64);
  EXPECT_EQ(root.high % 2, 0);
  EXPECT_GE(3 * root.low - 5 * (root.high / 2), emin + 9 * p + 2);
}

TEST(TripleWordBoxes, ExistForQuotientsOfBinary64Alone) {
  EXPECT_TRUE(has_triple_quotients(binary64));
  EXPECT_FALSE(has_triple_quotients(binary32));
}

TEST(QuadDoubleBounds, AreMultiplesOfTheFourthPower) {
  expect_equal(quad_mul_bound(24), 45, 1, -96);
  expect_equal(quad_sloppy_mul_bound(24), 150, 1, -96);
  expect_equal(quad_mul_fp_bound(24), 12, 1, -96);
  expect_equal(quad_sloppy_add_same_sign_bound(24), 10, 1, -96);
  expect_equal(quad_ieee_style_bound(53), 1, 1, -209);
  const Bound absolute = quad_sloppy_add_bound(24, Dyadic(3));
  EXPECT_EQ(absolute.numerator, Dyadic::scaled(30, -96) * absolute.denominator);
}

/// The sixth word is at most u²(|x| + |y|): the bound 4u²(|x| + |y|) that was stated before is larger by 1/u.
TEST(QuadDoubleBounds, OfTheSumByMergedWordsFollowTheSixthWord) {
  const Bound without = quad_ieee_add_bound(24, Dyadic(0), Dyadic(3));
  EXPECT_EQ(without.numerator, Dyadic::scaled(126, -96) * without.denominator);
  const Bound largest = quad_ieee_add_bound(24, Dyadic::scaled(3, -48), Dyadic(3));
  EXPECT_LT(largest.numerator, Dyadic::scaled(12, -72) * largest.denominator);
}

TEST(QuadDoubleBounds, ByStepsAddRoundingsSweepsAndDroppedProducts) {
  const Bound bound = quad_steps_bound(24, Dyadic(3), Dyadic(100), Dyadic::scaled(5, -24));
  EXPECT_EQ(bound.numerator, Dyadic::scaled(3 + 101 + 5, -24) * bound.denominator);
}

TEST(QuadDoubleBounds, RefuseSmallPrecisions) {
  EXPECT_THROW(quad_mul_bound(15), std::domain_error);
  EXPECT_THROW(quad_sloppy_add_bound(15, Dyadic(1)), std::domain_error);
  EXPECT_THROW(quad_ieee_add_bound(15, Dyadic(1), Dyadic(1)), std::domain_error);
}

}  // namespace
}  // namespace assay
