#include "kernels/sum/accurate_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <vector>

#include "named_sum.hpp"

namespace assay::sum {
namespace {

/// n integers of mixed signs, and numbers 2⁴⁰ times as large that cancel: the exact sum is an integer below 2²⁴.
template <class T>
std::vector<T> cancelling(std::size_t n) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) {
    const auto integer = static_cast<T>(static_cast<std::int64_t>(i * 2654435761u % 2001u) - 1000);
    x.push_back(i % 2 == 0 ? integer + static_cast<T>(0x1p20) * static_cast<T>(i + 1) : integer);
    if (i % 2 == 1) x.push_back(-static_cast<T>(0x1p20) * static_cast<T>(i));
  }
  return x;
}

template <class T>
T exact_sum_of(std::span<const T> x) {
  std::int64_t sum = 0;
  for (const T each : x) sum += static_cast<std::int64_t>(each);
  return static_cast<T>(sum);
}

template <class T>
const Named<T> sums[] = {
    {"acc_sum", acc_sum<T>, acc_sum<T>},
    {"near_sum", near_sum<T>, near_sum<T>},
    {"fast_acc_sum", fast_acc_sum<T>, fast_acc_sum<T>},
    {"prec_sum",
     [](const Executor& on, std::span<const T> x, Offsets offsets) { return prec_sum<T>(on, 3, x, offsets); },
     [](const Executor& on, std::span<const T> x) { return prec_sum<T>(on, 3, x); }}};

template <class T>
class AccurateSums : public testing::Test {
 protected:
  const std::vector<T> x = cancelling<T>(500);
  const std::vector<std::size_t> offsets{0, 0, 1, 4, 9, 300, 650};
  std::span<const T> vector(std::size_t i) const {
    return std::span<const T>(x).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(AccurateSums, Numbers);

TYPED_TEST(AccurateSums, OfABatchAreTheExactSumsWhereThoseAreNumbers) {
  using T = TypeParam;
  for (const Named<T>& sum : sums<T>) {
    const std::vector<T> results = sum.batch(Executor::host(), this->x, this->offsets);
    ASSERT_EQ(results.size(), this->offsets.size() - 1);
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i], exact_sum_of(this->vector(i))) << sum.name << ' ' << i;
      EXPECT_EQ(sum.single(Executor::host(), this->vector(i)), results[i]) << sum.name << ' ' << i;
    }
  }
}

TYPED_TEST(AccurateSums, HaveTheSignsOfTheSums) {
  using T = TypeParam;
  const std::vector<std::int32_t> signs = acc_sign<T>(Executor::host(), this->x, this->offsets);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const T sum = exact_sum_of(this->vector(i));
    EXPECT_EQ(signs[i], sum > 0 ? 1 : sum < 0 ? -1 : 0) << i;
  }
}

TYPED_TEST(AccurateSums, OfSeveralWordsStandSideBySide) {
  using T = TypeParam;
  const T one = 1;
  const T small = std::ldexp(one, -60);
  const T smaller = std::ldexp(one, -120);
  const std::vector<T> x{small, one, smaller, one, smaller, small};
  const std::vector<std::size_t> offsets{0, 3, 4, 6};
  const std::vector<T> expected{one, small, smaller, one, 0, 0, small, smaller, 0};
  EXPECT_EQ(acc_sum_k<T>(Executor::host(), 3, x, offsets), expected);
}

TYPED_TEST(AccurateSums, AreTheSameBitsInEveryOrder) {
  using T = TypeParam;
  for (const Named<T>& sum : sums<T>) {
    const std::vector<T> ascending = sum.batch(Executor::host(), this->x, this->offsets);
    EXPECT_EQ(sum.batch(Executor::host(Order::descending), this->x, this->offsets), ascending) << sum.name;
    EXPECT_EQ(sum.batch(Executor::host(Order::shuffled, 7), this->x, this->offsets), ascending) << sum.name;
  }
}

TEST(AccurateSumLimit, OfLengthIsChecked) {
  const std::vector<float> x(4095, 1.0f);
  const auto front = [&](std::size_t n) { return std::span<const float>(x).first(n); };
  EXPECT_EQ(acc_sum<float>(Executor::host(), front(4094)), 4094.0f);
  EXPECT_THROW(acc_sum<float>(Executor::host(), x), std::invalid_argument);
  EXPECT_THROW(near_sum<float>(Executor::host(), x), std::invalid_argument);
  EXPECT_EQ(fast_acc_sum<float>(Executor::host(), front(2894)), 2894.0f);
  EXPECT_THROW(fast_acc_sum<float>(Executor::host(), front(2895)), std::invalid_argument);
  EXPECT_EQ(acc_sign<float>(Executor::host(), x), 1);
}

TEST(AccurateSumBatch, RefusesWrongOffsetsAndNoWords) {
  const std::vector<double> x(5);
  const std::vector<std::size_t> decreasing{0, 3, 2};
  const std::vector<std::size_t> beyond{0, 6};
  EXPECT_THROW(acc_sum<double>(Executor::host(), x, decreasing), std::invalid_argument);
  EXPECT_THROW(acc_sign<double>(Executor::host(), x, beyond), std::invalid_argument);
  EXPECT_THROW(acc_sum_k<double>(Executor::host(), 0, x), std::invalid_argument);
  EXPECT_THROW(accumulator_sum(Executor::host(), 5, Rounding::rn, x), std::invalid_argument);
  EXPECT_THROW(accumulator_dot(Executor::host(), 3, Rounding::rn, x, std::vector<double>(4)), std::invalid_argument);
}

class Accumulators : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Words, Accumulators, testing::Values(0, 3, 4, 6, 8));

TEST_P(Accumulators, RoundInTheDirectionThatTheyAreTold) {
  const std::vector<double> x{1.0, 1e300, 0x1p-60, -1e300};
  const Executor on = Executor::host();
  EXPECT_EQ(accumulator_sum(on, GetParam(), Rounding::rn, x), 1.0);
  EXPECT_EQ(accumulator_sum(on, GetParam(), Rounding::ru, x), 1.0 + 0x1p-52);
  EXPECT_EQ(accumulator_sum(on, GetParam(), Rounding::rd, x), 1.0);
  const std::vector<double> y{-1.0, 1e300, 0x1p-1000, 1e300};
  EXPECT_EQ(accumulator_dot(on, GetParam(), Rounding::rn, x, y), -1.0);
  EXPECT_EQ(accumulator_dot(on, GetParam(), Rounding::rz, x, y), -1.0 + 0x1p-53);
  EXPECT_EQ(accumulator_dot(on, GetParam(), Rounding::rd, x, y), -1.0);
}

TEST_P(Accumulators, TakeOneLaunch) {
  const std::vector<double> x{1.0, 3.0};
  const Executor on = Executor::host();
  accumulator_sum(on, GetParam(), Rounding::rn, x);
  EXPECT_EQ(on.audit().calls, 1u);
}

TEST_P(Accumulators, TakeABatch) {
  const std::vector<double> x = cancelling<double>(100);
  const std::vector<double> ones(x.size(), 1.0);
  const std::vector<std::size_t> offsets{0, 0, 7, 150};
  const std::vector<double> results = accumulator_sum(Executor::host(), GetParam(), Rounding::rn, x, offsets);
  ASSERT_EQ(results.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results[i], exact_sum_of(std::span<const double>(x).subspan(offsets[i], offsets[i + 1] - offsets[i])));
  }
  EXPECT_EQ(accumulator_dot(Executor::host(), GetParam(), Rounding::rn, x, ones, offsets), results);
}

}  // namespace
}  // namespace assay::sum
