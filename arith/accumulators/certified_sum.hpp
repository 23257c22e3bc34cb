#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

/// A rounded number, and whether it is proved to be the correctly rounded one.
struct CertifiedNumber {
  double x;
  bool certified;
};

/// A sum of binary64 numbers and of their products in three words, with a bound of its rounding errors: tried before an
/// exact sum, which is then rarely needed. s + c has TwoSum's errors; d collects the errors of c by rounded additions;
/// 2⁻⁵³ times the exact sum of the terms of `rest` bounds |s + c + d − the exact sum|: sparse.certified.1. A term
/// outside of its range makes `rest` a NaN, which no certificate accepts. Requires: fewer than 2²⁹ terms and sums that
/// are added (not checked). 24 operations a product. A certificate after Ziv, Fast evaluation of elementary
/// mathematical functions with correctly rounded last bit, ACM TOMS 17(3), 1991; words after Ogita, Rump, Oishi,
/// Accurate sum and dot product, SIAM J. Sci. Comput. 26(6), 2005 (Dot3).
struct CertifiedSum {
  double s, c, d, rest;

  /// The empty sum. s is −0 as long as every term was.
  [[nodiscard]] ASSAY_HD static constexpr CertifiedSum empty() { return {-0.0, 0, 0, 0}; }

  /// No certificate from now on.
  ASSAY_HD void refuse() { rest = from_bits<double>(0x7FF8000000000000u); }

  /// Adds v.
  ASSAY_HD void add(double v) {
    const Sum<double> first = two_sum(s, v);
    const Sum<double> second = two_sum(c, first.e);
    s = first.s;
    c = second.s;
    lose(second.e);
    if (!is_inside(v, 0)) refuse();
  }

  /// Adds a·b. The range of a product is 0, and 2⁻⁹⁶⁸ ≤ |RN(ab)| < 2⁹⁷⁰.
  ASSAY_HD void add_product(double a, double b) {
    const Product<double> p = two_prod(a, b);
    const Sum<double> first = two_sum(s, p.p);
    const Sum<double> second = two_sum(c, first.e);
    const Sum<double> third = two_sum(second.s, p.e);
    s = first.s;
    c = third.s;
    lose(second.e + third.e);
    if (!is_inside(p.p, least_high) && !(is_inside(p.p, 0) && (a == 0 || b == 0))) refuse();
  }

  /// Adds the sum of other terms.
  ASSAY_HD void add(const CertifiedSum& other) {
    const Sum<double> first = two_sum(s, other.s);
    const Sum<double> second = two_sum(c, other.c);
    const Sum<double> third = two_sum(second.s, first.e);
    s = first.s;
    c = third.s;
    rest += other.rest;
    lose(other.d);
    lose(second.e + third.e);
  }

  /// ∘(the sum) in the direction `to`, if it is certified. An exact 0 is −0 if all terms were −0, otherwise +0.
  [[nodiscard]] ASSAY_HD CertifiedNumber rounded(Rounding to) const {
    const Words w = words();
    if (w.is_exact()) return {w.h == 0 ? zero() : directed(w.h, w.l, to), true};
    const double margin = w.margin();
    if (!(abs(w.h) >= least && abs(w.l) + margin < half_gap(w.h))) return {w.h, false};
    return {directed(w.h, w.l, to), to == Rounding::rn || abs(w.l) > margin};
  }

  /// ∘(the sum/divisor) in the direction `to`, if it is certified; a sum that is 0 gives the quotient of rounded().
  /// Requires: reciprocal = RN(1/divisor) (not checked). No division, except for a sum of 0.
  [[nodiscard]] ASSAY_HD CertifiedNumber quotient(double divisor, double reciprocal, Rounding to) const {
    const Words w = words();
    if (w.is_exact() && w.h == 0) return {zero() / divisor, is_finite(divisor) && divisor != 0};
    const double q = w.h * reciprocal;
    const double rest_of_h = fma(-q, divisor, w.h);
    const double left = rest_of_h + w.l;
    const double more = left * reciprocal;
    const Sum<double> z = two_sum(q, more);
    const double lost = w.margin() + 0x1p-51 * abs(rest_of_h);
    const double margin = 2 * (lost * abs(reciprocal)) + (0x1p-50 * abs(more) + tiny);
    const bool in_range = is_between(w.h) && is_between(divisor) && is_between(q);
    if (!(in_range && abs(z.e) + margin < half_gap(z.s))) return {z.s, false};
    return {directed(z.s, z.e, to), to == Rounding::rn || abs(z.e) > margin};
  }

 private:
  static constexpr double tiny = bits::power_of_two<double>(-1000);
  static constexpr double least = bits::power_of_two<double>(-900);  ///< magnitude of a number that is not exact
  static constexpr double most = bits::power_of_two<double>(1000);
  static constexpr std::uint32_t least_high = (1023 - 968) << 20;  ///< the upper 32 bits of 2⁻⁹⁶⁸ and 2⁹⁷⁰
  static constexpr std::uint32_t most_high = (1023 + 970) << 20;

  /// The sum is h + l + m up to `rest`, h = RN(h + l) if m is 0.
  struct Words {
    double h, l, m, rest;
    [[nodiscard]] ASSAY_HD bool is_exact() const { return m == 0 && rest == 0; }
    /// An upper bound of |m| plus the lost part.
    [[nodiscard]] ASSAY_HD double margin() const { return 2 * (abs(m) + (0x1p-52 * rest + tiny)); }
  };

  [[nodiscard]] ASSAY_HD Words words() const {
    const Sum<double> high = two_sum(s, c);
    const Sum<double> low = two_sum(high.e, d);
    const Sum<double> top = two_sum(high.s, low.s);
    const Sum<double> end = two_sum(top.e, low.e);
    return {top.s, end.s, end.e, rest};
  }

  ASSAY_HD void lose(double t) {
    d += t;
    rest += abs(t) + abs(d);
  }

  [[nodiscard]] ASSAY_HD double zero() const { return s == 0 ? s : 0.0; }

  /// Whether |x| < 2⁹⁷⁰ and the upper 32 bits of |x| are at least `low`.
  [[nodiscard]] ASSAY_HD static bool is_inside(double x, std::uint32_t low) {
    return static_cast<std::uint32_t>(bits::magnitude_bits(x) >> 32) - low < most_high - low;
  }
  [[nodiscard]] ASSAY_HD static bool is_between(double x) { return abs(x) >= least && abs(x) <= most; }

  /// Half of the distance from h to the nearer one of its neighbors. Requires: 2⁻⁹⁰⁰ ≤ |h| < ∞ (not checked).
  [[nodiscard]] ASSAY_HD static double half_gap(double h) {
    const std::uint64_t exponent = to_bits(h) & 0x7FF0000000000000u;
    const std::uint64_t less = bits::fraction_bits(h) == 0 ? 54 : 53;
    return from_bits<double>(exponent - (less << 52));
  }

  /// The rounding of a number between the neighbors of h that lies on the side of h + l, whose RN is h.
  [[nodiscard]] ASSAY_HD static double directed(double h, double l, Rounding to) {
    const bool up = to == Rounding::ru || (to == Rounding::rz && signbit(h));
    if (to == Rounding::rn || l == 0) return h;
    return up ? (l > 0 ? next_up(h) : h) : (l < 0 ? next_down(h) : h);
  }
};

}  // namespace assay
