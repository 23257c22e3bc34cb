#include "oracle/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oracle/decode.hpp"

namespace assay::oracle {
namespace {

TEST(Exact, SumsWhatCancelsWithoutLoss) {
  const std::vector<Dyadic> x{exact(1.0), exact(1e100), exact(1.0), exact(-1e100)};
  EXPECT_EQ(exact_sum(x), Dyadic(2));
  EXPECT_EQ(exact_abs_sum(x), Dyadic(2) + exact(1e100) + exact(1e100));
}

TEST(Exact, DotsWhatCancelsWithoutLoss) {
  const std::vector<Dyadic> x{exact(1e8), exact(1.0), exact(1e8)};
  const std::vector<Dyadic> y{exact(1e8), exact(1.0), exact(-1e8)};
  EXPECT_EQ(exact_dot(x, y), Dyadic(1));
  EXPECT_EQ(exact_abs_dot(x, y), Dyadic(20000000000000001));
  EXPECT_THROW(exact_dot(x, std::span(y).first(2)), std::invalid_argument);
}

TEST(Exact, RefusesQuotientsByZeroAndRootsOfNegatives) {
  EXPECT_THROW(quotient(1, 0), std::domain_error);
  EXPECT_THROW(square_root(Dyadic(-1)), std::domain_error);
}

TEST(Exact, ComparesRootsBySquares) {
  EXPECT_TRUE(compare(square_root(Dyadic(4)), Dyadic(2)) == 0);
  EXPECT_TRUE(compare(square_root(Dyadic(2)), exact(std::sqrt(2.0))) < 0);
  EXPECT_TRUE(compare(square_root(Dyadic(2)), Dyadic(-5)) > 0);
  EXPECT_TRUE(compare(square_root(Rational(1, 9)), Rational(1, 3)) == 0);
  EXPECT_TRUE(compare(square_root(Dyadic(0)), Dyadic(0)) == 0);
}

TEST(Exact, ExponentsAreFloorsOfLogarithms) {
  EXPECT_EQ(exponent(Rational(1, 3)), -2);
  EXPECT_EQ(exponent(Rational(-4, 3)), 0);
  EXPECT_EQ(exponent(Rational(1, 8)), -3);
  EXPECT_EQ(exponent(square_root(Dyadic::scaled(1, -3))), -2);
  EXPECT_EQ(exponent(square_root(Dyadic(4))), 1);
  EXPECT_THROW(exponent(Dyadic()), std::domain_error);
}

TEST(Exact, UlpIsTheGridOfTheTruthAndHasAFloor) {
  EXPECT_EQ(ulp(Dyadic(1), binary64), Dyadic::scaled(1, -52));
  EXPECT_EQ(ulp(Dyadic(1) - Dyadic::scaled(1, -500), binary64), Dyadic::scaled(1, -53));
  EXPECT_EQ(ulp(Dyadic(), binary64), Dyadic::scaled(1, -1074));
  EXPECT_EQ(ulp(Dyadic::scaled(1, -1080), binary64), Dyadic::scaled(1, -1074));
}

TEST(CheckError, SeesAFractionOfAnUlpOfTheTruth) {
  const Dyadic truth = Dyadic(1) + Dyadic::scaled(1, -53);
  EXPECT_EQ(error_ratio(1, truth, ulp(truth, binary64), 1), 0.5);
}

TEST(CheckError, CountsTheBoundItselfAsWithin) {
  EXPECT_EQ(error_at_most(3, Dyadic(1), 2, 1), Answer::yes);
  EXPECT_EQ(error_at_most(3, Dyadic(1) - Dyadic::scaled(1, -3000), 2, 1), Answer::no);
  EXPECT_EQ(error_at_most(3, Rational(8, 3), 1, 3), Answer::yes);
  EXPECT_EQ(error_at_most(3, Rational(8, 3), Dyadic(1) - Dyadic::scaled(1, -300), 3), Answer::no);
}

TEST(CheckError, RequiresARelativeErrorOfZeroWhereTheTruthIsZero) {
  EXPECT_EQ(relative_error_at_most(0, Dyadic(0), 1, 1), Answer::yes);
  EXPECT_EQ(relative_error_at_most(Dyadic::scaled(1, -1074), Dyadic(0), 1000, 1), Answer::no);
}

TEST(CheckError, AgreesWithExactProductsWhereLeadingBitsAreAsGoodAsEqual) {
  // error = num/den · (1 + t·2⁻²⁰⁰): only the sign of t decides.
  for (const int t : {-1, 0, 1}) {
    const Dyadic num = Dyadic(7) * Dyadic::scaled(0x123456789abcdf, -3);
    const Dyadic error = num + num * Dyadic::scaled(t, -200);
    const ErrorCheck check = check_error(Dyadic(5) + error * Dyadic(1), Dyadic(5), num, Dyadic(1));
    EXPECT_EQ(check.within, t <= 0 ? Answer::yes : Answer::no);
    EXPECT_EQ(check.ratio > 1, t > 0);
  }
}

TEST(CheckError, GivesRatiosThatAreZeroOnlyForNoError) {
  EXPECT_EQ(error_ratio(1, Dyadic(1), 0, 1), 0.0);
  EXPECT_TRUE(std::isinf(error_ratio(1, Dyadic(2), 0, 1)));
  EXPECT_GT(error_ratio(1, Dyadic(1) + Dyadic::scaled(1, -5000), 1, 1), 0.0);
  EXPECT_DOUBLE_EQ(check_relative_error(9, Dyadic(8), 1, 4).ratio, 0.5);
  EXPECT_DOUBLE_EQ(check_relative_error(1, Rational(3, 4), 1, 1).ratio, 1.0 / 3);
}

TEST(CheckError, DecidesAboutRootsExactly) {
  // |3/2 − √2| = 0.0857…; (3/2 − 1/12)² = 2 + 1/144 > 2 and (3/2 − 1/11)² < 2.
  EXPECT_EQ(error_at_most(Dyadic::scaled(3, -1), square_root(Dyadic(2)), 1, 12), Answer::no);
  EXPECT_EQ(error_at_most(Dyadic::scaled(3, -1), square_root(Dyadic(2)), 1, 11), Answer::yes);
  EXPECT_EQ(error_at_most(3, square_root(Dyadic(4)), 1, 1), Answer::yes);
  EXPECT_EQ(relative_error_at_most(3, square_root(Dyadic(4)), 1, 2), Answer::yes);
  EXPECT_EQ(relative_error_at_most(3, square_root(Dyadic(4)), 1, 3), Answer::no);
  EXPECT_EQ(relative_error_at_most(-1, square_root(Dyadic(4)), 3, 2), Answer::yes);
  EXPECT_EQ(relative_error_at_most(-1, square_root(Dyadic(4)), 4, 3), Answer::no);
  EXPECT_EQ(error_ratio(2, square_root(Dyadic(4)), 1, 1), 0.0);
  EXPECT_NEAR(error_ratio(Dyadic::scaled(3, -1), square_root(Dyadic(2)), 1, 1), 1.5 - std::sqrt(2.0), 1e-12);
}

TEST(CheckError, LeavesOpenWhatAnEnclosureCannotTell) {
  const Enclosure one{[](long bits) { return Ball(Dyadic(1), Dyadic::scaled(1, -bits)); }};
  EXPECT_EQ(error_at_most(2, one, 1, 1), Answer::undecided);
  EXPECT_EQ(error_at_most(2, one, Dyadic(1) + Dyadic::scaled(1, -1000), 1), Answer::yes);
  EXPECT_EQ(error_at_most(2, one, Dyadic(1) - Dyadic::scaled(1, -1000), 1), Answer::no);
  EXPECT_TRUE(compare(Exact(one), Dyadic(1)) == std::partial_ordering::unordered);
}

}  // namespace
}  // namespace assay::oracle
