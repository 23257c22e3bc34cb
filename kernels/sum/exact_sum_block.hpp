#pragma once
// The cooperative kernels of exact sums and dot products, for the files that launch them.

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/accumulators/window.hpp"
#include "arith/float/error_free.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/sum/detail/shared_accumulators.hpp"

namespace assay::sum::detail {

/// The upper 32 bits of |x|: they order magnitudes.
ASSAY_HD inline std::int32_t high_bits(double x) { return static_cast<std::int32_t>(bits::magnitude_bits(x) >> 32); }

/// The numbers of a sum.
struct ExactSumTerms {
  static constexpr int words = 3;      ///< of the window
  static constexpr int margin = 14;    ///< binades above the first numbers that the window has room for
  static constexpr int tile = 8;       ///< terms that a thread takes in at a time
  static constexpr int additions = 8;  ///< of a word by a tile
  static constexpr int blocks_per_multiprocessor = 3;
  struct Tile {
    double x[tile];
  };

  const double* x;

  ASSAY_HD void load(Tile& t, int j, std::int64_t i) const { t.x[j] = x[i]; }
  /// −0 changes no sum.
  ASSAY_HD static void load_nothing(Tile& t, int j) { t.x[j] = -0.0; }

  /// The largest high_bits of a term.
  ASSAY_HD static std::int32_t measure(Tile& t) {
    std::int32_t high = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      const std::int32_t each = high_bits(t.x[j]);
      high = high < each ? each : high;
    }
    return high;
  }

  /// Adds the tile to `window`, and to `exact` what lies outside; whether something did. Requires: `high` is what
  /// measure() said (not checked).
  template <class Exact>
  ASSAY_HD static bool add(Tile& t, std::int32_t high, WindowAccumulator<words>& window, Exact& exact) {
    const std::int32_t limit = high_bits(window.limit());
    std::uint64_t other = 0;  // than −0
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      other |= to_bits(t.x[j]) ^ bits::sign_bit<double>;
    }
    exact.flags |= other == 0 ? accumulators::saw_minus_zero : accumulators::saw_number;
    if (high >= limit) {
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        if (high_bits(t.x[j]) >= limit) {
          exact.add(t.x[j]);
          t.x[j] = 0;
        }
      }
    }
    std::uint64_t rest = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      t.x[j] = window.add(t.x[j]);
      rest |= bits::magnitude_bits(t.x[j]);
    }
    if (rest != 0) {
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        if (t.x[j] != 0) {
          exact.add(t.x[j]);
        }
      }
    }
    return high >= limit || rest != 0;
  }

  /// Adds term j of a tile to `exact`.
  ASSAY_HD static void add_exactly(const Tile& t, int j, SharedSum<SharedDigitsInLine>& exact) { exact.add(t.x[j]); }
};

/// The products of a dot product, each as the two numbers of TwoProd.
struct ExactDotTerms {
  static constexpr int words = 5;
  static constexpr int margin = 24;
  static constexpr int tile = 8;
  static constexpr int additions = 16;
  static constexpr int blocks_per_multiprocessor = 2;
  struct Tile {
    double x[tile], y[tile];
    Product<double> z[tile];
  };
  /// high_bits of 2⁻⁹⁶⁸: from there on TwoProd is exact.
  static constexpr std::int32_t least = (1023 - 968) << 20;

  const double* x;
  const double* y;

  ASSAY_HD void load(Tile& t, int j, std::int64_t i) const {
    t.x[j] = x[i];
    t.y[j] = y[i];
  }
  /// −0·1 changes no sum.
  ASSAY_HD static void load_nothing(Tile& t, int j) {
    t.x[j] = -0.0;
    t.y[j] = 1;
  }

  ASSAY_HD static std::int32_t measure(Tile& t) {
    std::int32_t high = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      t.z[j] = two_prod(t.x[j], t.y[j]);
      const std::int32_t each = high_bits(t.z[j].p);
      high = high < each ? each : high;
    }
    return high;
  }

  template <class Exact>
  ASSAY_HD static bool add(Tile& t, std::int32_t high, WindowAccumulator<words>& window, Exact& exact) {
    const std::int32_t limit = high_bits(window.limit());
    std::int32_t low = high;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      const std::int32_t each = high_bits(t.z[j].p);
      low = each < low ? each : low;
    }
    if (high >= least) {
      exact.flags |= accumulators::saw_number;
    }
    if (high >= limit || low < least) {
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        const std::int32_t each = high_bits(t.z[j].p);
        if (each >= limit || each < least) {
          exact.add_product(t.x[j], t.y[j]);
          t.z[j] = {0, 0};
        }
      }
    }
    std::uint64_t rest = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      t.z[j] = {window.add(t.z[j].p), window.add(t.z[j].e, 1)};
      rest |= bits::magnitude_bits(t.z[j].p) | bits::magnitude_bits(t.z[j].e);
    }
    if (rest != 0) {
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        if (t.z[j].p != 0) {
          exact.add(t.z[j].p);
        }
        if (t.z[j].e != 0) {
          exact.add(t.z[j].e);
        }
      }
    }
    return high >= limit || rest != 0;
  }

  ASSAY_HD static void add_exactly(const Tile& t, int j, SharedSum<SharedDigitsInLine>& exact) {
    exact.add_product(t.x[j], t.y[j]);
  }
};

/// What a block leaves: the words of a superaccumulator, then its flags.
inline constexpr int exact_sum_stride = Superaccumulator::words + 1;

/// partial[index·exact_sum_stride …] = the exact sum of the tiles number index, index + blocks, … of 256 threads each.
/// A thread adds its terms to a window of its own, at first one that fits the block's first tile; what falls outside
/// goes to the block's superaccumulator, and if much does, the thread takes another window. Where that window is no
/// better for long, either, the exponents are far apart, and the superaccumulator takes the next tiles whole.
/// Requires: fewer than 3·2²⁷ terms a block (not checked).
template <class Terms>
struct ExactSumBlock {
  static constexpr int threads = SharedDigits::most_threads;
  static constexpr int blocks_per_multiprocessor = Terms::blocks_per_multiprocessor;
  static constexpr std::int64_t most_blocks = 132 * blocks_per_multiprocessor;  ///< they fill an H200
  static constexpr int L = Terms::words;
  static constexpr int step = threads * Terms::tile;
  static constexpr int most_misses = 4;  ///< tiles outside the window between two drains
  static constexpr int short_stay = 16;  ///< tiles of a window that did not fit
  static constexpr int most_stays = 2;   ///< of this kind, one after the other
  static constexpr int whole_tiles = 256;
  using Window = WindowAccumulator<L>;
  struct Shared {
    std::int32_t digit[SharedDigits::count];
    std::int64_t word[Superaccumulator::words];  ///< the same sum, at the end
    std::int64_t drained[L][threads];
    std::int64_t part[2 * L][32];
    std::uint32_t flags;
    std::int32_t high;
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

  /// All tiles of thread t.
  ASSAY_HD void take_in(std::int64_t index, int t, Shared& shared) const {
    Window window = window_for(shared.high);
    const int common = window.top;
    SharedSum<SharedDigits> exact{{shared.digit}, accumulators::saw_nothing};
    int tiles = 0;
    int drains = 0;
    int misses = 0;
    int stays = 0;
    int whole = 0;  // tiles to come that the superaccumulator takes, term by term: a tile at once needs more registers
    for (std::int64_t base = index * step; base < n; base += blocks * step) {
      if (whole > 0) {
        --whole;
        SharedSum<SharedDigitsInLine> in_line{{shared.digit}, accumulators::saw_nothing};
        ASSAY_UNROLL(4)
        for (int j = 0; j < Terms::tile; ++j) {
          const std::int64_t i = base + j * threads + t;
          if (i >= n) continue;
          typename Terms::Tile one;
          terms.load(one, 0, i);
          Terms::add_exactly(one, 0, in_line);
        }
        exact.flags |= in_line.flags;
        continue;
      }
      typename Terms::Tile tile;
      load(tile, base, t);
      const std::int32_t high = Terms::measure(tile);
      const bool missed = Terms::add(tile, high, window, exact);
      if (missed && ++misses > most_misses) {
        window.drain();
        window.move_to(exact);
        window = window_for(high);
        stays = drains == 0 && tiles < short_stay ? stays + 1 : 0;
        if (stays == most_stays) {
          whole = whole_tiles;
          stays = 0;
        }
        tiles = drains = misses = 0;
      } else if (++tiles == Window::additions / Terms::additions) {
        window.drain();
        tiles = misses = 0;
        if (++drains == Window::drains) {
          window.move_to(exact);
          drains = 0;
        }
      }
    }
    window.drain();
    if (window.top != common) {
      window.move_to(exact);
    }
    for (int l = 0; l < L; ++l) {
      shared.drained[l][t] = window.drained[l];
    }
    atomic::fetch_or(&shared.flags, exact.flags);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::int64_t>(block.index());
    sum_up(block, index);
    block.for_each_thread([&](int t, Shared& shared) {
      constexpr int last = Superaccumulator::words - 1;
      std::int64_t* const to = partial + index * exact_sum_stride;
      if (t <= last) {
        to[t] = (t == last ? shared.word[t] : shared.word[t] & 0xFFFFFFFF) + (t == 0 ? 0 : shared.word[t - 1] >> 32);
      } else if (t == last + 1) {
        to[t] = shared.flags;
      }
    });
  }

  /// The sum of part `index` of all parts, in the words and flags of shared memory. S is Shared, or has it as a base.
  template <class S>
  ASSAY_HD void sum_up(Block<S, threads>& block, std::int64_t index) const {
    block.for_each_thread([&](int t, S& shared) {
      for (int k = t; k < SharedDigits::count; k += threads) {
        shared.digit[k] = 0;
      }
      if (t < Superaccumulator::words) {
        shared.word[t] = 0;
      }
      if (t == 0) {
        shared.flags = 0;
        shared.high = 0;
      }
    });
    block.for_each_thread([&](int t, S& shared) {
      typename Terms::Tile tile;
      load(tile, index * step, t);
      atomic::fetch_max(&shared.high, Terms::measure(tile));
    });
    block.for_each_thread([&](int t, S& shared) { take_in(index, t, shared); });
    // The words of the windows that are still where they were at first; lower and upper halves apart, for room.
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
      if (t >= 2 * L) {
        return;
      }
      std::int64_t sum = 0;
      for (const std::int64_t each : shared.part[t]) {
        sum += each;
      }
      const int position = window_for(shared.high).position(t / 2) + t % 2 * 32;
      SharedDigits{shared.digit}.deposit(static_cast<std::uint64_t>(sum < 0 ? -sum : sum), position, sum < 0);
    });
    block.for_each_thread([&](int t, S& shared) {
      for (int k = t; k < SharedDigits::count; k += threads) {
        const std::int32_t digit = shared.digit[k];
        const SharedWords words{shared.word};
        words.deposit(static_cast<std::uint64_t>(digit < 0 ? -digit : digit), SharedDigits::bits * k, digit < 0);
      }
    });
  }
};

/// *result = the sum of what `blocks` blocks left, rounded once. Requires: blocks < 2²⁸ (not checked).
struct ExactSumEnd {
  static constexpr int threads = 1024;
  static constexpr int blocks_per_multiprocessor = 1;
  static constexpr int groups = threads / 32;
  static constexpr int each_thread = (exact_sum_stride + 31) / 32;  ///< words of a block's part
  static constexpr int words = Superaccumulator::words;
  struct Shared {
    std::int64_t part[groups][exact_sum_stride];
    std::int32_t last;          ///< the last word that is not 0
    std::int32_t from_the_top;  ///< words − 1 − the first such word
  };

  const std::int64_t* partial;
  std::int64_t blocks;
  Rounding to;
  double* result;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) {
      // One multiprocessor has to load what all left: many words at a time.
      std::int64_t sum[each_thread] = {};
      ASSAY_UNROLL(4)
      for (std::int64_t b = t / 32; b < blocks; b += groups) {
        ASSAY_UNROLL(each_thread)
        for (int i = 0; i < each_thread; ++i) {
          const int k = t % 32 + 32 * i;
          const std::int64_t each = k < exact_sum_stride ? partial[b * exact_sum_stride + k] : 0;
          sum[i] = k == words ? sum[i] | each : sum[i] + each;
        }
      }
      ASSAY_UNROLL(each_thread)
      for (int i = 0; i < each_thread; ++i) {
        const int k = t % 32 + 32 * i;
        if (k < exact_sum_stride) shared.part[t / 32][k] = sum[i];
      }
      if (t == 0) {
        shared.last = shared.from_the_top = 0;
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t >= exact_sum_stride) {
        return;
      }
      std::int64_t sum = 0;
      for (int g = 0; g < groups; ++g) {
        const std::int64_t each = shared.part[g][t];
        sum = t == words ? sum | each : sum + each;
      }
      shared.part[0][t] = sum;
      if (t < words && sum != 0) {
        atomic::fetch_max(&shared.last, t);
        atomic::fetch_max(&shared.from_the_top, words - 1 - t);
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t != 0) {
        return;
      }
      const auto flags = static_cast<std::uint32_t>(shared.part[0][words]);
      const int first = shared.last == 0 ? 0 : words - 1 - shared.from_the_top;
      *result = accumulators::saw_special(flags)
                    ? accumulators::special_sum(flags)
                    : accumulators::rounded_digits(shared.part[0] + first, shared.last - first + 1,
                                                   Superaccumulator::unit + 32 * first,
                                                   flags == accumulators::saw_minus_zero, to);
    });
  }
};

}  // namespace assay::sum::detail
