#pragma once
// Sums over lanes: two kernels shared by all sums of terms over the lanes of a vector.

#include <cstddef>
#include <cstdint>

#include "arith/bits/ceil_div.hpp"
#include "exec/block.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/vectors.hpp"

namespace assay::expansion {
namespace detail {

/// The sum of one lane: terms lane, lane + lanes, … below n in ascending order. Terms come in tiles: a tile is loaded
/// before the previous one is added, so that a thread waits for many loads at once.
template <class Terms>
ASSAY_HD typename Terms::Sum sum_of_lane(const Terms& terms, std::int64_t lane, std::int64_t n, std::int64_t lanes) {
  constexpr int tile = Terms::tile;
  using Term = typename Terms::Term;
  typename Terms::Sum sum{};
  Term next[tile];
  const std::int64_t step = tile * lanes;
  std::int64_t i = lane;
  ASSAY_UNROLL(16)
  for (int j = 0; j < tile; ++j) next[j] = i + j * lanes < n ? terms.load(i + j * lanes) : Term{};
  for (; i + step + (tile - 1) * lanes < n; i += step) {
    Term now[tile];
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) {
      now[j] = next[j];
      next[j] = terms.load(i + step + j * lanes);
    }
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) terms.add(sum, now[j]);
  }
  for (; i < n; i += step) {
    Term now[tile];
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) {
      now[j] = next[j];
      next[j] = i + step + j * lanes < n ? terms.load(i + step + j * lanes) : Term{};
    }
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) {
      if (i + j * lanes < n) terms.add(sum, now[j]);
    }
  }
  return sum;
}

/// Lanes by blocks of 256 threads, and the first levels of the tree over them. A block has the lanes c + r·L/R of L
/// lanes for C adjacent c, whose entries are 128 bytes, and for all r < R = 16W: partial[c] is the sum of the lanes c,
/// c + L/R, …, in the tree order of sum_lanes. Terms has `words`, a Sum with add(), load(), add(), and skips(), which
/// tells whether there is nothing to do.
template <class Terms>
struct LaneSums {
  using Sum = typename Terms::Sum;
  static constexpr int threads = 256;
  static constexpr int columns = 16 / Terms::words;
  static constexpr int rows = threads / columns;
  static constexpr int blocks_per_multiprocessor = 2;
  struct Shared {
    Sum partial[threads];
  };

  Terms terms;
  std::int64_t n, lanes;
  Sum* partial;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    if (terms.skips()) return;
    const std::int64_t width = lanes / rows;
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * columns;
    block.for_each_thread([&](int t, Shared& shared) {
      const std::int64_t column = first + t % columns;
      if (column < width) shared.partial[t] = sum_of_lane(terms, column + t / columns * width, n, lanes);
    });
    for (int d = rows / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t / columns < d && first + t % columns < width) shared.partial[t].add(shared.partial[t + d * columns]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < columns && first + t < width) partial[first + t] = shared.partial[t];
    });
  }
};

/// The other levels of the tree by one block, and finish(sum) for the sum of all lanes. Thread t begins with the
/// partial sums t, t + 512, …
template <class Terms, class Finish>
struct LaneTree {
  using Sum = typename Terms::Sum;
  static constexpr int threads = 512;
  static constexpr int most = (1 << 16) / LaneSums<Terms>::rows / threads;  ///< partial sums of a thread
  struct Shared {
    Sum partial[threads];
  };

  Terms terms;
  Finish finish;
  std::int64_t width;  ///< a power of two
  const Sum* partial;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    if (terms.skips()) return;
    block.for_each_thread([&](int t, Shared& shared) {
      if (t >= width) return;
      Sum own[most];
      ASSAY_UNROLL(16)
      for (int j = 0; j < most; ++j) {
        if (t + j * threads < width) own[j] = partial[t + j * threads];
      }
      ASSAY_UNROLL(4)
      for (int d = most / 2; d > 0; d /= 2) {
        ASSAY_UNROLL(8)
        for (int j = 0; j < most / 2; ++j) {
          if (j < d && d * threads < width) own[j].add(own[(j + d) % most]);
        }
      }
      shared.partial[t] = own[0];
    });
    for (int d = static_cast<int>(width < threads ? width : threads) / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < d) shared.partial[t].add(shared.partial[t + d]);
      });
    }
    block.for_one_thread([&](Shared& shared) { finish(shared.partial[0]); });
  }
};

/// finish(the sum of n terms over sum_lanes(n) lanes). `partial` holds a Sum for each 16W lanes. Queued.
template <class Terms, class Finish>
void queue_lane_sum(const Executor& on, const Terms& terms, std::int64_t n, double* partial, const Finish& finish) {
  using Lanes = LaneSums<Terms>;
  static_assert(sizeof(typename Terms::Sum) <= Lanes::rows * sizeof(double) && alignof(typename Terms::Sum) == 8);
  auto* const sums = reinterpret_cast<typename Terms::Sum*>(partial);
  const std::int64_t lanes = sum_lanes(n);
  const std::int64_t width = lanes / Lanes::rows;
  const auto blocks = static_cast<std::size_t>(bits::ceil_div(width, Lanes::columns));
  queue_blocks(on, blocks, Lanes{terms, n, lanes, sums});
  queue_blocks(on, 1, LaneTree<Terms, Finish>{terms, finish, width, sums});
}

}  // namespace detail
}  // namespace assay::expansion
