#pragma once
// Numbers and double words drawn for probes.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/words/double_word.hpp"
#include "probes/stream.hpp"

namespace assay::probes {

/// An exponent near 0, or near the end of the range that is nearest to 0.
ASSAY_HD constexpr int central(Stream& stream, Range range) {
  const int e = stream.between(-8, 8);
  return e < range.low ? range.low : e > range.high ? range.high : e;
}

ASSAY_HD constexpr int lower(int e, int gap, Range range) { return e - gap < range.low ? range.low : e - gap; }

/// The exponent of a number; for numbers below the normal range, an exponent below all normal ones.
template <class T>
ASSAY_HD constexpr int exponent(T x) {
  using F = FloatTraits<T>;
  const auto field = static_cast<int>(static_cast<BitsOf<T>>(to_bits(x) << 1) >> F::precision);
  return field + F::emin - 1;
}

/// A number up to four places below or above x in magnitude; x where it might leave the binade. Requires: step < 9 (not
/// checked).
template <class T>
ASSAY_HD constexpr T stepped(T x, std::uint32_t step) {
  using Bits = BitsOf<T>;
  constexpr Bits fraction = (Bits{1} << (FloatTraits<T>::precision - 1)) - 1;
  const Bits whole = to_bits(x);
  const Bits place = whole & fraction;
  return from_bits<T>(static_cast<Bits>(step < 5 ? (place > 4 ? whole - step : whole)
                                                 : (place < fraction - 4 ? whole + step - 4 : whole)));
}

/// How a low word lies below its high word.
enum class Low {
  half_ulp,   ///< half the distance of the high word, which is even, to its neighbor
  near_half,  ///< just below that
  gap,        ///< 0 … p + 4 places below that
  any         ///< one of these, or 0: the same kind for alike cases
};

/// A normalized double word whose high word has the exponent e; its low word is 0 if it would leave the range.
/// Requires: e is the exponent of a normal number (not checked).
template <class T>
ASSAY_HD constexpr DoubleWord<T> draw_double_word(Stream& stream, Digits digits, Low low, int e, Range range) {
  constexpr int p = FloatTraits<T>::precision;
  const std::uint32_t signs = stream.below(4);
  const bool negative = (signs & 1) != 0;
  const bool opposite = (signs & 2) != 0;
  std::uint64_t m = draw_digits<p>(stream, digits);
  if (low == Low::any) {
    const std::uint32_t which = stream.shared().below(6);
    if (which == 0) return {normal_number<T>(negative, m, e), T(0)};
    low = which == 1 ? Low::half_ulp : which == 2 ? Low::near_half : Low::gap;
  }
  if (low == Low::half_ulp) m &= ~std::uint64_t{1};
  // Below a power of two the neighbor is half as far.
  const int limit = e - p - (m == std::uint64_t{1} << (p - 1) && opposite ? 1 : 0);
  std::uint64_t tail = std::uint64_t{1} << (p - 1);
  int top = limit;
  if (low == Low::near_half) {
    tail = draw_digits<p>(stream, Digits::near_power) | std::uint64_t{3} << (p - 2);
    top = limit - 1;
  } else if (low == Low::gap) {
    tail = draw_digits<p>(stream, digits);
    top = limit - 1 - static_cast<int>(stream.below(p + 5));
  }
  const bool fits = top >= range.low && top >= FloatTraits<T>::emin;
  return {normal_number<T>(negative, m, e), fits ? normal_number<T>(negative != opposite, tail, top) : T(0)};
}

}  // namespace assay::probes
