#pragma once
// Changes of a few numbers that a climb tries, the same on the host and on a device.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"
#include "arith/words/double_word.hpp"
#include "probes/draw_words.hpp"
#include "probes/stream.hpp"

namespace assay::probes {

/// A number in parts: the bits without the sign, and the sign.
template <class T>
struct Magnitude64 {
  static constexpr int p = FloatTraits<T>::precision;
  static constexpr std::uint64_t fraction_mask = (std::uint64_t{1} << (p - 1)) - 1;
  std::uint64_t bits;
  bool negative;

  ASSAY_HD explicit constexpr Magnitude64(T x) : bits(bits::magnitude_bits(x)), negative(signbit(x)) {}
  ASSAY_HD constexpr int field() const { return static_cast<int>(bits >> (p - 1)); }
  ASSAY_HD constexpr void set_field(int field) {
    constexpr int largest = FloatTraits<T>::emax - FloatTraits<T>::emin + 1;
    const int clamped = field < 0 ? 0 : field > largest ? largest : field;
    bits = (bits & fraction_mask) | static_cast<std::uint64_t>(clamped) << (p - 1);
  }
  ASSAY_HD constexpr void set_fraction(std::uint64_t fraction) {
    bits = (bits & ~fraction_mask) | (fraction & fraction_mask);
  }
  ASSAY_HD constexpr void add(std::int64_t ulps) {
    const std::int64_t moved = static_cast<std::int64_t>(bits) + ulps;
    const auto size = static_cast<std::uint64_t>(moved < 0 ? -moved : moved);
    bits = size > bits::max_finite_bits<T> ? bits::max_finite_bits<T> : size;
  }
  ASSAY_HD constexpr T number() const {
    return from_bits<T>(static_cast<BitsOf<T>>(bits | (negative ? std::uint64_t{bits::sign_bit<T>} : 0)));
  }
};

/// 1, 2 or 3 half of the time, seldom more than 100.
ASSAY_HD constexpr std::uint64_t draw_small(Stream& stream) {
  return 1 + stream.below(std::uint32_t{2} << stream.below(1 + stream.below(8)));
}
ASSAY_HD constexpr std::int64_t draw_signed_small(Stream& stream) {
  const auto size = static_cast<std::int64_t>(draw_small(stream));
  return stream.coin() ? size : -size;
}

/// w[i]. No array is indexed by a run-time number, so that w can stay in registers.
template <class T, int n>
ASSAY_HD constexpr T picked(const T (&w)[n], std::uint32_t i) {
  T x = w[0];
  for (std::uint32_t k = 1; k < n; ++k) {
    if (k == i) x = w[k];
  }
  return x;
}

/// One of the numbers w changed: a bit of its significand flipped; some units in the last place more or less; another
/// significand, also one next to a power of two, next to a tie of a shorter format, or that of another number; the
/// exponent shifted, or set in a relation to that of another number that makes roundings meet; a sign. The choice of
/// the number and of the change is the same for alike cases.
template <class T, int n>
ASSAY_HD constexpr void move_word(Stream& stream, T (&w)[n]) {
  using Parts = Magnitude64<T>;
  constexpr int p = FloatTraits<T>::precision;
  const std::uint32_t i = stream.shared().below(n);
  const Parts y(picked(w, stream.shared().below(n)));
  Parts x(picked(w, i));
  switch (stream.shared().below(16)) {
    case 0:
      x.bits ^= std::uint64_t{1} << stream.below(p - 1);
      break;
    case 1:
    case 2:
    case 3:
      x.add(draw_signed_small(stream));
      break;
    case 4:
      x.set_fraction(stream.word());
      break;
    case 5:
    case 6: {
      const std::uint64_t some = draw_small(stream) << stream.below(p - 1);
      x.set_fraction(stream.coin() ? some : Parts::fraction_mask - some);
      break;
    }
    case 7:
    case 8: {
      const std::uint64_t low = (std::uint64_t{2} << stream.below(p - 1)) - 1;
      const std::uint64_t tie =
          (low + 1) / 2 + (stream.coin() ? 0 : static_cast<std::uint64_t>(draw_signed_small(stream)));
      x.set_fraction((x.bits & ~low) | (tie & low));
      break;
    }
    case 9:
      x.set_field(x.field() + static_cast<int>(draw_signed_small(stream)));
      break;
    case 10:
    case 11:
    case 12: {
      const std::uint32_t which = stream.shared().below(6);
      const int distance = which == 0   ? 0
                           : which <= 2 ? p
                           : which == 3 ? 2 * p
                           : which == 4 ? p / 2
                                        : stream.between(0, 3 * p);
      x.set_field(y.field() - distance - stream.between(-1, 2));
      if (stream.below(3) == 0) {
        const std::uint64_t some = draw_small(stream) - 1;
        x.set_fraction(stream.coin() ? some : Parts::fraction_mask - some);
      }
      break;
    }
    case 13:
      x.negative = !x.negative;
      break;
    default:
      x.set_fraction(y.bits);
      if (stream.coin()) x.add(draw_signed_small(stream));
      break;
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    if (k == i) w[k] = x.number();
  }
}

/// x with another exponent. Requires: both are those of normal numbers (not checked).
template <class T>
ASSAY_HD constexpr T with_exponent(T x, int e) {
  Magnitude64<T> parts(x);
  parts.set_field(parts.field() + e - exponent(x));
  return parts.number();
}

/// Whether x is a number other than 0 with its exponent in the range.
template <class T>
ASSAY_HD constexpr bool is_in_range(T x, Range range) {
  return is_finite(x) && exponent(x) >= range.low && exponent(x) <= range.high && exponent(x) >= FloatTraits<T>::emin;
}
ASSAY_HD constexpr bool repair(const double& x, Range range) { return is_in_range(x, range); }
ASSAY_HD constexpr bool repair(const float& x, Range range) { return is_in_range(x, range); }

/// Makes two words a double word of the same value; a low word below the range becomes 0. Whether the high word is in
/// the range.
template <class T>
ASSAY_HD constexpr bool repair(DoubleWord<T>& x, Range range) {
  if (!is_finite(x.h) || !is_finite(x.l)) return false;
  const Sum<T> z = two_sum(x.h, x.l);
  x = {z.s, is_in_range(z.e, range) ? z.e : T(0)};
  return repair(x.h, range);
}

/// One to a few words of a case moved, equally many for alike cases, and its operands repaired. Whether the case lies
/// in the range.
template <class T, class Case>
ASSAY_HD constexpr bool move_case(Stream& stream, Case& c, Range range) {
  struct Numbers {
    T at[sizeof(Case) / sizeof(T)];
  };
  Numbers numbers = __builtin_bit_cast(Numbers, c);
  do {
    move_word(stream, numbers.at);
  } while (stream.shared().coin());
  c = __builtin_bit_cast(Case, numbers);
  bool inside = repair(c.x, range);
  if constexpr (requires { c.y; }) inside = repair(c.y, range) && inside;
  return inside;
}

}  // namespace assay::probes
