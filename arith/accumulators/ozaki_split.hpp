#pragma once
// Error-free slices of a vector on a static grid, and exact sums of the products of such slices.
//
// A vector x with |x_l| ≤ 2^τ has slices 0, 1, 2, …: x_l = Σ_p a_l^(p)·2^(τ − q − p(q + 1)) with integers |a| ≤ 2^q. In
// a sum of at most k products of integers of two slices every partial sum is at most k·2^(2q) ≤ 2⁵³, hence a binary64
// number, in any order, fused or not. Derived in docs/bounds/gemm.md after Ozaki, Ogita, Oishi, Rump, Error-free
// transformations of matrix multiplication by using fast routines of matrix multiplication and its applications,
// Numer. Algorithms 59, 2012.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay::ozaki {

/// ⌈log₂ k⌉; 0 for k ≤ 1.
[[nodiscard]] ASSAY_HD constexpr int inner_bits(std::int64_t k) {
  int bits = 0;
  while (bits < 62 && (std::int64_t{1} << bits) < k) ++bits;
  return bits;
}

/// q = 53 − β with β = ⌈(53 + ⌈log₂ k⌉)/2⌉, so that k·2^(2q) ≤ 2⁵³: 26 for k = 1, 21 for 512 < k ≤ 2048, 20 up to 8192,
/// 1 up to 2⁵¹. β is the number of significand bits of a slice that a sum of k products leaves unused.
/// Requires: 1 ≤ k ≤ 2⁵¹ (not checked).
[[nodiscard]] ASSAY_HD constexpr int slice_bits(std::int64_t k) { return 53 - (53 + inner_bits(k) + 1) / 2; }

/// The number of slices for a vector with |x| ≤ 2^top whose lowest set bit is 2^low: ⌊(top − low)/(q + 1)⌋ + 1. After p
/// slices the rest is at most 2^(top − p(q + 1)), and 0 if that is below 2^low. Requires: low ≤ top (not checked).
ASSAY_HD constexpr int slices_needed(int top, int low, int q) { return (top - low) / (q + 1) + 1; }

/// The number of products of a slice and a rest, and of two rests, that bound the pairs of slices p + r ≥ levels
/// omitted from a sum: each is at most 2^(τ_a + τ_b − (q + 1)·levels). docs/bounds/gemm.md. 0 if no pair is omitted.
ASSAY_HD constexpr int truncated_pairs(int slices_a, int slices_b, int levels) {
  if (slices_a == 0 || slices_b == 0) return 0;
  const int formed = slices_a < levels ? slices_a : levels;             // p < formed
  const int complete = levels - slices_b < 0 ? -1 : levels - slices_b;  // p ≤ complete has all its partners
  const int open = formed - 1 - complete;
  return (slices_a > levels ? 1 : 0) + (open > 0 ? open : 0);
}

/// The slices of one element, one after the other. Slice p is the integer nearest to the rest in units of
/// 2^(τ − q − p(q + 1)), ties up. That is RN(RN(R + σ) − σ) of the published scheme with σ = ¾·2^(β + τ), except for
/// ties, for the whole range of x. Requires: |x| ≤ 2^τ, finite (not checked). Some 12 integer operations a slice.
class Slicer {
 public:
  /// unit = τ − q, width = q + 1.
  ASSAY_HD constexpr Slicer(double x, int unit, int width) : unit_(unit), width_(width) {
    const bits::Significand magnitude = bits::significand(x);
    rest_ = static_cast<std::int64_t>(magnitude.m);
    if (signbit(x)) rest_ = -rest_;
    exponent_ = magnitude.e;
  }

  /// The integer of the next slice.
  ASSAY_HD constexpr double next() {
    const int drop = unit_ - exponent_;
    unit_ -= width_;
    if (drop > 54) return 0.0;
    if (drop <= 0) {
      const double slice = static_cast<double>(rest_) * bits::power_of_two<double>(-drop);
      rest_ = 0;
      exponent_ = nowhere;
      return slice;
    }
    const std::int64_t slice = (rest_ + (std::int64_t{1} << (drop - 1))) >> drop;
    rest_ -= slice * (std::int64_t{1} << drop);
    return static_cast<double>(slice);
  }

 private:
  static constexpr int nowhere = -1000000;  // far below every unit

  std::int64_t rest_;  // the rest is rest_·2^exponent_
  int exponent_;
  int unit_;
  int width_;
};

/// The words of 32 bits of a LevelSum, and of a sum of up to 2³⁰ of them.
ASSAY_HD constexpr int level_sum_words(int levels, int width) { return (width * (levels - 1) + 96 + 31) / 32; }

/// Σ_l N_l·2^(width·(levels − 1 − l)) as an integer of `count` words, two's complement, least significant first.
/// The levels come from the last, which has the least weight, to the first. Requires: |N_l| ≤ 2⁶¹, 2 ≤ width ≤ 31,
/// level_sum_words(levels, width) ≤ count ≤ W (not checked). Cost: a shift and two additions a level.
template <int W>
class LevelSum {
 public:
  ASSAY_HD constexpr LevelSum(int width, int count) : width_(width), count_(count) {}

  ASSAY_HD constexpr void add(std::int64_t level) {
    carry_ += level;
    const auto digit = static_cast<std::uint64_t>(carry_) & ((std::uint64_t{1} << width_) - 1);
    carry_ >>= width_;
    pending_ |= digit << pending_bits_;
    pending_bits_ += width_;
    if (pending_bits_ >= 32) {
      word[next_++] = static_cast<std::uint32_t>(pending_);
      pending_ >>= 32;
      pending_bits_ -= 32;
    }
  }

  /// Behind the last level: the upper words.
  ASSAY_HD constexpr void finish() {
    for (; next_ < count_; ++next_) {
      pending_ |= (static_cast<std::uint64_t>(carry_) & 0xFFFFFFFFu) << pending_bits_;
      word[next_] = static_cast<std::uint32_t>(pending_);
      pending_ >>= 32;
      carry_ >>= 32;
    }
  }

  std::uint32_t word[W] = {};

 private:
  std::int64_t carry_ = 0;
  std::uint64_t pending_ = 0;
  int pending_bits_ = 0;
  int next_ = 0;
  int width_;
  int count_;
};

}  // namespace assay::ozaki
