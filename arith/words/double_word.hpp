#pragma once

#include "arith/bits/traits.hpp"
#include "arith/fields.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"

namespace assay {

/// A double word: the unevaluated sum h + l with h = RN(h + l).
template <class T>
struct DoubleWord {
  T h, l;
  static constexpr auto fields() { return std::tuple{field("h", &DoubleWord::h), field("l", &DoubleWord::l)}; }
};

/// Double-word arithmetic. Sources:
/// JMP: Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic",
/// ACM TOMS 44(2), 2017. MR: Muller, Rideau, "Formalization of double-word arithmetic, and comments on [JMP]", ACM TOMS
/// 48(1), 2022; the name after a bound is the name of its formal statement. LLMPR: Lefèvre, Louvet, Muller, Picot,
/// Rideau, "Accurate calculation of Euclidean norms using double-word arithmetic", ACM TOMS 49(1), 2023.
///
/// For every function here: u = 2⁻ᵖ, bounds are relative to the exact result, and if that is 0 the result is 0.
/// Requires operands with x.h = RN(x.h + x.l), rounding to nearest with ties to even, and a range in which nothing
/// overflows and no error term underflows (none of this is checked). Sums tolerate gradual underflow. Sufficient ranges
/// of the magnitudes of words: sums ≤ 2¹⁰¹⁶ in binary64, 2¹²⁰ in binary32; products, every non-zero word in [2⁻⁴⁸⁴,
/// 2⁴⁸⁴] and [2⁻⁵¹, 2⁵¹]; quotients [2⁻²²⁹, 2²²⁹] and [2⁻¹⁹, 2¹⁹], except for div3 [2⁻²¹⁶, 2²¹⁶] and [2⁻¹³, 2¹³].
namespace dw {

namespace detail {

/// The double word of s + e, which is an exact FastTwoSum.
template <class T>
ASSAY_HD constexpr DoubleWord<T> normalised(T s, T e) {
  const Sum<T> z = fast_two_sum(s, e);
  return {z.s, z.e};
}

}  // namespace detail

/// z ≈ x + y, relative error ≤ 2u² for p ≥ 3; z is a double word.
/// DWPlusFP: JMP, Algorithm 4; MR, DWPlusFP_correct. 10 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> add_fp(DoubleWord<T> x, T y) {
  const Sum<T> s = two_sum(x.h, y);
  const T v = x.l + s.e;
  return detail::normalised(s.s, v);
}

/// z ≈ x + y, relative error ≤ 3u² if x.h and y.h have the same sign. Otherwise there is no bound: the relative error
/// can be 1. SloppyDWPlusDW: JMP, Algorithm 5. 11 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> sloppy_add(DoubleWord<T> x, DoubleWord<T> y) {
  const Sum<T> s = two_sum(x.h, y.h);
  const T v = x.l + y.l;
  const T w = s.e + v;
  return detail::normalised(s.s, w);
}

/// z ≈ x + y, relative error ≤ 3u²/(1 − 4u) for p ≥ 3; z is a double word.
/// AccurateDWPlusDW: JMP, Algorithm 6; MR, DWPlusDW_relerr_bound. 20 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> accurate_add(DoubleWord<T> x, DoubleWord<T> y) {
  const Sum<T> s = two_sum(x.h, y.h);
  const Sum<T> t = two_sum(x.l, y.l);
  const T c = s.e + t.s;
  const Sum<T> v = fast_two_sum(s.s, c);
  const T w = t.e + v.e;
  return detail::normalised(v.s, w);
}

/// z ≈ x·y, relative error ≤ (3/2)u² + 4u³ for p ≥ 4; z is a double word.
/// DWTimesFP1: JMP, Algorithm 7; MR, DWTimesFP_correct. 10 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul_fp1(DoubleWord<T> x, T y) {
  const Product<T> c = two_prod(x.h, y);
  const T c2 = x.l * y;
  const Sum<T> t = fast_two_sum(c.p, c2);
  const T t2 = t.e + c.e;
  return detail::normalised(t.s, t2);
}

/// z ≈ x·y, relative error ≤ 3u² for p ≥ 3.
/// DWTimesFP2: JMP, Algorithm 8; MR, DWTimesFP8_correct. 7 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul_fp2(DoubleWord<T> x, T y) {
  const Product<T> c = two_prod(x.h, y);
  const T c2 = x.l * y;
  const T c3 = c.e + c2;
  return detail::normalised(c.p, c3);
}

/// z ≈ x·y, relative error ≤ 2u² for p ≥ 3; z is a double word.
/// DWTimesFP3: JMP, Algorithm 9; MR, DWTimesFP9_correct. 6 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul_fp3(DoubleWord<T> x, T y) {
  const Product<T> c = two_prod(x.h, y);
  const T c3 = fma(x.l, y, c.e);
  return detail::normalised(c.p, c3);
}

/// z ≈ x·y, relative error < 5u² for p ≥ 6 (< 5.5u² for another tie rule); z is a double word.
/// DWTimesDW1: JMP, Algorithm 10; MR, Theorems 2.6 and 2.7. 9 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul1(DoubleWord<T> x, DoubleWord<T> y) {
  const Product<T> c = two_prod(x.h, y.h);
  const T a = x.h * y.l;
  const T b = x.l * y.h;
  const T c2 = a + b;
  const T c3 = c.e + c2;
  return detail::normalised(c.p, c3);
}

/// z ≈ x·y, relative error < 5u² for p ≥ 5; z is a double word.
/// DWTimesDW2: JMP, Algorithm 11; MR, DWTimesDW11_correct. 8 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul2(DoubleWord<T> x, DoubleWord<T> y) {
  const Product<T> c = two_prod(x.h, y.h);
  const T a = x.h * y.l;
  const T c2 = fma(x.l, y.h, a);
  const T c3 = c.e + c2;
  return detail::normalised(c.p, c3);
}

/// z ≈ x·y, relative error < 4u² for p ≥ 5; z is a double word.
/// DWTimesDW3: JMP, Algorithm 12; MR, DWTimesDW12_correct. 9 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul3(DoubleWord<T> x, DoubleWord<T> y) {
  const Product<T> c = two_prod(x.h, y.h);
  const T q = x.l * y.l;
  const T a = fma(x.h, y.l, q);
  const T c2 = fma(x.l, y.h, a);
  const T c3 = c.e + c2;
  return detail::normalised(c.p, c3);
}

/// z ≈ x/y, relative error < 3u² for p ≥ 3 (dw.div_fp2.2). Requires: y ≠ 0 (not checked).
/// DWDivFP1: JMP, Algorithm 13; MR, DWDFP_correct, by the equality with div_fp2. 16 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div_fp1(DoubleWord<T> x, T y) {
  const T th = x.h / y;
  const Product<T> p = two_prod(th, y);
  const Sum<T> delta = two_sum(x.h, -p.p);
  const T d2 = x.l - p.e;
  const T dl = delta.e + d2;
  const T d = delta.s + dl;
  const T tl = d / y;
  return detail::normalised(th, tl);
}

/// z ≈ x/y, relative error < 3u² for p ≥ 3 (dw.div_fp2.2); the same result as div_fp1. Requires: y ≠ 0 (not checked).
/// DWDivFP2: JMP, Algorithm 14; MR, DWDFP_correct. 10 operations; the first subtraction is exact.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div_fp2(DoubleWord<T> x, T y) {
  const T th = x.h / y;
  const Product<T> p = two_prod(th, y);
  const T dh = x.h - p.p;
  const T dl = x.l - p.e;
  const T d = dh + dl;
  const T tl = d / y;
  return detail::normalised(th, tl);
}

/// z ≈ x/y, relative error ≤ 3u² for p ≥ 4. Requires: y ≠ 0 (not checked).
/// DWDivFP3: JMP, Algorithm 15; MR, DWDFP3_correct. 10 operations; the first two subtractions are exact.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div_fp3(DoubleWord<T> x, T y) {
  const T th = x.h / y;
  const Product<T> p = two_prod(th, y);
  const T dh = x.h - p.p;
  const T dt = dh - p.e;
  const T d = dt + x.l;
  const T tl = d / y;
  return detail::normalised(th, tl);
}

/// z ≈ x/y, relative error ≤ (17/2)u² + 16u³ for p ≥ 5 and ties to even (dw.div2.2). Requires: y.h ≠ 0 (not checked).
/// DWDivDW1: JMP, Algorithm 16; MR, DWDDW_correct, by the equality with div2. 24 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div1(DoubleWord<T> x, DoubleWord<T> y) {
  const T th = x.h / y.h;
  const DoubleWord<T> r = mul_fp1(y, th);
  const Sum<T> pi = two_sum(x.h, -r.h);
  const T dh = pi.e - r.l;
  const T dl = dh + x.l;
  const T d = pi.s + dl;
  const T tl = d / y.h;
  return detail::normalised(th, tl);
}

/// z ≈ x/y, relative error ≤ (17/2)u² + 16u³ for p ≥ 5 and ties to even (dw.div2.2); the same result as div1.
/// Requires: y.h ≠ 0 (not checked).
/// DWDivDW2: JMP, Algorithm 17; MR, DWDDW_correct. 18 operations; the first subtraction is exact.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div2(DoubleWord<T> x, DoubleWord<T> y) {
  const T th = x.h / y.h;
  const DoubleWord<T> r = mul_fp1(y, th);
  const T ph = x.h - r.h;
  const T dl = x.l - r.l;
  const T d = ph + dl;
  const T tl = d / y.h;
  return detail::normalised(th, tl);
}

/// z ≈ x/y, relative error ≤ (27/4)u² + 32u³ for p ≥ 14 (dw.div3.2). Requires: y.h ≠ 0 (not checked).
/// DWDivDW3: JMP, Algorithm 18; MR, DWDDW3_correct. 31 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div3(DoubleWord<T> x, DoubleWord<T> y) {
  const T one(1);
  const T th = one / y.h;
  const T rh = fma(-y.h, th, one);
  const T rl = -(y.l * th);
  const Sum<T> e = fast_two_sum(rh, rl);
  const DoubleWord<T> delta = mul_fp3(DoubleWord<T>{e.s, e.e}, th);
  const DoubleWord<T> m = add_fp(delta, th);
  return mul3(x, m);
}

/// z ≈ √x, relative error ≤ (25/8)u²; √0 = (0, 0). Requires: x ≥ 0 (not checked).
/// SQRTDWtoDW: LLMPR, Algorithm 8. 8 operations, one of them a square root and one a division; a test for 0.
template <class T>
ASSAY_HD constexpr DoubleWord<T> sqrt(DoubleWord<T> x) {
  using assay::sqrt;
  if (x.h == T(0)) {
    return {T(0), T(0)};
  }
  const T sh = sqrt(x.h);
  const T r1 = fma(-sh, sh, x.h);
  const T r2 = x.l + r1;
  const T sl = r2 / (sh + sh);
  return detail::normalised(sh, sl);
}

}  // namespace dw
}  // namespace assay
