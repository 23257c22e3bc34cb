#include "kernels/gemm/scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace assay::gemm {
namespace {

std::vector<GemmLine> scan(const GemmLines& of, const Executor& on = Executor::host()) {
  std::vector<GemmLine> lines(static_cast<std::size_t>(of.lines));
  gemm_scan(on, of, lines.data());
  return lines;
}

GemmLine scan_one(const std::vector<double>& x) {
  return scan({.x = x.data(), .lines = 1, .length = static_cast<std::int64_t>(x.size())})[0];
}

TEST(GemmScan, FindsTheHighestAndTheLowestBit) {
  const GemmLine line = scan_one({3.0, -0x1.8p20, 0.0, 0x1p-30});
  EXPECT_EQ(line.top, 20);
  EXPECT_EQ(line.low, -30);
  EXPECT_EQ(line.bits(), 51);
}

TEST(GemmScan, DescribesTheLinesOfTwoMatricesInOneLaunch) {
  std::vector<double> x(9 * 5);  // nine lines are one more than a block takes
  std::vector<double> y(2 * 5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::ldexp(1.0, static_cast<int>(i));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = -std::ldexp(3.0, -static_cast<int>(i));
  const GemmLines first{.x = x.data(), .lines = 9, .length = 5, .line_step = 5};
  const GemmLines second{.x = y.data(), .lines = 2, .length = 5, .inner_step = 2};
  std::vector<GemmLine> both(11);
  const Executor on = Executor::host();
  gemm_scan(on, first, second, both.data());
  EXPECT_EQ(on.audit().calls, 1u);
  std::vector<GemmLine> apart = scan(first);
  for (const GemmLine& line : scan(second)) apart.push_back(line);
  for (std::size_t i = 0; i < both.size(); ++i) {
    EXPECT_EQ(both[i].top, apart[i].top) << i;
    EXPECT_EQ(both[i].low, apart[i].low) << i;
    EXPECT_EQ(both[i].sum, apart[i].sum) << i;
  }
}

TEST(GemmScan, TakesTheLargestMagnitudeWhereItIsNegative) { EXPECT_EQ(scan_one({1.0, -4.0, 2.0}).top, 2); }

TEST(GemmScan, KnowsThatSubnormalNumbersHaveNoImplicitBit) {
  const GemmLine line = scan_one({0x3p-1074, 0x1p-1072});
  EXPECT_EQ(line.top, -1072);
  EXPECT_EQ(line.low, -1074);
}

TEST(GemmScan, HasNothingToSayOfALineOfZeros) {
  const GemmLine line = scan_one({0.0, -0.0, 0.0});
  EXPECT_TRUE(line.is_zero());
  EXPECT_EQ(line.bits(), 0);
  EXPECT_EQ(line.sum, 0);
  EXPECT_EQ(line.squares, 0);
  EXPECT_EQ(line.non_finite, 0);
}

TEST(GemmScan, MarksInfinitiesAndNaNsAndLeavesThemOut) {
  for (const double special : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const GemmLine line = scan_one({1.0, special});
    EXPECT_EQ(line.non_finite, 1);
    EXPECT_EQ(line.top, 0);
    EXPECT_TRUE(std::isfinite(line.sum));
  }
}

TEST(GemmScan, BoundsSumsFromAboveAndClosely) {
  std::mt19937_64 random(1);
  std::vector<double> x;
  long double sum = 0;
  long double squares = 0;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(static_cast<double>(random() >> 40) * (i % 2 == 0 ? 1 : -1));  // sums exact in long double
    sum += std::abs(x.back());
    squares += static_cast<long double>(x.back()) * x.back();
  }
  const GemmLine line = scan_one(x);
  EXPECT_GE(line.sum, sum);
  EXPECT_LE(line.sum, sum * (1 + 0x1p-40L));
  EXPECT_GE(line.squares, squares);
  EXPECT_LE(line.squares, squares * (1 + 0x1p-40L));
}

TEST(GemmScan, EnlargesSumsByFourUnitsForEachTermAndFourMore) {
  // (1 + 4(n + 4)u)·s, and n·2⁻¹⁰⁷⁴, which rounding leaves out.
  const GemmLine line = scan_one({2.0});
  EXPECT_EQ(line.sum, 2 * (1 + 4 * 5 * 0x1p-53));
  EXPECT_EQ(line.squares, 4 * (1 + 4 * 5 * 0x1p-53));
}

TEST(GemmScan, BoundsSquaresThatUnderflow) { EXPECT_GT(scan_one({0x1p-600}).squares, 0); }

TEST(GemmScan, ReadsRowsAndColumnsByTheirSteps) {
  // A 2 × 3 matrix with leading dimension 3; numbers between its columns are not read.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{1, 16, nan, 2, 32, nan, 4, 64, nan};
  GemmArguments g{.m = 2, .n = 3, .k = 3, .a = x.data(), .lda = 3, .b = x.data(), .ldb = 3};
  const std::vector<GemmLine> rows = scan(GemmLines::rows_of_a(g));
  EXPECT_EQ(rows[0].top, 2);
  EXPECT_EQ(rows[1].top, 6);
  g.k = 2;
  const std::vector<GemmLine> columns = scan(GemmLines::columns_of_b(g));
  EXPECT_EQ(columns[0].top, 4);
  EXPECT_EQ(columns[2].top, 6);
  EXPECT_EQ(columns[2].low, 2);
  g.trans_b = blas::Transpose::yes;
  g.n = 2;
  g.k = 3;
  const std::vector<GemmLine> transposed = scan(GemmLines::columns_of_b(g));
  EXPECT_EQ(transposed[0].top, 2);
  EXPECT_EQ(transposed[1].low, 4);
  EXPECT_EQ(scan(GemmLines::columns_of_b(g).across())[1].top, 5);
}

TEST(GemmScan, ShiftsExponentsByTheInnerIndex) {
  const std::vector<double> x{1, 2, 4};
  const std::vector<std::int32_t> shift{10, 0, -10};
  GemmLines of{.x = x.data(), .lines = 1, .length = 3, .shift = shift.data()};
  EXPECT_EQ(scan(of)[0].top, 10);
  EXPECT_EQ(scan(of)[0].low, -8);
  EXPECT_GE(scan(of)[0].sum, 0x1p10);
  of.sign = -1;
  EXPECT_EQ(scan(of)[0].top, 12);
  EXPECT_EQ(scan(of)[0].low, -10);
}

TEST(GemmScan, IsTheSameInEveryOrderOfThreads) {
  std::mt19937_64 random(2);
  std::vector<double> x(37 * 50);
  for (double& each : x) each = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 100));
  const GemmLines of{.x = x.data(), .lines = 37, .length = 50, .line_step = 1, .inner_step = 37};
  const std::vector<GemmLine> ascending = scan(of);
  const std::vector<GemmLine> shuffled = scan(of, Executor::host(Order::shuffled, 3));
  for (std::size_t i = 0; i < 37; ++i) {
    EXPECT_EQ(ascending[i].top, shuffled[i].top);
    EXPECT_EQ(ascending[i].low, shuffled[i].low);
    EXPECT_EQ(ascending[i].sum, shuffled[i].sum);
  }
}

TEST(GemmScanSummary, IsTheExtremesOverLines) {
  const std::vector<double> x{1, 5, 0, 0, 0x1p-9, 0x1p9};
  const std::vector<GemmLine> lines = scan({.x = x.data(), .lines = 3, .length = 2, .line_step = 2});
  const GemmScanSummary summary = gemm_scan_summary(Executor::host(), lines.data(), 3);
  EXPECT_EQ(summary.most_bits, 19);
  EXPECT_EQ(summary.top, 9);
  EXPECT_EQ(summary.low, -9);
  EXPECT_EQ(summary.non_finite, 0);
}

}  // namespace
}  // namespace assay::gemm
