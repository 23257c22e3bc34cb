#include "oracle/ball_functions.hpp"

#include <gtest/gtest.h>

#include "oracle/rational.hpp"

namespace assay::oracle {
namespace {

/// e to 40 digits, by its series: Σ 1/k! up to 1/34!, and the remainder, below 2/35!.
struct Series {
  Rational low;
  Rational high;
};
Series series_of_e() {
  Rational sum = 1;
  Rational term = 1;
  for (int k = 1; k < 35; ++k) sum += term /= Rational(k);
  return {sum, sum + term * Rational(2, 35)};
}

TEST(Exp, EnclosesEulersNumber) {
  const Series e = series_of_e();
  const Ball ball = exp(Ball(Dyadic(1)), 100);
  EXPECT_LT(Rational(ball.lower()), e.high);
  EXPECT_GT(Rational(ball.upper()), e.low);
  EXPECT_LT(ball.upper() - ball.lower(), Dyadic::scaled(1, -95));
}

TEST(Exp, EnclosesForEveryNumberOfItsOperand) {
  const Ball ball = exp(Ball(Dyadic(0), Dyadic(1)), 100);
  EXPECT_LE(Rational(ball.lower()), Rational(1) / series_of_e().high);
  EXPECT_GE(Rational(ball.upper()), series_of_e().low);
}

TEST(Log1p, IsTheInverseOfExp) {
  const Ball back = log1p(sub(exp(Ball(Dyadic(3)), 200), Ball(Dyadic(1)), 200), 200);
  EXPECT_TRUE(back.contains(Dyadic(3)));
  EXPECT_LT(back.upper() - back.lower(), Dyadic::scaled(1, -180));
}

TEST(Log1p, OfASmallNumberHasASmallRelativeError) {
  const Dyadic x = Dyadic::scaled(1, -1000);
  const Ball ball = log1p(Ball(x), 100);
  EXPECT_LT(ball.upper(), x + Dyadic::scaled(1, -1095));
  EXPECT_GT(ball.lower(), x - Dyadic::scaled(1, -1095));
}

TEST(Log1p, IsNotFiniteWhereItIsNotDefined) { EXPECT_FALSE(log1p(Ball(Dyadic(-1)), 100).is_finite()); }

TEST(ExactRoot, IsTheRootOfASquare) {
  EXPECT_EQ(exact_root(Dyadic()), Dyadic());
  EXPECT_EQ(exact_root(Dyadic::scaled(9, 4)), Dyadic(12));
  EXPECT_EQ(exact_root(Dyadic::scaled(25, -2000)), Dyadic::scaled(5, -1000));
}

TEST(ExactRoot, IsNoneOfANumberThatIsNoSquare) {
  EXPECT_FALSE(exact_root(Dyadic(2)));
  EXPECT_FALSE(exact_root(Dyadic::scaled(9, -3)));
  EXPECT_FALSE(exact_root(Dyadic(7)));
}

}  // namespace
}  // namespace assay::oracle
