#pragma once
// Conversions a second time: formats as their published tables, a search among all numbers in binary64, in which the
// numbers of these formats, the midpoints between them and the numbers of binary32 are exact.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "oracle/low_precision.hpp"

namespace assay::oracle::tables {

/// A float format of at most 8 bits. `infinity`: the code of +∞, −1 for none. NaNs: the codes `first_nan` … `last_nan`
/// with and without sign; −1 for none. `minus_zero_is_nan`: the code of −0 is one.
struct Table {
  std::string_view name;
  int bits;
  int fraction_bits;
  int bias;
  int infinity;
  int first_nan;
  int last_nan;
  bool minus_zero_is_nan = false;
  bool is_signed = true;
  bool has_zero = true;

  [[nodiscard]] int sign_bit() const { return is_signed ? 1 << (bits - 1) : 0; }
  [[nodiscard]] bool is_nan(int code) const {
    const int magnitude = code & ~sign_bit();
    return (first_nan >= 0 && magnitude >= first_nan && magnitude <= last_nan) ||
           (minus_zero_is_nan && code == sign_bit());
  }
  /// The number of a code without sign. Requires: the code stands for a finite number.
  [[nodiscard]] double value(int code) const {
    if (!has_zero) return std::ldexp(1.0, code - bias);
    const int field = code >> fraction_bits;
    const double fraction = std::ldexp(code & ((1 << fraction_bits) - 1), -fraction_bits);
    return field == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, field - bias);
  }
  /// The numbers that are not negative, in the order of their codes 0, 1, …, and the one that would follow.
  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> all;
    for (int code = 0; code < 1 << (bits - (is_signed ? 1 : 0)); ++code) {
      if (code == infinity || is_nan(code)) break;
      all.push_back(value(code));
    }
    all.push_back(value(static_cast<int>(all.size())));
    return all;
  }
};

inline const std::vector<Table> tables{{"e5m2", 8, 2, 15, 0x7C, 0x7D, 0x7F},
                                       {"e4m3fn", 8, 3, 7, -1, 0x7F, 0x7F},
                                       {"e4m3_ieee", 8, 3, 7, 0x78, 0x79, 0x7F},
                                       {"e3m4", 8, 4, 3, 0x70, 0x71, 0x7F},
                                       {"e5m2fnuz", 8, 2, 16, -1, -1, -1, true},
                                       {"e4m3fnuz", 8, 3, 8, -1, -1, -1, true},
                                       {"e4m3b11fnuz", 8, 3, 11, -1, -1, -1, true},
                                       {"e3m2", 6, 2, 3, -1, -1, -1},
                                       {"e2m3", 6, 3, 1, -1, -1, -1},
                                       {"e2m1", 4, 1, 1, -1, -1, -1},
                                       {"e8m0", 8, 0, 127, -1, 0xFF, 0xFF, false, false, false},
                                       {"ue4m3", 7, 3, 7, -1, 0x7F, 0x7F, false, false},
                                       {"p3109_p1", 8, 0, 64, 0x7F, -1, -1, true},
                                       {"p3109_p2", 8, 1, 32, 0x7F, -1, -1, true},
                                       {"p3109_p3", 8, 2, 16, 0x7F, -1, -1, true},
                                       {"p3109_p4", 8, 3, 8, 0x7F, -1, -1, true},
                                       {"p3109_p5", 8, 4, 4, 0x7F, -1, -1, true},
                                       {"p3109_p6", 8, 5, 2, 0x7F, -1, -1, true},
                                       {"p3109_p7", 8, 6, 1, 0x7F, -1, -1, true}};

/// The place among `values` that a direction gives for the magnitude; the last one or beyond for overflow.
inline std::size_t place_of(double magnitude, bool negative, const std::vector<double>& values, Direction direction) {
  std::vector<double>::const_iterator above = std::ranges::upper_bound(values, magnitude);
  if (above == values.begin()) return 0;  // below the least number of a format without a zero
  const auto below = static_cast<std::size_t>(above - values.begin()) - 1;
  const double low = values[below];
  if (low == magnitude) return below;
  if (above == values.end()) return values.size();
  const double high = *above;
  const double middle = low + (high - low) / 2;
  const bool is_odd = below % 2 != 0;
  const bool is_tie = magnitude == middle;
  bool goes_up = magnitude > middle;
  switch (direction) {
    case Direction::even:
      goes_up = goes_up || (is_tie && is_odd);
      break;
    case Direction::away:
      goes_up = goes_up || is_tie;
      break;
    case Direction::toward:
      break;
    case Direction::ties_up:
      goes_up = goes_up || (is_tie && !negative);
      break;
    case Direction::ties_down:
      goes_up = goes_up || (is_tie && negative);
      break;
    case Direction::zero:
      goes_up = false;
      break;
    case Direction::up:
      goes_up = !negative;
      break;
    case Direction::down:
      goes_up = negative;
      break;
    case Direction::outward:
      goes_up = true;
      break;
    case Direction::odd:
      goes_up = !is_odd;
      break;
  }
  return below + (goes_up ? 1 : 0);
}

/// The code of a number, −1 for any NaN. `values`: of the table.
inline int converted(double x, const Table& to, const std::vector<double>& values, const Rule& rule) {
  bool negative = std::signbit(x);
  const int most = static_cast<int>(values.size()) - 2;
  const auto with_sign = [&](int code) {
    const bool has_minus_zero = to.is_signed && !to.minus_zero_is_nan;
    return code | (negative && (code != 0 || (has_minus_zero && rule.keeps_sign_of_zero)) ? to.sign_bit() : 0);
  };
  if (std::isnan(x)) {
    switch (rule.nan) {
      case OfNan::zero:
        return 0;
      case OfNan::max:
        return most;
      case OfNan::signed_max:
        return with_sign(most);
      case OfNan::least:
        return to.is_signed ? most | to.sign_bit() : 0;
      default:
        return -1;
    }
  }
  if (x == 0 && !to.has_zero && rule.zero_is_nan) return -1;
  if (!to.is_signed && negative && x != 0) {
    if (rule.negative == OfNegative::nan) return -1;
    if (rule.negative == OfNegative::clamp) return 0;
  }
  if (!to.is_signed) negative = false;
  if (std::isinf(x)) {
    if (rule.infinite == OfInfinity::nan) return -1;
    return with_sign(rule.infinite == OfInfinity::infinity ? to.infinity : most);
  }
  const std::size_t place = x == 0 ? 0 : place_of(std::fabs(x), negative, values, rule.direction);
  if (static_cast<int>(place) <= most) return with_sign(static_cast<int>(place));
  const bool goes_inward = rule.direction == Direction::zero || rule.direction == Direction::odd ||
                           (rule.direction == Direction::up && negative) ||
                           (rule.direction == Direction::down && !negative);
  if (rule.overflow == Overflow::nan && !goes_inward) return -1;
  return with_sign(rule.overflow == Overflow::infinity && !goes_inward ? to.infinity : most);
}

}  // namespace assay::oracle::tables
