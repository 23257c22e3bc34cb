#pragma once
// The binades of the terms of exact sums, and the kernel that finds them: for the files that add terms as integers.

#include <algorithm>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "exec/launch.hpp"

namespace assay::sum {

/// For terms in binary64 or binary32. Every finite term is a multiple of 2^(low() − 1074) and below 2^(top − 1074). The
/// members are maxima, so that blocks join what they find in any order. All bytes 0: no term.
struct TermWindow {
  static constexpr int most_bits = 2098;  ///< from 2⁻¹⁰⁷⁴ to below 2¹⁰²⁴
  std::int32_t top;
  std::int32_t from_low;
  std::int32_t minus_zeros;  ///< 1 if a term whose sign of zero counts is −0

  [[nodiscard]] ASSAY_HD constexpr int low() const { return most_bits - from_low; }
  /// The bits of a term. 0 if all terms are 0.
  [[nodiscard]] ASSAY_HD constexpr int bits() const { return top == 0 ? 0 : top - low(); }
  /// The power of two that the unit of integers is.
  [[nodiscard]] ASSAY_HD constexpr int unit() const { return low() - 1074; }

  /// Takes in a number; what is not finite has no binade.
  ASSAY_HD constexpr void see(double x) {
    if (!is_finite(x) || assay::bits::magnitude_bits(x) == 0) return;
    const assay::bits::Significand s = assay::bits::significand(x);
    const int position = s.e + 1074;
    const int lowest = most_bits - (position + assay::bits::trailing_zeros(s.m));
    top = top < position + 53 ? position + 53 : top;
    from_low = from_low < lowest ? lowest : from_low;
  }

  /// A finite number x as ±m·2^position in units of the window. Requires: the window has seen x, x ≠ 0 (not checked).
  struct Placed {
    std::uint64_t m;
    int position;
    bool minus;
  };
  [[nodiscard]] ASSAY_HD constexpr Placed placed(double x) const {
    const assay::bits::Significand s = assay::bits::significand(x);
    const int position = s.e + 1074 - low();
    return position < 0 ? Placed{s.m >> -position, 0, s.minus} : Placed{s.m, position, s.minus};
  }
};

namespace detail {

/// *window takes in n numbers, of each `step` tiles the first; −0 counts if `counts_zeros`.
template <class T>
struct MeasureTerms {
  static constexpr int threads = 256;
  static constexpr int each = 8;  ///< numbers that a thread loads at a time
  static constexpr std::int64_t tile = threads * each;
  static constexpr std::int64_t most_blocks = 132 * 8;  ///< they fill an H200
  struct Shared {
    TermWindow window;
  };

  const T* x;
  std::int64_t n;
  std::int64_t step;
  std::int64_t blocks;
  bool counts_zeros;
  TermWindow* window;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_one_thread([](Shared& shared) { shared.window = {}; });
    block.for_each_thread([&](int t, Shared& shared) {
      TermWindow own{};
      for (std::int64_t base = static_cast<std::int64_t>(block.index()) * step * tile + t; base < n;
           base += blocks * step * tile) {
        T loaded[each];
        ASSAY_UNROLL(8)
        for (int j = 0; j < each; ++j) {
          const std::int64_t i = base + j * threads;
          loaded[j] = i < n ? x[i] : T{0};
        }
        ASSAY_UNROLL(8)
        for (int j = 0; j < each; ++j) {
          own.see(loaded[j]);
          if (counts_zeros && to_bits(loaded[j]) == assay::bits::sign_bit<T>) own.minus_zeros = 1;
        }
      }
      join(shared.window, own);
    });
    block.for_one_thread([&](Shared& shared) { join(*window, shared.window); });
  }

 private:
  ASSAY_HD static void join(TermWindow& to, const TermWindow& from) {
    atomic::fetch_max(&to.top, from.top);
    atomic::fetch_max(&to.from_low, from.from_low);
    atomic::fetch_max(&to.minus_zeros, from.minus_zeros);
  }
};

}  // namespace detail

/// *window takes in n numbers on the executor, beside those that it has seen before; −0 counts if `counts_zeros`.
/// Queued. Reads the numbers once. With step > 1: a sample, 2048 of each 2048·step numbers.
template <class T>
void queue_measure(const Executor& on, const T* x, std::int64_t n, bool counts_zeros, TermWindow* window,
                   std::int64_t step = 1) {
  using Measure = detail::MeasureTerms<T>;
  const auto asked = static_cast<std::int64_t>(std::min<std::size_t>(on.most_blocks(), Measure::most_blocks));
  const std::int64_t most = on.kind() == Executor::Kind::host ? std::min<std::int64_t>(2, asked) : asked;
  const std::int64_t blocks = std::min(most, (n + step * Measure::tile - 1) / (step * Measure::tile));
  queue_blocks(on, static_cast<std::size_t>(blocks), Measure{x, n, step, blocks, counts_zeros, window});
}

}  // namespace assay::sum
