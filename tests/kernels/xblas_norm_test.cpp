// The norm of vectors in one, two and four words for special operands.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/expansion/vectors.hpp"

namespace assay::expansion {
namespace {

using Numbers = std::vector<double>;
const Executor host = Executor::host();

TEST(XblasNorm, IsInfiniteForAnInfinityAndNaNForANaN) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int words : {1, 2, 4}) {
    const auto norm = [words](const Numbers& first_words) {
      Numbers x;
      for (const double word : first_words) {
        x.push_back(word);
        x.insert(x.end(), static_cast<std::size_t>(words - 1), 0.0);
      }
      return expansion_nrm2(host, words, static_cast<std::int64_t>(first_words.size()), x, 1);
    };
    Numbers expected(static_cast<std::size_t>(words));
    expected[0] = infinity;
    EXPECT_EQ(norm({infinity}), expected);
    EXPECT_EQ(norm({-infinity}), expected);
    EXPECT_EQ(norm({1, infinity, -infinity}), expected);
    EXPECT_TRUE(std::isnan(norm({infinity, nan})[0]));
    EXPECT_TRUE(std::isnan(norm({0, nan})[0]));
  }
}

TEST(XblasNorm, TakesOneEntryNTimesForTheStride0) {
  EXPECT_EQ(expansion_nrm2(host, 1, 4, Numbers{-3}, 0), Numbers{6});
  EXPECT_THROW(expansion_nrm2(host, 1, 4, Numbers{}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace assay::expansion
