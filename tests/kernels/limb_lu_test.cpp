#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

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

// Rows (2, 1, 1), (8, 4, 0), (4, 0, 4) in an array of four rows. The pivots are 8, −2 and 1 of the rows 1, 2 and 0.
const std::vector<double> matrix{2, 8, 4, nan_double, 1, 4, 0, nan_double, 1, 0, 4, nan_double};
const std::vector<double> factor{8, 0.5, 0.25, nan_double, 4, -2, -0.0, nan_double, 0, 4, 1, nan_double};

TEST(LimbLu, ExchangesRowsForTheLargestPivot) {
  for (const int limbs : offered_limbs) {
    const LuFactor lu = limb_lu(host, 3, of(matrix, limbs), 4);
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
  EXPECT_THROW(solve({1, 1}, of({1})), std::invalid_argument);
  EXPECT_THROW(solve({1, 1}, of({1, 2}, 8)), std::invalid_argument);
}

}  // namespace
}  // namespace assay::limb
