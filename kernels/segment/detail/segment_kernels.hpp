#pragma once
// The kernels of sums for many targets.

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/fixed_sum.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/ceil_div.hpp"
#include "arith/bits/traits.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "exec/launch.hpp"
#include "kernels/sum/term_window.hpp"

namespace assay::segment::detail {

/// The windows of one turn: Σ wordₖ·2^(32k + unit) for each of its targets, k = 0 … width − 1.
struct Turn {
  static constexpr int joined_bits = 7;  ///< 2⁷ terms are joined before they reach a window
  static constexpr std::int64_t most_width = (sum::TermWindow::most_bits + joined_bits + 31) / 32;
  static constexpr std::int64_t few = 1 << 14;  ///< targets that need one turn only
  static constexpr std::int64_t usual_width = 8;

  /// The words for the windows of m targets.
  ASSAY_HD static constexpr std::int64_t capacity(std::int64_t m) {
    return m <= few ? most_width * m : most_width * few > usual_width * m ? most_width * few : usual_width * m;
  }
  /// The turns that m targets take at most.
  static constexpr std::int64_t turns(std::int64_t m) { return m == 0 ? 0 : (m - 1) / (capacity(m) / most_width) + 1; }

  const sum::TermWindow* window;
  std::uint32_t* flags;  ///< accumulators::SeenTerms of each of the m targets
  std::int64_t* word;
  std::int64_t m;
  std::int64_t number;

  /// The words of 64 bits in which terms are joined; 0 if they are not.
  [[nodiscard]] ASSAY_HD int joined_words() const {
    const int bits = window->bits() + joined_bits;  // one more is for the sign
    return bits < 128 ? 2 : bits < 256 ? 4 : 0;
  }
  [[nodiscard]] ASSAY_HD std::int64_t width() const { return (window->bits() + joined_bits + 31) / 32; }
  [[nodiscard]] ASSAY_HD std::int64_t first(std::int64_t width) const { return number * (capacity(m) / width); }
  /// The targets of this turn; 0 if the turns before took all.
  [[nodiscard]] ASSAY_HD std::int64_t count(std::int64_t width) const {
    const std::int64_t room = capacity(m) / width;
    const std::int64_t left = m - number * room;
    return left <= 0 ? 0 : left < room ? left : room;
  }
};

/// Word i ← 0, of the words that the turn uses.
struct ClearWords {
  Turn turn;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::int64_t width = turn.width();
    if (static_cast<std::int64_t>(i) < width * turn.count(width)) turn.word[i] = 0;
  }
};

/// Term j belongs to target indexⱼ.
struct ByIndex {
  static constexpr bool is_stored = true;
  const std::int32_t* index;
};

/// Term j belongs to the segment that holds place j.
struct ByOffsets {
  static constexpr bool is_stored = false;
  const std::int64_t* offset;  ///< m + 1 of them
  std::int64_t m;

  /// The segment of place j, which is `from` or a later one: steps that double, then halves of the last step.
  [[nodiscard]] ASSAY_HD std::int64_t segment(std::int64_t j, std::int64_t from) const {
    std::int64_t low = from;
    std::int64_t step = 1;
    for (; low + step < m && offset[low + step] <= j; step *= 2) low += step;
    std::int64_t high = low + step < m ? low + step : m;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (offset[middle] <= j ? low : high) = middle;
    }
    return low;
  }
};

/// Neighboring terms of one target.
template <int L>
struct RunOf {
  static constexpr std::int32_t nobody = -1;
  std::int32_t target;
  std::uint32_t flags;
  FixedSum<L> sum;
};

/// Adds the terms of the turn's targets to their windows. A thread joins neighboring terms of one target, and the first
/// of 16 threads, or the first whose target is new, those of the threads behind it, if L words have room for 2⁷ terms.
/// L is 2, or 4 for terms that need more or are not joined; the kernel of the other L does nothing.
template <class T, class Targets, int L>
struct AddTerms {
  using Run = RunOf<L>;
  static constexpr int threads = 256;
  static constexpr int each = 8;  ///< neighboring terms of a thread
  static constexpr int group = 16;
  static constexpr std::int64_t tile = threads * each;
  static constexpr std::int64_t most_blocks = 132 * 6;  ///< they fill an H200
  static_assert(group * each == 1 << Turn::joined_bits);
  struct Shared {
    double x[tile + tile / each];  ///< a place is free after each thread's, against conflicts of banks
    std::int32_t target[Targets::is_stored ? tile + tile / each : 1];
    std::int64_t from;  ///< a segment at or before those of the tile
    Run run[threads];
  };

  Targets targets;
  const T* x;
  std::int64_t n;
  std::int64_t blocks;
  Turn turn;
  std::int64_t* outside;  ///< of ByIndex

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    if ((turn.joined_words() == 2) != (L == 2)) return;
    const Windows windows(turn);
    if (windows.count == 0 && turn.number != 0) return;  // the first turn counts the terms without a target
    // A block's tiles are neighbors if its targets are segments, which then follow those of the tile before.
    const std::int64_t tiles = bits::ceil_div(n, tile);
    const std::int64_t each_block = bits::ceil_div(tiles, blocks);
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t first = Targets::is_stored ? index : index * each_block;
    const std::int64_t step = Targets::is_stored ? blocks : 1;
    const std::int64_t end = Targets::is_stored || first + each_block > tiles ? tiles : first + each_block;
    block.for_one_thread([&](Shared& shared) {
      if constexpr (!Targets::is_stored) shared.from = first < end ? targets.segment(first * tile, 0) : 0;
    });
    for (std::int64_t base = first * tile; base < end * tile; base += step * tile) {
      block.for_each_thread([&](int t, Shared& shared) {
        ASSAY_UNROLL(8)
        for (int j = 0; j < each; ++j) {
          const int k = j * threads + t;
          if (base + k >= n) break;
          shared.x[k + k / each] = x[base + k];
          if constexpr (Targets::is_stored) shared.target[k + k / each] = targets.index[base + k];
        }
      });
      block.for_each_thread([&](int t, Shared& shared) { join_own(base, t, windows, shared); });
      block.for_each_thread([&](int t, Shared& shared) {
        Run run = shared.run[t];
        if (run.target == Run::nobody) return;
        if (t % group != 0 && shared.run[t - 1].target == run.target) return;
        for (int u = t + 1; u % group != 0 && shared.run[u].target == run.target; ++u) {
          run.sum.add(shared.run[u].sum);
          run.flags |= shared.run[u].flags;
        }
        windows.take(turn, run);
      });
      if constexpr (!Targets::is_stored) {
        const std::int64_t next = base + tile;
        if (next < end * tile)
          block.for_one_thread([&](Shared& shared) { shared.from = targets.segment(next, shared.from); });
      }
    }
  }

 private:
  /// What a thread knows of the turn.
  struct Windows {
    sum::TermWindow window;
    std::int64_t width, first, count;
    bool joins;

    ASSAY_HD explicit Windows(const Turn& turn)
        : window(*turn.window),
          width(turn.width()),
          first(turn.first(width)),
          count(turn.count(width)),
          joins(turn.joined_words() != 0) {}

    [[nodiscard]] ASSAY_HD std::int64_t* words_of(const Turn& turn, std::int64_t target) const {
      return turn.word + (target - first) * width;
    }

    /// Adds a run to its target.
    ASSAY_HD void take(const Turn& turn, const Run& run) const {
      if (accumulators::saw_special(run.flags) || window.minus_zeros != 0) {
        atomic::fetch_or(turn.flags + run.target, run.flags);
      }
      const bool minus = run.sum.is_negative();
      const FixedSum<L> magnitude = run.sum.magnitude();
      std::int64_t* const word = words_of(turn, run.target);
      ASSAY_UNROLL(8)
      for (int k = 0; k < 2 * L; ++k) {
        const auto digit = static_cast<std::int64_t>(magnitude.word[k / 2] >> (32 * (k % 2)) & 0xFFFFFFFF);
        if (digit != 0) atomic::fetch_add(word + k, minus ? -digit : digit);
      }
    }
  };

  /// The terms of thread t: its last run stays in shared memory.
  ASSAY_HD void join_own(std::int64_t base, int t, const Windows& windows, Shared& shared) const {
    Run run{Run::nobody, 0, {}};
    std::int64_t of_place = 0;  // the segment of the place before, and the place after that segment
    std::int64_t end = 0;
    if constexpr (!Targets::is_stored) of_place = shared.from;
    std::int64_t not_a_target = 0;
    for (int j = 0; j < each; ++j) {
      const int k = t * each + j;
      if (base + k >= n) break;
      std::int64_t target;
      if constexpr (Targets::is_stored) {
        target = shared.target[k + k / each];
        if (target < 0 || target >= turn.m) ++not_a_target;
      } else {
        if (base + k >= end) {
          of_place = targets.segment(base + k, of_place);
          end = targets.offset[of_place + 1];
        }
        target = of_place;
      }
      if (target < windows.first || target >= windows.first + windows.count) continue;
      if (target != run.target) {
        if (run.target != Run::nobody) windows.take(turn, run);
        run = {static_cast<std::int32_t>(target), 0, {}};
      }
      const double term = shared.x[k + k / each];
      run.flags |= accumulators::seen(term);
      if (!is_finite(term) || bits::magnitude_bits(term) == 0) continue;
      const sum::TermWindow::Placed placed = windows.window.placed(term);
      if (windows.joins) {
        run.sum.add(placed.m, placed.position, placed.minus);
      } else {
        std::int64_t* const word = windows.words_of(turn, target);
        accumulators::scatter(placed.m, placed.position, placed.minus,
                              [word](int i, std::int64_t d) { atomic::fetch_add(word + i, d); });
      }
    }
    shared.run[t] = run;
    if (Targets::is_stored && turn.number == 0 && not_a_target != 0) atomic::fetch_add(outside, not_a_target);
  }
};

/// y of target number i of the turn = RN of its window, and of the number that y held if `adds`.
template <class T>
struct RoundWindows {
  Turn turn;
  bool adds;
  T* y;

  ASSAY_HD void operator()(std::size_t i) const {
    const std::int64_t width = turn.width();
    if (static_cast<std::int64_t>(i) >= turn.count(width)) return;
    const std::int64_t target = turn.first(width) + static_cast<std::int64_t>(i);
    std::int64_t* const word = turn.word + static_cast<std::int64_t>(i) * width;
    std::uint32_t flags = turn.flags[target];
    if (adds) {
      const double before = y[target];
      flags |= accumulators::seen(before);
      if (is_finite(before) && bits::magnitude_bits(before) != 0) {
        const sum::TermWindow::Placed placed = turn.window->placed(before);
        accumulators::scatter(placed.m, placed.position, placed.minus, [word](int k, std::int64_t d) { word[k] += d; });
      }
    }
    y[target] = accumulators::saw_special(flags) ? static_cast<T>(accumulators::special_sum(flags))
                                                 : nearest(word, static_cast<int>(width), turn.window->unit(),
                                                           flags == accumulators::saw_minus_zero);
  }

 private:
  static constexpr int few = 4;
  static constexpr int most_of_single = 9;  ///< words that binary32 has

  /// RN of the words. Few of them make a number of 192 bits, those of binary32 one of 384.
  ASSAY_HD static T nearest(const std::int64_t* word, int width, int unit, bool minus_zero) {
    if (width <= few) return of_integer(joined<3, few>(word, width), unit, minus_zero);
    if constexpr (FloatTraits<T>::precision < FloatTraits<double>::precision) {
      return of_integer(joined<6, most_of_single>(word, width), unit, minus_zero);
    } else {
      const auto [first, end] = accumulators::used_words(word, width);
      return accumulators::rounded_digits(word + first, end - first, unit + 32 * first, minus_zero, Rounding::rn);
    }
  }
  template <int L, int most>
  ASSAY_HD static FixedSum<L> joined(const std::int64_t* word, int width) {
    FixedSum<L> all{};
    ASSAY_UNROLL(9)
    for (int k = 0; k < most; ++k) {
      const auto [m, minus] = bits::signed_magnitude(k < width ? word[k] : 0);
      all.add(m, 32 * k, minus);
    }
    return all;
  }
  template <int L>
  ASSAY_HD static T of_integer(const FixedSum<L>& all, int unit, bool minus_zero) {
    const T rounded = all.template nearest<T>(unit);
    return minus_zero && rounded == 0 ? -T{0} : rounded;
  }
};

}  // namespace assay::segment::detail
