#include "properties/catalog/xblas/products.hpp"

#include <gtest/gtest.h>

namespace assay::xblas {
namespace {

TEST(XblasNormDomain, RefusesWordsThatMayLoseTheirSumOfSquares) {
  const auto domain = norm_domain(2);
  ASSERT_TRUE(domain.contains(AsumCase{1, 1, {1, 0x1p-53}}));
  EXPECT_FALSE(domain.contains(AsumCase{1, 1, {1, -0.5}}));
}

}  // namespace
}  // namespace assay::xblas
