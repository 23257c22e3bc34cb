#include <gtest/gtest.h>

#include "oracle/ball.hpp"
#include "oracle/rational.hpp"

namespace assay::oracle {
namespace {

TEST(Rational, ComputesRumpsPolynomialExactly) {
  // Rump 1988: at a = 77617, b = 33096 the value is −54767/66192.
  const Rational a(77617);
  const Rational b(33096);
  const auto power = [](const Rational& x, int n) {
    Rational result(1);
    for (int i = 0; i < n; ++i) result *= x;
    return result;
  };
  const Rational value =
      Rational(Dyadic::scaled(1335, -2)) * power(b, 6) +
      a * a * (Rational(11) * a * a * b * b - power(b, 6) - Rational(121) * power(b, 4) - Rational(2)) +
      Rational(Dyadic::scaled(11, -1)) * power(b, 8) + a / (Rational(2) * b);
  EXPECT_EQ(value, Rational(-54767, 66192));
  EXPECT_EQ(to_string(value), "-54767/66192");
}

TEST(Rational, RefusesToDivideByZero) { EXPECT_THROW(Rational(1) / Rational(0), std::domain_error); }

TEST(Rational, KnowsDyadicNumbers) {
  EXPECT_TRUE(Rational(Dyadic::scaled(3, -70)).is_dyadic());
  EXPECT_TRUE(Rational(5).is_dyadic());
  EXPECT_FALSE(Rational(1, 3).is_dyadic());
}

TEST(Rational, ReducesToLowestTerms) {
  EXPECT_EQ(Rational(6, -4).numerator(), Dyadic(-3));
  EXPECT_EQ(Rational(6, -4).denominator(), Dyadic(2));
}

TEST(Ball, EnclosesThroughEveryOperation) {
  const Ball third(Rational(1, 3), 60);
  EXPECT_TRUE(add(third, third, 60).contains(Rational(2, 3)));
  EXPECT_TRUE(sub(third, Ball(Dyadic(1)), 60).contains(Rational(-2, 3)));
  EXPECT_TRUE(mul(third, third, 60).contains(Rational(1, 9)));
  EXPECT_TRUE(div(third, Ball(Dyadic(7)), 60).contains(Rational(1, 21)));
  EXPECT_TRUE(sqrt(Ball(Rational(4, 9), 60), 60).contains(Rational(2, 3)));
  EXPECT_FALSE(third.contains(Dyadic::scaled(1, -2)));
}

TEST(Ball, HasEndpointsAroundItsMidpointNoNearerThanTheRadius) {
  const Ball ball(Dyadic(3), Dyadic(2));
  EXPECT_EQ(ball.lower() + ball.upper(), Dyadic(6));
  EXPECT_GE(ball.upper(), Dyadic(5));
  EXPECT_LE(ball.upper(), Dyadic(5) + Dyadic::scaled(1, -27));
}

TEST(Ball, LeavesComparisonsOfOverlappingBallsOpen) {
  const Ball low(Dyadic(0), Dyadic(1));
  const Ball middle(Dyadic(1), Dyadic(1));
  const Ball high(Dyadic(4), Dyadic(1));
  EXPECT_EQ(less_equal(low, high), Answer::yes);
  EXPECT_EQ(less(high, low), Answer::no);
  EXPECT_EQ(less(low, middle), Answer::undecided);
  EXPECT_EQ(less_equal(middle, low), Answer::undecided);
}

TEST(Ball, TellsStrictFromWeakOrderOfPoints) {
  EXPECT_EQ(less_equal(Ball(Dyadic(1)), Ball(Dyadic(1))), Answer::yes);
  EXPECT_EQ(less(Ball(Dyadic(1)), Ball(Dyadic(1))), Answer::no);
}

TEST(Ball, IsNotFiniteAfterDivisionByABallAroundZero) {
  EXPECT_FALSE(div(Ball(Dyadic(1)), Ball(Dyadic(0), Dyadic(1)), 60).is_finite());
}

}  // namespace
}  // namespace assay::oracle
