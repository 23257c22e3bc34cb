#include "properties/catalog/expansion/decimal.hpp"

#include <gtest/gtest.h>

#include "properties/framework/structure.hpp"

namespace assay::expansion {
namespace {

using oracle::Dyadic;
using oracle::Rational;

TEST(DecimalValue, ReadsSignsPointsAndExponents) {
  EXPECT_EQ(decimal_value("12"), Rational(12));
  EXPECT_EQ(decimal_value("-12.5e-3"), Rational(Dyadic(-1), Dyadic(80)));
  EXPECT_EQ(decimal_value("+.5"), Rational(Dyadic(1), Dyadic(2)));
  EXPECT_EQ(decimal_value("5.E+2"), Rational(500));
  EXPECT_EQ(decimal_value("0e5"), Rational(0));
}

TEST(DecimalValue, KeepsEveryDigit) {
  EXPECT_EQ(decimal_value("3.00000000000000000000000000000000000000000000000000000000000000000001") - Rational(3),
            decimal_value("1e-68"));
}

TEST(DecimalValue, RefusesWhatIsNotADecimalNumber) {
  for (const char* text : {"", "-", ".", "1.2.3", "1e", "1e+", "1e+-3", "0x1p3", " 1", "1 ", "nan", "1e100001"}) {
    EXPECT_THROW(decimal_value(text), std::invalid_argument) << text;
  }
}

TEST(ExpansionOf, TakesTheNearestWordOfWhatIsLeft) {
  const auto tenth = expansion_of<double>("0.1", 3);
  EXPECT_EQ(tenth[0], 0.1);
  EXPECT_EQ(tenth[1], -0x1.999999999999ap-58);
  EXPECT_EQ(tenth[2], 0x1.999999999999ap-112);
}

TEST(ExpansionOf, IsExactWithZerosBehindWhereWordsHoldTheNumber) {
  const auto x = expansion_of<float>("-16777217.5", 4);
  EXPECT_EQ(x, (std::vector<float>{-16777218, 0.5F, 0, 0}));
}

TEST(ExpansionOf, ErrsByAtMostHalfAnUlpOfTheLastWord) {
  const char* pi = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803";
  const auto x = expansion_of<double>(pi, 4);
  const Rational error = abs(decimal_value(pi) - Rational(sum_of_words<double>(x)));
  EXPECT_LE(error, Rational(Dyadic::scaled(1, value_of(x[3]).exponent() - 53)));
}

TEST(ExpansionOf, EndsInTheSubnormalRange) {
  const auto x = expansion_of<float>("1.00000000000001e-37", 3);
  const Rational error = abs(decimal_value("1.00000000000001e-37") - Rational(sum_of_words<float>(x)));
  EXPECT_LE(error, Rational(Dyadic::scaled(1, -150)));
}

TEST(ToDecimal, RoundsTheSumOnce) {
  const double x[] = {1, 0x1p-60, -0x1p-120};
  EXPECT_EQ(to_decimal<double>(x, 20), "1.0000000000000000009e0");
  EXPECT_EQ(to_exact_decimal<double>(std::span(x).first(1)), "1");
}

TEST(ToDecimal, GivesBackTheWordsThatItsExactDigitsAreReadInto) {
  const auto x = expansion_of<double>("-2.718281828459045235360287471352662497757247093699959574966967627724", 4);
  EXPECT_EQ(expansion_of<double>(to_exact_decimal<double>(x), 4), x);
}

}  // namespace
}  // namespace assay::expansion
