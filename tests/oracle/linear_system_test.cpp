#include "oracle/linear_system.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace assay::oracle {
namespace {

TEST(ExactSolution, IsOneOfFractions) {
  const std::vector<Dyadic> a{3, 1, Dyadic::scaled(1, -1074), 5};
  const std::vector<Dyadic> b{1, Dyadic::scaled(1, 1000)};
  const auto x = exact_solution(a, b);
  ASSERT_TRUE(x);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(Rational(a[2 * i]) * (*x)[0] + Rational(a[2 * i + 1]) * (*x)[1], Rational(b[i]));
  }
}

TEST(ExactSolution, OfManyUnknownsIsThatOfThePlantedOne) {
  for (const long n : {1, 3, 4, 15, 16, 30, 60}) {
    std::vector<Dyadic> a;
    std::vector<Dyadic> b;
    for (long i = 0; i < n; ++i) {
      Dyadic sum;
      for (long j = 0; j < n; ++j) {
        a.push_back((7 * i * i + 5 * i * j + j * j * j) % 101 + (i == j ? 1000 : 0));
        sum.add_mul(a.back(), Dyadic(j - 5));
      }
      b.push_back(sum);
    }
    const auto x = exact_solution(a, b);
    ASSERT_TRUE(x);
    for (long j = 0; j < n; ++j) EXPECT_EQ((*x)[static_cast<std::size_t>(j)], Rational(j - 5));
  }
}

TEST(ExactSolution, OfASingularSystemIsNone) {
  for (const long n : {1, 2, 5, 20, 40}) {
    std::vector<Dyadic> a;
    for (long at = 0; at < n * n; ++at) a.push_back(at % n == 0 ? Dyadic(0) : Dyadic(at * at % 97));
    EXPECT_FALSE(exact_solution(a, std::vector<Dyadic>(static_cast<std::size_t>(n), 1))) << n;
  }
}

TEST(ExactSolution, OfNoUnknownHasNone) { EXPECT_TRUE(exact_solution({}, {})->empty()); }

TEST(ExactSolution, NeedsASquareMatrix) {
  EXPECT_THROW(exact_solution(std::vector<Dyadic>(3), std::vector<Dyadic>(2)), std::invalid_argument);
}

}  // namespace
}  // namespace assay::oracle
