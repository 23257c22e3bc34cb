// The bits of the host and of CUDA device 0 agree.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "exec/self_test.hpp"
#include "kernels/dw/double_word.hpp"
#include "kernels/eft/error_free.hpp"
#include "kernels/op/operations.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "kernels/sum/summation.hpp"

namespace assay {
namespace {

class Device : public testing::Test {
 protected:
  void SetUp() override {
    if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  }
};

/// Numbers of either sign over ±`binades` binades, by SplitMix64.
template <class T>
std::vector<T> numbers(std::size_t n, int binades, std::uint64_t seed) {
  std::vector<T> x;
  bits::SplitMix64 random{seed};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t z = random();
    const int exponent = static_cast<int>((z >> 54) % static_cast<unsigned>(2 * binades + 1)) - binades;
    const T magnitude = static_cast<T>(std::ldexp(1.0 + static_cast<double>(z & 0xFFFFFFFFFFFFFu) * 0x1p-52, exponent));
    x.push_back((z >> 53) & 1 ? -magnitude : magnitude);
  }
  return x;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Each operation gives the same bits on host and device.
template <class... Op, class Input>
void expect_same_bits(const std::vector<Input>& x) {
  const auto expect = [&](auto op) {
    using One = decltype(op);
    EXPECT_TRUE(same_bits(elementwise<One>(Executor::host(), x), elementwise<One>(Executor::cuda(), x)));
  };
  (expect(Op{}), ...);
}

/// A kernel, called with the arguments after the executor, gives the same bits on host and device.
template <class T, class Kernel, class... Arguments>
void expect_same_results(const Kernel& kernel, const Arguments&... arguments) {
  EXPECT_TRUE(same_bits<T>(kernel(Executor::host(), arguments...), kernel(Executor::cuda(), arguments...)));
}

template <class T>
std::vector<Pair<T>> pairs(std::size_t n, int binades) {
  const std::vector<T> a = numbers<T>(n, binades, 1);
  const std::vector<T> b = numbers<T>(n, binades, 2);
  std::vector<Pair<T>> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back({a[i], b[i]});
  return x;
}

template <class T>
std::vector<DwDw<T>> double_word_pairs(std::size_t n) {
  std::vector<DwDw<T>> x;
  const std::vector<Pair<T>> high = pairs<T>(n, 8);
  const std::vector<Pair<T>> low = pairs<T>(n, 2);
  for (std::size_t i = 0; i < n; ++i) {
    const Sum<T> a = two_sum(high[i].a, low[i].b / 3);
    const Sum<T> b = two_sum(high[i].b, low[i].a / 3);
    x.push_back({{a.s, a.e}, {b.s, b.e}});
  }
  return x;
}

TEST_F(Device, FindsNothingInItsSelfTest) { EXPECT_THAT(self_test(Executor::cuda()), testing::IsEmpty()); }

TEST_F(Device, LeavesTheAuditClean) {
  const Executor on = Executor::cuda();
  elementwise<eft::TwoSum<double>>(on, pairs<double>(1000, 100));
  EXPECT_EQ(on.audit(), (Audit{.calls = 1}));
}

template <class T>
class DeviceBits : public Device {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(DeviceBits, Numbers);

TYPED_TEST(DeviceBits, OfOperationsAreThoseOfTheHost) {
  using T = TypeParam;
  const std::vector<Pair<T>> x = pairs<T>(100000, 120);
  expect_same_bits<op::Add<T>, op::Sub<T>, op::Mul<T>, op::Div<T>>(x);
}

TYPED_TEST(DeviceBits, OfDirectedOperationsAreThoseOfTheHost) {
  using T = TypeParam;
  const std::vector<Pair<T>> x = pairs<T>(100000, 120);
  expect_same_bits<op::AddRu<T>, op::AddRd<T>, op::MulRu<T>, op::MulRd<T>, op::DivRu<T>, op::DivRd<T>>(x);
}

TYPED_TEST(DeviceBits, OfErrorFreeTransformsAreThoseOfTheHost) {
  using T = TypeParam;
  const std::vector<Pair<T>> x = pairs<T>(100000, 40);
  expect_same_bits<eft::TwoSum<T>, eft::FastTwoSum<T>, eft::TwoProd<T>, eft::DekkerProd<T>, eft::MaskedProd<T>>(x);
}

TYPED_TEST(DeviceBits, OfDoubleWordsAreThoseOfTheHost) {
  using T = TypeParam;
  const std::vector<DwDw<T>> x = double_word_pairs<T>(100000);
  expect_same_bits<dw::DwSloppyAdd<T>, dw::DwAccurateAdd<T>, dw::DwMul1<T>, dw::DwMul3<T>, dw::DwDiv2<T>,
                   dw::DwDiv3<T>>(x);
}

TYPED_TEST(DeviceBits, OfSumsAreThoseOfTheHost) {
  using T = TypeParam;
  const std::vector<T> x = numbers<T>(10000, 30, 3);
  const std::vector<std::size_t> offsets{0, 0, 1, 3, 34, 67, 131, 1131, 10000};
  expect_same_results<T>(sum::recursive_sum<T>, x, offsets);
  expect_same_results<T>(sum::pairwise_sum<T>, x, offsets);
  expect_same_results<T>(sum::kahan_sum<T>, x, offsets);
  expect_same_results<T>(sum::neumaier_sum<T>, x, offsets);
  expect_same_results<T>(sum::sum2<T>, x, offsets);
  expect_same_results<T>(sum::sum_k<3, T>, x, offsets);
  expect_same_results<T>(sum::sum_k<4, T>, x, offsets);
  expect_same_results<T>(sum::block_sum<T>, x, offsets);
  expect_same_results<T>(sum::block_sum2<T>, x, offsets);
}

TYPED_TEST(DeviceBits, OfDotsAreThoseOfTheHost) {
  using T = TypeParam;
  const std::vector<T> x = numbers<T>(10000, 15, 4);
  const std::vector<T> y = numbers<T>(10000, 15, 5);
  const std::vector<std::size_t> offsets{0, 0, 1, 3, 34, 67, 131, 1131, 10000};
  expect_same_results<T>(sum::recursive_dot<T>, x, y, offsets);
  expect_same_results<T>(sum::dot2<T>, x, y, offsets);
  expect_same_results<T>(sum::dot_k<3, T>, x, y, offsets);
  expect_same_results<T>(sum::dot_k<4, T>, x, y, offsets);
  expect_same_results<T>(sum::block_dot<T>, x, y, offsets);
  expect_same_results<T>(sum::block_dot2<T>, x, y, offsets);
}

// Exponents far apart, in so many terms that the superaccumulators of the blocks add whole tiles: with two blocks and
// with as many as the device has.
TEST_F(Device, HasTheBitsOfTheHostInExactSumsOfEveryExponent) {
  const Executor few = Executor::cuda().with_most_blocks(2);
  for (const auto& [on, n] : {std::pair(few, 300'000), std::pair(Executor::cuda(), 30'000'000)}) {
    const std::vector<double> x = numbers<double>(static_cast<std::size_t>(n), 1000, 1);
    EXPECT_EQ(sum::exact_sum(on, x), sum::exact_sum(Executor::host(), x));
    const std::vector<double> backward(x.rbegin(), x.rend());
    EXPECT_EQ(sum::exact_sum(on, backward), sum::exact_sum(Executor::host(), x));
    const std::vector<double> y = numbers<double>(static_cast<std::size_t>(n), 20, 2);  // no product overflows
    EXPECT_EQ(sum::exact_dot(on, x, y), sum::exact_dot(Executor::host(), x, y));
  }
}

// One sign, so that digits carry as often as they can.
TEST_F(Device, HasTheBitsOfTheHostInExactSumsOfPositiveNumbersOfEveryExponent) {
  std::vector<double> x = numbers<double>(300'000, 500, 4);  // no square overflows
  for (double& each : x) each = std::abs(each);
  const Executor few = Executor::cuda().with_most_blocks(2);
  EXPECT_EQ(sum::exact_sum(few, x), sum::exact_sum(Executor::host(), x));
  EXPECT_EQ(sum::exact_dot(few, x, x), sum::exact_dot(Executor::host(), x, x));
}

// Every path of a block: windows, the superaccumulator, and changes between them in the middle of a sum.
TEST_F(Device, HasTheBitsOfTheHostInExactSumsOfManySizesAndRangesOfExponents) {
  bits::SplitMix64 random{5};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int i = 0; i < 150; ++i) {
    const Executor on = Executor::cuda().with_most_blocks(1 + below(3));
    constexpr int binades[] = {1, 20, 60, 100, 300, 480};
    std::vector<double> x, y;
    for (std::size_t parts = 1 + below(3); parts > 0; --parts) {
      const std::size_t n = 1 + below(std::size_t{1} << (1 + below(18)));
      const std::vector<double> more_x = numbers<double>(n, binades[below(std::size(binades))], random());
      const std::vector<double> more_y = numbers<double>(n, binades[below(std::size(binades))], random());
      x.insert(x.end(), more_x.begin(), more_x.end());
      y.insert(y.end(), more_y.begin(), more_y.end());
    }
    ASSERT_EQ(sum::exact_sum(on, x), sum::exact_sum(Executor::host(), x)) << i;
    ASSERT_EQ(sum::exact_dot(on, x, y), sum::exact_dot(Executor::host(), x, y)) << i;
  }
}

TEST_F(Device, HasTheBitsOfTheHostInDotsOfBinary32InBinary64) {
  const std::vector<float> x = numbers<float>(10000, 15, 6);
  const std::vector<float> y = numbers<float>(10000, 15, 7);
  EXPECT_EQ(sum::dot_f32_in_f64(Executor::cuda(), x, y), sum::dot_f32_in_f64(Executor::host(), x, y));
  EXPECT_EQ(sum::block_dot_f32_in_f64(Executor::cuda(), x, y), sum::block_dot_f32_in_f64(Executor::host(), x, y));
}

}  // namespace
}  // namespace assay
