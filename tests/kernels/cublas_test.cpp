#include "kernels/gemm/cublas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace assay::gemm {
namespace {

TEST(Cublas, MultipliesEveryMatrixOfABatchInIntegers) {
  // k × m and k × n with leading dimension 4, two of each.
  const std::vector<std::int8_t> a{1, 2, 3, 0, -128, 127, 5, 0, 7, 8, 9, 0, 1, 0, -1, 0};
  const std::vector<std::int8_t> b{127, -128, 1, 0, 2, 2, 2, 0};
  std::vector<std::int32_t> c(10, 77);
  cublas::int8_product(Executor::host(), 2, 1, 3, a.data(), 4, 8, b.data(), 4, 4, c.data(), 3, 5, 2);
  EXPECT_EQ(c, (std::vector<std::int32_t>{-126, -32507, 77, 77, 77, 48, 0, 77, 77, 77}));
}

TEST(Cublas, AddsProductsOfIntegersUp) {
  const std::vector<std::int8_t> a{1, 2};
  std::vector<std::int32_t> c{1000};
  cublas::int8_product(Executor::host(), 1, 1, 2, a.data(), 4, 0, a.data(), 4, 0, c.data(), 1, 0, 1, true);
  EXPECT_EQ(c[0], 1005);
}

TEST(Cublas, MultipliesTransposedMatricesInBinary64) {
  const std::vector<double> a{1, 2, 3, 4, 5, 6};  // 2 × 3, or 3 × 2 transposed
  const std::vector<double> b{1, 0, 0, 1, 1, 1};
  for (const bool trans_b : {false, true}) {
    std::vector<double> c{100, 200, 300, 400};
    cublas::dgemm(Executor::host(), false, trans_b, 2, 2, 3, 2, a.data(), 2, 0, b.data(), trans_b ? 2 : 3, 0, 1,
                  c.data(), 2, 0, 1);
    EXPECT_EQ(c, (trans_b ? std::vector<double>{112, 216, 316, 420} : std::vector<double>{102, 204, 318, 424}));
  }
  std::vector<double> c(9, 0.0);
  cublas::dgemm(Executor::host(), true, true, 3, 3, 2, 1, a.data(), 2, 0, b.data(), 3, 0, 0, c.data(), 3, 0, 1);
  EXPECT_EQ(c, (std::vector<double>{3, 7, 11, 2, 4, 6, 2, 4, 6}));
}

TEST(Cublas, DoesNotReadCForBetaZero) {
  const double a = 2;
  double c = std::numeric_limits<double>::quiet_NaN();
  cublas::dgemm(Executor::host(), false, false, 1, 1, 1, 1, &a, 1, 0, &a, 1, 0, 0, &c, 1, 0, 1);
  EXPECT_EQ(c, 4);
}

}  // namespace
}  // namespace assay::gemm
