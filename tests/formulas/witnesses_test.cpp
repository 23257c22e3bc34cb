// Results that published tolerances misjudge: the bound holds for them, and is not larger than it must be. The
// tolerances are those of hipDNN's DynamicTolerances, γ = 2kε/(1 − 2kε) with ε = 2u, and 6√(2k)·ε where 2kε ≥ 0.01.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/formulas/rules.hpp"

namespace assay::formulas {
namespace {

constexpr double epsilon = 2 * u;

double published(double k) {
  const double linear = 2 * k * epsilon;
  return linear < 0.01 ? linear / (1 - linear) : 6 * std::sqrt(2 * k) * epsilon;
}

TEST(Witnesses, ALayerNormBesideItsMeanErrsByHalfAndIsWithinItsBound) {
  // The mean 2²³ + 0.75 rounds to 2²³ + 1, and the distances to it are 1 and 0 in place of 0.75 and 0.25.
  const float first = 0x1p23F;
  const std::vector<float> x{first, first + 1, first + 1, first + 1};
  const float eps = 0x1p-17F;
  float sum = 0;
  for (const float each : x) sum += each - first;
  const float mean = first + std::nearbyint(sum / 4);  // correctly rounded
  EXPECT_EQ(mean, first + 1);
  float squares = 0;
  for (const float each : x) squares += (each - mean) * (each - mean);
  const double exact_root = std::sqrt(0.1875 + static_cast<double>(eps));
  const Small small(
      "f(x[n], gamma[n], beta[n], eps) -> y[n]\n  mu = mean(x, axis=n)\n  d = x - mu\n"
      "  s = rsqrt(variance(x, axis=n) + eps)\n  y = d * s * gamma + beta\n",
      {4}, {{first, first + 1, first + 1, first + 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {eps}});
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double got = static_cast<double>((x[i] - mean) / std::sqrt(squares / 4 + eps));
    const double exact = (static_cast<double>(x[i]) - 0x1p23 - 0.75) / exact_root;
    const double error = std::abs(got - exact);
    largest = std::max(largest, error);
    const double bound = std::min(small.bound(machine(), i), small.by_mean(machine(), i));
    EXPECT_LE(error, bound) << i;
    EXPECT_LE(bound, 8) << i;
  }
  EXPECT_GT(largest, 0.57);
  EXPECT_GT(largest, 1e5 * (published(4) / 2 + 5 * epsilon));  // |x̂| is taken for 1
}

TEST(Witnesses, OnesThatStallInOrderAreWithinTheBoundOfAnyOrder) {
  constexpr double n = 0x1p25;
  const double lost = n - 0x1p24;  // in binary32, in order, the sum stays at 2²⁴
  EXPECT_GT(lost / n, 80 * published(n));
  EXPECT_LE(lost, (n - 1) * u * n);  // formula.sum.1

  // The same with 8 bits, by the engine: the sum of 2⁹ ones stays at 2⁸.
  Machine narrow = machine();
  narrow.wide = oracle::bfloat16;
  const Small ones("x[n] = sum(x, axis=n)", {512}, {std::vector<double>(512, 1)}, oracle::bfloat16);
  EXPECT_LE(256, ones.bound(narrow));
  EXPECT_NEAR(ones.bound(narrow), 511 * 512 * 0x1p-8, 1e-3);
}

TEST(Witnesses, AProductOf4096HasABoundAThousandTimesSmallerThanTheNormsGive) {
  constexpr std::size_t k = 4096;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<std::vector<double>> numbers(2);
  double row_of_a = 0;  // the norms are the largest such sums of all rows
  double row_of_b = 0;
  for (std::size_t j = 0; j < k; ++j) {
    numbers[0].push_back(static_cast<double>(normal(random)));
    numbers[1].push_back(static_cast<double>(normal(random)));
    row_of_a += std::abs(numbers[0].back());
    row_of_b += std::abs(static_cast<double>(normal(random)));
  }
  float sum = 0;
  double exact = 0;
  for (std::size_t j = 0; j < k; ++j) {
    sum += static_cast<float>(numbers[0][j]) * static_cast<float>(numbers[1][j]);
    exact += numbers[0][j] * numbers[1][j];
  }
  const Small small("f(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n", {1, k, 1}, numbers);
  const double bound = small.bound(machine());
  EXPECT_LE(std::abs(static_cast<double>(sum) - exact), bound);
  EXPECT_GT(published(k) * row_of_a * row_of_b, 1e4 * bound);
}

}  // namespace
}  // namespace assay::formulas
