#include "oracle/round.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include "oracle/decode.hpp"
#include "oracle/rational_path.hpp"

namespace assay::oracle {
namespace {

namespace path = rational_path;

constexpr Rounding directions[] = {Rounding::nearest, Rounding::up, Rounding::down, Rounding::zero};

path::Fraction fraction(const Dyadic& x) {
  if (x.is_zero()) return path::Fraction();
  const long e = x.lowest_exponent();
  Dyadic m = x;
  m.mul_2exp(-e);
  return path::scaled(static_cast<long>(m.to_double_nearest()), e);
}

class RoundEverywhere : public testing::TestWithParam<Format> {};

TEST_P(RoundEverywhere, AgreesWithTheSecondPathAtAndBesideEveryMidpoint) {
  const Format format = GetParam();
  const std::uint64_t last = format.largest_finite();
  const Dyadic tiny = Dyadic::scaled(1, -40);
  const path::Fraction second_tiny = path::scaled(1, -40);
  for (std::uint64_t bits = 0; bits <= last; ++bits) {
    const Dyadic low = decode_finite(format, bits);
    // Above the largest number the midpoint lies half an ulp away.
    const Dyadic gap = bits < last ? decode_finite(format, bits + 1) - low : low - decode_finite(format, bits - 1);
    for (const int quarter : {0, 2, 4}) {
      for (const int side : {-1, 0, 1}) {
        for (const int sign : {-1, 1}) {
          const Dyadic base = (low + Dyadic::scaled(quarter, -2) * gap) * Dyadic(sign);
          const Dyadic truth = base + tiny * Dyadic(side);
          const path::Fraction second = fraction(base) + second_tiny * path::Fraction(side);
          for (const Rounding direction : directions) {
            const std::uint64_t want = path::round(second, format, direction);
            ASSERT_EQ(round(truth, format, direction), want) << to_string(truth);
            ASSERT_EQ(round_by_mpfr(truth, format, direction), want) << to_string(truth);
            ASSERT_EQ(round(Rational(truth), format, direction), want) << to_string(truth);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Small, RoundEverywhere,
                         testing::Values(e4m3, e5m2, Format{3, -2, 2}, Format{4, -6, 7, Specials::finite_nan}),
                         [](const auto& info) { return "Format" + std::to_string(info.index); });

TEST(Round, SignsAnExactZeroAsToldAndAVanishingNumberByItself) {
  EXPECT_EQ(round(Dyadic(), binary64, Rounding::nearest), 0U);
  EXPECT_EQ(round(Dyadic(), binary64, Rounding::nearest, {.negative_zero = true}), 0x8000000000000000U);
  EXPECT_EQ(round(Dyadic::scaled(-1, -2000), binary64, Rounding::nearest), 0x8000000000000000U);
  EXPECT_EQ(round(Dyadic::scaled(1, -2000), binary64, Rounding::nearest, {.negative_zero = true}), 0U);
}

TEST(Round, SaturatesOnRequest) {
  EXPECT_EQ(round(Dyadic(1000), e4m3, Rounding::nearest, {.saturate = true}), 0x7eU);
  EXPECT_EQ(round(Dyadic(-1000), e4m3, Rounding::down, {.saturate = true}), 0xfeU);
  EXPECT_EQ(round_by_mpfr(Dyadic::scaled(1, 5000), e5m2, Rounding::up, {.saturate = true}), 0x7bU);
}

TEST(Round, OverflowsTowardItsDirection) {
  const Dyadic large = Dyadic::scaled(-1, 5000);
  EXPECT_EQ(round(large, binary64, Rounding::up), 0xffefffffffffffffU);
  EXPECT_EQ(round(large, binary64, Rounding::down), 0xfff0000000000000U);
  EXPECT_EQ(round_by_mpfr(large, e4m3, Rounding::nearest), 0xffU);
  EXPECT_EQ(round_by_mpfr(large, e4m3, Rounding::zero), 0xfeU);
}

TEST(Round, RoundsASubnormalQuotientOnce) {
  // (2⁵³ − 1)/3 · 2⁻¹⁰⁷⁵: a third of a unit below a multiple; the second path decides.
  const Rational truth(Dyadic::scaled(0x1fffffffffffff, -1075), 3);
  const path::Fraction second = path::scaled(0x1fffffffffffff, -1075) / path::Fraction(3);
  for (const Rounding direction : directions) {
    EXPECT_EQ(round(truth, binary64, direction), path::round(second, binary64, direction));
  }
}

TEST(Round, RoundsRootsOfFractionsAndOfSubnormals) {
  for (const long q : {1L, 2L, 3L, 7L, 49L, 1000003L}) {
    for (const long e : {-2148L, -1075L, -1L, 0L, 5L, 1023L}) {
      const SquareRoot root = square_root(Rational(Dyadic::scaled(25, e), q));
      const path::Fraction second = path::scaled(25, e) / path::Fraction(q);
      for (const Rounding direction : directions) {
        ASSERT_EQ(round(root, binary64, direction), path::round_sqrt(second, binary64, direction)) << q << " " << e;
        ASSERT_EQ(round(root, e4m3, direction), path::round_sqrt(second, e4m3, direction)) << q << " " << e;
      }
    }
  }
}

TEST(Round, LeavesTheExponentRangeOfMpfrAsItWas) {
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  mpfr_set_emin(-1073);
  mpfr_set_emax(1024);
  EXPECT_EQ(round_by_mpfr(Dyadic::scaled(3, -5000), Format{8, -16382, 16383}, Rounding::nearest),
            round(Dyadic::scaled(3, -5000), Format{8, -16382, 16383}, Rounding::nearest));
  EXPECT_EQ(mpfr_get_emin(), -1073);
  EXPECT_EQ(mpfr_get_emax(), 1024);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
}

TEST(Round, DecidesAnEnclosureByRaisingThePrecision) {
  const Enclosure third{[](long bits) { return Ball(Rational(1, 3), bits); }};
  EXPECT_EQ(round(Exact(third), binary64, Rounding::up), round(Rational(1, 3), binary64, Rounding::up));
}

TEST(Round, SaysWhenAnEnclosureStaysOpen) {
  const Enclosure one{[](long bits) { return Ball(Dyadic(1), Dyadic::scaled(1, -bits)); }};
  EXPECT_THROW(round(Exact(one), binary64, Rounding::up), Undecided);
}

}  // namespace
}  // namespace assay::oracle
