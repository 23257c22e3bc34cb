#include <gtest/gtest.h>

#include <cmath>

// x = 1 + 2⁻³⁰: the square rounds with an error of 2⁻⁶⁰, which a difference shows only when it is fused with the
// product.
TEST(Package, BringsItsFloatingPointFlags) {
  volatile double x = 1.0 + 0x1p-30;
  const double a = x;
  const double square = a * a;
  EXPECT_EQ(a * a - square, 0.0);
  EXPECT_EQ(std::fma(a, a, -square), 0x1p-60);
}
