#include "kernels/sum/summation.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "named_sum.hpp"

namespace assay::sum {
namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 1000};

/// n integers below 2²⁰ in magnitude: every partial sum is exact in binary64, so that every algorithm gives their sum.
template <class T>
std::vector<T> integers(std::size_t n, std::int64_t most) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(static_cast<T>(static_cast<std::int64_t>(i * 2654435761u % 1000003u) % (2 * most + 1) - most));
  }
  return x;
}

/// n numbers of mixed magnitudes whose sums round.
template <class T>
std::vector<T> rounding(std::size_t n) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) {
    const T magnitude = static_cast<T>(std::int64_t{1} << (i * 7 % 40));
    x.push_back((i % 3 == 1 ? -magnitude : magnitude) / static_cast<T>(i % 11 + 3));
  }
  return x;
}

template <class T>
const Named<T> sums[] = {{"recursive_sum", recursive_sum<T>, recursive_sum<T>},
                         {"pairwise_sum", pairwise_sum<T>, pairwise_sum<T>},
                         {"kahan_sum", kahan_sum<T>, kahan_sum<T>},
                         {"neumaier_sum", neumaier_sum<T>, neumaier_sum<T>},
                         {"sum2", sum2<T>, sum2<T>},
                         {"sum_k<3>", sum_k<3, T>, sum_k<3, T>},
                         {"sum_k<4>", sum_k<4, T>, sum_k<4, T>},
                         {"block_sum", block_sum<T>, block_sum<T>},
                         {"block_sum2", block_sum2<T>, block_sum2<T>}};

template <class T>
struct NamedDot {
  const char* name;
  std::function<T(const Executor&, std::span<const T>, std::span<const T>)> single;
};

template <class T>
const NamedDot<T> dots[] = {{"recursive_dot", recursive_dot<T>}, {"dot2", dot2<T>},
                            {"dot_k<3>", dot_k<3, T>},           {"dot_k<4>", dot_k<4, T>},
                            {"block_dot", block_dot<T>},         {"block_dot2", block_dot2<T>}};

template <class T>
class Summation : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(Summation, Numbers);

TYPED_TEST(Summation, OfSmallIntegersIsExactForEveryLength) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    const std::vector<T> x = integers<T>(n, 1000);
    std::int64_t exact = 0;
    for (const T value : x) exact += static_cast<std::int64_t>(value);
    for (const Named<T>& sum : sums<T>)
      EXPECT_EQ(sum.single(Executor::host(), x), static_cast<T>(exact)) << sum.name << ' ' << n;
  }
}

TYPED_TEST(Summation, OfProductsOfSmallIntegersIsExactForEveryLength) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    const std::vector<T> x = integers<T>(n, 100);
    const std::vector<T> y = integers<T>(n, 50);
    std::int64_t exact = 0;
    for (std::size_t i = 0; i < n; ++i) exact += static_cast<std::int64_t>(x[i]) * static_cast<std::int64_t>(y[i]);
    for (const NamedDot<T>& dot : dots<T>)
      EXPECT_EQ(dot.single(Executor::host(), x, y), static_cast<T>(exact)) << dot.name << ' ' << n;
  }
}

TYPED_TEST(Summation, GivesTheSameBitsInEveryOrder) {
  using T = TypeParam;
  const std::vector<T> x = rounding<T>(1000);
  const std::vector<std::size_t> offsets{0, 1, 3, 34, 99, 1000};
  for (const Named<T>& sum : sums<T>) {
    const std::vector<T> ascending = sum.batch(Executor::host(), x, offsets);
    EXPECT_EQ(sum.batch(Executor::host(Order::descending), x, offsets), ascending) << sum.name;
    EXPECT_EQ(sum.batch(Executor::host(Order::shuffled, 11), x, offsets), ascending) << sum.name;
  }
}

TYPED_TEST(Summation, OfABatchEqualsEachVectorAlone) {
  using T = TypeParam;
  std::vector<std::size_t> offsets{0};
  for (const std::size_t n : sizes) offsets.push_back(offsets.back() + n);
  const std::vector<T> x = rounding<T>(offsets.back());
  for (const Named<T>& sum : sums<T>) {
    const std::vector<T> batch = sum.batch(Executor::host(), x, offsets);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto alone = std::span<const T>(x).subspan(offsets[i], offsets[i + 1] - offsets[i]);
      EXPECT_EQ(batch[i], sum.single(Executor::host(), alone)) << sum.name << ' ' << i;
    }
  }
}

TYPED_TEST(Summation, LeavesTheAuditClean) {
  using T = TypeParam;
  const Executor on = Executor::host();
  const std::vector<T> x = rounding<T>(100);
  for (const Named<T>& sum : sums<T>) sum.single(on, x);
  EXPECT_EQ(on.audit(), (Audit{.calls = std::size(sums<T>)}));
}

TYPED_TEST(Summation, NeumaierAndSum2HaveTheSameBits) {
  const std::vector<TypeParam> x = rounding<TypeParam>(1000);
  EXPECT_EQ(neumaier_sum<TypeParam>(Executor::host(), x), sum2<TypeParam>(Executor::host(), x));
}

TEST(KahanSum, LosesOneBesideTwoLargeNumbersThatCancel) {
  EXPECT_EQ(kahan_sum<double>(Executor::host(), std::vector<double>{1e16, 1, -1e16}), 0.0);
}

TEST(Sum2, KeepsOneBesideTwoLargeNumbersThatCancel) {
  EXPECT_EQ(sum2<double>(Executor::host(), std::vector<double>{1, 1e100, 1, -1e100}), 2.0);
}

TEST(Sum2, IsNotCorrectlyRounded) {
  EXPECT_EQ(sum2<double>(Executor::host(), std::vector<double>{1, 0x1p-53, 0x1p-106}), 1.0);
}

TEST(SumK, OfFourLevelsFindsASmallSumUnderCancellation) {
  EXPECT_EQ((sum_k<4, double>(Executor::host(), std::vector<double>{0x1p100, 1, 0x1p-60, -0x1p100, -1})), 0x1p-60);
}

TEST(PairwiseSum, SplitsAtTheLargestPowerOfTwo) {
  const double u = 0x1p-53;
  // (1 + u) + (u + u) = 1 + 2u, whereas the sum from left to right stays at 1.
  EXPECT_EQ(pairwise_sum<double>(Executor::host(), std::vector<double>{1, u, u, u}), 1 + 2 * u);
}

TEST(BlockSum, AddsTheStridedPartsInATree) {
  const double u = 0x1p-53;
  std::vector<double> x(128, 0.0);
  x[0] = 1;   // thread 0
  x[64] = u;  // thread 0 again: lost
  x[1] = u;   // thread 1
  x[3] = u;   // thread 3, combined with thread 1 before thread 0
  EXPECT_EQ(block_sum<double>(Executor::host(), x), 1 + 2 * u);
}

TEST(Dot2, FindsTheOneBetweenLargeProductsThatCancel) {
  const std::vector<double> x{1e8, 1, 1e8};
  const std::vector<double> y{1e8, 1, -1e8};
  EXPECT_EQ(dot2<double>(Executor::host(), x, y), 1.0);
  EXPECT_EQ(block_dot2<double>(Executor::host(), x, y), 1.0);
}

TEST(DotF32InF64, KeepsEveryProductExact) {
  const std::vector<float> x{0x1.000002p0f, -1.0f};
  const std::vector<float> y{0x1.000002p0f, 1.0f};
  const double exact = 0x1p-22 + 0x1p-46;
  EXPECT_EQ(dot_f32_in_f64(Executor::host(), x, y), exact);
  EXPECT_EQ(block_dot_f32_in_f64(Executor::host(), x, y), exact);
}

TEST(Offsets, AreRefusedWhenTheyDecrease) {
  EXPECT_THROW(sum2<double>(Executor::host(), std::vector<double>(3), std::vector<std::size_t>{0, 2, 1}),
               std::invalid_argument);
}

TEST(Offsets, AreRefusedWhenTheyEndBehindTheData) {
  EXPECT_THROW(sum2<double>(Executor::host(), std::vector<double>(3), std::vector<std::size_t>{0, 4}),
               std::invalid_argument);
}

TEST(Dot, RefusesVectorsOfDifferentSizes) {
  EXPECT_THROW(dot2<double>(Executor::host(), std::vector<double>(3), std::vector<double>(2)), std::invalid_argument);
}

}  // namespace
}  // namespace assay::sum
