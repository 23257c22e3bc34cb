// Launches on the host, memory on an executor, and the operations that many threads share.

#include "exec/launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "exec/atomic.hpp"
#include "exec/two_grids.hpp"
#include "exec/workspace.hpp"

namespace assay {
namespace {

constexpr Order orders[] = {Order::ascending, Order::descending, Order::shuffled};

/// list[the next free place] = i.
struct List {
  std::uint32_t* count;
  std::size_t* list;
  ASSAY_HD void operator()(std::size_t i) const { list[atomic::fetch_add(count, 1u)] = i; }
};

/// The same for each thread of each block.
struct ListThreads {
  static constexpr int threads = 3;
  [[maybe_unused]] static constexpr int blocks_per_multiprocessor = 2;  // only a device reads it
  struct Shared {};
  std::uint32_t* count;
  std::size_t* list;
  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared&) {
      list[atomic::fetch_add(count, 1u)] = block.index() * threads + static_cast<std::size_t>(t);
    });
  }
};

std::vector<std::size_t> visited(const Executor& on, std::size_t n) {
  std::uint32_t count = 0;
  std::vector<std::size_t> list(n);
  queue_indices(on, n, List{&count, list.data()});
  EXPECT_EQ(count, n);
  return list;
}

std::vector<std::size_t> sorted(std::vector<std::size_t> x) {
  std::sort(x.begin(), x.end());
  return x;
}

TEST(Launch, VisitsEveryIndexOnceInEveryOrder) {
  for (const Order order : orders) {
    EXPECT_EQ(sorted(visited(Executor::host(order, 7), 5)), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  }
}

TEST(Launch, VisitsIndicesInTheOrderOfTheExecutor) {
  EXPECT_EQ(visited(Executor::host(), 4), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(visited(Executor::host(Order::descending), 4), (std::vector<std::size_t>{3, 2, 1, 0}));
}

// Stored cases and digests rely on the permutations.
TEST(Launch, ShufflesByTheSeedAlone) {
  EXPECT_EQ(visited(Executor::host(Order::shuffled, 7), 8), (std::vector<std::size_t>{2, 0, 1, 5, 4, 6, 7, 3}));
  EXPECT_NE(visited(Executor::host(Order::shuffled, 7), 8), visited(Executor::host(Order::shuffled, 8), 8));
}

TEST(Launch, VisitsEveryThreadOfEveryBlockOnceInEveryOrder) {
  for (const Order order : orders) {
    std::uint32_t count = 0;
    std::vector<std::size_t> list(6);
    launch_blocks(Executor::host(order, 7), 2, ListThreads{&count, list.data()});
    EXPECT_EQ(sorted(list), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  }
}

/// Writes 100·(number of the block) + t, reversed by way of the shared memory.
struct Reversed {
  static constexpr int threads = 3;
  struct Shared {
    std::size_t word[threads];
  };
  std::size_t* to;
  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& s) { s.word[t] = 100 * block.index() + static_cast<std::size_t>(t); });
    block.for_each_thread(
        [&](int t, Shared& s) { to[block.index() * threads + static_cast<std::size_t>(t)] = s.word[threads - 1 - t]; });
  }
};

TEST(Launch, RunsTwoGridsAsOneWithTheirOwnNumbersOfBlocks) {
  for (const Order order : orders) {
    const Executor on = Executor::host(order, 7);
    std::uint32_t count = 0;
    std::vector<std::size_t> listed(3);
    std::vector<std::size_t> reversed(6);
    queue_two_grids(on, 1, ListThreads{&count, listed.data()}, 2, Reversed{reversed.data()});
    EXPECT_EQ(sorted(listed), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(reversed, (std::vector<std::size_t>{2, 1, 0, 102, 101, 100}));
    EXPECT_EQ(on.audit(), (Audit{.calls = 1}));
  }
}

TEST(Launch, RunsTheThreadsOfTwoGridsInTheOrderOfTheExecutor) {
  std::uint32_t count = 0;
  std::vector<std::size_t> list(9);
  const ListThreads kernel{&count, list.data()};
  queue_two_grids(Executor::host(Order::descending), 1, kernel, 2, kernel);
  EXPECT_EQ(list, (std::vector<std::size_t>{5, 4, 3, 2, 1, 0, 2, 1, 0}));
}

TEST(Launch, CountsQueuedAndWaitingLaunchesAlike) {
  const Executor on = Executor::host();
  std::uint32_t count = 0;
  std::vector<std::size_t> list(12);
  queue_indices(on, 3, List{&count, list.data()});
  launch_indices(on, 3, List{&count, list.data()});
  queue_blocks(on, 1, ListThreads{&count, list.data()});
  launch_blocks(on, 1, ListThreads{&count, list.data()});
  wait(on);
  EXPECT_EQ(on.audit(), (Audit{.calls = 4}));
  EXPECT_EQ(count, 12u);
}

TEST(Launch, OfFewBlocksVisitsEveryIndexOnceInEveryOrder) {
  for (const Order order : orders) {
    const Executor on = Executor::host(order, 7).with_most_blocks(2);
    for (const std::size_t n : {0u, 1u, 255u, 256u, 257u, 1000u}) {
      std::vector<std::size_t> all(n);
      for (std::size_t i = 0; i < n; ++i) all[i] = i;
      EXPECT_EQ(sorted(visited(on, n)), all);
    }
  }
}

TEST(Launch, OfFewBlocksGoesOnByStrides) {
  const std::vector<std::size_t> list = visited(Executor::host().with_most_blocks(1), 300);
  EXPECT_EQ((std::vector<std::size_t>(list.begin(), list.begin() + 5)),
            (std::vector<std::size_t>{0, 128, 256, 1, 129}));
}

TEST(Launch, OfNothingIsCounted) {
  const Executor on = Executor::host();
  launch_indices(on, 0, List{nullptr, nullptr});
  launch_blocks(on, 0, ListThreads{nullptr, nullptr});
  EXPECT_EQ(on.audit(), (Audit{.calls = 2}));
}

TEST(StatusSlot, HoldsWhatAKernelWrites) {
  const Executor on = Executor::host();
  const StatusSlot slot(on, 3 * sizeof(std::size_t));
  auto* const words = reinterpret_cast<std::size_t*>(slot.data());
  queue_blocks(on, 1, Reversed{words});
  wait(on);
  EXPECT_EQ(std::vector<std::size_t>(words, words + 3), (std::vector<std::size_t>{2, 1, 0}));
}

TEST(StatusSlot, StartsAsNaNOnTheHost) {
  const StatusSlot slot(Executor::host(), sizeof(double));
  EXPECT_TRUE(std::isnan(*reinterpret_cast<const double*>(slot.data())));
}

TEST(Workspace, StartsAsNaNOnTheHost) {
  Workspace memory(Executor::host(), Workspace::bytes_of<double>(3));
  const double* x = memory.take<double>(3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(x[i]));
}

TEST(Workspace, AlignsItsArraysAndEndsWhereItsMemoryEnds) {
  Workspace memory(Executor::host(), Workspace::bytes_of<char>(1) + Workspace::bytes_of<double>(2));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.take<char>(1)) % 256, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.take<double>(2)) % 256, 0u);
  EXPECT_THROW(static_cast<void>(memory.take<char>(1)), ExecutorError);
}

TEST(Workspace, HoldsWhatIsCopiedAndFilled) {
  const Executor on = Executor::host();
  Workspace memory(on, Workspace::bytes_of<std::uint32_t>(4));
  auto* const words = memory.take<std::uint32_t>(4);
  const std::uint32_t from[2] = {1, 2};
  fill_bytes(on, words, 0x11, 4 * sizeof *words);
  copy_to(on, words + 1, from, sizeof from);
  std::uint32_t to[4] = {};
  copy_from(on, to, words, sizeof to);
  EXPECT_EQ(std::vector<std::uint32_t>(to, to + 4), (std::vector<std::uint32_t>{0x11111111, 1, 2, 0x11111111}));
}

TEST(Atomic, ReturnsTheValueBeforeAndChangesTheWord) {
  std::uint32_t word = 6;
  EXPECT_EQ(atomic::fetch_add(&word, 5u), 6u);
  EXPECT_EQ(atomic::fetch_or(&word, 0x14u), 11u);
  EXPECT_EQ(atomic::fetch_and(&word, 0x1Cu), 31u);
  EXPECT_EQ(word, 28u);
}

TEST(Atomic, AddsSignedAndWideWords) {
  std::int32_t narrow = 3;
  EXPECT_EQ(atomic::fetch_add(&narrow, -5), 3);
  EXPECT_EQ(narrow, -2);
  std::int64_t wide = std::int64_t{1} << 40;
  EXPECT_EQ(atomic::fetch_add(&wide, -(std::int64_t{1} << 41)), std::int64_t{1} << 40);
  EXPECT_EQ(wide, -(std::int64_t{1} << 40));
  std::uint64_t wraps = UINT64_MAX;
  EXPECT_EQ(atomic::fetch_add(&wraps, std::uint64_t{3}), UINT64_MAX);
  EXPECT_EQ(wraps, 2u);
}

TEST(Atomic, KeepsTheLargerWord) {
  std::int32_t word = -7;
  EXPECT_EQ(atomic::fetch_max(&word, -9), -7);
  EXPECT_EQ(atomic::fetch_max(&word, 4), -7);
  EXPECT_EQ(word, 4);
}

}  // namespace
}  // namespace assay
