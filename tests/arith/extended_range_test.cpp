#include "arith/float/extended_range.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gmp_reference.hpp"

namespace assay {
namespace {

using reference::Rational;

using Operation = Extended (*)(const Extended&, const Extended&);

/// Numbers with fractions at both ends of the binade and dense ones, of both signs, with exponents around each length
/// of a significand and of the range of binary64.
std::vector<Extended> samples() {
  std::vector<Extended> x{{0.0, 0}};
  for (const double fraction : {1.0, 1.0 + 0x1p-52, 0x1.5555555555555p0, 0x1.fffffffffffffp0}) {
    for (const std::int64_t exponent :
         {0, 1, 51, 52, 53, 54, 55, 127, 128, 129, 1021, 1022, 1023, 1024, 1074, 1075, 4000}) {
      x.push_back({fraction, exponent});
      x.push_back({-fraction, -exponent});
    }
  }
  return x;
}

/// The next number of 53 bits above x ≠ 0.
Extended above(const Extended& x) { return extended(next_up(x.fraction), x.exponent); }
Extended below(const Extended& x) { return negate(above(negate(x))); }

void expect_normalised(const Extended& x) {
  if (x.fraction == 0.0) {
    EXPECT_EQ(x.exponent, 0);
  } else {
    EXPECT_GE(abs(x.fraction), 1.0);
    EXPECT_LT(abs(x.fraction), 2.0);
  }
}

/// RD and RU of the exact result, for all pairs.
void expect_directed(Operation rd, Operation ru, Rational (*exact)(const Rational&, const Rational&), bool zeros) {
  for (const Extended& a : samples()) {
    for (const Extended& b : samples()) {
      if (!zeros && b.fraction == 0.0) continue;
      const Rational z = exact(Rational(a), Rational(b));
      const Extended lower = rd(a, b);
      const Extended upper = ru(a, b);
      expect_normalised(lower);
      expect_normalised(upper);
      ASSERT_LE(Rational(lower), z) << a.fraction << ' ' << a.exponent << ' ' << b.fraction << ' ' << b.exponent;
      ASSERT_LE(z, Rational(upper)) << a.fraction << ' ' << a.exponent << ' ' << b.fraction << ' ' << b.exponent;
      if (lower.fraction != 0.0) {
        ASSERT_LT(z, Rational(above(lower)));
      }
      if (upper.fraction != 0.0) {
        ASSERT_LT(Rational(below(upper)), z);
      }
    }
  }
}

TEST(ExtendedRange, SumsAreTheNeighboursOfTheExactSumForEveryGap) {
  expect_directed(
      add_rd, add_ru, [](const Rational& a, const Rational& b) { return a + b; }, true);
}

TEST(ExtendedRange, DifferencesAreTheNeighboursOfTheExactDifference) {
  expect_directed(
      sub_rd, sub_ru, [](const Rational& a, const Rational& b) { return a - b; }, true);
}

TEST(ExtendedRange, ProductsAreTheNeighboursOfTheExactProduct) {
  expect_directed(
      mul_rd, mul_ru, [](const Rational& a, const Rational& b) { return a * b; }, true);
}

TEST(ExtendedRange, QuotientsAreTheNeighboursOfTheExactQuotient) {
  expect_directed(
      div_rd, div_ru, [](const Rational& a, const Rational& b) { return a / b; }, false);
}

TEST(ExtendedRange, SumsStayDirectedWhereNoRationalNumberFitsInMemory) {
  const Extended one{1.0, 0};
  const Extended tiny{1.0, -(std::int64_t{1} << 60)};
  EXPECT_EQ(add_ru(one, tiny).fraction, 1.0 + 0x1p-52);
  EXPECT_EQ(add_rd(one, tiny).fraction, 1.0);
  EXPECT_EQ(sub_ru(one, tiny).fraction, 1.0);
  EXPECT_EQ(sub_rd(one, tiny).exponent, -1);
}

TEST(ExtendedRange, ComparisonIsThatOfTheNumbers) {
  for (const Extended& a : samples()) {
    for (const Extended& b : samples()) {
      const int expected = Rational(a) < Rational(b) ? -1 : Rational(b) < Rational(a) ? 1 : 0;
      ASSERT_EQ(compare(a, b), expected) << a.fraction << ' ' << a.exponent << ' ' << b.fraction << ' ' << b.exponent;
    }
  }
}

TEST(ExtendedRange, HoldsEveryNormalNumberExactly) {
  for (const double x : {1.0, -3.0, 0x1p-1022, 0x1.fffffffffffffp1023, 0.1}) {
    EXPECT_EQ(Rational(to_extended(x)), Rational(x));
  }
}

TEST(ExtendedRange, ScalesZeroToZero) {
  const Extended zero = scale(to_extended(-0.0), 5);
  EXPECT_EQ(to_bits(zero.fraction), to_bits(0.0));
  EXPECT_EQ(zero.exponent, 0);
}

}  // namespace
}  // namespace assay
