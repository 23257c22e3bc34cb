#pragma once
// The cooperative kernels of exact sums and dot products, for the files that launch them.

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/accumulators/window.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "exec/dependent_kernel.hpp"
#include "kernels/sum/detail/exact_sum_terms.hpp"
#include "kernels/sum/detail/shared_accumulators.hpp"

namespace assay::sum::detail {

/// The result of a block: the words of a superaccumulator, then the packed PartOfSum.
inline constexpr int exact_sum_stride = Superaccumulator::words + 1;

/// A block's description of its words.
struct PartOfSum {
  std::uint32_t flags;
  int first;  ///< all words before this one are 0
  int end;    ///< and all words from here on

  [[nodiscard]] ASSAY_HD std::int64_t packed() const {
    return std::int64_t{flags} | std::int64_t{first} << 32 | std::int64_t{end} << 48;
  }
  ASSAY_HD static PartOfSum unpacked(std::int64_t x) {
    return {static_cast<std::uint32_t>(x), static_cast<int>(x >> 32 & 0xFFFF), static_cast<int>(x >> 48)};
  }
};

/// partial[index·exact_sum_stride …] = the exact sum of the tiles number index, index + blocks, … of 256 threads each.
/// A thread adds its terms to its own window, at first one that fits the block's first tile; terms outside it are added
/// to the block's superaccumulator, and if there are many, the thread takes another window. If a quarter of all terms
/// fall outside, the exponents are far apart, and the superaccumulator takes the block's next tiles as a whole, if it
/// has a column for each thread of a warp. All threads then do the same, so that neighboring threads still read
/// neighboring numbers. Requires: fewer than 3·2²⁷ terms per block (not checked).
template <class Terms>
struct ExactSumBlock {
  using Digits = SharedDigits<Terms::columns>;
  static constexpr int threads = Digits::most_threads;
  static constexpr int blocks_per_multiprocessor = Terms::blocks_per_multiprocessor;
  static constexpr std::int64_t most_blocks = 132 * blocks_per_multiprocessor;  ///< they fill an H200
  static constexpr int words = Superaccumulator::words;
  static constexpr int L = Terms::words;
  static constexpr int step = threads * Terms::tile;
  static constexpr int most_misses = 4;  ///< tiles outside the window between two drains
  static constexpr bool takes_whole = Terms::columns > 1;
  static constexpr int window_tiles = 32;  ///< until it is tested whether terms fall outside
  static constexpr int whole_tiles = 256;  ///< until it is tested whether they still would
  using Window = WindowAccumulator<L>;
  static constexpr int drain_tiles = Window::additions / Terms::additions;
  struct Shared {
    std::int32_t digit[Digits::count];
    std::int64_t word[words];  ///< the same sum, at the end
    std::int64_t drained[L][threads];
    std::int64_t part[2 * L][32];
    std::uint32_t flags;
    std::int32_t high;
    std::int32_t end;       ///< after the last word that is not 0
    std::int32_t from_top;  ///< words − the first such word
    std::uint32_t far[2];   ///< terms that fell outside windows, or would have: in this phase, and in the next
  };
  /// The registers of a thread.
  struct State {
    Window window;
    std::uint32_t flags;
    int tiles;   ///< terms that the window has added since its last move
    int misses;  ///< of these, since the last drain, tiles with terms outside the window
  };

  Terms terms;
  std::int64_t n;
  std::int64_t blocks;
  std::int64_t* partial;

  ASSAY_HD static Window window_for(std::int32_t high) { return Window::around((high >> 20) - 1023, Terms::margin); }

  ASSAY_HD void load(typename Terms::Tile& tile, std::int64_t base, int t) const {
    if (base + step <= n) {
      ASSAY_UNROLL(8)
      for (int j = 0; j < Terms::tile; ++j) {
        terms.load(tile, j, base + j * threads + t);
      }
    } else {
      ASSAY_UNROLL(8)
      for (int j = 0; j < Terms::tile; ++j) {
        const std::int64_t i = base + j * threads + t;
        if (i < n) {
          terms.load(tile, j, i);
        } else {
          Terms::load_nothing(tile, j);
        }
      }
    }
  }

  /// Adds a tile of thread t to `exact`, in parts: a tile at once needs more registers.
  template <class Exact>
  ASSAY_HD ASSAY_INLINE void add_whole(std::int64_t base, int t, Exact& exact) const {
    constexpr int part = 4;
    static_assert(Terms::tile % part == 0);
    ASSAY_UNROLL(1)
    for (std::int64_t first = base + t; first < base + step; first += part * threads) {
      typename Terms::Tile some;
      ASSAY_UNROLL(part)
      for (int j = 0; j < part; ++j) {
        const std::int64_t i = first + j * threads;
        if (i < n) {
          terms.load(some, j, i);
        } else {
          Terms::load_nothing(some, j);
        }
      }
      ASSAY_UNROLL(part)
      for (int j = 0; j < part; ++j) Terms::add_exactly(some, j, exact);
    }
  }

  /// Adds a tile of thread t to its window. far(k): k terms fell outside.
  template <class Far>
  ASSAY_HD ASSAY_INLINE void add_by_window(std::int64_t base, int t, State& state, Shared& shared, Far&& far) const {
    typename Terms::Tile tile;
    load(tile, base, t);
    const std::int32_t high = Terms::measure(tile);
    SharedSum<Digits> exact{Digits::of_thread(shared.digit, t), state.flags};
    const bool missed = Terms::add(tile, high, state.window, exact, far);
    if (missed && ++state.misses > most_misses) {
      state.window.drain();
      state.window.move_to(exact);
      state.window = window_for(high);
      state.tiles = state.misses = 0;
    } else if (++state.tiles % drain_tiles == 0) {
      state.window.drain();
      state.misses = 0;
      if (state.tiles == drain_tiles * Window::drains) {
        state.window.move_to(exact);
        state.tiles = 0;
      }
    }
    state.flags = exact.flags;
  }

  /// All tiles of a part. The previous phase has counted in shared.far[0] which terms of the first tile are far from
  /// others.
  template <class S>
  ASSAY_HD void take_in(Block<S, threads>& block, std::int64_t index, PerThread<State, threads>& states) const {
    if constexpr (!takes_whole) {
      block.for_each_thread([&](int t, S& shared) {
        for (std::int64_t base = index * step; base < n; base += blocks * step) {
          add_by_window(base, t, states[t], shared, [](int) {});
        }
      });
      return;
    }
    // Returns whether at least a quarter of the terms in the given number of tiles are far. The next phase counts in
    // the other counter.
    int counter = 0;
    const auto are_far = [&](int tiles) {
      const bool far = block.any([&](int t, const S& shared) {
        return t == 0 && 4 * shared.far[counter] >= static_cast<std::uint32_t>(tiles) * step;
      });
      counter = 1 - counter;
      return far;
    };
    const auto count = [&](S& shared, int far) {
      if (far > 0) atomic::fetch_add(&shared.far[counter], static_cast<std::uint32_t>(far));
    };
    bool whole = are_far(1);
    for (std::int64_t base = index * step; base < n;) {
      const int tiles = tiles_from(base, whole ? whole_tiles : window_tiles);
      block.for_each_thread([&](int t, S& shared) {
        if (t == 0) shared.far[1 - counter] = 0;
        if (whole) {
          count(shared, add_whole_tiles(base, tiles, t, states[t], shared));
        } else {
          std::int64_t at = base;
          for (int k = 0; k < tiles; ++k, at += blocks * step) {
            add_by_window(at, t, states[t], shared, [&](int far) { count(shared, far); });
          }
        }
      });
      base += tiles * blocks * step;
      if (base < n) whole = are_far(whole ? 1 : window_tiles);
    }
  }

  /// The number of tiles from base on, at most this many.
  ASSAY_HD int tiles_from(std::int64_t base, int most) const {
    const std::int64_t left = (n - base - 1) / (blocks * step) + 1;
    return left < most ? static_cast<int>(left) : most;
  }

  /// Adds the tiles of thread t to its column of the superaccumulator. How many terms of the following tile are far
  /// below others.
  ASSAY_HD ASSAY_INLINE int add_whole_tiles(std::int64_t base, int tiles, int t, State& state, Shared& shared) const {
    SharedSum<SharedDigitsInLine<Terms::columns>> exact{{Digits::of_thread(shared.digit, t).digit}, state.flags};
    std::int64_t at = base;
    for (int k = 0; k < tiles; ++k, at += blocks * step) add_whole(at, t, exact);
    state.flags = exact.flags;
    if (at >= n) return 0;
    typename Terms::Tile tile;
    load(tile, at, t);
    return Terms::far_below(tile, Terms::measure(tile));
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    let_next_kernel_begin();
    const auto index = static_cast<std::int64_t>(block.index());
    sum_up(block, index);
    block.for_each_thread([&](int t, Shared& shared) {
      std::int64_t* const to = partial + index * exact_sum_stride;
      if (t < words) {
        // Digits that begin in a word are not below 2³².
        const std::int64_t own = t + 1 == words ? shared.word[t] : shared.word[t] & 0xFFFFFFFF;
        to[t] = own + (t == 0 ? 0 : shared.word[t - 1] >> 32);
      } else if (t == words) {
        const int end = shared.end < words ? shared.end + 1 : words;
        to[t] = (shared.end == 0 ? PartOfSum{shared.flags, words, 0}
                                 : PartOfSum{shared.flags, words - shared.from_top, end})
                    .packed();
      }
    });
  }

  /// The sum of part `index` of all parts, in the words and flags of shared memory: |word_k| < 2⁶². S is Shared, or has
  /// it as a base.
  template <class S>
  ASSAY_HD void sum_up(Block<S, threads>& block, std::int64_t index) const {
    auto tiles = block.per_thread(typename Terms::Tile{});
    block.for_each_thread([&](int t, S& shared) {
      load(tiles[t], index * step, t);
      for (int k = t; k < Digits::count; k += threads) shared.digit[k] = 0;
      if (t != 0) return;
      shared.flags = 0;
      shared.high = shared.end = shared.from_top = 0;
      shared.far[0] = shared.far[1] = 0;
    });
    block.for_each_thread([&](int t, S& shared) {
      const std::int32_t high = Terms::measure(tiles[t]);
      atomic::fetch_max(&shared.high, high);
      const int far = takes_whole ? Terms::far_below(tiles[t], high) : 0;
      if (far > 0) atomic::fetch_add(&shared.far[0], static_cast<std::uint32_t>(far));
    });
    auto states = block.per_thread(State{});
    block.for_each_thread([&](int t, S& shared) {
      states[t] = {window_for(shared.high), accumulators::saw_nothing, 0, 0};
    });
    take_in(block, index, states);
    block.for_each_thread([&](int t, S& shared) {
      State& state = states[t];
      state.window.drain();
      if (state.window.top != window_for(shared.high).top) {
        SharedSum<Digits> exact{Digits::of_thread(shared.digit, t), state.flags};
        state.window.move_to(exact);
      }
      for (int l = 0; l < L; ++l) shared.drained[l][t] = state.window.drained[l];
      atomic::fetch_or(&shared.flags, state.flags);
    });
    // The words of the windows that have not moved; lower and upper halves separately, to save space.
    block.for_each_thread([&](int t, S& shared) {
      if (t >= 32 * L) {
        return;
      }
      std::int64_t low = 0;
      std::int64_t high = 0;
      for (int k = t % 32; k < threads; k += 32) {
        const std::int64_t each = shared.drained[t / 32][k];
        low += each & 0xFFFFFFFF;
        high += each >> 32;
      }
      shared.part[t / 32 * 2][t % 32] = low;
      shared.part[t / 32 * 2 + 1][t % 32] = high;
    });
    block.for_each_thread([&](int t, S& shared) {
      if (t >= 2 * L) return;
      std::int64_t sum = 0;
      for (const std::int64_t each : shared.part[t]) sum += each;
      const int position = window_for(shared.high).position(t / 2) + t % 2 * 32;
      Digits::of_thread(shared.digit, t).deposit(static_cast<std::uint64_t>(sum < 0 ? -sum : sum), position, sum < 0);
    });
    block.for_each_thread([&](int t, S& shared) {
      if (t >= words) return;
      // The digits that begin in word t.
      std::int64_t word = 0;
      ASSAY_UNROLL(1)
      for (int k = (32 * t + Digits::bits - 1) / Digits::bits; Digits::bits * k < 32 * (t + 1); ++k) {
        std::int64_t digit = 0;
        ASSAY_UNROLL(32)
        for (int c = 0; c < Terms::columns; ++c) digit += shared.digit[k * Terms::columns + (c + t) % Terms::columns];
        word += digit * (std::int64_t{1} << (Digits::bits * k - 32 * t));
      }
      shared.word[t] = word;
      if (word == 0) return;
      atomic::fetch_max(&shared.end, t + 1);
      atomic::fetch_max(&shared.from_top, words - t);
    });
  }
};

/// *result = the sum of the results of `blocks` blocks, rounded once. Requires: blocks < 2²⁸ (not checked).
struct ExactSumEnd {
  static constexpr int threads = 1024;
  static constexpr int blocks_per_multiprocessor = 1;
  static constexpr int groups = threads / 32;
  static constexpr int words = Superaccumulator::words;
  static constexpr int each_thread = (words + 31) / 32;  ///< words of a block's part
  static constexpr int readers = 128;                    ///< words of the blocks' descriptions
  struct Shared {
    std::int64_t part[groups][words];
    std::uint32_t flags;
    std::int32_t end;       ///< of the words that are not 0 in some part
    std::int32_t from_top;  ///< words − the first such word
  };

  const std::int64_t* partial;
  std::int64_t blocks;
  Rounding to;
  double* result;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) {
      if (t == 0) shared.flags = 0;
      if (t == 0) shared.end = shared.from_top = 0;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      wait_for_kernel_before();
      if (t >= readers) return;
      PartOfSum all{0, words, 0};
      ASSAY_UNROLL(4)
      for (std::int64_t b = t; b < blocks; b += readers) {
        const PartOfSum each = PartOfSum::unpacked(partial[b * exact_sum_stride + words]);
        all.flags |= each.flags;
        all.first = each.first < all.first ? each.first : all.first;
        all.end = each.end > all.end ? each.end : all.end;
      }
      atomic::fetch_or(&shared.flags, all.flags);
      atomic::fetch_max(&shared.end, all.end);
      atomic::fetch_max(&shared.from_top, words - all.first);
    });
    block.for_each_thread([&](int t, Shared& shared) {
      // One multiprocessor must load the results of all blocks: many words at a time.
      std::int64_t sum[each_thread] = {};
      const int first = words - shared.from_top + t % 32;
      ASSAY_UNROLL(4)
      for (std::int64_t b = t / 32; b < blocks; b += groups) {
        ASSAY_UNROLL(each_thread)
        for (int i = 0; i < each_thread; ++i) {
          const int k = first + 32 * i;
          sum[i] += k < shared.end ? partial[b * exact_sum_stride + k] : 0;
        }
      }
      ASSAY_UNROLL(each_thread)
      for (int i = 0; i < each_thread; ++i) {
        const int k = first + 32 * i;
        if (k < shared.end) shared.part[t / 32][k] = sum[i];
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < words - shared.from_top || t >= shared.end) return;
      std::int64_t sum = 0;
      ASSAY_UNROLL(32)
      for (int g = 0; g < groups; ++g) sum += shared.part[g][t];
      shared.part[0][t] = sum;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t != 0) return;
      const int first = shared.end == 0 ? 0 : words - shared.from_top;
      *result = accumulators::saw_special(shared.flags)
                    ? accumulators::special_sum(shared.flags)
                    : accumulators::rounded_digits(shared.part[0] + first, shared.end - first,
                                                   Superaccumulator::unit + 32 * first,
                                                   shared.flags == accumulators::saw_minus_zero, to);
    });
  }
};

}  // namespace assay::sum::detail
