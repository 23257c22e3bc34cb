#include "kernels/sum/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../arith/exact_sum_reference.hpp"
#include "kernels/sum/exact_sum_block.hpp"
#include "kernels/sum/exact_sum_host.hpp"

namespace assay::sum {
namespace {

using namespace reference;

/// Σ xᵢ in units of 2⁻¹⁰⁷⁴.
Integer reference_sum(const std::vector<double>& x) {
  Integer sum = 0;
  for (const double each : x) sum = sum + in_units(each);
  return sum;
}

/// Σ xᵢyᵢ in units of 2⁻²¹⁴⁸.
Integer reference_dot(const std::vector<double>& x, const std::vector<double>& y) {
  Integer sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum = sum + in_units(x[i]) * in_units(y[i]);
  return sum;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  /// ±1.xxx·2^e with low ≤ e ≤ high.
  double operator()(int low, int high) {
    const auto m = static_cast<double>(random_() >> 11 | std::uint64_t{1} << 52);
    const int e = low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
    return std::ldexp((random_() & 1) != 0 ? m : -m, e - 52);
  }
  std::vector<double> vector(std::size_t n, int low, int high) {
    std::vector<double> x(n);
    for (double& each : x) each = (*this)(low, high);
    return x;
  }

 private:
  std::mt19937_64 random_;
};

/// Vectors that stay in the first window, leave it upward and downward, and have every exponent.
std::vector<std::vector<double>> vectors() {
  Random random(30);
  std::vector<std::vector<double>> all;
  for (const std::size_t n : {1u, 2u, 255u, 256u, 2048u, 2049u, 10000u}) {
    all.push_back(random.vector(n, -40, 10));
    all.push_back(random.vector(n, -1022, 1023));
  }
  // So many that a block's superaccumulator adds whole tiles.
  all.push_back(random.vector(60000, -1022, 1023));
  all.push_back(random.vector(3000, -1074, -1000));
  all.push_back(random.vector(3000, 1000, 1022));
  std::vector<double> steps;
  for (const int e : {-900, 300, -30, 1020, 0, -1022, 200}) {
    const std::vector<double> part = random.vector(14000, e, e + 1);
    steps.insert(steps.end(), part.begin(), part.end());
  }
  all.push_back(steps);
  std::vector<double> cancelling = random.vector(5000, -1022, 1023);
  for (std::size_t i = 0; i < 5000; ++i) cancelling.push_back(-cancelling[4999 - i]);
  cancelling[1234] += std::ldexp(1.0, -1074);
  cancelling.push_back(0x1p-1074);
  all.push_back(cancelling);
  return all;
}

TEST(ExactSum, IsTheRoundedSumInEveryDirection) {
  for (const auto& x : vectors()) {
    const Integer sum = reference_sum(x);
    for (const Rounding to : directions) {
      EXPECT_TRUE(same(exact_sum(Executor::host(), x, to), reference::rounded_integer(sum, -1074, to))) << x.size();
    }
  }
}

TEST(ExactSum, SeesWhatIsNotFiniteInTilesThatItsSuperaccumulatorTakesWhole) {
  const Executor blocks = Executor::host(Order::descending);
  const std::vector<double> numbers = Random(34).vector(60000, -1000, 1000);
  const std::vector<double> ones(numbers.size(), 1);
  std::vector<double> x = numbers;
  x[59990] = -infinity;
  EXPECT_TRUE(same(exact_sum(blocks, x), -infinity));
  EXPECT_TRUE(same(exact_dot(blocks, x, ones), -infinity));
  x[59991] = infinity;
  EXPECT_TRUE(std::isnan(exact_sum(blocks, x)));
  EXPECT_TRUE(std::isnan(exact_dot(blocks, x, ones)));
}

TEST(ExactSum, OfManyEqualNumbersFillsItsWordsWithoutAnError) {
  // All words of the window hold as much as they can between two drains.
  for (const double x : {0x1.fffffffffffffp13, -0x1.fffffffffffffp13, 0x1.0000080000001p0}) {
    const std::vector<double> all(400000, x);
    EXPECT_EQ(exact_sum(Executor::host(), all), 400000 * x);
  }
}

TEST(ExactSum, GivesTheSameBitsInEveryOrder) {
  for (const auto& x : vectors()) {
    const double ascending = exact_sum(Executor::host(), x);
    EXPECT_TRUE(same(exact_sum(Executor::host(Order::descending), x), ascending));
    EXPECT_TRUE(same(exact_sum(Executor::host(Order::shuffled, 3), x), ascending));
  }
}

/// Calls test(vectors, threads) for the instructions that this processor has and some numbers of threads.
template <class Test>
void with_each_path(const Test& test) {
  for (const HostVectors vectors : {HostVectors::none, HostVectors::avx2, HostVectors::avx512}) {
    if (vectors > host_vectors()) continue;
    for (const unsigned threads : {1u, 2u, 5u}) test(vectors, threads);
  }
}

TEST(ExactSum, HasTheBitsOfTheBlocksWithAllInstructionsAndThreads) {
  std::vector<std::vector<double>> all = vectors();
  all.push_back(std::vector<double>(300, -0.0));
  all.push_back(all.back());
  all.back()[200] = 0.0;
  all.push_back(std::vector<double>(300, largest));
  all.push_back(Random(33).vector(1000, -3, 3));
  all.back()[700] = -infinity;
  all.push_back(all.back());
  all.back()[701] = infinity;
  for (const auto& x : all) {
    const auto n = static_cast<std::int64_t>(x.size());
    for (const Rounding to : directions) {
      const double blocks = exact_sum(Executor::host(Order::descending), x, to);
      with_each_path([&](HostVectors vectors, unsigned threads) {
        EXPECT_TRUE(same(exact_sum_on_host(vectors, threads, x.data(), n, to), blocks))
            << n << " terms, instructions " << static_cast<int>(vectors) << ", " << threads << " threads";
      });
    }
  }
}

TEST(ExactSum, OnTheHostMovesFullWindowsOnWithoutAnError) {
  // Behind a tile of ones the window has room for numbers below 2^15, of a dot product below 2^25: its words fill up as
  // fast as they can, and for longer than the drained words have room.
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> x(8'600'000, sign * 0x1.fffffffffffffp14);
    std::fill_n(x.begin(), 64, sign);
    const Integer sum = in_units(x.back()) * (8'600'000 - 64) + in_units(sign) * 64;
    const double rounded = reference::rounded_integer(sum, -1074, Rounding::rn);
    std::vector<double> y(2'200'000, 0x1.fffffffffffffp9);
    std::fill_n(y.begin(), 64, 1.0);
    const Integer dot = in_units(x.back()) * in_units(y.back()) * (2'200'000 - 64) + in_units(sign) * in_units(1) * 64;
    const double rounded_dot = reference::rounded_integer(dot, -2148, Rounding::rn);
    for (const HostVectors vectors : {HostVectors::none, HostVectors::avx2, HostVectors::avx512}) {
      if (vectors > host_vectors()) continue;
      EXPECT_EQ(exact_sum_on_host(vectors, 1, x.data(), 8'600'000, Rounding::rn), rounded);
      EXPECT_EQ(exact_dot_on_host(vectors, 1, x.data(), y.data(), 2'200'000, Rounding::rn), rounded_dot);
    }
  }
}

TEST(ExactSum, TakesMoreThreadsForMoreTerms) {
  EXPECT_EQ(host_threads(0), 1u);
  EXPECT_EQ(host_threads((1 << 19) - 1), 1u);
  EXPECT_EQ(host_threads(std::int64_t{1} << 35), std::max(1u, std::thread::hardware_concurrency()));
}

TEST(ExactSum, OfMinusZerosAloneIsMinusZero) {
  EXPECT_TRUE(same(exact_sum(Executor::host(), std::vector<double>{}), 0.0));
  EXPECT_TRUE(same(exact_sum(Executor::host(), std::vector<double>(3, -0.0)), -0.0));
  std::vector<double> x(5000, -0.0);
  EXPECT_TRUE(same(exact_sum(Executor::host(), x, Rounding::rd), -0.0));
  x[4000] = 0.0;
  EXPECT_TRUE(same(exact_sum(Executor::host(), x), 0.0));
}

TEST(ExactSum, HasTheInfinityOrTheNaNOfItsTerms) {
  std::vector<double> x(5000, largest);
  EXPECT_EQ(exact_sum(Executor::host(), x), infinity);
  EXPECT_EQ(exact_sum(Executor::host(), x, Rounding::rz), largest);
  x[3000] = -infinity;
  EXPECT_EQ(exact_sum(Executor::host(), x), -infinity);
  x[10] = infinity;
  EXPECT_TRUE(same(exact_sum(Executor::host(), x), nan));
}

TEST(ExactSum, OnTheHostHasTwoBlocksOfAsManyTiles) {
  using Sum = detail::ExactSumBlock<detail::ExactSumTerms>;
  const std::vector<double> x(5 * Sum::step, 1.0);
  const auto n = static_cast<std::int64_t>(x.size());
  constexpr std::int64_t untouched = 0x123456789;
  std::vector<std::int64_t> workspace(exact_sum_workspace(), untouched);
  double result = 0;
  exact_sum(Executor::host(Order::descending), x.data(), n, Rounding::rn, &result, workspace.data());
  EXPECT_EQ(result, 5 * Sum::step);
  constexpr std::ptrdiff_t stride = detail::exact_sum_stride;
  EXPECT_EQ(std::count(workspace.begin(), workspace.begin() + 2 * stride, untouched), 0);
  EXPECT_EQ(std::count(workspace.begin() + 2 * stride, workspace.end(), untouched),
            static_cast<std::ptrdiff_t>(workspace.size()) - 2 * stride);
}

TEST(ExactSum, HasPartsThatSayWhereTheirFewWordsAre) {
  const std::vector<double> x(100, 1.0);
  std::vector<std::int64_t> workspace(exact_sum_workspace());
  double result = 0;
  exact_sum(Executor::host(Order::descending), x.data(), 100, Rounding::rn, &result, workspace.data());
  const auto part = detail::PartOfSum::unpacked(workspace[Superaccumulator::words]);
  EXPECT_GT(part.end, part.first);
  EXPECT_LE(part.end - part.first, 3);  // 100 lies in one word of 32 bits, or where digits begin before it, in two
}

/// A block that adds up x alone, and its shared memory.
template <class Terms>
struct OneBlock {
  using Sum = detail::ExactSumBlock<Terms>;
  std::unique_ptr<typename Sum::Shared> shared = std::make_unique<typename Sum::Shared>();

  explicit OneBlock(const std::vector<double>& x) {
    Block<typename Sum::Shared, Sum::threads> block(*shared, 0);
    Terms terms{};
    terms.x = x.data();
    Sum{terms, static_cast<std::int64_t>(x.size()), 1, nullptr}.sum_up(block, 0);
  }
  /// The content of windows, if no thread left its first one since.
  [[nodiscard]] double in_windows() const {
    std::int64_t units = 0;
    for (const std::int64_t each : shared->drained[0]) units += each;
    return std::ldexp(static_cast<double>(units), Sum::window_for(shared->high).top - 52);
  }
};
using SumOfBlock = OneBlock<detail::ExactSumTerms>;

/// Tiles of ones, in which for those from `first` to before `end` each thread has half of its numbers far below.
std::vector<double> tiles_with_far_numbers(std::size_t tiles, std::size_t first, std::size_t end) {
  constexpr std::size_t step = SumOfBlock::Sum::step;
  std::vector<double> x(tiles * step, 1.0);
  for (std::size_t k = first; k < end; ++k) std::fill_n(x.data() + k * step, step / 2, 0x1p-300);
  return x;
}

TEST(ExactSum, CountsTheNumbersOutsideOfTheWindowsOfABlock) {
  std::vector<double> x = tiles_with_far_numbers(1, 0, 0);
  x[7] = x[700] = x[2047] = 0x1p-300;
  const SumOfBlock block(x);
  // The first phase asks for the first tile, the second counts in the other place.
  EXPECT_EQ(block.shared->far[0], 0u);
  EXPECT_EQ(block.shared->far[1], 3u);
}

TEST(ExactSum, TakesTilesWholeBehindThirtyTwoOfWhichManyNumbersAreOutsideOfWindows) {
  // Threads leave their windows after the tile number 30. So, among the tiles that are added by windows, this thread
  // has only number 31.
  EXPECT_EQ(SumOfBlock(tiles_with_far_numbers(34, 1, 32)).in_windows(), SumOfBlock::Sum::step / 2);
}

TEST(ExactSum, ReturnsToWindowsBehindWholeTilesWhereNoNumberIsFar) {
  EXPECT_EQ(SumOfBlock(tiles_with_far_numbers(259, 0, 1)).in_windows(), 3 * SumOfBlock::Sum::step);
  EXPECT_EQ(SumOfBlock(tiles_with_far_numbers(259, 0, 257)).in_windows(), 0);
}

struct OneColumn : detail::ExactSumTerms {
  static constexpr int columns = 1;
};

TEST(ExactSum, OfOneColumnTakesInEveryTile) {
  const std::vector<double> x(5 * SumOfBlock::Sum::step + 77, 1.0);
  EXPECT_EQ(OneBlock<OneColumn>(x).in_windows(), static_cast<double>(x.size()));
}

TEST(ExactDot, IsTheRoundedSumInEveryDirection) {
  Random random(31);
  for (const auto& x : vectors()) {
    std::vector<std::vector<double>> right{random.vector(x.size(), -1, 1), random.vector(x.size(), -1022, 1023)};
    if (x.size() > 9000) right.pop_back();
    for (const auto& y : right) {
      const Integer sum = reference_dot(x, y);
      for (const Rounding to : directions) {
        EXPECT_TRUE(same(exact_dot(Executor::host(), x, y, to), reference::rounded_integer(sum, -2148, to)))
            << x.size();
      }
    }
  }
}

TEST(ExactDot, OfManyEqualProductsFillsItsWordsWithoutAnError) {
  for (const double x : {0x1.fffffffffffffp10, -0x1.fffffffffffffp10}) {
    const std::vector<double> all(300000, x);
    for (const double y : {0x1.fffffffffffffp0, -0x1.0000000000001p0}) {
      const std::vector<double> factors(300000, y);
      EXPECT_EQ(exact_dot(Executor::host(), all, factors),
                reference::rounded_integer(in_units(x) * in_units(y) * 300000, -2148, Rounding::rn));
    }
  }
}

TEST(ExactDot, GivesTheSameBitsInEveryOrder) {
  Random random(32);
  const std::vector<double> x = random.vector(9000, -1022, 1023);
  const std::vector<double> y = random.vector(9000, -1022, 1023);
  const double ascending = exact_dot(Executor::host(), x, y);
  EXPECT_EQ(exact_dot(Executor::host(Order::descending), x, y), ascending);
  EXPECT_EQ(exact_dot(Executor::host(Order::shuffled, 3), x, y), ascending);
}

TEST(ExactDot, HasTheBitsOfTheBlocksWithAllInstructionsAndThreads) {
  Random random(34);
  for (const std::vector<double>& x : vectors()) {
    const auto n = static_cast<std::int64_t>(x.size());
    std::vector<std::vector<double>> right{random.vector(x.size(), -1, 1), random.vector(x.size(), -1022, 1023),
                                           std::vector<double>(x.size(), -0.0)};
    right.push_back(right[0]);
    for (std::size_t i = 0; i < x.size(); i += 3) right[3][i] = 0.0;
    right.push_back(right[3]);
    right[4].back() = infinity;
    for (const auto& y : right) {
      const double blocks = exact_dot(Executor::host(Order::descending), x, y, Rounding::rd);
      with_each_path([&](HostVectors vectors, unsigned threads) {
        EXPECT_TRUE(same(exact_dot_on_host(vectors, threads, x.data(), y.data(), n, Rounding::rd), blocks))
            << n << " terms, instructions " << static_cast<int>(vectors) << ", " << threads << " threads";
      });
    }
  }
}

TEST(ExactDot, HasTheProductsThatUnderflow) {
  std::vector<double> x(130, 0x1p-540);
  std::vector<double> y = x;
  x[0] = y[0] = x[1] = 1;
  y[1] = -1;
  with_each_path([&](HostVectors vectors, unsigned threads) {
    EXPECT_EQ(exact_dot_on_host(vectors, threads, x.data(), y.data(), 130, Rounding::rn), 0x1p-1073);
  });
  // The loss of RN for the last 64 products is below the smallest number, and it is all that remains.
  x.assign(128, 0.0);
  std::fill(x.begin() + 64, x.end(), 0x1.0000000000001p-500);
  y = x;
  x[0] = -64 * 0x1.0000000000002p-1000;
  y[0] = 1;
  with_each_path([&](HostVectors vectors, unsigned threads) {
    EXPECT_EQ(exact_dot_on_host(vectors, threads, x.data(), y.data(), 128, Rounding::ru), 0x1p-1074);
  });
}

/// The sum of factors x·y in the two places from `first` on of a tile of zeros, by all paths.
void expect_of_two(std::size_t first, double x, double y, double sum) {
  std::vector<double> left(64, 0.0);
  std::vector<double> right = left;
  left[first] = left[first + 1] = x;
  right[first] = right[first + 1] = y;
  EXPECT_EQ(exact_dot(Executor::host(Order::descending), left, right), sum);
  with_each_path([&](HostVectors vectors, unsigned threads) {
    EXPECT_EQ(exact_dot_on_host(vectors, threads, left.data(), right.data(), 64, Rounding::rn), sum)
        << first << ", instructions " << static_cast<int>(vectors);
  });
}

TEST(ExactDot, HasTheProductsThatUnderflowInAnyPlaceOfATile) {
  // Half the sum, 1.5 times the smallest number, is not a number.
  for (std::size_t first = 0; first < 64; first += 2) expect_of_two(first, 0x1.8p-537, 0x1p-537, 0x3p-1074);
}

TEST(ExactDot, HasTheProductsThatUnderflowWithFactorsOfEitherSign) {
  expect_of_two(10, -0x1.8p-537, 0x1p-537, -0x3p-1074);
  expect_of_two(10, 0x1.8p-537, -0x1p-537, -0x3p-1074);
  expect_of_two(10, -0x1.8p-537, -0x1p-537, 0x3p-1074);
}

TEST(ExactDot, HasTheProductsThatUnderflowOfTheSmallestNumber) {
  expect_of_two(20, 0x1p-1074, 1.5, 0x3p-1074);
  expect_of_two(20, 1.5, 0x1p-1074, 0x3p-1074);
}

/// Tests the cost of a dot product on the host, with all instructions: the numbers that go to the superaccumulator.
/// Each word of a window is one, the sum of all lanes, and each product that a window has no room for is two.
class ExactDotOnTheHost : public testing::Test {
 protected:
  static constexpr std::uint32_t window = 5;  // its words
  static constexpr std::uint32_t tile = host_tile;

  /// The tiles number 0, 1, … of products 1·1.
  void take_ones(std::size_t tiles) {
    x_.assign(tiles * tile, 1.0);
    y_ = x_;
  }
  void expect(std::uint32_t deposits) const {
    for (const HostVectors vectors : {HostVectors::none, HostVectors::avx2, HostVectors::avx512}) {
      if (vectors > host_vectors()) continue;
      const auto n = static_cast<std::int64_t>(x_.size());
      EXPECT_EQ(exact_dot_part(vectors, x_.data(), y_.data(), n).pending, deposits) << static_cast<int>(vectors);
    }
  }

  std::vector<double> x_, y_;
};

TEST_F(ExactDotOnTheHost, TakesTilesIntoOneWindowAndTheRestOneByOne) {
  take_ones(9);
  expect(window);
  x_.resize(9 * tile + 3, 1.0);
  y_ = x_;
  expect(window + 3 * 2);
}

TEST_F(ExactDotOnTheHost, HasAWindowForTheLargestProductOfTheFirstTile) {
  take_ones(2);
  x_[0] = 0x1p30;
  expect(window);
  y_[tile - 1] = 0x1p70;
  expect(window);
}

TEST_F(ExactDotOnTheHost, HasRoomInItsWindowForProductsBelowItsLimit) {
  // Behind products below 2 that is 2^25.
  take_ones(3);
  x_[2 * tile + 7] = 0x1.fffffffffffffp24;
  expect(window);
  x_[2 * tile + 7] = -0x1p25;
  expect(2 * window);
}

TEST_F(ExactDotOnTheHost, TakesZerosIntoItsWindow) {
  take_ones(1);
  x_[3] = y_[41] = 0.0;
  expect(window);
}

TEST_F(ExactDotOnTheHost, TakesTheLowWordsOfSmallProductsIntoTheLastWordOfItsWindow) {
  take_ones(2);
  x_[tile + 9] = y_[tile + 9] = 0x1.0000000000001p-40;
  expect(window);
}

TEST_F(ExactDotOnTheHost, LeavesAWindowBehindTheFifthTileWithAProductBelowIt) {
  take_ones(11);
  for (std::size_t k = 1; k < 11; ++k) x_[k * tile + k] = 0x1p-300;
  expect(2 * window + 10);
}

TEST_F(ExactDotOnTheHost, TakesATileThatNoWindowHasRoomForOneByOne) {
  take_ones(2);
  x_[5] = y_[5] = 0x1p-500;
  expect(2 * tile + window);
}

TEST_F(ExactDotOnTheHost, MovesLaneAfterLaneWhereTogetherTheyMightHaveNoRoom) {
  // A lane has room for so many drains, one after 16 tiles.
  constexpr std::size_t most_together = WindowAccumulator<5>::drains / 8 * 16;
  take_ones(most_together);
  expect(window);
  take_ones(most_together + 1);
  expect(8 * window);
}

TEST(ExactDot, OfMinusZerosAloneIsMinusZero) {
  const std::vector<double> zeros(3, 0.0);
  EXPECT_TRUE(same(exact_dot(Executor::host(), std::vector<double>{}, std::vector<double>{}), 0.0));
  EXPECT_TRUE(same(exact_dot(Executor::host(), zeros, std::vector<double>{-1.0, -2.0, -0.0}), -0.0));
  EXPECT_TRUE(same(exact_dot(Executor::host(), zeros, std::vector<double>{-1.0, -2.0, 3.0}), 0.0));
  EXPECT_TRUE(
      same(exact_dot(Executor::host(), std::vector<double>{1.0, -1.0, -0.0}, std::vector<double>(3, 1.0)), 0.0));
}

TEST(ExactDot, HasTheInfinityOrTheNaNOfItsTerms) {
  EXPECT_EQ(exact_dot(Executor::host(), std::vector<double>{infinity, 1.0}, std::vector<double>{-1.0, largest}),
            -infinity);
  EXPECT_TRUE(
      same(exact_dot(Executor::host(), std::vector<double>{infinity, 1.0}, std::vector<double>{0.0, 1.0}), nan));
  EXPECT_TRUE(same(exact_dot(Executor::host(), std::vector<double>{nan, 1.0}, std::vector<double>{0.0, 1.0}), nan));
}

TEST(ExactDot, RefusesVectorsOfDifferentSizes) {
  const std::vector<double> x(3);
  const std::vector<double> y(2);
  EXPECT_THROW(exact_dot(Executor::host(), x, y), std::invalid_argument);
}

}  // namespace
}  // namespace assay::sum
