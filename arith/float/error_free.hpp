#pragma once

#include "arith/bits/traits.hpp"
#include "arith/fields.hpp"
#include "arith/hd.hpp"

namespace assay {

/// A rounded sum s and its error e: s + e.
template <class T>
struct Sum {
  T s, e;
  static constexpr auto fields() { return std::tuple{field("s", &Sum::s), field("e", &Sum::e)}; }
};

/// A rounded product p and its error e: p + e.
template <class T>
struct Product {
  T p, e;
  static constexpr auto fields() { return std::tuple{field("p", &Product::p), field("e", &Product::e)}; }
};

/// A number in two parts of about p/2 bits each: h + l.
template <class T>
struct Split {
  T h, l;
  static constexpr auto fields() { return std::tuple{field("h", &Split::h), field("l", &Split::l)}; }
};

/// A rounded fused multiply-add r1 and its error in two words: r1 + r2 + r3.
template <class T>
struct FmaError {
  T r1, r2, r3;
  static constexpr auto fields() {
    return std::tuple{field("r1", &FmaError::r1), field("r2", &FmaError::r2), field("r3", &FmaError::r3)};
  }
};

/// s = RN(a + b) and s + e = a + b exactly.
/// Requires: a + b does not overflow, and |a| is not the largest finite number Ω (not checked): for a = ±Ω the
/// intermediate s − b may overflow and e be NaN although s is finite. Rounding to nearest, any tie rule. Holds with
/// subnormal operands and results. TwoSum: Møller, BIT 5, 1965; Knuth, TAOCP 2, §4.2.2, Theorem B; the exception:
/// Boldo, Graillat, Muller, ACM TOMS 44(1), 2017. A zero s has the sign of a + b, a zero e is +0. 6 operations, no
/// branch.
template <class T>
ASSAY_HD constexpr Sum<T> two_sum(T a, T b) {
  const T s = a + b;
  const T ap = s - b;
  const T bp = s - ap;
  const T da = a - ap;
  const T db = b - bp;
  return {s, da + db};
}

/// s = RN(a + b) and s + e = a + b exactly.
/// Requires: a = 0, or a is an integer multiple of ulp(b), for which |a| ≥ |b| suffices; a + b does not overflow (not
/// checked). Rounding to nearest, any tie rule. Holds with subnormal operands and results; no intermediate overflows if
/// s does not. FastTwoSum: Dekker, Numer. Math. 18, 1971; overflow: Boldo, Graillat, Muller, ACM TOMS 44(1), 2017. A
/// zero s has the sign of a + b, a zero e is −0 for b = −0, otherwise +0. 3 operations, no branch.
template <class T>
ASSAY_HD constexpr Sum<T> fast_two_sum(T a, T b) {
  const T s = a + b;
  const T z = s - a;
  return {s, b - z};
}

/// p = RN(a·b) and p + e = a·b exactly.
/// Requires: a·b = 0, or e_a + e_b ≥ emin + p − 1 for the exponents of a and b, for which |a·b| ≥ 2^(emin + p) suffices
/// (2⁻⁹⁶⁹ in binary64, 2⁻¹⁰² in binary32); a·b does not overflow (not checked). TwoProd with FMA: Boldo, Daumas,
/// ARITH-16, 2003. A zero e is +0. 2 operations, no branch.
template <class T>
ASSAY_HD constexpr Product<T> two_prod(T a, T b) {
  const T p = a * b;
  return {p, fma(a, b, -p)};
}

/// x = h + l exactly with s = ⌈p/2⌉: h has at most p − s bits, l at most s − 1 bits and a sign.
/// Requires: (2^s + 1)·x does not overflow (not checked). Rounding to nearest, any tie rule.
/// A zero l is −0 for x = −0, otherwise +0. Dekker, Numer. Math. 18, 1971 (splitting after Veltkamp, 1968). 4
/// operations, no branch.
template <class T>
ASSAY_HD constexpr Split<T> veltkamp_split(T x) {
  constexpr int s = (FloatTraits<T>::precision + 1) / 2;
  const T c = bits::power_of_two<T>(s) + bits::power_of_two<T>(0);
  const T g = c * x;
  const T d = x - g;
  const T h = g + d;
  return {h, x - h};
}

/// x = h + l exactly: h is x with its ⌈p/2⌉ lowest fraction bits cleared (12 of binary32, 27 of binary64), l has the
/// sign of x or is +0. Requires: x is finite (not checked). No overflow, no rounding. The halves h and l of two such
/// splits have exact products only for even p: for odd p, l has (p + 1)/2 bits and l·l needs p + 1. 2 operations, one
/// of them on integers.
template <class T>
ASSAY_HD constexpr Split<T> mask_split(T x) {
  constexpr int s = (FloatTraits<T>::precision + 1) / 2;
  constexpr auto low = static_cast<BitsOf<T>>((BitsOf<T>{1} << s) - 1);
  const T h = from_bits<T>(static_cast<BitsOf<T>>(to_bits(x) & static_cast<BitsOf<T>>(~low)));
  return {h, x - h};
}

namespace detail {

/// The error term of Dekker's product: ((((a.h·b.h − p) + a.h·b.l) + a.l·b.h) + a.l·b.l).
template <class T>
ASSAY_HD constexpr T split_product_error(Split<T> a, Split<T> b, T p) {
  const T hh = a.h * b.h;
  const T hl = a.h * b.l;
  const T lh = a.l * b.h;
  const T ll = a.l * b.l;
  return (((hh - p) + hl) + lh) + ll;
}

}  // namespace detail

/// p = RN(a·b) and p + e = a·b exactly, without FMA.
/// Requires: a·b = 0 or |a·b| ≥ 2^(emin + p) (2⁻⁹⁶⁹ in binary64, 2⁻¹⁰² in binary32); none of a·b, (2^⌈p/2⌉ + 1)·a and
/// (2^⌈p/2⌉ + 1)·b overflows (not checked). Dekker, Numer. Math. 18, 1971; Boldo, "Pitfalls of a full floating-point
/// proof", IJCAR 2006. 17 operations, no branch.
template <class T>
ASSAY_HD constexpr Product<T> dekker_prod(T a, T b) {
  const T p = a * b;
  return {p, detail::split_product_error(veltkamp_split(a), veltkamp_split(b), p)};
}

/// p = RN(a·b) and p + e = a·b exactly for even p; for odd p (binary64) e is only an approximation of the error.
/// Requires: a·b = 0 or |a·b| ≥ 2^(emin + p); a·b does not overflow (not checked).
/// Dekker's product with mask_split: all four half products are exact for even p, so that Dekker's argument holds. 13
/// operations.
template <class T>
ASSAY_HD constexpr Product<T> masked_prod(T a, T b) {
  const T p = a * b;
  return {p, detail::split_product_error(mask_split(a), mask_split(b), p)};
}

/// r1 = RN(a·x + y) and r1 + r2 + r3 = a·x + y exactly, |r2 + r3| ≤ ulp(r1)/2 and |r3| ≤ ulp(r2)/2.
/// Requires: p ≥ 5; a·x = 0 or |a·x| ≥ 2^(emin + p); no intermediate overflows (not checked). Rounding to nearest.
/// ErrFma: Boldo, Muller, "Some functions computable with a fused-mac", ARITH-17, 2005; IEEE TC 60(2), 2011. 20
/// operations.
template <class T>
ASSAY_HD constexpr FmaError<T> err_fma(T a, T x, T y) {
  const T r1 = fma(a, x, y);
  const Product<T> u = two_prod(a, x);
  const Sum<T> alpha = two_sum(y, u.e);
  const Sum<T> beta = two_sum(u.p, alpha.s);
  const T g = (beta.s - r1) + beta.e;
  const Sum<T> r = fast_two_sum(g, alpha.e);
  return {r1, r.s, r.e};
}

}  // namespace assay
