#include <gtest/gtest.h>

#include <array>

#include "errorbounds/expansion.hpp"
#include "errorbounds/fraction.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

constexpr int binary64 = 53;
constexpr int binary32 = 24;

/// c·u^R, c a quotient.
RelativeBound times_power(int num, int den, int R, int p) {
  return {Dyadic(num) * Dyadic::scaled(1, -static_cast<long>(R) * p), den};
}

TEST(RenormalizationBound, IsNineEighthsOfThePowerWhereFewWordsAreKept) {
  for (int m = 2; m <= 16; ++m) {
    EXPECT_LE(renormalization_bound(m, binary64), times_power(9, 8, m, binary64)) << m;
  }
  for (int m = 2; m <= 9; ++m) {
    EXPECT_LE(renormalization_bound(m, binary32), times_power(9, 8, m, binary32)) << m;
  }
}

TEST(RenormalizationBound, IsAboveThePowerThatARoundingCanReach) {
  for (int m = 1; m <= 16; ++m) {
    EXPECT_LT(times_power(1, 1, m, binary64), renormalization_bound(m, binary64)) << m;
  }
}

TEST(RenormalizationBound, HasTheDerivedFormForTwoWords) {
  const Dyadic u = Dyadic::scaled(1, -11);
  const Dyadic numerator = u * u * (Dyadic(1) + Dyadic(10) * u) + Dyadic(64) * u * u * u;
  const RelativeBound bound = renormalization_bound(2, 11);
  EXPECT_EQ(bound.numerator * (Dyadic(1) - Dyadic(4) * u), numerator * bound.denominator);
}

TEST(CertifiedAddBound, IsSharperThanThePublishedOneByMoreThanTwoToTheWords) {
  for (int R = 2; R <= 10; ++R) {
    const RelativeBound ours = renormalization_bound(R, binary32);
    EXPECT_LE(RelativeBound({Dyadic::scaled(1, R), 1}) * ours, published_certified_add_bound(R, binary32)) << R;
  }
}

TEST(CertifiedMulBound, IsThreeHalvesOfThePowerAndBelowThePublishedOne) {
  for (int R = 1; R <= 16; ++R) {
    EXPECT_LE(certified_mul_bound(R, binary64), times_power(3, 2, R, binary64)) << R;
    EXPECT_LE(certified_mul_bound(R, binary64), published_certified_mul_bound(R, binary64)) << R;
  }
  for (int R = 1; R <= 6; ++R) {
    EXPECT_LE(certified_mul_bound(R, binary32), times_power(3, 2, R, binary32)) << R;
    EXPECT_LE(certified_mul_bound(R, binary32), published_certified_mul_bound(R, binary32)) << R;
  }
}

/// S_l of the derivation in units of |a₀b₀|·u^l, from its recurrence.
Dyadic truncated_mul_recurrence(int R) {
  Dyadic S = 5;
  for (int l = 1; l < R - 1; ++l) {
    S = Dyadic(l * (l + 1)) * S + Dyadic::scaled(l + 1, l) + Dyadic::scaled(l + 2, l + 1);
  }
  return Dyadic(R * (R - 1)) * S + Dyadic::scaled(R + 1, R);
}

TEST(TruncatedMulBound, CoversTheRecurrenceOfItsDerivation) {
  for (int R = 3; R <= 16; ++R) {
    EXPECT_LT(RelativeBound({truncated_mul_recurrence(R) * Dyadic::scaled(1, -static_cast<long>(R) * binary64), 1}),
              truncated_mul_bound(R, binary64))
        << R;
  }
}

TEST(QuickAddBound, IsEightFactorialsOfThePower) {
  const Bound bound = quick_add_bound(3, binary64, 5);
  EXPECT_EQ(bound.numerator, Dyadic(8 * 6 * 5) * Dyadic::scaled(1, -3 * binary64) * bound.denominator);
}

TEST(BoundsByLevels, AreTheMagnitudesOfTheRoundedSumsTimesU) {
  const Bound sum = quick_add_levels_bound(binary64, 3);
  EXPECT_EQ(sum.numerator, Dyadic::scaled(3, -53) * sum.denominator);
  const Bound product = truncated_mul_levels_bound(3, binary32, 5, Dyadic::scaled(7, -72), 64);
  EXPECT_EQ(product.numerator, (Dyadic::scaled(5, -24) + Dyadic::scaled(8, -72)) * product.denominator);
}

TEST(BoundsByLevels, OfTheTwoProductsAgreeWhereEverySweepIsInOrder) {
  const Bound truncated = truncated_mul_levels_bound(4, binary64, 3, 1, 2);
  const Bound in_order = quick_mul_levels_bound(4, binary64, 3, 1, 2, 0);
  EXPECT_EQ(in_order.numerator * truncated.denominator, truncated.numerator * in_order.denominator);
  const Bound out_of_order = quick_mul_levels_bound(4, binary64, 0, 0, 0, 200);
  EXPECT_EQ(out_of_order.numerator, Dyadic::scaled(202, -53) * out_of_order.denominator);
}

TEST(NewtonBounds, LieBelowThePublishedOnes) {
  for (int R = 1; R <= 16; ++R) {
    EXPECT_LE(reciprocal_bound(R, binary64), published_newton_bound(R, binary64)) << R;
    EXPECT_LE(reciprocal_bound(R, binary64), published_reciprocal_bound(R, binary64)) << R;
    EXPECT_LE(rsqrt_bound(R, binary64), published_newton_bound(R, binary64)) << R;
    EXPECT_LE(rsqrt_bound(R, binary64), published_rsqrt_bound(R, binary64)) << R;
    EXPECT_LE(expansion_sqrt_bound(R, binary64), published_sqrt_bound(R, binary64)) << R;
  }
}

/// A thousand times E of the derivation plus the last rounding, in units of u^R, with u = 2^−(2R + 6), the largest
/// allowed, and an error before the step of c·u^s, `square` a thousand times c².
Dyadic reciprocal_step(int R, int s, int square) {
  return Dyadic::scaled(square, -(2 * R + 6) * (2 * s - R)) + Dyadic(1515 + 1125 + 20);
}

TEST(NewtonBounds, CoverTheStepsOfTheDerivation) {
  EXPECT_LE(reciprocal_step(2, 1, 10240), Dyadic(14000));
  EXPECT_LE(reciprocal_step(3, 2, 196000), Dyadic(3000));
  EXPECT_LE(reciprocal_step(4, 3, 9000), Dyadic(3000));
  EXPECT_LE(reciprocal_step(5, 3, 9000), Dyadic(3000));
}

TEST(ExpansionBounds, RefuseWhatTheirDerivationsExclude) {
  EXPECT_THROW(renormalization_bound(0, binary64), std::domain_error);
  EXPECT_THROW(renormalization_bound(2, 4), std::domain_error);
  EXPECT_THROW(certified_mul_bound(17, binary64), std::domain_error);
  EXPECT_THROW(certified_mul_bound(2, 11), std::domain_error);
  EXPECT_THROW(truncated_mul_bound(2, 11), std::domain_error);
  EXPECT_THROW(published_truncated_mul_bound(4, 1, 2, binary64), std::domain_error);
  EXPECT_THROW(quick_add_bound(2, 8, 1), std::domain_error);
  EXPECT_THROW(truncated_mul_levels_bound(1, binary64, 1, 1, 1), std::domain_error);
  EXPECT_THROW(quick_mul_levels_bound(3, 11, 1, 1, 1, 1), std::domain_error);
  EXPECT_THROW(binned_mul_bound(4, 4, 6, binary64), std::domain_error);  // 15 products
  EXPECT_THROW(binned_mul_bound(4, 2, 1, binary64), std::domain_error);
  EXPECT_THROW(reciprocal_bound(10, binary32), std::domain_error);
  EXPECT_THROW(reciprocal_bound(17, binary64), std::domain_error);
  EXPECT_THROW(expansion_div_bound(2, 23), std::domain_error);
  EXPECT_THROW(published_sqrt_bound(0, binary64), std::domain_error);
}

TEST(ExpansionBounds, OfThePublishedTruncatedProductAreNearTheirRenormalization) {
  for (const auto [K, L, R] : {std::array{4, 2, 3}, std::array{2, 4, 4}, std::array{3, 3, 5}}) {
    const RelativeBound bound = binned_mul_bound(K, L, R, binary64);
    EXPECT_TRUE(renormalization_bound(R, binary64) < bound);
    EXPECT_TRUE((bound < RelativeBound{Dyadic::scaled(9, -3L - R * binary64), 1}));
    if (K + L >= R + 2) {
      EXPECT_TRUE(bound < published_truncated_mul_bound(R, K, L, binary64));
    }
  }
}

TEST(ExpansionBoxes, AreThoseOfThePage) {
  EXPECT_EQ(binned_product_box(oracle::binary64, 4), (Box{-363, 505}));
  EXPECT_EQ(expansion_sum_box(oracle::binary64), (Box{-1074, 1019}));
  EXPECT_EQ(expansion_product_box(oracle::binary64, 4), (Box{-426, 509}));
  EXPECT_EQ(expansion_quotient_box(oracle::binary64, 4), (Box{-424, 424}));
  EXPECT_EQ(expansion_quotient_box(oracle::binary32, 4), (Box{-20, 20}));
  EXPECT_EQ(expansion_quotient_box(oracle::binary32, 5), (Box{-7, 7}));
}

TEST(ExpansionBoxes, LeaveRoomForThePartialProducts) {
  for (int R = 1; R <= 16; ++R) {
    const Box box = expansion_product_box(oracle::binary64, R);
    EXPECT_GE(2 * box.low, expansion_product_exponent(oracle::binary64, R)) << R;
    EXPECT_LE(2 * box.high + 4, oracle::binary64.emax) << R;
  }
}

}  // namespace
}  // namespace assay
