#pragma once
// Numbers of N limbs with an exponent. Integer operations only, so that the bits are the same everywhere.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/fraction.hpp"

namespace assay::limb {

/// ±m·2^e with 1/2 ≤ m < 1, or 0 with m = 0. The exponents have 32 bits and do not overflow (not checked).
/// Errors below: δ = 2^(−64N). A result is relative to the exact one.
template <int N>
struct Scaled {
  Fraction<N> m;
  int e;
  bool minus;
};

template <int N>
ASSAY_HD inline bool is_zero(const Scaled<N>& a) {
  return a.m.v[N - 1] == 0;
}

/// ±m·2^e for any m, exactly.
template <int N>
ASSAY_HD inline Scaled<N> normalized(const Fraction<N>& m, int e, bool minus) {
  if (is_zero(m)) return {};
  const int zeros = leading_zeros(m);
  return {shifted_left(m, zeros), e - zeros, minus};
}

/// x, exactly. Requires: x finite (not checked).
template <int N>
ASSAY_HD inline Scaled<N> scaled_of(double x) {
  const bits::Significand s = bits::significand(x);
  Fraction<N> m{};
  m.v[N - 1] = s.m;
  return normalized(m, s.e + 64, s.minus);
}

/// x·2^k, exactly.
template <int N>
ASSAY_HD inline Scaled<N> times_power(Scaled<N> x, int k) {
  x.e += k;
  return x;
}
template <int N>
ASSAY_HD inline Scaled<N> negated(Scaled<N> x) {
  x.minus = !x.minus;
  return x;
}
template <int N>
ASSAY_HD inline Scaled<N> magnitude(Scaled<N> x) {
  x.minus = false;
  return x;
}

/// a + b: the error is at most 2δ·max(|a|, |b|), and at most 2δ|a + b| if the signs are equal.
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Scaled<N> add(const Scaled<N>& a, const Scaled<N>& b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  const bool swap = a.e < b.e || (a.e == b.e && is_less(a.m, b.m));
  const Scaled<N>& x = swap ? b : a;  // the larger magnitude
  const Scaled<N>& y = swap ? a : b;
  const int distance = x.e - y.e;
  if (distance >= Fraction<N>::bits) return x;
  const Fraction<N> ym = shifted_right(y.m, distance);
  if (x.minus != y.minus) return normalized(subtract(x.m, ym), x.e, x.minus);
  const FractionSum<N> s = add(x.m, ym);
  if (s.carry == 0) return {s.fraction, x.e, x.minus};
  Fraction<N> m = shifted_right(s.fraction, 1);
  m.v[N - 1] |= std::uint64_t{1} << 63;
  return {m, x.e + 1, x.minus};
}
template <int N>
ASSAY_HD inline Scaled<N> subtract(const Scaled<N>& a, const Scaled<N>& b) {
  return add(a, negated(b));
}

/// ab: the relative error is at most 4Nδ.
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Scaled<N> multiply(const Scaled<N>& a, const Scaled<N>& b) {
  return normalized(multiply(a.m, b.m), a.e + b.e, a.minus != b.minus);
}

/// m in binary64, cut off: in [1/2, 1), and less than 2⁻⁵³ too small.
template <int N>
ASSAY_HD inline double leading_part(const Fraction<N>& m) {
  return static_cast<double>(m.v[N - 1] >> 11) * 0x1p-53;
}

/// The bits to which a quotient of binary64 is a reciprocal from below.
inline constexpr int reciprocal_bits = 48;

/// a/b: the relative error is at most 12Nδ. Requires: b ≠ 0 (not checked).
/// r ≈ 1/(2m) for the m of b from a quotient of binary64, refined by Newton's iteration r + r(1 − 2rm), which doubles
/// its 48 bits until they are 64N or more, and the product with the m of a. Two steps for three limbs.
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Scaled<N> divide(const Scaled<N>& a, const Scaled<N>& b) {
  const double start = (0.5 / leading_part(b.m)) * (1 - 0x1p-49);
  Fraction<N> r = {};
  r.v[N - 1] = static_cast<std::uint64_t>(start * 0x1p53) << 11;
  Fraction<N> margin{};
  margin.v[0] = N;
  for (int known = reciprocal_bits; known < Fraction<N>::bits; known *= 2) {
    const Fraction<N> product = add(multiply(r, b.m), margin).fraction;  // at least rm
    Fraction<N> half{};
    half.v[N - 1] = std::uint64_t{1} << 63;
    if (!is_less(product, half)) break;
    const Fraction<N> rest = shifted_left(subtract(half, product), 1);  // at most 1 − 2rm
    r = add(r, multiply(r, rest)).fraction;
  }
  return normalized(multiply(a.m, r), a.e - b.e + 1, a.minus != b.minus);
}

/// |a| as a fraction, cut off: less than a unit too small. Requires: |a| < 1 (not checked).
template <int N>
ASSAY_HD inline Fraction<N> fraction_of(const Scaled<N>& a) {
  return -a.e >= Fraction<N>::bits ? Fraction<N>{} : shifted_right(a.m, -a.e);
}

/// w = a rounded to binary64, a tie away from zero, and a ← a − w, exactly: |a| ≤ ulp(w)/2 afterwards. If the last
/// place of w is that of the subnormal numbers, a is 0 afterwards. Infinite if a rounds to 2¹⁰²⁴ or more, and a is 0
/// afterwards.
template <int N>
ASSAY_HD ASSAY_NOINLINE inline double take_word(Scaled<N>& a) {
  if (is_zero(a)) return 0.0;
  const int places = a.e + 1074;  // of bits above the smallest subnormal
  const bool is_subnormal = places < 53;
  const int kept = is_subnormal ? places : 53;
  const bool minus = a.minus;
  if (kept < 0) {
    a = {};
    return bits::compose(minus, 0, 0);
  }
  const std::uint64_t cut = kept == 0 ? 0 : a.m.v[N - 1] >> (64 - kept);
  const std::uint64_t up = a.m.v[N - 1] >> (63 - kept) & 1;
  const std::uint64_t significand = cut + up;
  if (is_subnormal) {  // the encoding of a subnormal number, or of the smallest normal ones, is significand
    a = {};
    return from_bits<double>((minus ? bits::sign_bit<double> : 0) | significand);
  }
  if (a.e > 1024 || (a.e == 1024 && significand == std::uint64_t{1} << 53)) {
    a = {};
    return from_bits<double>((minus ? bits::sign_bit<double> : 0) | std::uint64_t{0x7FF} << 52);
  }
  const double w =
      bits::compose(minus, significand >> (significand >> 53), a.e - 53 + static_cast<int>(significand >> 53));
  const Fraction<N> rest = shifted_left(a.m, kept);
  a = up != 0 ? normalized(negated(rest), a.e - kept, !minus) : normalized(rest, a.e - kept, minus);
  return w;
}

}  // namespace assay::limb
