#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/limb/cholesky.hpp"
#include "kernels/limb/lengths.hpp"
#include "kernels/limb/lu.hpp"

namespace assay::limb {
namespace {

const Executor host = Executor::host();
constexpr double nan_double = std::numeric_limits<double>::quiet_NaN();

FloatArray of(std::vector<double> x, int limbs = 4) { return floats_of(limbs, x); }

void expect_numbers(const FloatArray& x, const std::vector<double>& y) {
  const FloatArray want = of(y, x.limbs);
  EXPECT_EQ(x.word, want.word);
  EXPECT_EQ(x.exponent, want.exponent);
  EXPECT_EQ(x.sign, want.sign);
}

// LLᵀ with the columns (2, −1, 3), (1, 5), (4) of L, in an array of four rows.
const std::vector<double> square{4, -2,         6,          nan_double, nan_double, 2,
                                 2, nan_double, nan_double, nan_double, 50,         nan_double};
const std::vector<double> triangle{2, -1,         3,          nan_double, nan_double, 1,
                                   5, nan_double, nan_double, nan_double, 4,          nan_double};

TEST(LimbCholesky, GivesTheTriangleOfItsSquareForEveryLength) {
  for (const int limbs : offered_limbs) {
    const CholeskyFactor factor = limb_cholesky(host, 3, of(square, limbs), 4);
    EXPECT_EQ(factor.failed, 3);
    expect_numbers(factor.lower, triangle);
  }
}

TEST(LimbCholesky, LeavesAllButTheTriangle) {
  const Executor on = Executor::host();
  const std::vector<double> around{4, -2, 6, 7, 8, 2, 2, 9, 10, 11, 50, 12};
  expect_numbers(limb_cholesky(on, 3, of(around), 4).lower, {2, -1, 3, 7, 8, 1, 5, 9, 10, 11, 4, 12});
  EXPECT_EQ(on.audit().guard_zone_violations, 0u);
}

TEST(LimbCholesky, TakesSixLaunchesAColumnAndThreeForTheFirst) {
  const Executor on = Executor::host();
  EXPECT_EQ(limb_cholesky(on, 1, of({4}), 1).failed, 1);
  EXPECT_EQ(on.audit().calls, 3u);
  on.reset_audit();
  EXPECT_EQ(limb_cholesky(on, 3, of(square), 4).failed, 3);
  EXPECT_EQ(on.audit().calls, 15u);
}

TEST(LimbCholesky, SolvesByTwoSubstitutions) {
  // LLᵀ(1, −2, 3) = (26, 0, 152)
  for (const int limbs : offered_limbs) {
    expect_numbers(limb_cholesky_solve(host, 3, of(triangle, limbs), 4, of({26, 0, 152}, limbs)), {1, -2, 3});
  }
}

TEST(LimbCholesky, TellsTheFirstPivotThatFails) {
  EXPECT_EQ(limb_cholesky(host, 1, of({0}), 1).failed, 0);
  EXPECT_EQ(limb_cholesky(host, 1, of({-1}), 1).failed, 0);
  EXPECT_EQ(limb_cholesky(host, 2, of({1, 2, nan_double, 4}), 2).failed, 1);  // singular
  EXPECT_EQ(limb_cholesky(host, 2, of({1, 2, nan_double, 3}), 2).failed, 1);  // indefinite
  EXPECT_EQ(limb_cholesky(host, 2, of({1, 2, nan_double, 4.5}), 2).failed, 2);
  EXPECT_EQ(limb_cholesky(host, 1, of({nan_double}), 1).failed, 0);
  EXPECT_EQ(limb_cholesky(host, 0, of({}), 1).failed, 0);
}

TEST(LimbCholesky, RefusesWrongArguments) {
  EXPECT_THROW(limb_cholesky(host, -1, of({1}), 1), std::invalid_argument);
  EXPECT_THROW(limb_cholesky(host, 2, of({1, 0, 0, 1}), 1), std::invalid_argument);
  EXPECT_THROW(limb_cholesky(host, 2, of({1, 0, 0}), 2), std::invalid_argument);
  EXPECT_THROW(limb_cholesky(host, 0, of({}), 0), std::invalid_argument);
  EXPECT_THROW(limb_cholesky(host, 1, of({1}, 3), 1), std::invalid_argument);
  EXPECT_THROW(limb_cholesky_solve(host, 1, of({1}), 1, of({1, 2})), std::invalid_argument);
  EXPECT_THROW(limb_cholesky_solve(host, 1, of({1}), 1, of({1}, 8)), std::invalid_argument);
}

// Rows (2, 1, 1), (8, 4, 0), (4, 0, 4) in an array of four rows. The pivots are 8, −2 and 1 of the rows 1, 2 and 0.
const std::vector<double> exchanged{2, 8, 4, nan_double, 1, 4, 0, nan_double, 1, 0, 4, nan_double};
const std::vector<double> factor{8, 0.5, 0.25, nan_double, 4, -2, -0.0, nan_double, 0, 4, 1, nan_double};

TEST(LimbLu, ExchangesRowsForTheLargestPivot) {
  for (const int limbs : offered_limbs) {
    const LuFactor lu = limb_lu(host, 3, of(exchanged, limbs), 4);
    EXPECT_EQ(lu.failed, 3);
    EXPECT_EQ(lu.pivots, (std::vector<std::int32_t>{1, 2, 2}));
    expect_numbers(lu.lu, factor);
  }
}

TEST(LimbLu, SolvesByTwoSubstitutions) {
  // A·(1, −2, 3) = (3, 0, 16)
  for (const int limbs : offered_limbs) {
    expect_numbers(limb_lu_solve(host, 3, of(factor, limbs), 4, {1, 2, 2}, of({3, 0, 16}, limbs)), {1, -2, 3});
  }
}

TEST(LimbLu, TakesTheFirstOfEqualMagnitudes) {
  EXPECT_EQ(limb_lu(host, 2, of({-3, 3, 1, 1}), 2).pivots[0], 0);
  EXPECT_EQ(limb_lu(host, 3, of({1, -3, 3, 0, 1, 0, 0, 0, 1}), 3).pivots[0], 1);
}

TEST(LimbLu, TellsTheFirstPivotThatFails) {
  EXPECT_EQ(limb_lu(host, 1, of({0}), 1).failed, 0);
  EXPECT_EQ(limb_lu(host, 1, of({-1}), 1).failed, 1);
  EXPECT_EQ(limb_lu(host, 2, of({1, 2, 2, 4}), 2).failed, 1);
  EXPECT_EQ(limb_lu(host, 2, of({1, nan_double, 2, 4}), 2).failed, 0);
  EXPECT_EQ(limb_lu(host, 0, of({}), 1).failed, 0);
}

TEST(LimbLu, TakesAPivotOfTheLargestExponent) {
  FloatArray largest = of({1});
  largest.exponent[0] = most_exponent;
  EXPECT_EQ(limb_lu(host, 1, largest, 1).failed, 1);
}

TEST(LimbLu, RefusesWrongArguments) {
  EXPECT_THROW(limb_lu(host, -1, of({1}), 1), std::invalid_argument);
  EXPECT_THROW(limb_lu(host, 2, of({1, 0, 0, 1}), 1), std::invalid_argument);
  EXPECT_THROW(limb_lu(host, 2, of({1, 0, 0}), 2), std::invalid_argument);
  EXPECT_THROW(limb_lu(host, 1, of({1}, 3), 1), std::invalid_argument);
  const auto solve = [](const std::vector<std::int32_t>& pivots, const FloatArray& b) {
    return limb_lu_solve(host, 2, of({1, 0, 0, 1}), 2, pivots, b);
  };
  EXPECT_NO_THROW(solve({1, 1}, of({1, 2})));
  EXPECT_THROW(solve({1}, of({1, 2})), std::invalid_argument);
  EXPECT_THROW(solve({1, 0}, of({1, 2})), std::invalid_argument);
  EXPECT_THROW(solve({0, 2}, of({1, 2})), std::invalid_argument);
  EXPECT_THROW(solve({2, 1}, of({1, 2})), std::invalid_argument);
  EXPECT_THROW(solve({-1, 1}, of({1, 2})), std::invalid_argument);
  EXPECT_THROW(solve({1, 1}, of({1})), std::invalid_argument);
  EXPECT_THROW(solve({1, 1}, of({1, 2}, 8)), std::invalid_argument);
}

}  // namespace
}  // namespace assay::limb
