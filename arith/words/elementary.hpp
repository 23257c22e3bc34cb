#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/extremes.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/scaled.hpp"
#include "arith/words/double_word.hpp"
#include "arith/words/elementary_constants.hpp"
#include "arith/words/quad_double.hpp"
#include "arith/words/quarter_turns.hpp"

/// Elementary functions of double words and quad doubles of binary64, here W, with K = 2 or 4 words.
///
/// For every function f here: |z − f(x)| ≤ (2^(1 − K) + 2⁻⁴⁰)u^K|f(x)| + η/2 with u = 2⁻⁵³ and the smallest subnormal
/// η, for all operands with a real value that does not overflow. docs/bounds/elementary.md has the proofs,
/// elementary.exp.1 to elementary.pow.1. sin, cos and tan of |x| > 1/2 need a distance of 2⁻²⁰⁰ (K = 2) or 2⁻³³⁰
/// (K = 4) to the multiples of π/2 that are their zeros or poles. z is a double word or a quad double.
///
/// Special operands: a NaN gives NaN, and so does an operand without a real value or limit. At ±∞ and poles z has the
/// limit, for an infinite one with words 0 after the first, and for 0 and ±1 exactly. A value is ±∞ if its rounding to
/// the first word is: from 2¹⁰²⁴ − 2⁹⁷⁰ on. f(±0) = ±0 for odd functions. pow has rules of its own.
///
/// Method: one series for each function, in fixed point with K + 1 limbs of 64 bits, after an exact or nearly exact
/// reduction. The value is rounded to words at the end, so that its error is that of the rounding. Requires operands
/// that are double words or quad doubles (not checked). Bit-identical everywhere: integers, and correctly rounded
/// operations of binary64. Cost: exp 36 products of three limbs, or 54 of five; the others 22 to 62 and up to three
/// quotients; pow as log and exp.
namespace assay::elementary {

namespace detail {

using limb::Fraction;
using limb::Scaled;

/// The words of W, and the limbs N in which a function of W is computed.
template <class W>
struct Shape;
template <>
struct Shape<DoubleWord<double>> {
  static constexpr int words = 2;
  static constexpr int limbs = 3;
};
template <>
struct Shape<QuadDouble<double>> {
  static constexpr int words = 4;
  static constexpr int limbs = 5;
};

/// The terms of each series after which the rest is below 2^(−64N): eʳ − 1 for |r| ≤ 0.36, sin and cos for r² ≤ 0.62,
/// artanh for r² ≤ 0.0295, atan for r² ≤ 0.0016.
template <int N>
struct Terms;
template <>
struct Terms<3> {
  static constexpr int expm1 = 36, sin = 22, cos = 22, artanh = 37, atan = 21;
};
template <>
struct Terms<5> {
  static constexpr int expm1 = 54, sin = 32, cos = 33, artanh = 62, atan = 34;
};

/// c(0) ± c(1)·t + c(2)·t² ± … + c(terms − 1)·t^(terms − 1).
template <int N, class Coefficient>
ASSAY_HD inline Fraction<N> series(const Fraction<N>& t, bool alternates, int terms, Coefficient c) {
  const auto coefficient = [&c](int k) { return limb::fraction_of<N>([&c, k](int i) { return c(k, i); }); };
  Fraction<N> p = coefficient(terms - 1);
  for (int k = terms - 2; k >= 0; --k) {
    const Fraction<N> tp = limb::multiply(t, p);
    p = alternates ? limb::subtract(coefficient(k), tp) : limb::add(coefficient(k), tp).fraction;
  }
  return p;
}

template <int N>
ASSAY_HD inline Scaled<N> power_of_two(int e) {
  Scaled<N> x{{}, e + 1, false};
  x.m.v[N - 1] = std::uint64_t{1} << 63;
  return x;
}
template <int N>
ASSAY_HD inline Scaled<N> one() {
  return power_of_two<N>(0);
}
template <int N>
ASSAY_HD inline Scaled<N> half_pi() {
  return {limb::fraction_of<N>([](int k) { return reduction_constant(0, k); }), 1, false};
}
/// k·ln 2.
template <int N>
ASSAY_HD inline Scaled<N> times_ln2(int k) {
  const Scaled<N> ln2{limb::fraction_of<N>([](int i) { return reduction_constant(1, i); }), 0, false};
  return limb::multiply(limb::scaled_of<N>(static_cast<double>(k)), ln2);
}

/// eˣ = 2ᵏ(1 + rest).
template <int N>
struct Exponential {
  Scaled<N> rest;
  int k;
};

/// k is the integer nearest to x/ln 2, or nearly; rest = eʳ − 1 with r = x − k·ln 2 by its series. k = 0 for
/// |x| < 0.34. Requires: |x| < 2¹¹ (not checked).
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Exponential<N> exponential(const Scaled<N>& x) {
  int k = 0;
  if (x.e > -2 && !limb::is_zero(x)) {
    const double magnitude = bits::scaled_normal(limb::leading_part(x.m), x.e);
    constexpr double shifter = 0x1.8p52;
    const int nearest = static_cast<int>((magnitude * 0x1.71547652b82fep0 + shifter) - shifter);
    k = x.minus ? -nearest : nearest;
  }
  const Scaled<N> r = k == 0 ? x : limb::subtract(x, times_ln2<N>(k));
  const Fraction<N> half_sum = series<N>(limb::fraction_of(r), r.minus, Terms<N>::expm1,
                                         [](int i, int limb) { return half_factorial_reciprocal(i + 1, limb); });
  return {limb::multiply(r, limb::normalized(half_sum, 1, false)), k};
}

/// 2ᵏ(1 + rest).
template <int N>
ASSAY_HD inline Scaled<N> value_of(const Exponential<N>& e) {
  return limb::times_power(limb::add(one<N>(), e.rest), e.k);
}
/// 2ᵏ(1 + rest) − 1.
template <int N>
ASSAY_HD inline Scaled<N> value_minus_1(const Exponential<N>& e) {
  if (e.k == 0) return e.rest;
  return limb::add(limb::times_power(e.rest, e.k), limb::subtract(power_of_two<N>(e.k), one<N>()));
}

/// ln y, from y and from y − 1, which is needed if y is in [√½, √2). Requires: y > 0 (not checked). y = 2ᵏf with f in
/// [√½, √2); ln f = 2 artanh((f − 1)/(f + 1)) by its series.
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Scaled<N> logarithm(const Scaled<N>& y, const Scaled<N>& y_minus_1) {
  const bool doubled = y.m.v[N - 1] < 0xB504F333F9DE6484;
  const int k = doubled ? y.e - 1 : y.e;
  const Scaled<N> f{y.m, doubled ? 1 : 0, false};
  const Scaled<N> f_minus_1 = k == 0 ? y_minus_1 : limb::subtract(f, one<N>());
  const Scaled<N> s = limb::divide(f_minus_1, limb::add(f_minus_1, power_of_two<N>(1)));
  const Fraction<N> half_sum = series<N>(limb::fraction_of(limb::multiply(s, s)), false, Terms<N>::artanh,
                                         [](int i, int limb) { return half_odd_reciprocal(i, limb); });
  const Scaled<N> of_f = limb::multiply(s, limb::normalized(half_sum, 2, false));
  return k == 0 ? of_f : limb::add(times_ln2<N>(k), of_f);
}

/// atan(y/x). Requires: y ≥ 0, x > 0 (not checked).
/// b/a or its reciprocal, at most 1, lies within 1/31 of some j/16; atan(b/a) = atan(j/16) + atan((16b − ja)/(16a +
/// jb)).
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Scaled<N> arctangent(const Scaled<N>& y, const Scaled<N>& x) {
  if (limb::is_zero(y)) return y;
  const bool swaps = y.e > x.e || (y.e == x.e && limb::is_less(x.m, y.m));
  const Scaled<N>& b = swaps ? x : y;
  const Scaled<N>& a = swaps ? y : x;
  constexpr int least = -6;  // of exponents of b/a: there and below 32b/a < 1, so that j = 0
  const double ratio = limb::leading_part(b.m) / limb::leading_part(a.m);
  const int j = (static_cast<int>(bits::scaled_normal(ratio, 5 + bits::max(b.e - a.e, least))) + 1) / 2;
  const Scaled<N> of_j = limb::scaled_of<N>(static_cast<double>(j));
  const Scaled<N> q = limb::divide(limb::subtract(limb::times_power(b, 4), limb::multiply(of_j, a)),
                                   limb::add(limb::times_power(a, 4), limb::multiply(of_j, b)));
  const Fraction<N> half_sum = series<N>(limb::fraction_of(limb::multiply(q, q)), true, Terms<N>::atan,
                                         [](int i, int limb) { return half_odd_reciprocal(i, limb); });
  const Scaled<N> of_q = limb::multiply(q, limb::normalized(half_sum, 1, false));
  const Scaled<N> table =
      limb::normalized(limb::fraction_of<N>([j](int i) { return arctangent_of_sixteenths(j, i); }), 0, false);
  const Scaled<N> angle = limb::add(table, of_q);
  return swaps ? limb::subtract(half_pi<N>(), angle) : angle;
}

/// r·(1 − r²/3! + …) and 1 − r²/2! + … for |r| < 0.787.
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Scaled<N> sine(const Scaled<N>& r) {
  const Fraction<N> half_sum = series<N>(limb::fraction_of(limb::multiply(r, r)), true, Terms<N>::sin,
                                         [](int i, int limb) { return half_factorial_reciprocal(2 * i + 1, limb); });
  return limb::multiply(r, limb::normalized(half_sum, 1, false));
}
template <int N>
ASSAY_HD ASSAY_NOINLINE inline Scaled<N> cosine(const Scaled<N>& r) {
  const Fraction<N> half_sum = series<N>(limb::fraction_of(limb::multiply(r, r)), true, Terms<N>::cos,
                                         [](int i, int limb) { return half_factorial_reciprocal(2 * i, limb); });
  return limb::normalized(half_sum, 1, false);
}

/// The words of x, and Σ w[i] in limbs.
template <int K>
struct Words {
  double w[K];
};
ASSAY_HD inline Words<2> words_of(const DoubleWord<double>& x) { return {{x.h, x.l}}; }
ASSAY_HD inline Words<4> words_of(const QuadDouble<double>& x) { return {{x.x0, x.x1, x.x2, x.x3}}; }

template <int N, int K>
ASSAY_HD inline Scaled<N> sum_of(const Words<K>& x) {
  Scaled<N> sum = limb::scaled_of<N>(x.w[0]);
  for (int i = 1; i < K; ++i) sum = limb::add(sum, limb::scaled_of<N>(x.w[i]));
  return sum;
}
/// The sum with c added to the first word, exactly. Requires: 1/2 ≤ |w[0]| ≤ 2, the sign of c is the other one, |c| = 1
/// (not checked).
template <int N, int K>
ASSAY_HD inline Scaled<N> sum_with(double c, Words<K> x) {
  x.w[0] += c;
  return sum_of<N>(x);
}

/// (x, 0, …).
template <class W>
ASSAY_HD inline W one_word(double x) {
  if constexpr (Shape<W>::words == 2) {
    return {x, 0.0};
  } else {
    return {x, 0.0, 0.0, 0.0};
  }
}
template <class W>
ASSAY_HD inline W not_a_number() {
  const double nan = from_bits<double>(std::uint64_t{0x7FF8} << 48);
  if constexpr (Shape<W>::words == 2) {
    return {nan, nan};
  } else {
    return {nan, nan, nan, nan};
  }
}
ASSAY_HD inline double infinity(bool minus) {
  return from_bits<double>((minus ? bits::sign_bit<double> : 0) | std::uint64_t{0x7FF} << 52);
}

ASSAY_HD inline bool is_nan(double x) { return !(x == x); }
ASSAY_HD inline bool is_finite(double x) { return abs(x) < infinity(false); }
/// Whether |x| ≥ 2¹⁰, for the exponential functions: they overflow there, or are rounded to their limits.
ASSAY_HD inline bool is_far(double x) {
  constexpr int most_exponent = 9;
  return bits::normal_exponent(x) > most_exponent;
}

template <int K>
ASSAY_HD inline Words<K> negated(Words<K> x) {
  for (int i = 0; i < K; ++i) x.w[i] = -x.w[i];
  return x;
}
template <int K>
ASSAY_HD inline bool is_one(const Words<K>& x) {
  bool is = x.w[0] == 1;
  for (int i = 1; i < K; ++i) is = is && x.w[i] == 0;
  return is;
}
/// Exact for every x: |x| + 2⁵² is rounded to an integer if |x| < 2⁵², and larger numbers are integers.
ASSAY_HD inline bool is_integer(double x) { return !(abs(x) < 0x1p52) || (abs(x) + 0x1p52) - 0x1p52 == abs(x); }
enum class Parity { none, even, odd };  ///< none: not an integer
/// The parity of the sum of the words of a double word or quad double; even for ±∞. The sum is an integer only if all
/// words are (elementary.pow.1).
template <int K>
ASSAY_HD inline Parity parity_of(const Words<K>& x) {
  bool is_odd = false;
  for (int i = 0; i < K; ++i) {
    if (!is_integer(x.w[i])) return Parity::none;
    is_odd = is_odd != !is_integer(x.w[i] / 2);
  }
  return is_odd ? Parity::odd : Parity::even;
}

/// v rounded to the words of W.
template <class W, int N>
ASSAY_HD inline W rounded(Scaled<N> v) {
  const double first = limb::take_word(v);
  const double second = limb::take_word(v);
  if constexpr (Shape<W>::words == 2) {
    if (second == 0) return {first, 0.0};
    const Sum<double> z = fast_two_sum(first, second);
    return is_finite(z.s) ? W{z.s, z.e} : one_word<W>(z.s);
  } else {
    const double third = limb::take_word(v);
    return {first, second, third, limb::take_word(v)};
  }
}
template <class W, int N>
ASSAY_HD inline W rounded(Scaled<N> v, bool minus) {
  v.minus = v.minus != minus;
  return rounded<W>(v);
}

/// The angle of x with the quarter turns before it.
template <int N, int K>
ASSAY_HD inline QuarterTurns<N> turned(const Words<K>& x) {
  return abs(x.w[0]) > 0.5 ? quarter_turns<N>(x.w) : QuarterTurns<N>{sum_of<N>(x), 0};
}
/// sin(x + ahead·π/2).
template <int N>
ASSAY_HD inline Scaled<N> sine_ahead(const QuarterTurns<N>& x, int ahead) {
  const int quarter = (x.quarters + ahead) & 3;
  const Scaled<N> value = (quarter & 1) == 0 ? sine(x.angle) : cosine(x.angle);
  return quarter < 2 ? value : limb::negated(value);
}

}  // namespace detail

/// eˣ.
template <class W>
ASSAY_HD inline W exp(const W& x) {
  const auto w = detail::words_of(x);
  if (detail::is_nan(w.w[0])) return detail::not_a_number<W>();
  if (detail::is_far(w.w[0])) return detail::one_word<W>(signbit(w.w[0]) ? 0.0 : detail::infinity(false));
  return detail::rounded<W>(detail::value_of(detail::exponential(detail::sum_of<detail::Shape<W>::limbs>(w))));
}

/// eˣ − 1.
template <class W>
ASSAY_HD inline W expm1(const W& x) {
  const auto w = detail::words_of(x);
  if (detail::is_nan(w.w[0])) return detail::not_a_number<W>();
  if (w.w[0] == 0) return x;
  if (detail::is_far(w.w[0])) return detail::one_word<W>(signbit(w.w[0]) ? -1.0 : detail::infinity(false));
  return detail::rounded<W>(detail::value_minus_1(detail::exponential(detail::sum_of<detail::Shape<W>::limbs>(w))));
}

/// ln x; −∞ for ±0, NaN for x < 0.
template <class W>
ASSAY_HD inline W log(const W& x) {
  constexpr int N = detail::Shape<W>::limbs;
  const auto w = detail::words_of(x);
  if (w.w[0] == 0) return detail::one_word<W>(detail::infinity(true));
  if (!(w.w[0] > 0)) return detail::not_a_number<W>();
  if (!detail::is_finite(w.w[0])) return detail::one_word<W>(w.w[0]);
  return detail::rounded<W>(detail::logarithm(detail::sum_of<N>(w), detail::sum_with<N>(-1.0, w)));
}

/// ln(1 + x); −∞ for x = −1, NaN for x < −1.
template <class W>
ASSAY_HD inline W log1p(const W& x) {
  constexpr int N = detail::Shape<W>::limbs;
  const auto w = detail::words_of(x);
  if (w.w[0] == 0) return x;
  if (!(w.w[0] >= -1)) return detail::not_a_number<W>();
  if (!detail::is_finite(w.w[0])) return detail::one_word<W>(w.w[0]);
  const auto sum = detail::sum_of<N>(w);
  const auto y = w.w[0] <= -0.5 ? detail::sum_with<N>(1.0, w) : limb::add(detail::one<N>(), sum);
  if (limb::is_zero(y)) return detail::one_word<W>(detail::infinity(true));
  if (y.minus) return detail::not_a_number<W>();
  return detail::rounded<W>(detail::logarithm(y, sum));
}

/// sin x.
template <class W>
ASSAY_HD inline W sin(const W& x) {
  const auto w = detail::words_of(x);
  if (!detail::is_finite(w.w[0])) return detail::not_a_number<W>();
  if (w.w[0] == 0) return x;
  return detail::rounded<W>(detail::sine_ahead(detail::turned<detail::Shape<W>::limbs>(w), 0));
}

/// cos x.
template <class W>
ASSAY_HD inline W cos(const W& x) {
  const auto w = detail::words_of(x);
  if (!detail::is_finite(w.w[0])) return detail::not_a_number<W>();
  return detail::rounded<W>(detail::sine_ahead(detail::turned<detail::Shape<W>::limbs>(w), 1));
}

/// tan x.
template <class W>
ASSAY_HD inline W tan(const W& x) {
  const auto w = detail::words_of(x);
  if (!detail::is_finite(w.w[0])) return detail::not_a_number<W>();
  if (w.w[0] == 0) return x;
  const auto at = detail::turned<detail::Shape<W>::limbs>(w);
  return detail::rounded<W>(limb::divide(detail::sine_ahead(at, 0), detail::sine_ahead(at, 1)));
}

/// The angle of the point (x, y), in [−π, π]; signed zeros and infinities as in C. NaN for NaN.
template <class W>
ASSAY_HD inline W atan2(const W& y, const W& x) {
  constexpr int N = detail::Shape<W>::limbs;
  auto v = detail::words_of(y);
  auto w = detail::words_of(x);
  if (detail::is_nan(v.w[0]) || detail::is_nan(w.w[0])) return detail::not_a_number<W>();
  const bool below = signbit(v.w[0]);
  const bool left = signbit(w.w[0]);
  const bool high = !detail::is_finite(v.w[0]);
  const bool wide = !detail::is_finite(w.w[0]);
  if (high || wide) {  // the limit is the angle of a point with coordinates 0 and ±1
    v = {};
    w = {};
    v.w[0] = high ? 1.0 : 0.0;
    w.w[0] = wide ? 1.0 : 0.0;
  }
  const auto b = limb::magnitude(detail::sum_of<N>(v));
  const auto a = limb::magnitude(detail::sum_of<N>(w));
  const auto right_angle = detail::half_pi<N>();
  auto angle = limb::is_zero(b) ? b : limb::is_zero(a) ? right_angle : detail::arctangent(b, a);
  if (left) angle = limb::subtract(limb::times_power(right_angle, 1), angle);
  if (limb::is_zero(angle)) return detail::one_word<W>(below ? -0.0 : 0.0);
  return detail::rounded<W>(angle, below);
}

/// atan x.
template <class W>
ASSAY_HD inline W atan(const W& x) {
  if (detail::words_of(x).w[0] == 0) return x;
  return atan2(x, detail::one_word<W>(1.0));
}

/// (eˣ − e⁻ˣ)/2, from m = e^|x| − 1: (m + m/(1 + m))/2.
template <class W>
ASSAY_HD inline W sinh(const W& x) {
  const auto w = detail::words_of(x);
  if (detail::is_nan(w.w[0])) return detail::not_a_number<W>();
  if (w.w[0] == 0) return x;
  const bool minus = signbit(w.w[0]);
  if (detail::is_far(w.w[0])) return detail::one_word<W>(detail::infinity(minus));
  constexpr int N = detail::Shape<W>::limbs;
  const auto e = detail::exponential(limb::magnitude(detail::sum_of<N>(w)));
  const auto m = detail::value_minus_1(e);
  return detail::rounded<W>(limb::times_power(limb::add(m, limb::divide(m, detail::value_of(e))), -1), minus);
}

/// (eˣ + e⁻ˣ)/2.
template <class W>
ASSAY_HD inline W cosh(const W& x) {
  const auto w = detail::words_of(x);
  if (detail::is_nan(w.w[0])) return detail::not_a_number<W>();
  if (detail::is_far(w.w[0])) return detail::one_word<W>(detail::infinity(false));
  constexpr int N = detail::Shape<W>::limbs;
  const auto e = detail::value_of(detail::exponential(limb::magnitude(detail::sum_of<N>(w))));
  return detail::rounded<W>(limb::times_power(limb::add(e, limb::divide(detail::one<N>(), e)), -1));
}

/// tanh x, from m = e^(2|x|) − 1: m/(m + 2).
template <class W>
ASSAY_HD inline W tanh(const W& x) {
  const auto w = detail::words_of(x);
  if (detail::is_nan(w.w[0])) return detail::not_a_number<W>();
  if (w.w[0] == 0) return x;
  const bool minus = signbit(w.w[0]);
  if (abs(w.w[0]) > 400) return detail::one_word<W>(minus ? -1.0 : 1.0);
  constexpr int N = detail::Shape<W>::limbs;
  const auto twice = limb::times_power(limb::magnitude(detail::sum_of<N>(w)), 1);
  const auto m = detail::value_minus_1(detail::exponential(twice));
  return detail::rounded<W>(limb::divide(m, limb::add(m, detail::power_of_two<N>(1))), minus);
}

/// x^y = e^(y ln |x|), with the sign of x if x < 0 and y is an odd integer. Special operands as in C (ISO/IEC
/// 9899:2024, F.10.4.4): 1 for y = 0 and for x = 1, whatever the other operand is; NaN for any other NaN and for a
/// finite x < 0 with a y that is not an integer; ±0 or ±∞ for x = ±0 and x = ±∞; the limit of |x|^y for y = ±∞.
template <class W>
ASSAY_HD inline W pow(const W& x, const W& y) {
  constexpr int N = detail::Shape<W>::limbs;
  auto v = detail::words_of(x);
  const auto w = detail::words_of(y);
  if (w.w[0] == 0 || detail::is_one(v)) return detail::one_word<W>(1.0);
  if (detail::is_nan(v.w[0]) || detail::is_nan(w.w[0])) return detail::not_a_number<W>();
  const auto parity = detail::parity_of(w);
  const bool minus = signbit(v.w[0]) && parity == detail::Parity::odd;
  const bool falls = signbit(w.w[0]);
  const W zero = detail::one_word<W>(minus ? -0.0 : 0.0);
  const W infinite = detail::one_word<W>(detail::infinity(minus));
  if (v.w[0] == 0) return falls ? infinite : zero;
  if (!detail::is_finite(v.w[0])) return falls ? zero : infinite;
  if (v.w[0] < 0) {
    if (parity == detail::Parity::none) return detail::not_a_number<W>();
    v = detail::negated(v);
  }
  const auto log = detail::logarithm(detail::sum_of<N>(v), detail::sum_with<N>(-1.0, v));
  if (limb::is_zero(log)) return detail::one_word<W>(minus ? -1.0 : 1.0);
  auto product = log;
  product.minus = log.minus != falls;
  product.e = 11;  // the sign is the sign of the limit
  if (detail::is_finite(w.w[0])) product = limb::multiply(log, detail::sum_of<N>(w));
  if (product.e > 10) return product.minus ? zero : infinite;
  return detail::rounded<W>(detail::value_of(detail::exponential(product)), minus);
}

}  // namespace assay::elementary
