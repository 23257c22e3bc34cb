#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay {

/// high·2⁵⁰ + low in units of a DigitWindow, each part modulo 2⁶⁴.
struct DigitSum {
  std::uint64_t high, low;

  ASSAY_HD constexpr void add(const DigitSum& other) {
    high += other.high;
    low += other.low;
  }
  /// The same sum with 0 ≤ low < 2⁵⁰, if |low| < 2⁶³ as a signed integer.
  [[nodiscard]] ASSAY_HD constexpr DigitSum normalized() const {
    return {high + static_cast<std::uint64_t>(signed_of(low) >> 50), low & ((std::uint64_t{1} << 50) - 1)};
  }
  [[nodiscard]] ASSAY_HD static constexpr std::int64_t signed_of(std::uint64_t x) {
    return static_cast<std::int64_t>(x);
  }
};

/// The multiples of a unit 2^u below 2^(u + 100) in magnitude as two integers, by the binary64 additions of the
/// extraction of Rump, Ogita, Oishi, "Accurate floating-point summation, part I", SIAM J. Sci. Comput. 31(1), 2008, §3.
/// Sums of such numbers are sums of integers, and are rounded once by one addition. docs/bounds/scan.md.
struct DigitWindow {
  static constexpr int bits = 100;
  static constexpr int least_unit = -1000;
  static constexpr int most_unit = 900;

  double high_base;  ///< 1.5·2^(u + 102): numbers next to it are multiples of 2^(u + 50)
  double low_base;   ///< 1.5·2^(u + 52)
  double limit;      ///< 2^(u + 100)
  double high_unit;  ///< 2^(u + 50)
  double low_unit;   ///< 2^u

  /// Requires: least_unit ≤ u ≤ most_unit (not checked).
  [[nodiscard]] ASSAY_HD static constexpr DigitWindow at(int u) {
    using assay::bits::power_of_two;
    return {1.5 * power_of_two<double>(u + 102), 1.5 * power_of_two<double>(u + 52), power_of_two<double>(u + bits),
            power_of_two<double>(u + 50), power_of_two<double>(u)};
  }

  /// sum += x if x is in the window. Returns whether it is; otherwise the sum is void. |high| grows by at most 2⁵⁰,
  /// |low| by at most 2⁴⁹. 11 operations.
  [[nodiscard]] ASSAY_HD constexpr bool add(double x, DigitSum& sum) const {
    const double h = x + high_base;
    const double rest = x - (h - high_base);
    const double l = rest + low_base;
    sum.high += to_bits(h) - to_bits(high_base);
    sum.low += to_bits(l) - to_bits(low_base);
    return abs(x) < limit && l - low_base == rest;
  }

  /// RN of a sum, ties to even; +0 for 0. Requires: normalized, |high| < 2⁶³ (not checked). About 12 operations.
  [[nodiscard]] ASSAY_HD constexpr double nearest(const DigitSum& sum) const {
    const std::int64_t high = DigitSum::signed_of(sum.high);
    if (high < most_high && high >= -most_high) return high_unit * as_double(high) + low_unit * as_double(sum.low);
    // Twelve bits move from the upper part to the lower one, whose last bit stands for those that it gives up.
    const std::uint64_t low = (sum.high & 0xFFF) << 38 | sum.low >> 12 | ((sum.low & 0xFFF) != 0 ? 1 : 0);
    return 0x1p12 * high_unit * as_double(high >> 12) + 0x1p12 * low_unit * as_double(low);
  }

 private:
  static constexpr std::int64_t most_high = std::int64_t{1} << 51;
  static constexpr double integers = 0x1.8p52;  ///< numbers next to it are integers

  /// An integer of magnitude up to 2⁵¹, exactly.
  ASSAY_HD static constexpr double as_double(std::int64_t k) {
    return from_bits<double>(to_bits(integers) + static_cast<std::uint64_t>(k)) - integers;
  }
  ASSAY_HD static constexpr double as_double(std::uint64_t k) { return as_double(static_cast<std::int64_t>(k)); }
};

}  // namespace assay
