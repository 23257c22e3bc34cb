#include "dot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "assay/testing.hpp"

namespace {

using assay::testing::WithinDotBound;

TEST(Dot, KeepsItsBoundWhereTermsCancel) {
  std::vector<double> x;
  for (int i = 0; i < 501; ++i) x.push_back(std::ldexp(i % 2 == 0 ? 1.0 / 3 : -1.0 / 3, i % 40));
  const std::vector<double> y(x.size(), 0.1);
  EXPECT_THAT(dot(x, y), WithinDotBound(x, y));
}

TEST(Dot, KeepsItsBoundForOneTerm) {
  const std::vector<double> x{0.1};
  EXPECT_THAT(dot(x, x), WithinDotBound(x, x));
}

}  // namespace
