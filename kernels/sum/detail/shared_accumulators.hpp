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

/// Σ digit_k·2^(bits·k − 2148), in words of 32 bits, which shared memory adds in place, where words of 64 bits take a
/// loop. There are `columns` such sums side by side. Thread t adds to column t mod `columns`: digit k of it is word
/// k·columns + t mod columns. So with 32 columns the threads of a warp never wait for each other's banks.
///
/// Let c = carry_bits, and let q be the multiple of 2^c that is nearest to a digit, in units of 2^c. A thread whose
/// addition changes q by d subtracts d·2^c from the digit and passes it on to the next one. That changes q by −d,
/// whatever other threads did meanwhile. So q is at any time the sum of the units that threads have yet to pass on. For
/// one digit these are at most two units of each thread, one for its deposit and one for the unit passed on from the
/// digit before. So
/// |digit_k| ≤ 2^c·(2·threads of a column + 1/2), which is below 2³⁰ + 2²⁶ for at most 256 threads, however many
/// deposits there are. A digit that is at rest is at most 2^(c − 1) in magnitude. Pieces of `bits` bits are small
/// compared with 2^c, so that few additions change q.
template <int columns>
struct SharedDigits {
  static_assert(columns == 1 || columns == 32);
  static constexpr int bits = columns == 1 ? 12 : 18;
  static constexpr int carry_bits = columns == 1 ? 21 : 26;
  static constexpr int digits = (32 * Superaccumulator::words + bits - 1) / bits;
  static constexpr int count = digits * columns;  ///< of words
  static constexpr int most_threads = 256;
  /// How many digits a number of `length` bits touches, wherever it lies.
  ASSAY_HD static constexpr int pieces(int length) { return (length + 2 * (bits - 1)) / bits; }

  std::int32_t* digit;  ///< digit 0 of a column

  /// Whether digits, of which at least those with bits in `any` are not 0, each 2^(c − 1) larger, are at rest: none of
  /// them has a bit from c on.
  ASSAY_HD static constexpr bool are_at_rest(std::uint32_t any) { return any >> carry_bits == 0; }

  /// The column of thread t, of the words that begin at `first`.
  ASSAY_HD static SharedDigits of_thread(std::int32_t* first, int t) { return {first + t % columns}; }

  /// Adds ±m·2^(position − 2148). Requires: position ≥ 0 (not checked).
  ASSAY_HD void deposit(std::uint64_t m, int position, bool minus) const { put_out_of_line(digit, m, position, minus); }
  ASSAY_HD void deposit_product(const assay::bits::WideProduct& m, int position, bool minus) const {
    deposit(m.low, position, minus);
    deposit(m.high, position + 64, minus);
  }

  /// Adds ±(low + 2⁶⁴·high)·2^(position − 2148). Requires: low + 2⁶⁴·high < 2^length, length ≤ 107 or high = 0
  /// (not checked).
  template <int length>
  ASSAY_HD ASSAY_INLINE static void put(std::int32_t* digit, std::uint64_t low, std::uint64_t high, int position,
                                        bool minus) {
    const int first = position / bits;
    const int shift = position % bits;
    const std::uint64_t upper = high << shift | (shift == 0 ? 0 : low >> (64 - shift));
    const std::uint64_t lower = low << shift;
    constexpr int most = pieces(length);
    std::int32_t piece[most];
    std::int32_t before[most];
    std::uint32_t any = 0;  // the bits of all digits before and after, each `half` larger
    ASSAY_UNROLL(most)
    for (int k = 0; k < most; ++k) {
      const int at = bits * k;
      const std::uint64_t part = at + bits <= 64 ? lower >> at
                                 : at < 64       ? lower >> at | upper << (64 - at)
                                                 : upper >> (at - 64);
      piece[k] = static_cast<std::int32_t>(part & ((1 << bits) - 1));
      if (minus) piece[k] = -piece[k];
      before[k] = atomic::fetch_add(digit + (first + k) * columns, piece[k]);
      any |= static_cast<std::uint32_t>(before[k] + half) | static_cast<std::uint32_t>(before[k] + piece[k] + half);
    }
    if (are_at_rest(any)) return;
    ASSAY_UNROLL(most)  // an index that varies would put the arrays into local memory
    for (int k = 0; k < most; ++k) hand_on(digit + (first + k) * columns, carry(before[k], piece[k]));
  }

 private:
  static constexpr std::int32_t half = 1 << (carry_bits - 1);

  /// q of a digit.
  ASSAY_HD static std::int32_t multiples(std::int32_t x) { return (x + half) >> carry_bits; }

  /// By how much an addition of d changes q of a digit.
  ASSAY_HD static std::int32_t carry(std::int32_t before, std::int32_t d) {
    return multiples(before + d) - multiples(before);
  }

  /// Subtracts `units` multiples of 2^carry_bits from a digit and adds them to the next, and so on.
  ASSAY_HD ASSAY_NOINLINE static void hand_on(std::int32_t* digit, std::int32_t units) {
    while (units != 0) {
      atomic::fetch_add(digit, -(units * (1 << carry_bits)));
      digit += columns;
      const std::int32_t d = units * (1 << (carry_bits - bits));
      units = carry(atomic::fetch_add(digit, d), d);
    }
  }

  ASSAY_HD ASSAY_NOINLINE static void put_out_of_line(std::int32_t* digit, std::uint64_t m, int position, bool minus) {
    put<64>(digit, m, 0, position, minus);
  }
};

/// SharedDigits whose deposits are in line, of numbers and of products of two. There the compiler knows that the digits
/// are in shared memory, whose atomics are faster.
template <int columns>
struct SharedDigitsInLine {
  std::int32_t* digit;
  ASSAY_HD ASSAY_INLINE void deposit(std::uint64_t m, int position, bool minus) const {
    SharedDigits<columns>::template put<53>(digit, m, 0, position, minus);
  }
  ASSAY_HD ASSAY_INLINE void deposit_product(const assay::bits::WideProduct& m, int position, bool minus) const {
    SharedDigits<columns>::template put<106>(digit, m.low, m.high, position, minus);
  }
};

/// A sum that many threads add to, in SharedWords or digits. Each thread has flags of its own.
template <class Digits>
struct SharedSum {
  Digits digits;
  std::uint32_t flags;

  ASSAY_HD void add(double x) {
    if (!is_finite(x) || assay::bits::magnitude_bits(x) == 0) {
      flags |= accumulators::seen(x);
      return;
    }
    flags |= accumulators::saw_number;
    const assay::bits::Significand s = assay::bits::significand(x);
    deposit(s.m, s.e - Superaccumulator::unit, s.minus);
  }
  ASSAY_HD void add_product(double a, double b) {
    if (!is_finite(a) || !is_finite(b) || assay::bits::magnitude_bits(a) == 0 || assay::bits::magnitude_bits(b) == 0) {
      flags |= accumulators::seen_product(a, b);
      return;
    }
    flags |= accumulators::saw_number;
    const assay::bits::Significand x = assay::bits::significand(a);
    const assay::bits::Significand y = assay::bits::significand(b);
    digits.deposit_product(assay::bits::wide_product(x.m, y.m), x.e + y.e - Superaccumulator::unit, x.minus != y.minus);
  }
  ASSAY_HD void deposit(std::uint64_t m, int position, bool minus) const { digits.deposit(m, position, minus); }
};

using SharedSuperaccumulator = SharedSum<SharedWords>;

}  // namespace assay::sum::detail
