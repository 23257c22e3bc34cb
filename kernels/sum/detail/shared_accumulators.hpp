#pragma once
// Exact sums in shared memory that the threads of a block add to.

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "exec/atomic.hpp"

namespace assay::sum::detail {

/// The words of a superaccumulator, each with room for carries. Requires: fewer than 2³⁰ deposits before the words are
/// read (not checked).
struct SharedWords {
  std::int64_t* word;

  ASSAY_HD ASSAY_NOINLINE void deposit(std::uint64_t m, int position, bool minus) const {
    std::int64_t* const to = word;
    accumulators::scatter(m, position, minus, [to](int k, std::int64_t d) { atomic::fetch_add(to + k, d); });
  }
  ASSAY_HD void deposit_product(const assay::bits::WideProduct& m, int position, bool minus) const {
    deposit(m.low, position, minus);
    deposit(m.high, position + 64, minus);
  }
};

/// Σ digit_k·2^(12k − 2148), in words of 32 bits, which shared memory adds in place, where words of 64 bits take a
/// loop.
///
/// Let q be the multiple of 2²¹ that is nearest to a digit, in units of 2²¹. A thread whose addition changes q by c
/// takes c·2²¹ out of the digit and hands it on to the next one. That changes q by −c, whatever other threads did
/// meanwhile. So q is at any time the sum of what threads have yet to hand on. For one digit these are at most two
/// units of each thread, one for its deposit and one for what it hands on from the digit before. So |digit_k| ≤
/// 2²¹·(2·threads + 1/2), which is below 2³⁰ + 2²⁰ + 1 for at most 256 threads, however many deposits there are. A
/// digit that is at rest is at most 2²⁰ in magnitude. Pieces of 12 bits are small beside 2²¹, so that few additions
/// change q.
struct SharedDigits {
  static constexpr int bits = 12;
  static constexpr int carry_bits = 21;
  static constexpr int count = (32 * Superaccumulator::words + bits - 1) / bits;
  static constexpr int most_threads = 256;

  std::int32_t* digit;

  /// Adds ±m·2^(position − 2148). Requires: position ≥ 0 (not checked).
  ASSAY_HD void deposit(std::uint64_t m, int position, bool minus) const { put_out_of_line(digit, m, position, minus); }
  ASSAY_HD void deposit_product(const assay::bits::WideProduct& m, int position, bool minus) const {
    deposit(m.low, position, minus);
    deposit(m.high, position + 64, minus);
  }

  /// digit_k ← digit_k + ±(low + 2⁶⁴·high)·2^(position − 12k), in `pieces` digits. Requires: low + 2⁶⁴·high <
  /// 2^(12·pieces − 11), at most 2¹¹⁷ (not checked).
  template <int pieces>
  ASSAY_HD ASSAY_INLINE static void put(std::int32_t* digit, std::uint64_t low, std::uint64_t high, int position,
                                        bool minus) {
    const int first = position / bits;
    const int shift = position % bits;
    const std::uint64_t upper = high << shift | (shift == 0 ? 0 : low >> (64 - shift));
    const std::uint64_t lower = low << shift;
    std::int32_t carry[pieces];
    std::int32_t any = 0;
    ASSAY_UNROLL(pieces)
    for (int k = 0; k < pieces; ++k) {
      const int at = bits * k;
      const std::uint64_t part = at + bits <= 64 ? lower >> at
                                 : at < 64       ? lower >> at | upper << (64 - at)
                                                 : upper >> (at - 64);
      const auto piece = static_cast<std::int32_t>(part & ((1 << bits) - 1));
      carry[k] = added(digit + first + k, minus ? -piece : piece);
      any |= carry[k];
    }
    if (any == 0) return;
    ASSAY_UNROLL(1)
    for (int k = 0; k < pieces; ++k) hand_on(digit + first + k, carry[k]);
  }

 private:
  /// q of a digit.
  ASSAY_HD static std::int32_t multiples(std::int32_t x) { return (x + (1 << (carry_bits - 1))) >> carry_bits; }

  /// *digit ← *digit + d. By how much its q has changed.
  ASSAY_HD static std::int32_t added(std::int32_t* digit, std::int32_t d) {
    const std::int32_t before = atomic::fetch_add(digit, d);
    return multiples(before + d) - multiples(before);
  }

  /// Takes `carry` multiples of 2²¹ out of a digit and adds them to the next, and so on.
  ASSAY_HD ASSAY_NOINLINE static void hand_on(std::int32_t* digit, std::int32_t carry) {
    while (carry != 0) {
      atomic::fetch_add(digit, -(carry * (1 << carry_bits)));
      carry = added(++digit, carry * (1 << (carry_bits - bits)));
    }
  }

  ASSAY_HD ASSAY_NOINLINE static void put_out_of_line(std::int32_t* digit, std::uint64_t m, int position, bool minus) {
    put<7>(digit, m, 0, position, minus);
  }
};

/// SharedDigits whose deposits are in line, of numbers and of products of two. There the compiler knows that the digits
/// are in shared memory, whose atomics are faster.
struct SharedDigitsInLine {
  std::int32_t* digit;
  ASSAY_HD ASSAY_INLINE void deposit(std::uint64_t m, int position, bool minus) const {
    SharedDigits::put<6>(digit, m, 0, position, minus);
  }
  ASSAY_HD ASSAY_INLINE void deposit_product(const assay::bits::WideProduct& m, int position, bool minus) const {
    SharedDigits::put<10>(digit, m.low, m.high, position, minus);
  }
};

/// A sum that many threads add to, in SharedWords or digits. Each thread has flags of its own.
template <class Digits>
struct SharedSum {
  Digits digits;
  std::uint32_t flags;

  ASSAY_HD void add(double x) {
    flags |= accumulators::seen(x);
    if (is_finite(x) && assay::bits::magnitude_bits(x) != 0) {
      const assay::bits::Significand s = assay::bits::significand(x);
      deposit(s.m, s.e - Superaccumulator::unit, s.minus);
    }
  }
  ASSAY_HD void add_product(double a, double b) {
    flags |= accumulators::seen_product(a, b);
    if (is_finite(a) && is_finite(b)) {
      const assay::bits::Significand x = assay::bits::significand(a);
      const assay::bits::Significand y = assay::bits::significand(b);
      digits.deposit_product(assay::bits::wide_product(x.m, y.m), x.e + y.e - Superaccumulator::unit,
                             x.minus != y.minus);
    }
  }
  ASSAY_HD void deposit(std::uint64_t m, int position, bool minus) const { digits.deposit(m, position, minus); }
};

using SharedSuperaccumulator = SharedSum<SharedWords>;

}  // namespace assay::sum::detail
