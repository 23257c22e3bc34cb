#include "probes/residual.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

#include "oracle/decode.hpp"

namespace assay::probes {
namespace {

constexpr int terms = 6;

/// Numbers whose leading parts cancel, of exponents up to ±`spread`.
void draw(std::mt19937_64& random, int spread, double (&x)[terms]) {
  const auto number = [&] {
    const auto m = static_cast<double>(static_cast<std::int64_t>(random()) | 1);
    return std::ldexp(m, static_cast<int>(random() % static_cast<std::uint64_t>(2 * spread + 1)) - spread);
  };
  for (double& each : x) each = number();
  x[3] = -x[0];
  if (random() % 2 == 0) x[4] = std::nextafter(-x[1], 0.0);
}

oracle::Dyadic sum_of(const double (&x)[terms]) {
  oracle::Dyadic sum;
  for (const double each : x) sum += oracle::exact(each);
  return abs(sum);
}

TEST(Magnitude, EnclosesTheExactSum) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    double x[terms];
    draw(random, i % 120, x);
    const oracle::Dyadic exact = sum_of(x);
    const Magnitude bounds = magnitude(x);
    ASSERT_LE(oracle::exact(bounds.lower), exact);
    ASSERT_GE(oracle::exact(bounds.upper), exact);
  }
}

TEST(OnePass, BoundsTheExactSum) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    double x[terms];
    draw(random, i % 120, x);
    OnePass added(x[0]);
    for (int k = 1; k < terms; ++k) added.add(x[k]);
    ASSERT_GE(oracle::exact(added.upper()), sum_of(x));
    OnePass rounded(x[0]);
    for (int k = 1; k < terms; ++k) {
      if (k < 3) {
        rounded.add(x[k]);
      } else {
        rounded.add_small(x[k]);
      }
    }
    ASSERT_GE(oracle::exact(rounded.upper()), sum_of(x));
  }
}

TEST(OnePass, BoundsTheExactSumWhereErrorsAreSubnormal) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 10000; ++i) {
    double x[terms];
    draw(random, 3, x);
    for (double& each : x) each = std::ldexp(each, -1130 + i % 40);
    OnePass sum(x[0]);
    for (int k = 1; k < terms; ++k) sum.add(x[k]);
    ASSERT_GE(oracle::exact(sum.upper()), sum_of(x));
  }
}

TEST(OnePass, IsNarrowWhereTheSumCancelsEarly) {
  OnePass sum(1);
  for (const double x : {-1.0, 0x1p-53, -0x1p-53, 0x1.8p-106, 0x1p-159}) sum.add(x);
  EXPECT_NEAR(sum.upper(), 0x1.8p-106, 0x1p-155);
}

TEST(OnePass, ProvesNothingWhereASumOverflows) {
  OnePass sum(0x1p1023);
  sum.add(0x1p1023);
  sum.add(-0x1p1023);
  EXPECT_FALSE(sum.upper() < std::numeric_limits<double>::infinity());
}

TEST(Magnitude, IsNarrowWhereASumCancelsToTheSquareOfTheUnit) {
  double x[terms] = {1, 0x1p-53, -1, -0x1p-53, 0x1.8p-106, 0x1p-159};
  const Magnitude bounds = magnitude(x);
  EXPECT_NEAR(bounds.lower, 0x1.8p-106, 0x1p-150);
  EXPECT_NEAR(bounds.upper, 0x1.8p-106, 0x1p-150);
}

TEST(Magnitude, IsNarrowAfterFivePassesWhereASumCancelsToTheCubeOfTheUnit) {
  double x[terms] = {1, 0x1p-53, 0x1p-106, 0x1p-159 - 0x1p-106, -0x1p-53, -1};
  const Magnitude bounds = magnitude<5>(x);
  EXPECT_NEAR(bounds.lower, 0x1p-159, 0x1p-200);
  EXPECT_NEAR(bounds.upper, 0x1p-159, 0x1p-200);
}

TEST(Magnitude, EnclosesTheExactSumAfterAnyNumberOfPasses) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    double x[terms];
    draw(random, i % 120, x);
    double y[terms];
    std::copy(std::begin(x), std::end(x), y);
    const oracle::Dyadic exact = sum_of(x);
    for (const Magnitude& bounds : {magnitude<1>(x), magnitude<6>(y)}) {
      ASSERT_LE(oracle::exact(bounds.lower), exact);
      ASSERT_GE(oracle::exact(bounds.upper), exact);
    }
  }
}

TEST(Magnitude, OfAnExactZeroIsZero) {
  double x[terms] = {1, 0x1p-60, 3, -3, -0x1p-60, -1};
  EXPECT_EQ(magnitude(x).upper, 0);
}

TEST(Magnitude, OfAnOverflowProvesNothing) {
  double x[terms] = {0x1p1023, 0x1p1023, 1, 1, 1, 1};
  EXPECT_FALSE(magnitude(x).upper <= std::numeric_limits<double>::max());
}

TEST(AtMostSum, IsAtMostTheSum) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    double x[terms];
    draw(random, 60, x);
    ASSERT_LE(oracle::exact(at_most_sum(x[0], x[1])), abs(oracle::exact(x[0]) + oracle::exact(x[1])));
  }
}

TEST(ExactProduct, IsNaNWhereItsErrorMayBeLost) {
  EXPECT_TRUE(std::isnan(exact_product(0x1.8p-500, 0x1.4p-500).e));
  EXPECT_EQ(exact_product(0x1.8p-500, 0).e, 0);
  EXPECT_FALSE(std::isnan(exact_product(0x1.8p-400, 0x1.4p-500).e));
}

}  // namespace
}  // namespace assay::probes
