#pragma once
// The scan in one pass, of numbers that a window of 100 bits holds.

#include <cstdint>

#include "arith/accumulators/digit_window.hpp"
#include "arith/bits/traits.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "exec/groups.hpp"
#include "kernels/sum/term_window.hpp"

namespace assay::scan::detail {

/// The words at the start of the workspace, all 0 at first.
struct ScanHead {
  sum::TermWindow sample;
  std::uint32_t next_tile;
  std::uint32_t failed;  ///< 1 if the sums are void
};

/// What a tile has published.
enum TileState : std::uint32_t { nothing = 0, own_sum = 1, sum_up_to_it = 2 };

/// y = the prefix sums of x. A block takes the next tile, so that tiles before it have been taken earlier, by blocks
/// that run or have ended; it publishes the sum of its tile, waits for those of up to 255 tiles before it and the sum
/// up to the tile before these, and publishes the sum up to its own. head->failed becomes 1 if a number is not in the
/// window or a sum up to a tile is too large; tiles go on all the same, since others wait for them.
struct TileScan {
  static constexpr int threads = 256;
  static constexpr int each = 16;  ///< neighboring numbers of a thread
  static constexpr std::int64_t tile = threads * each;
  static constexpr int warps = threads / 32;
  static constexpr int blocks_per_multiprocessor = 6;
  static constexpr std::int64_t most_blocks = 132 * blocks_per_multiprocessor;  ///< they fill an H200
  static constexpr std::int64_t most_high = std::int64_t{1} << 61;  ///< of the upper part of a sum up to a tile
  struct Shared {
    double x[tile + threads];  ///< a place is free after each thread's, against conflicts of banks
    DigitSum warp[warps];
    DigitSum before;
    std::uint32_t number;
    std::uint32_t fails;   ///< 1 if a number of the tile is not in the window
    std::int32_t known;    ///< threads − the distance of the nearest tile that has published the sum up to it
    std::int32_t unknown;  ///< threads − the distance of the nearest tile that has published nothing
  };

  const double* x;
  std::int64_t n;
  std::int64_t tiles;
  bool inclusive;
  double* y;
  ScanHead* head;
  std::uint32_t* state;
  DigitSum* own;
  DigitSum* up_to;

  /// Whether a window of 100 bits holds the sample. A first term of −0 needs signs of zero sums.
  [[nodiscard]] ASSAY_HD bool is_possible() const {
    return n > 0 && head->sample.bits() <= DigitWindow::bits && to_bits(x[0]) != bits::sign_bit<double>;
  }
  /// The window: three quarters of the bits that the sample leaves are below it.
  [[nodiscard]] ASSAY_HD static DigitWindow window_for(const sum::TermWindow& sample) {
    const int unit = sample.bits() == 0 ? -50 : sample.unit() - 3 * (DigitWindow::bits - sample.bits()) / 4;
    return DigitWindow::at(unit < DigitWindow::least_unit  ? DigitWindow::least_unit
                           : unit > DigitWindow::most_unit ? DigitWindow::most_unit
                                                           : unit);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    if (!is_possible()) {
      block.for_one_thread([&](Shared&) { atomic::fetch_or(&head->failed, 1U); });
      return;
    }
    const DigitWindow window = window_for(head->sample);
    while (true) {
      block.for_one_thread([&](Shared& shared) {
        shared.number = atomic::fetch_add(&head->next_tile, 1U);
        shared.fails = 0;
      });
      if (!block.any([&](int, const Shared& shared) { return shared.number < tiles; })) return;
      scan_tile(block, window);
    }
  }

 private:
  ASSAY_HD void scan_tile(Block<Shared, threads>& block, const DigitWindow& window) const {
    const auto add = [](DigitSum& a, const DigitSum& b) { a.add(b); };
    block.for_each_thread([&](int t, Shared& shared) {
      const std::int64_t base = shared.number * tile;
      ASSAY_UNROLL(16)
      for (int j = 0; j < each; ++j) {
        const int k = j * threads + t;
        shared.x[k + k / each] = base + k < n ? x[base + k] : 0.0;
      }
    });
    auto sums = block.per_thread(DigitSum{});
    block.for_each_thread([&](int t, Shared& shared) {
      DigitSum sum{};
      bool all_fit = true;
      ASSAY_UNROLL(16)
      for (int j = 0; j < each; ++j) {
        all_fit = window.add(shared.x[t * (each + 1) + j], sum) && all_fit;
      }
      if (!all_fit) atomic::fetch_or(&shared.fails, 1U);
      sums[t] = sum;
    });
    auto offsets = sums;  // of each thread: later the sum of the threads before it
    scan_groups(sums, 32, add);
    block.for_each_thread([&](int t, Shared& shared) {
      if (t % 32 == 31) shared.warp[t / 32] = sums[t];
    });
    block.for_each_thread([&](int t, Shared& shared) {
      DigitSum before = sums[t];
      for (int w = 0; w < t / 32; ++w) before.add(shared.warp[w]);
      if (t == threads - 1) {
        own[shared.number] = before.normalized();
        atomic::publish(state + shared.number, own_sum);
      }
      offsets[t] = {before.high - offsets[t].high, before.low - offsets[t].low};
    });
    add_tiles_before(block);
    block.for_each_thread([&](int t, Shared& shared) {
      DigitSum sum = shared.before;
      sum.add(offsets[t]);
      ASSAY_UNROLL(16)
      for (int j = 0; j < each; ++j) {
        double& place = shared.x[t * (each + 1) + j];
        const DigitSum earlier = sum;
        static_cast<void>(window.add(place, sum));
        place = window.nearest((inclusive ? sum : earlier).normalized());
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      const std::int64_t base = shared.number * tile;
      ASSAY_UNROLL(16)
      for (int j = 0; j < each; ++j) {
        const int k = j * threads + t;
        if (base + k < n) y[base + k] = shared.x[k + k / each];
      }
    });
  }

  /// shared.before = the sum of the tiles before. Publishes the sum up to this one.
  ASSAY_HD void add_tiles_before(Block<Shared, threads>& block) const {
    const auto add = [](DigitSum& a, const DigitSum& b) { a.add(b); };
    // Thread t looks at the tile t + 1 places before. Before the first tile there is a sum of 0.
    const auto state_of = [&](int t, const Shared& shared) {
      return static_cast<int>(shared.number) > t ? atomic::look(state + (shared.number - 1 - static_cast<unsigned>(t)))
                                                 : std::uint32_t{sum_up_to_it};
    };
    do {
      block.for_one_thread([](Shared& shared) { shared.known = shared.unknown = 0; });
      block.for_each_thread([&](int t, Shared& shared) {
        const std::uint32_t has = state_of(t, shared);
        if (has == sum_up_to_it) atomic::fetch_max(&shared.known, threads - t);
        if (has == nothing) atomic::fetch_max(&shared.unknown, threads - t);
      });
    } while (!block.any([](int, const Shared& shared) { return shared.known > shared.unknown; }));
    auto parts = block.per_thread(DigitSum{});
    block.for_each_thread([&](int t, Shared& shared) {
      const int last = threads - shared.known;  // the thread whose tile has the sum up to it
      if (t > last || static_cast<int>(shared.number) <= t) return;
      const std::int64_t before = static_cast<std::int64_t>(shared.number) - 1 - t;
      parts[t] = t == last ? up_to[before] : own[before];
    });
    fold_groups(parts, 32, add);
    block.for_each_thread([&](int t, Shared& shared) {
      if (t % 32 == 0) shared.warp[t / 32] = parts[t];
    });
    block.for_one_thread([&](Shared& shared) {
      DigitSum sum{};
      for (const DigitSum& each_warp : shared.warp) sum.add(each_warp);
      shared.before = sum.normalized();
      sum.add(own[shared.number]);
      const DigitSum all = sum.normalized();
      const std::int64_t high = DigitSum::signed_of(all.high);
      if (shared.fails != 0 || high >= most_high || high < -most_high) atomic::fetch_or(&head->failed, 1U);
      up_to[shared.number] = all;
      atomic::publish(state + shared.number, sum_up_to_it);
    });
  }
};

}  // namespace assay::scan::detail
