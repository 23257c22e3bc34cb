#include "errorbounds/mp.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace assay {
namespace {

using oracle::Dyadic;

/// 2^216 − 2^190: the bits of rns::Standard<8>.
Dyadic product() { return Dyadic::scaled(1, 216) - Dyadic::scaled(1, 190); }

TEST(MpSignificandBits, IsHalfOfTheBitsOfTheProductRoundedUp) {
  EXPECT_EQ(mp_significand_bits(product()), 108);
  EXPECT_EQ(mp_significand_bits(Dyadic::scaled(1, 216) + Dyadic(1)), 109);
  EXPECT_EQ(mp_significand_bits(Dyadic::scaled(1, 217) - Dyadic(1)), 109);
}

TEST(MpSignificandBits, RefusesSmallProducts) {
  EXPECT_EQ(mp_significand_bits(Dyadic::scaled(1, 46) + Dyadic(1)), 24);
  EXPECT_THROW(mp_significand_bits(Dyadic::scaled(1, 46) - Dyadic(1)), std::domain_error);
  EXPECT_THROW(mp_significand_bits(0), std::domain_error);
}

TEST(MpUnit, IsJustAboveTwoUnitsOfASignificand) {
  EXPECT_LT((RelativeBound{Dyadic::scaled(1, -107)}), mp_unit(product()));
  EXPECT_LT(mp_unit(product()), (RelativeBound{Dyadic::scaled((1 << 20) + 8, -127)}));
}

TEST(MpUnit, IsThatOfADroppedOperandWhereTheProductIsNextToAPowerOfTwo) {
  const Dyadic M = Dyadic::scaled(1, 216) - Dyadic(1);
  const Dyadic kept = Dyadic(1) - Dyadic::scaled(1, -19) - Dyadic::scaled(1, -107);
  EXPECT_FALSE(mp_unit(M) < (RelativeBound{Dyadic::scaled(1, -107), kept}));
  EXPECT_FALSE((RelativeBound{Dyadic::scaled(1, -107), kept}) < mp_unit(M));
}

TEST(MpPublishedUnit, IsFourOverTheRootOfTheProduct) {
  const RelativeBound u = mp_published_unit(product());
  const Dyadic square = u.numerator * u.numerator * product();
  const Dyadic sixteen = Dyadic(16) * u.denominator * u.denominator;
  EXPECT_LE(square, sixteen);
  EXPECT_GT(square, sixteen * (Dyadic(1) - Dyadic::scaled(1, -60)));
}

TEST(MpUnit, IsHalfOfThePublishedOneForASetBelowAnEvenPowerOfTwo) {
  const RelativeBound u = mp_unit(product());
  EXPECT_LT(u, mp_published_unit(product()));
  EXPECT_LT(mp_published_unit(product()), (RelativeBound{u.numerator * Dyadic(2), u.denominator}));
}

TEST(MpGamma, IsZeroForNoOperationAndGrowsFasterThanTheirNumber) {
  const RelativeBound u{Dyadic::scaled(1, -10)};
  EXPECT_TRUE(mp_gamma(0, u).numerator.is_zero());
  EXPECT_LT((RelativeBound{Dyadic::scaled(3, -10)}), mp_gamma(3, u));
  EXPECT_THROW(mp_gamma(1024, u), std::domain_error);
  EXPECT_THROW(mp_gamma(-1, u), std::domain_error);
}

TEST(MpGerBound, HasThreeRoundingsOfTheProductAndOneOfTheStart) {
  const RelativeBound u{1, 100};
  const Bound both = mp_ger_bound(u, 7, 11);
  const Bound product = mp_gamma(3, u) * Dyadic(7);
  const Bound start = mp_gamma(1, u) * Dyadic(11);
  EXPECT_EQ(both.numerator * product.denominator * start.denominator,
            (product.numerator * start.denominator + start.numerator * product.denominator) * both.denominator);
}

TEST(MpNrm2Bound, HalvesTheRoundingsOfTheSquares) {
  const RelativeBound u{1, 100};
  const RelativeBound single = mp_nrm2_bound(u, 0);  // 1.5u/(1 − 1.5u)
  EXPECT_EQ(single.numerator * Dyadic(197), single.denominator * Dyadic(3));
  EXPECT_THROW(mp_nrm2_bound(u, 197), std::domain_error);
}

}  // namespace
}  // namespace assay
