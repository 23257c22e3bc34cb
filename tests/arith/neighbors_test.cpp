#include "arith/accumulators/neighbors.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace assay {
namespace {

Superaccumulator sum_of(const std::vector<double>& x) {
  Superaccumulator sum{};
  for (const double each : x) sum.add(each);
  return sum;
}

TEST(LiesBetweenNeighbors, IsDecidedExactly) {
  // The neighbors of 1 are 1 − u and 1 + 2u.
  constexpr double u = 0x1p-53;
  constexpr double tiny = 0x1p-1074;
  EXPECT_TRUE(lies_between_neighbors(sum_of({1}), 0.75 * u, 1));
  EXPECT_FALSE(lies_between_neighbors(sum_of({1}), u, 1));
  EXPECT_TRUE(lies_between_neighbors(sum_of({1, 0.5 * u}), 1.25 * u, 1));
  EXPECT_FALSE(lies_between_neighbors(sum_of({1, 0.5 * u}), 1.5 * u, 1));
  EXPECT_FALSE(lies_between_neighbors(sum_of({1, 2 * u}), 0, 1));
  EXPECT_TRUE(lies_between_neighbors(sum_of({1, 2 * u, -tiny}), 0, 1));
  EXPECT_FALSE(lies_between_neighbors(sum_of({1, 2 * u, -tiny}), tiny, 1));
  EXPECT_TRUE(lies_between_neighbors(sum_of({-1, -u}), 0.5 * u, -1));
  EXPECT_FALSE(lies_between_neighbors(sum_of({-1, u}), 0, -1));
  EXPECT_TRUE(lies_between_neighbors(sum_of({}), 0, 0));
  EXPECT_FALSE(lies_between_neighbors(sum_of({}), tiny, 0));
}

TEST(LiesBetweenNeighbors, NeedsFiniteNumbers) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double most = std::numeric_limits<double>::max();
  EXPECT_FALSE(lies_between_neighbors(sum_of({1}), infinity, 1));
  EXPECT_FALSE(lies_between_neighbors(sum_of({1}), std::numeric_limits<double>::quiet_NaN(), 1));
  EXPECT_FALSE(lies_between_neighbors(sum_of({most}), 0, most));
  EXPECT_FALSE(lies_between_neighbors(sum_of({infinity}), 0, infinity));
  EXPECT_FALSE(lies_between_neighbors(sum_of({-infinity}), 0, -infinity));
}

}  // namespace
}  // namespace assay
