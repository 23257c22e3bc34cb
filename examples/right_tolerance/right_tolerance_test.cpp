// A dot product of 1000 terms, tested twice: by the usual guess, and by its bound.
//
// The guess |got − reference| ≤ 1e-12·|reference| errs in both directions. It refuses a right kernel whose data cancel,
// because there the reference is small and the rounding errors are not. And it accepts a wrong kernel that drops a
// small term, or adds in a shorter format, if the reference is large enough. The bound follows from the operations:
// γ_n·Σ|xⱼyⱼ|. It knows of the cancellation, and it has no number to tune.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/testing.hpp"

namespace {

using assay::testing::WithinDotBound;
using ::testing::Not;

using Vector = std::vector<double>;

/// The kernel: four running sums, added at the end.
double dot(const Vector& x, const Vector& y) {
  double sum[4] = {};
  for (std::size_t j = 0; j < x.size(); ++j) sum[j % 4] += x[j] * y[j];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// The same with a mistake: the last element is forgotten.
double dot_without_the_last(const Vector& x, const Vector& y) {
  Vector shorter = x;
  shorter.back() = 0;
  return dot(shorter, y);
}

/// A typical test: a plain loop as reference, a tolerance that was once found to pass.
bool all_close(double got, const Vector& x, const Vector& y) {
  double reference = 0;
  for (std::size_t j = 0; j < x.size(); ++j) reference += x[j] * y[j];
  return std::abs(got - reference) <= 1e-12 * std::abs(reference);
}

/// Terms that cancel except for about 2^-30: xⱼ runs up and down.
Vector cancelling() {
  Vector x;
  for (int j = 0; j < 500; ++j) x.push_back(std::exp2(j % 40) / 3);
  for (int j = 0; j < 499; ++j) x.push_back(-x[static_cast<std::size_t>(498 - j)]);
  x.push_back(-x[499] + 0x1p-30);
  return x;
}

/// One large term and small ones: the last is 9e-13 of the sum, and still eight times the bound.
Vector falling() {
  Vector x(1000, 0x1p-60);
  x.front() = 1;
  x.back() = 9e-13;
  return x;
}

/// y = (1, …, 1), so that the dot product is the sum of x.
const Vector ones(1000, 1.0);

TEST(RightKernel, IsRefusedByTheGuess) {
  const Vector x = cancelling();
  EXPECT_FALSE(all_close(dot(x, ones), x, ones));
}

TEST(RightKernel, KeepsItsBound) {
  const Vector x = cancelling();
  EXPECT_THAT(dot(x, ones), WithinDotBound(x, ones));
}

TEST(WrongKernel, PassesTheGuess) {
  const Vector x = falling();
  EXPECT_TRUE(all_close(dot_without_the_last(x, ones), x, ones));
}

TEST(WrongKernel, BreaksItsBound) {
  const Vector x = falling();
  EXPECT_THAT(dot_without_the_last(x, ones), Not(WithinDotBound(x, ones)));
}

}  // namespace
