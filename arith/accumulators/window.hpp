#pragma once

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay {

/// The front of an exact sum of many numbers of similar magnitude: L words s_l = 1.5·2^(t_l) + a part of the sum, with
/// t_l = top − 44l. A number is rounded to the grid 2^(t_l − 52) of one word after the other; its remainder goes to the
/// next word, and after the last word to the caller. Every operation is exact as long as the words are drained in time:
/// no s_l leaves [2^(t_l), 2^(t_l + 1)], and the encoding of s_l minus that of 1.5·2^(t_l) is the part of the sum in
/// units of the grid (docs/bounds/sum.md). After the extraction of Rump, Ogita, Oishi, "Accurate floating-point
/// summation, part I", SIAM J. Sci. Comput. 31(1), 2008, §3, and the indexed words of Demmel, Nguyen, "Parallel
/// reproducible summation", IEEE Trans. Comput. 64(7), 2015. Trivial, for shared memory: `at` makes one.
template <int L>
struct WindowAccumulator {
  static_assert(L >= 1 && L <= 6);
  static constexpr int additions = 256;  ///< that a word may hold between two calls of drain()
  static constexpr int drains = 2048;    ///< between two calls of move_to()
  static constexpr int digit = 44;       ///< bits from word to word
  static constexpr int most_top = 1023;
  static constexpr int least_top = -1022 + digit * (L - 1);  ///< if the last grid is that of the subnormal numbers

  double s[L];
  std::int64_t drained[L];  ///< parts of the sum that drain() took out, in units of the grids
  int top;

  /// The empty sum, for numbers below limit(). Requires: least_top ≤ top ≤ most_top (not checked).
  [[nodiscard]] ASSAY_HD static constexpr WindowAccumulator at(int top) {
    WindowAccumulator w{};
    w.top = top;
    ASSAY_UNROLL(6)
    for (int l = 0; l < L; ++l) {
      w.s[l] = base(top, l);
    }
    return w;
  }

  /// The window for numbers below 2^(e + 1), with room for numbers 2^margin times as large if the format has them.
  [[nodiscard]] ASSAY_HD static constexpr WindowAccumulator around(int e, int margin) {
    const int top = e + 1 + 9 + margin;
    return at(top < least_top ? least_top : top > most_top ? most_top : top);
  }

  /// 2^(top − 9): 256 numbers below it sum to less than 2^(top − 1).
  [[nodiscard]] ASSAY_HD constexpr double limit() const { return bits::power_of_two<double>(top - 9); }

  /// v = what the words from `first` on took in + the result. Requires: |v| < limit()·2^(−44·first), and that no word
  /// gets more than `additions` numbers (not checked). 3(L − first) operations.
  [[nodiscard]] ASSAY_HD constexpr double add(double v, int first = 0) {
    ASSAY_UNROLL(6)
    for (int l = 0; l < L; ++l) {
      if (l >= first) {
        const double t = s[l] + v;
        v = v - (t - s[l]);
        s[l] = t;
      }
    }
    return v;
  }

  /// Takes the parts of the sum out of the words.
  ASSAY_HD constexpr void drain() {
    ASSAY_UNROLL(6)
    for (int l = 0; l < L; ++l) {
      drained[l] += static_cast<std::int64_t>(to_bits(s[l]) - to_bits(base(top, l)));
      s[l] = base(top, l);
    }
  }

  /// Moves the drained numbers to `exact`, a Superaccumulator or an object that has its deposit(). Requires: drain()
  /// before, and not more often than `drains` times since the last call (not checked).
  template <class Exact>
  ASSAY_HD constexpr void move_to(Exact& exact) {
    ASSAY_UNROLL(6)
    for (int l = 0; l < L; ++l) {
      const bool minus = drained[l] < 0;
      const auto m = static_cast<std::uint64_t>(drained[l]);
      exact.deposit(minus ? 0 - m : m, position(l), minus);
      drained[l] = 0;
    }
  }

  /// The position of the unit of drained[l] in a superaccumulator.
  [[nodiscard]] ASSAY_HD constexpr int position(int l) const { return top - digit * l - 52 - Superaccumulator::unit; }

 private:
  /// 1.5·2^(top − 44l).
  [[nodiscard]] ASSAY_HD static constexpr double base(int top, int l) {
    return from_bits<double>(to_bits(bits::power_of_two<double>(top - digit * l)) | std::uint64_t{1} << 51);
  }
};

}  // namespace assay
