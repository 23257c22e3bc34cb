#include "assay/testing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace assay::testing {
namespace {

using oracle::Dyadic;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class Matcher, class Got>
std::string told(const Matcher& matcher, const Got& got) {
  std::ostringstream out;
  matcher.MatchAndExplain(got, &out);
  return out.str();
}

template <class T>
T recursive_dot(const std::vector<T>& x, const std::vector<T>& y) {
  T sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// Σ xⱼyⱼ = 2⁻⁵² and Σ|xⱼyⱼ| = 2 + 2⁻⁵²: the bound γ₂·(2 + 2⁻⁵²) lies between 2⁻⁵¹ and 2⁻⁵¹ + 2⁻⁹⁸.
const std::vector<double> kX{1.0, 1.0 + 0x1p-52};
const std::vector<double> kY{-1.0, 1.0};

TEST(WithinDotBound, AcceptsTheRecursiveDotProductUnderCancellation) {
  EXPECT_THAT(recursive_dot(kX, kY), WithinDotBound(kX, kY));
}

TEST(WithinDotBound, AcceptsAnErrorJustBelowTheBound) { EXPECT_THAT(0x1p-52 + 0x1p-51, WithinDotBound(kX, kY)); }

TEST(WithinDotBound, RefusesAnErrorJustAboveTheBound) {
  EXPECT_THAT(0x1p-52 + 0x1p-51 + 0x1p-98, Not(WithinDotBound(kX, kY)));
}

TEST(WithinDotBound, LeavesRoomForProductsThatUnderflow) {
  const std::vector<double> x{0x1p-600, 0x1p-600};
  EXPECT_THAT(0.0, WithinDotBound(x, x));
}

TEST(WithinDotBound, TakesUFromTheTypeOfTheData) {
  const std::vector<float> x{1.0F, 1.0F};
  const std::vector<float> y{1.0F, 0x1p-20F};
  EXPECT_THAT(1.0F + 0x1p-20F + 0x1p-23F, WithinDotBound(x, y));
}

TEST(WithinDotBound, RefusesInfinityAndNan) {
  EXPECT_THAT((std::vector{kInf, kNan}), Each(Not(WithinDotBound(kX, kY))));
}

TEST(WithinDotBound, TellsNumbersBoundAndSource) {
  EXPECT_THAT(told(WithinDotBound(kX, kY), 1.0),
              AllOf(HasSubstr("got 0x1p+0 (1e0)"), HasSubstr("exact 2.220446049250313080847263e-16"),
                    HasSubstr("error 1e0"), HasSubstr("2.252e15 × the bound"), HasSubstr("= 4.441e-16"),
                    HasSubstr("γₖ·Σ|xⱼyⱼ| + (1 + γₖ₋₁)·kη/2 with k = 2, u = 2^-53"), HasSubstr("Higham")));
}

TEST(WithinDotBound, SaysNothingOfAResultThatMatches) { EXPECT_THAT(told(WithinDotBound(kX, kY), 0x1p-52), IsEmpty()); }

TEST(WithinDotBound, ThrowsForDataThatAreNotFinite) {
  EXPECT_THROW(WithinDotBound(std::vector{kInf}, std::vector{1.0}), std::invalid_argument);
}

TEST(WithinDotBound, ThrowsForDifferentLengths) {
  EXPECT_THROW(WithinDotBound(kX, std::vector{1.0}), std::invalid_argument);
}

TEST(WithinSumBound, AcceptsTheRecursiveSum) {
  std::vector<double> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / static_cast<double>(i + 1);
  EXPECT_THAT(std::accumulate(x.begin(), x.end(), 0.0), WithinSumBound(x));
}

TEST(WithinSumBound, AcceptsExactlyTheBound) {
  // 1u·(1 + 1) = 2u.
  EXPECT_THAT(2.0 + 0x1p-51, Not(WithinSumBound(std::array{1.0, 1.0})));
  EXPECT_THAT(2.0 - 0x1p-52, WithinSumBound(std::array{1.0, 1.0}));
}

TEST(WithinSumBound, AllowsNoErrorForOneNumber) {
  EXPECT_THAT(1.0 + 0x1p-52, Not(WithinSumBound(std::array{1.0})));
  EXPECT_THAT(1.0, WithinSumBound(std::array{1.0}));
}

TEST(WithinSumBound, OfNoNumbersIsZero) { EXPECT_THAT(0.0, WithinSumBound(std::vector<double>())); }

/// A = (1 2; 3 4) and B = (5 6; 7 8), column-major; AB = (19 22; 43 50).
const std::vector<double> kA{1, 3, 2, 4};
const std::vector<double> kB{5, 7, 6, 8};

TEST(WithinGemmBound, ReadsColumns) {
  EXPECT_THAT((std::vector<double>{19, 43, 22, 50}), WithinGemmBound(kA, kB, 2, 2, 2));
}

TEST(WithinGemmBound, BoundsEveryEntryByItself) {
  // A norm-wise bound would allow the entry 1e-20 an error of the size of the others.
  const std::vector<double> a{1e10, 1e-10};
  const std::vector<double> b{1e-10};
  EXPECT_THAT((std::vector<double>{1e10 * 1e-10, 0.0}), Not(WithinGemmBound(a, b, 2, 1, 1)));
}

TEST(WithinGemmBound, NamesTheWorstEntry) {
  EXPECT_THAT(told(WithinGemmBound(kA, kB, 2, 2, 2), std::vector<double>{19, 43.5, 23, 50}),
              AllOf(HasSubstr("2 of 4 entries outside"), HasSubstr("the worst is (0, 1)"), HasSubstr("error 1e0")));
}

TEST(WithinGemmBound, RefusesAnotherShape) {
  EXPECT_THAT(told(WithinGemmBound(kA, kB, 2, 2, 2), std::vector<double>{19}), "which has 1 entries instead of 4");
}

TEST(WithinGemmBound, ThrowsWhereSizesDoNotFit) {
  EXPECT_THROW(WithinGemmBound(kA, kB, 2, 2, 3), std::invalid_argument);
}

TEST(CorrectlyRounded, AcceptsTheRoundedQuotient) { EXPECT_THAT(1.0 / 3.0, CorrectlyRounded(oracle::quotient(1, 3))); }

TEST(CorrectlyRounded, RefusesTheNeighbour) {
  EXPECT_THAT(std::nextafter(1.0 / 3.0, 1.0), Not(CorrectlyRounded(oracle::quotient(1, 3))));
}

TEST(CorrectlyRounded, RoundsInTheFormatOfTheResult) {
  EXPECT_THAT(1.0F / 3.0F, CorrectlyRounded(oracle::quotient(1, 3)));
}

TEST(CorrectlyRounded, KnowsDirections) {
  EXPECT_THAT(std::nextafter(1.0 / 3.0, 1.0), CorrectlyRounded(oracle::quotient(1, 3), oracle::Rounding::up));
}

TEST(CorrectlyRounded, AcceptsBothZeros) { EXPECT_THAT((std::vector{0.0, -0.0}), Each(CorrectlyRounded(Dyadic(0)))); }

TEST(CorrectlyRounded, AcceptsAnInfinityWhereTheTruthOverflows) {
  EXPECT_THAT(kInf, CorrectlyRounded(Dyadic::scaled(1, 1024)));
}

TEST(CorrectlyRounded, TellsWhatWouldBeRight) {
  EXPECT_THAT(told(CorrectlyRounded(oracle::square_root(Dyadic(2))), 1.5),
              AllOf(HasSubstr("got 0x1.8p+0 (1.5e0)"), HasSubstr("exact √(2)"),
                    HasSubstr("rounds to 0x1.6a09e667f3bcdp+0 (1.4142135623730951e0)")));
}

TEST(CorrectlyRounded, TellsOfAnInfinityWhereTheTruthIsFinite) {
  EXPECT_THAT(told(CorrectlyRounded(Dyadic(1)), kInf), HasSubstr("got inf (inf), exact 1"));
}

TEST(WithinUlps, CountsUlpsOfTheExactValue) {
  EXPECT_THAT(1.0 + 0x1p-51, WithinUlps(Dyadic(1), 2));
  EXPECT_THAT(1.0 + 0x1.8p-51, Not(WithinUlps(Dyadic(1), 2)));
}

TEST(WithinUlps, TakesFractions) {
  const Dyadic half_way = Dyadic(1) + Dyadic::scaled(1, -53);
  EXPECT_THAT(1.0, WithinUlps(half_way, Dyadic::scaled(1, -1)));
  EXPECT_THAT(1.0, Not(WithinUlps(half_way, Dyadic::scaled(1, -2))));
}

TEST(WithinUlps, TellsTheFractionOfTheBound) {
  EXPECT_THAT(told(WithinUlps(Dyadic(1), 2), 1.0 + 0x1p-50), HasSubstr("2e0 × the bound 2 ulp"));
}

/// Every matcher of numbers with the truth `exact`.
std::vector<::testing::Matcher<double>> matchers_of(const Dyadic& exact) {
  return {CorrectlyRounded(exact), WithinUlps(exact, 2), WithinRelative(exact, {1, 4}, "an example"),
          Within(exact, sum_recursive_1, std::size_t{3}, Dyadic(1), 53)};
}

TEST(Matchers, RefuseNaNAndInfinitiesForAFiniteTruth) {
  for (const auto& matcher : matchers_of(1)) {
    for (const double got : {kNan, -kNan, kInf, -kInf}) EXPECT_THAT(got, Not(matcher));
  }
  EXPECT_THAT(kNan, Not(WithinSumBound(std::array{1.0, 2.0})));
  EXPECT_THAT(kNan, Not(WithinDotBound(std::array{1.0}, std::array{2.0})));
  EXPECT_THAT((std::vector<double>{19, kNan, 22, 50}), Not(WithinGemmBound(kA, kB, 2, 2, 2)));
}

TEST(Matchers, TakeBothZerosForZero) {
  for (const auto& matcher : matchers_of(0)) EXPECT_THAT((std::array{0.0, -0.0}), Each(matcher));
}

TEST(WithinRelative, AcceptsExactlyTheBound) {
  const RelativeBound quarter{1, 4};
  EXPECT_THAT(1.25, WithinRelative(Dyadic(1), quarter, "an example"));
  EXPECT_THAT(1.25 + 0x1p-52, Not(WithinRelative(Dyadic(1), quarter, "an example")));
}

TEST(WithinRelative, WithTruthZeroAcceptsZeroAlone) {
  EXPECT_THAT(0.0, WithinRelative(Dyadic(0), {1, 4}, "an example"));
  EXPECT_THAT(5e-324, Not(WithinRelative(Dyadic(0), {1, 4}, "an example")));
}

TEST(WithinRelative, TellsItsSource) {
  EXPECT_THAT(told(WithinRelative(Dyadic(1), {1, 4}, "an example"), 2.0), HasSubstr("= 2.5e-1 (an example)"));
}

constexpr auto kQuarter =
    theorem({"own.quarter.1", "any number", "|y − x| ≤ |x|/4", "an example"}, [](std::int64_t parts) {
      return RelativeBound{1, parts};
    });

TEST(Within, TakesTheBoundOfATheorem) {
  EXPECT_THAT(1.25, Within(Dyadic(1), kQuarter, 4));
  EXPECT_THAT(1.25 + 0x1p-52, Not(Within(Dyadic(1), kQuarter, 4)));
}

TEST(Within, TellsStatementSourceAndId) {
  EXPECT_THAT(told(Within(Dyadic(1), kQuarter, 4), 2.0),
              HasSubstr("|y − x| ≤ |x|/4 = 2.5e-1 (an example; Theorem own.quarter.1)"));
}

TEST(ExactDot, IsExact) { EXPECT_EQ(exact_dot(kX, kY), Dyadic::scaled(1, -52)); }

TEST(ExactSum, IsExact) {
  EXPECT_EQ(exact_sum(std::array{0x1p+1000, 0x1p-1000, -0x1p+1000}), Dyadic::scaled(1, -1000));
}

}  // namespace
}  // namespace assay::testing
