#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay {

/// A binary format of p ≤ 11 bits in software, on host and device: + − × ÷ √ fma and conversions are correctly rounded,
/// to nearest with ties to the even encoding, with subnormals. `emin`, `emax`: the exponents of the smallest and the
/// largest normal number, or of the specials above it. Encoded as sign, exponent field, p − 1 fraction bits; the
/// exponents fill the field (checked when compiled). Overflow, division of a nonzero number by 0 and a converted
/// infinity give an infinity, or NaN in a format without infinities (no saturation); a direction that rounds toward 0
/// overflows to the largest finite number. NaN results are the quiet NaN with sign 0 and no payload, or the format's
/// one NaN. A `finite` format has conversions alone: they saturate, and a NaN gives the largest number. IEEE 754-2019,
/// §4.3, §6, §7; OCP 8-bit Floating Point Specification, 2023, §5 for E4M3; OCP Microscaling Formats, 2023, §5.3. Cost:
/// integer operations, no table.
template <int p, int emin, int emax, Specials specials>
class SmallFloat {
 public:
  static_assert(p >= 1 && p <= 11 && emin <= emax, "SmallFloat holds formats of 1 to 11 bits of precision");
  static constexpr int precision = p;
  static constexpr bool has_arithmetic = specials != Specials::finite;
  static constexpr int exponent_bits =
      std::bit_width(static_cast<unsigned>(emax - emin + (specials == Specials::ieee ? 2 : 1)));
  static constexpr int width = exponent_bits + p;
  static_assert(width <= 32, "SmallFloat has at most 32 bits");
  static_assert(emax - emin + (specials == Specials::ieee ? 3 : 2) == 1 << exponent_bits,
                "the exponent range fills the exponent field");
  using Bits =
      std::conditional_t<(width <= 8), std::uint8_t, std::conditional_t<(width <= 16), std::uint16_t, std::uint32_t>>;

  constexpr SmallFloat() = default;
  /// RN(x).
  ASSAY_HD explicit constexpr SmallFloat(double x) : SmallFloat(convert(x)) {}
  ASSAY_HD explicit constexpr SmallFloat(float x) : SmallFloat(convert(x)) {}
  ASSAY_HD explicit constexpr SmallFloat(int x) : SmallFloat(convert(static_cast<double>(x))) {}
  template <int q, int low, int high, Specials other>
  ASSAY_HD explicit constexpr SmallFloat(SmallFloat<q, low, high, other> x) : SmallFloat(convert(x)) {}

  ASSAY_HD static constexpr SmallFloat of_bits(Bits bits) {
    SmallFloat result;
    result.bits_ = bits;
    return result;
  }
  [[nodiscard]] ASSAY_HD constexpr Bits bits() const { return bits_; }

  /// The value, exactly. Requires of the format: emin − p + 1 ≥ −1022 and emax ≤ 1023 (checked when compiled).
  ASSAY_HD explicit constexpr operator double() const {
    static_assert(emin - p + 1 >= -1022 && emax <= 1023, "a value of this format may not be a double");
    if (is_nan(*this)) {
      return __builtin_bit_cast(double, std::uint64_t{0x7ff8000000000000});
    }
    if (!finite()) {
      return from_bits<double>((negative() ? bits::sign_bit<double> : 0) | (bits::max_finite_bits<double> + 1));
    }
    const Unpacked x = unpack();
    return bits::compose(x.minus, x.m, x.e);
  }

  /// RN of the value in binary32; of the formats here only a Toy needs rounding, for its exponent range.
  ASSAY_HD explicit constexpr operator float() const { return static_cast<float>(static_cast<double>(*this)); }

  ASSAY_HD friend constexpr SmallFloat operator+(SmallFloat a, SmallFloat b)
    requires has_arithmetic
  {
    return add(a, b, Rounding::rn);
  }
  ASSAY_HD friend constexpr SmallFloat operator-(SmallFloat a, SmallFloat b)
    requires has_arithmetic
  {
    return add(a, -b, Rounding::rn);
  }
  ASSAY_HD friend constexpr SmallFloat operator*(SmallFloat a, SmallFloat b)
    requires has_arithmetic
  {
    return multiply(a, b, Rounding::rn);
  }
  ASSAY_HD friend constexpr SmallFloat operator/(SmallFloat a, SmallFloat b)
    requires has_arithmetic
  {
    return divide(a, b, Rounding::rn);
  }
  ASSAY_HD friend constexpr SmallFloat operator-(SmallFloat a) {
    if (!has_negative_zero && a.zero()) return a;
    return of_bits(static_cast<Bits>(a.bits_ ^ sign_mask));
  }

  /// IEEE comparisons: −0 = +0, false with a NaN (except for !=).
  ASSAY_HD friend constexpr bool operator==(SmallFloat a, SmallFloat b) {
    return !either_nan(a, b) && (a.bits_ == b.bits_ || ((a.bits_ | b.bits_) & magnitude_mask) == 0);
  }
  ASSAY_HD friend constexpr bool operator<(SmallFloat a, SmallFloat b) {
    return !either_nan(a, b) && a.ordered() < b.ordered();
  }
  ASSAY_HD friend constexpr bool operator<=(SmallFloat a, SmallFloat b) {
    return !either_nan(a, b) && a.ordered() <= b.ordered();
  }
  ASSAY_HD friend constexpr bool operator>(SmallFloat a, SmallFloat b) { return b < a; }
  ASSAY_HD friend constexpr bool operator>=(SmallFloat a, SmallFloat b) { return b <= a; }

  /// The rounded sum, product, quotient, a·b + c and root in any direction.
  ASSAY_HD static constexpr SmallFloat add(SmallFloat a, SmallFloat b, Rounding to)
    requires has_arithmetic
  {
    if (!a.finite() || !b.finite()) {
      if (either_nan(a, b)) {
        return nan();
      }
      const bool opposite = !a.finite() && !b.finite() && a.negative() != b.negative();
      return opposite ? nan() : (a.finite() ? b : a);
    }
    return sum(a.unpack(), b.unpack(), to);
  }
  ASSAY_HD static constexpr SmallFloat multiply(SmallFloat a, SmallFloat b, Rounding to)
    requires has_arithmetic
  {
    const bool minus = a.negative() != b.negative();
    if (!a.finite() || !b.finite()) {
      return either_nan(a, b) || a.zero() || b.zero() ? nan() : infinity(minus);
    }
    const Unpacked x = a.unpack();
    const Unpacked y = b.unpack();
    return round(minus, x.m * y.m, x.e + y.e, to);
  }
  ASSAY_HD static constexpr SmallFloat divide(SmallFloat a, SmallFloat b, Rounding to)
    requires has_arithmetic
  {
    const bool minus = a.negative() != b.negative();
    if (either_nan(a, b) || (!a.finite() && !b.finite()) || (a.zero() && b.zero())) {
      return nan();
    }
    if (!a.finite() || b.zero()) {
      return infinity(minus);
    }
    if (!b.finite() || a.zero()) {
      return signed_zero(minus);
    }
    const Unpacked x = a.unpack();
    const Unpacked y = b.unpack();
    // 2p + 2 more bits than the divisor can take away; the remainder goes into a sticky bit below.
    constexpr int shift = 2 * p + 2;
    const std::uint64_t numerator = x.m << shift;
    return round(minus, numerator / y.m << 1 | (numerator % y.m != 0 ? 1 : 0), x.e - y.e - shift - 1, to);
  }
  ASSAY_HD static constexpr SmallFloat fused(SmallFloat a, SmallFloat b, SmallFloat c, Rounding to)
    requires has_arithmetic
  {
    const bool minus = a.negative() != b.negative();
    if (either_nan(a, b) || is_nan(c)) {
      return nan();
    }
    if (!a.finite() || !b.finite()) {
      const bool invalid = a.zero() || b.zero() || (!c.finite() && c.negative() != minus);
      return invalid ? nan() : infinity(minus);
    }
    if (!c.finite()) {
      return c;
    }
    const Unpacked x = a.unpack();
    const Unpacked y = b.unpack();
    return sum({x.m * y.m, x.e + y.e, minus}, c.unpack(), to);
  }
  ASSAY_HD static constexpr SmallFloat root(SmallFloat a, Rounding to)
    requires has_arithmetic
  {
    if (is_nan(a) || a.zero() || (!a.negative() && !a.finite())) {
      return is_nan(a) ? nan() : a;
    }
    if (a.negative()) {
      return nan();
    }
    Unpacked x = a.unpack();
    // An even exponent and 2p + 4 bits or more, so that the root has p + 2; the bits that are cut off go into a sticky
    // bit.
    int shift = 2 * p + 4;
    shift += x.e & 1;
    x.m <<= shift;
    x.e -= shift;
    std::uint64_t r = 0;
    for (std::uint64_t bit = std::uint64_t{1} << (bits::bit_length(x.m) / 2); bit != 0; bit >>= 1) {
      if ((r | bit) * (r | bit) <= x.m) {
        r |= bit;
      }
    }
    return round(false, r << 1 | (r * r != x.m ? 1 : 0), x.e / 2 - 1, to);
  }

 private:
  static constexpr Bits sign_mask = static_cast<Bits>(Bits{1} << (width - 1));
  static constexpr Bits magnitude_mask = static_cast<Bits>(sign_mask - 1);
  static constexpr Bits fraction_mask = static_cast<Bits>((Bits{1} << (p - 1)) - 1);
  static constexpr bool has_negative_zero = bits::has_negative_zero<SmallFloat>;
  static constexpr Bits largest_finite_bits = bits::max_finite_bits<SmallFloat>;
  static constexpr Bits infinity_bits = static_cast<Bits>(largest_finite_bits + 1);
  static constexpr Bits nan_bits = specials == Specials::ieee ? static_cast<Bits>(infinity_bits | fraction_mask / 2 + 1)
                                   : specials == Specials::finite ? largest_finite_bits
                                   : has_negative_zero            ? magnitude_mask
                                                                  : sign_mask;

  /// (−1)^minus · m·2^e.
  struct Unpacked {
    std::uint64_t m;
    int e;
    bool minus;
  };

  ASSAY_HD static constexpr bool either_nan(SmallFloat a, SmallFloat b) { return is_nan(a) || is_nan(b); }
  [[nodiscard]] ASSAY_HD constexpr bool negative() const { return (bits_ & sign_mask) != 0; }
  [[nodiscard]] ASSAY_HD constexpr bool finite() const { return is_finite(*this); }
  [[nodiscard]] ASSAY_HD constexpr bool zero() const { return (bits_ & magnitude_mask) == 0; }
  [[nodiscard]] ASSAY_HD constexpr std::int64_t ordered() const {
    const auto magnitude = static_cast<std::int64_t>(bits_ & magnitude_mask);
    return negative() ? -magnitude : magnitude;
  }
  ASSAY_HD static constexpr SmallFloat nan() { return of_bits(nan_bits); }
  ASSAY_HD static constexpr SmallFloat signed_bits(bool minus, Bits magnitude) {
    return of_bits(static_cast<Bits>(magnitude | (minus && (has_negative_zero || magnitude != 0) ? sign_mask : 0)));
  }
  ASSAY_HD static constexpr SmallFloat signed_zero(bool minus) { return signed_bits(minus, 0); }
  /// The substitute for ±∞: the infinity, NaN, or the largest number.
  ASSAY_HD static constexpr SmallFloat infinity(bool minus) {
    return bits::has_infinity<SmallFloat> ? signed_bits(minus, infinity_bits)
           : specials == Specials::finite ? signed_bits(minus, largest_finite_bits)
                                          : nan();
  }

  [[nodiscard]] ASSAY_HD constexpr Unpacked unpack() const {
    const int field = static_cast<int>((bits_ & magnitude_mask) >> (p - 1));
    const int normal = field != 0 ? 1 : 0;
    const auto fraction = static_cast<std::uint64_t>(bits_ & fraction_mask);
    return {fraction | static_cast<std::uint64_t>(normal) << (p - 1), field + 1 - normal + emin - p, negative()};
  }

  /// (−1)^minus · m·2^e rounded once. The lowest bit of m may represent anything nonzero below it, as long as m has p +
  /// 2 bits or more.
  ASSAY_HD ASSAY_NOINLINE static constexpr SmallFloat round(bool minus, std::uint64_t m, int e, Rounding to) {
    if (m == 0) {
      return signed_zero(minus);
    }
    const int zeros = bits::leading_zeros(m);
    const int leading = e + 63 - zeros;
    const int below = leading < emin ? emin - leading : 0;
    const int binade = leading + below;
    // With the leading bit of m at the top, p − below bits are kept; the dropped part is `rest`, in units of 2^63 a
    // half.
    m <<= zeros;
    const int keep = p - below;
    const std::uint64_t kept = keep > 0 ? m >> (64 - keep) : 0;
    const std::uint64_t rest = keep > 0 ? m << keep : keep == 0 ? m : 1;
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    const std::uint64_t inward = (static_cast<std::uint64_t>(binade - emin) << (p - 1)) + kept;
    const bool away = to == Rounding::rn   ? rest + (inward & 1) > half
                      : to == Rounding::ru ? rest != 0 && !minus
                      : to == Rounding::rd ? rest != 0 && minus
                                           : false;
    const std::uint64_t magnitude = inward + (away ? 1 : 0);
    if (binade > emax || magnitude > largest_finite_bits) {
      const bool outward = to == Rounding::rn || (to == Rounding::ru && !minus) || (to == Rounding::rd && minus);
      return outward ? infinity(minus) : signed_bits(minus, largest_finite_bits);
    }
    return signed_bits(minus, static_cast<Bits>(magnitude));
  }

  /// The rounded sum of two finite numbers of at most 22 bits each.
  ASSAY_HD ASSAY_NOINLINE static constexpr SmallFloat sum(Unpacked a, Unpacked b, Rounding to) {
    if (a.m == 0 || b.m == 0) {
      const Unpacked x = a.m == 0 ? b : a;
      if (x.m == 0) {
        return signed_zero(to == Rounding::rd ? a.minus || b.minus : a.minus && b.minus);
      }
      return round(x.minus, x.m, x.e, to);
    }
    // Up to 40 places the one with the larger exponent is shifted exactly. Beyond, the other is below 2^22 of 2^(high −
    // 41), less than one unit of the larger one shifted by 19: a sticky bit represents it.
    constexpr int exact_places = 40;
    constexpr int sticky_places = 19;
    const int gap = a.e - b.e;
    const int swap = gap >> 31;  // all ones if b has the larger exponent: selection without a branch
    const int places_wanted = (gap ^ swap) - swap;
    const bool exact = places_wanted <= exact_places;
    const int places = exact ? places_wanted : sticky_places;
    const std::uint64_t exchange = (a.m ^ b.m) & static_cast<std::uint64_t>(static_cast<std::int64_t>(swap));
    const std::uint64_t large = (a.m ^ exchange) << places;
    const std::uint64_t small = exact ? b.m ^ exchange : 1;
    const int high = a.e - (gap & swap);
    const bool subtract = a.minus != b.minus;
    const std::uint64_t negate = subtract ? ~std::uint64_t{0} : 0;
    const std::uint64_t total = large + ((small ^ negate) - negate);
    if (total == 0) {
      return signed_zero(to == Rounding::rd);
    }
    // A difference below 0 wraps around: its top bit is set, and its sign is that of the smaller exponent's operand.
    const std::uint64_t wrapped = total >> 63;
    const bool minus = (a.minus ^ (subtract & (swap != 0))) != (wrapped != 0);
    return round(minus, (total ^ (0 - wrapped)) + wrapped, high - places, to);
  }

  template <class From>
  ASSAY_HD static constexpr SmallFloat convert(From x) {
    if constexpr (std::is_same_v<From, double> || std::is_same_v<From, float>) {
      if (is_nan(x)) {
        return nan();
      }
      if (!is_finite(x)) {
        return infinity(signbit(x));
      }
      const bits::Significand s = bits::significand(x);
      return round(s.minus, s.m, s.e, Rounding::rn);
    } else {
      return convert(static_cast<double>(x));  // exact, so one rounding
    }
  }

  Bits bits_ = 0;
};

using binary16 = SmallFloat<11, -14, 15, Specials::ieee>;
using bfloat16 = SmallFloat<8, -126, 127, Specials::ieee>;
using e4m3 = SmallFloat<4, -6, 8, Specials::finite_nan>;
using e5m2 = SmallFloat<3, -14, 15, Specials::ieee>;
using e4m3_ieee = SmallFloat<4, -6, 7, Specials::ieee>;
using e3m4 = SmallFloat<5, -2, 3, Specials::ieee>;
using e3m2 = SmallFloat<3, -2, 4, Specials::finite>;
using e2m3 = SmallFloat<4, 0, 2, Specials::finite>;
using e2m1 = SmallFloat<2, 0, 2, Specials::finite>;
using e5m2fnuz = SmallFloat<3, -15, 15, Specials::fnuz>;
using e4m3fnuz = SmallFloat<4, -7, 7, Specials::fnuz>;
using e4m3b11fnuz = SmallFloat<4, -10, 4, Specials::fnuz>;
/// Binary8 of P3109 with p bits of precision, 1 to 7.
template <int p>
using p3109 = SmallFloat<p, 1 - (1 << (7 - p)), (1 << (7 - p)) - 1, Specials::p3109>;
/// A precision small enough to try all significands, with an exponent range wide enough to forget it.
template <int p>
using Toy = SmallFloat<p, -254, 255, Specials::ieee>;

namespace detail {
/// Outside the traits: clang 16 does not take an array of the same class for a constant.
inline constexpr const char* toy_names[] = {"p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11"};
inline constexpr const char* p3109_names[] = {"p3109_p1", "p3109_p2", "p3109_p3", "p3109_p4",
                                              "p3109_p5", "p3109_p6", "p3109_p7"};

template <class T>
inline constexpr const char* small_name = toy_names[T::precision - 2];
template <int p, int emin, int emax>
inline constexpr const char* small_name<SmallFloat<p, emin, emax, Specials::p3109>> = p3109_names[p - 1];
template <>
inline constexpr const char* small_name<binary16> = "binary16";
template <>
inline constexpr const char* small_name<bfloat16> = "bfloat16";
template <>
inline constexpr const char* small_name<e4m3> = "e4m3";
template <>
inline constexpr const char* small_name<e5m2> = "e5m2";
template <>
inline constexpr const char* small_name<e4m3_ieee> = "e4m3_ieee";
template <>
inline constexpr const char* small_name<e3m4> = "e3m4";
template <>
inline constexpr const char* small_name<e3m2> = "e3m2";
template <>
inline constexpr const char* small_name<e2m3> = "e2m3";
template <>
inline constexpr const char* small_name<e2m1> = "e2m1";
template <>
inline constexpr const char* small_name<e5m2fnuz> = "e5m2fnuz";
template <>
inline constexpr const char* small_name<e4m3fnuz> = "e4m3fnuz";
template <>
inline constexpr const char* small_name<e4m3b11fnuz> = "e4m3b11fnuz";
}  // namespace detail

template <int p, int low, int high, Specials special>
struct FloatTraits<SmallFloat<p, low, high, special>> {
  using Number = SmallFloat<p, low, high, special>;
  using Bits = typename Number::Bits;
  static constexpr int precision = p;
  static constexpr int emin = low;
  static constexpr int emax = high;
  static constexpr int width = Number::width;
  static constexpr Specials specials = special;
  static constexpr const char* name = detail::small_name<Number>;

  ASSAY_HD static constexpr Number from_bits(Bits bits) { return Number::of_bits(bits); }
};

/// The encoding of x.
template <int p, int emin, int emax, Specials specials>
ASSAY_HD constexpr auto to_bits(SmallFloat<p, emin, emax, specials> x) {
  return x.bits();
}

/// RN(a·b + c), one rounding.
template <int p, int emin, int emax, Specials specials>
ASSAY_HD constexpr auto fma(SmallFloat<p, emin, emax, specials> a, SmallFloat<p, emin, emax, specials> b,
                            SmallFloat<p, emin, emax, specials> c) {
  return SmallFloat<p, emin, emax, specials>::fused(a, b, c, Rounding::rn);
}

/// RN(√x); NaN for x < 0, and √−0 = −0.
template <int p, int emin, int emax, Specials specials>
ASSAY_HD constexpr auto sqrt(SmallFloat<p, emin, emax, specials> x) {
  return SmallFloat<p, emin, emax, specials>::root(x, Rounding::rn);
}

}  // namespace assay
