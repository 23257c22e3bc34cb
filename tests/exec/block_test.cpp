#include "exec/block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "exec/groups.hpp"
#include "exec/launch.hpp"

namespace assay {
namespace {

constexpr Order orders[] = {Order::ascending, Order::descending, Order::shuffled};

/// A kernel by blocks of n threads that share n values of T, and its output.
template <class T, int n>
struct InBlocks {
  static constexpr int threads = n;
  struct Shared {
    T x[n];
  };
  T* y;
};

/// Every thread passes its number to its neighbor; without the barrier it reads in the phase in which the neighbor
/// writes.
template <bool barrier>
struct Neighbour : InBlocks<double, 8> {
  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    double* const out = y + block.index() * threads;
    if constexpr (barrier) {
      block.for_each_thread([&](int t, Shared& s) { s.x[t] = t; });
      block.for_each_thread([&](int t, Shared& s) { out[t] = s.x[(t + 1) % threads]; });
    } else {
      block.for_each_thread([&](int t, Shared& s) {
        s.x[t] = t;
        out[t] = s.x[(t + 1) % threads];
      });
    }
  }
};

template <class Kernel>
std::vector<double> outputs(Order order) {
  const Executor on = Executor::host(order, 3);
  const Array<double> y(on, 2 * Kernel::threads);
  launch_blocks(on, 2, Kernel{y.data()});
  return y.take();
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return a.size() == b.size();
}

TEST(Block, WithBarriersGivesTheSameBitsInEveryOrder) {
  for (const Order order : orders)
    EXPECT_EQ(outputs<Neighbour<true>>(order), outputs<Neighbour<true>>(Order::ascending));
}

TEST(Block, WithADroppedBarrierDiffersInDescendingOrder) {
  EXPECT_FALSE(same(outputs<Neighbour<false>>(Order::descending), outputs<Neighbour<false>>(Order::ascending)));
}

TEST(Block, WithADroppedBarrierDiffersInShuffledOrder) {
  EXPECT_FALSE(same(outputs<Neighbour<false>>(Order::shuffled), outputs<Neighbour<false>>(Order::ascending)));
}

TEST(Block, ReadsNaNFromSharedMemoryThatNoPhaseWrote) {
  EXPECT_TRUE(std::isnan(outputs<Neighbour<false>>(Order::ascending).front()));
}

/// Thread t counts down from t until no thread has anything left; the rounds that it took.
struct CountDown : InBlocks<int, 16> {
  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    PerThread<int, threads> mine = block.per_thread(0);
    block.for_each_thread([&](int t, Shared& s) { s.x[t] = t; });
    while (block.any([](int t, Shared& s) { return s.x[t] > 0; })) {
      block.for_each_thread([&](int t, Shared& s) {
        if (s.x[t] > 0) {
          --s.x[t];
          ++mine[t];
        }
      });
    }
    block.for_each_thread([&](int t, Shared&) { y[t] = mine[t]; });
  }
};

TEST(Block, LoopsWhileAnyThreadWantsToAndKeepsAValueForEachThread) {
  for (const Order order : orders) {
    const Executor on = Executor::host(order, 5);
    const Array<int> rounds(on, CountDown::threads);
    launch_blocks(on, 1, CountDown{rounds.data()});
    const std::vector<int> result = rounds.take();
    for (int t = 0; t < CountDown::threads; ++t) EXPECT_EQ(result[static_cast<std::size_t>(t)], t);
  }
}

/// One thread adds to a number of another one, in two phases of its own.
struct OneForAll : InBlocks<int, 16> {
  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& s) { s.x[t] = t; });
    block.for_one_thread([](Shared& s) { ++s.x[7]; });
    block.for_one_thread([](Shared& s) { ++s.x[7]; });
    block.for_each_thread([&](int t, Shared& s) { y[t] = s.x[t]; });
  }
};

TEST(Block, HasPhasesOfOneThread) {
  for (const Order order : orders) {
    const Executor on = Executor::host(order, 5);
    const Array<int> numbers(on, OneForAll::threads);
    launch_blocks(on, 1, OneForAll{numbers.data()});
    const std::vector<int> result = numbers.take();
    for (int t = 0; t < OneForAll::threads; ++t) EXPECT_EQ(result[static_cast<std::size_t>(t)], t == 7 ? 9 : t);
  }
}

/// The sums of the numbers 1 … of groups of 8 threads up to each.
struct GroupSums : InBlocks<int, 32> {
  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    PerThread<int, threads> sums = block.per_thread(0);
    block.for_each_thread([&](int t, Shared&) { sums[t] = t % 8 + 1; });
    scan_groups(sums, 8, [](int& a, int b) { a += b; });
    block.for_each_thread([&](int t, Shared&) { y[t] = sums[t]; });
  }
};

TEST(Block, ScansGroupsOfThreads) {
  const Executor on = Executor::host();
  const Array<int> sums(on, GroupSums::threads);
  launch_blocks(on, 1, GroupSums{sums.data()});
  const std::vector<int> result = sums.take();
  for (int t = 0; t < GroupSums::threads; ++t) {
    EXPECT_EQ(result[static_cast<std::size_t>(t)], (t % 8 + 1) * (t % 8 + 2) / 2);
  }
}

TEST(Block, CountsItsPhases) {
  int y[16];
  OneForAll::Shared shared;
  Block<OneForAll::Shared, OneForAll::threads> block(shared, 0);
  EXPECT_EQ(block.phases(), 0);
  OneForAll{{y}}(block);
  EXPECT_EQ(block.phases(), 4);
  EXPECT_FALSE(block.any([](int, const OneForAll::Shared&) { return false; }));
  EXPECT_EQ(block.phases(), 5);
}

}  // namespace
}  // namespace assay
