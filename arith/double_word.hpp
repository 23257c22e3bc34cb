#pragma once

#include "arith/error_free.hpp"
#include "arith/hd.hpp"
#include "arith/traits.hpp"

namespace assay {

/// The unevaluated sum h + l with h = RN(h + l).
template <class T>
struct DoubleWord {
  T h, l;
};

/// Double-word arithmetic. JMP: Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of
/// double-word arithmetic", ACM TOMS 44(2), 2017. MR: Muller, Rideau, "Formalization of double-word arithmetic, and
/// comments on 'Tight and rigorous error bounds …'", ACM TOMS 48(1), 2022. LLMPR: Lefèvre, Louvet, Muller, Picot,
/// Rideau, "Accurate calculation of Euclidean norms using double-word arithmetic", ACM TOMS 49(1), 2023.
/// Operands that are double words give a double word. Every operation rounds to nearest; bounds are relative, for an
/// unbounded exponent range: that nothing overflows, and that products and quotients keep their error terms above the
/// underflow threshold, is not checked. FTZ and contraction void all of it.
namespace dw {

/// The result of a final normalisation.
template <class T>
ASSAY_HD constexpr DoubleWord<T> normalised(T h, T l) {
  const Sum<T> z = fast_two_sum(h, l);
  return {z.s, z.e};
}

/// x + y, error ≤ 2u². p ≥ 3. JMP, Algorithm 4, Theorem 2.2. 10 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> add_fp(DoubleWord<T> x, T y) {
  const Sum<T> s = two_sum(x.h, y);
  const T v = x.l + s.e;
  return normalised(s.s, v);
}

/// x + y, without a bound on the relative error when the signs differ; ≤ 3u² when xh and yh have one sign.
/// JMP, Algorithm 5. 11 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> sloppy_add(DoubleWord<T> x, DoubleWord<T> y) {
  const Sum<T> s = two_sum(x.h, y.h);
  const T v = x.l + y.l;
  const T w = s.e + v;
  return normalised(s.s, w);
}

/// x + y, error ≤ 3u²/(1 − 4u). p ≥ 3. JMP, Algorithm 6, Theorem 3.1; asymptotically optimal: MR, Property 2.1.
/// 20 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> accurate_add(DoubleWord<T> x, DoubleWord<T> y) {
  const Sum<T> s = two_sum(x.h, y.h);
  const Sum<T> t = two_sum(x.l, y.l);
  const T c = s.e + t.s;
  const Sum<T> v = fast_two_sum(s.s, c);
  const T w = t.e + v.e;
  return normalised(v.s, w);
}

/// x·y, error ≤ (3/2)u² + 4u³. p ≥ 4. JMP, Algorithm 7. 10 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul_fp1(DoubleWord<T> x, T y) {
  const Product<T> c = two_prod(x.h, y);
  const T c2 = x.l * y;
  const Sum<T> t = fast_two_sum(c.p, c2);
  const T t2 = t.e + c.e;
  return normalised(t.s, t2);
}

/// x·y, error ≤ 3u². p ≥ 3. JMP, Algorithm 8. 7 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul_fp2(DoubleWord<T> x, T y) {
  const Product<T> c = two_prod(x.h, y);
  const T c2 = x.l * y;
  const T c3 = c.e + c2;
  return normalised(c.p, c3);
}

/// x·y, error ≤ 2u². p ≥ 3. JMP, Algorithm 9. 6 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul_fp3(DoubleWord<T> x, T y) {
  const Product<T> c = two_prod(x.h, y);
  const T c3 = fma(x.l, y, c.e);
  return normalised(c.p, c3);
}

/// x·y, error < 5u² (ties to even). p ≥ 6. JMP, Algorithm 10; MR, Theorem 2.6. 9 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul1(DoubleWord<T> x, DoubleWord<T> y) {
  const Product<T> c = two_prod(x.h, y.h);
  const T a = x.h * y.l;
  const T b = x.l * y.h;
  const T c2 = a + b;
  const T c3 = c.e + c2;
  return normalised(c.p, c3);
}

/// x·y, error < 5u². p ≥ 5. JMP, Algorithm 11; MR 2022. 8 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul2(DoubleWord<T> x, DoubleWord<T> y) {
  const Product<T> c = two_prod(x.h, y.h);
  const T a = x.h * y.l;
  const T c2 = fma(x.l, y.h, a);
  const T c3 = c.e + c2;
  return normalised(c.p, c3);
}

/// x·y, error < 4u². p ≥ 5. JMP, Algorithm 12; MR 2022. 9 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> mul3(DoubleWord<T> x, DoubleWord<T> y) {
  const Product<T> c = two_prod(x.h, y.h);
  const T q = x.l * y.l;
  const T a = fma(x.h, y.l, q);
  const T c2 = fma(x.l, y.h, a);
  const T c3 = c.e + c2;
  return normalised(c.p, c3);
}

/// x/y, error ≤ (7/2)u². p ≥ 4, y ≠ 0. JMP, Algorithm 13. 16 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div_fp1(DoubleWord<T> x, T y) {
  const T th = x.h / y;
  const Product<T> p = two_prod(th, y);
  const Sum<T> d = two_sum(x.h, -p.p);
  const T d2 = x.l - p.e;
  const T dl = d.e + d2;
  const T t = d.s + dl;
  const T tl = t / y;
  return normalised(th, tl);
}

/// x/y, the same result as div_fp1: xh − ph is exact. JMP, Algorithm 14. 10 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div_fp2(DoubleWord<T> x, T y) {
  const T th = x.h / y;
  const Product<T> p = two_prod(th, y);
  const T dh = x.h - p.p;
  const T dl = x.l - p.e;
  const T d = dh + dl;
  const T tl = d / y;
  return normalised(th, tl);
}

/// x/y, error ≤ 3u². p ≥ 4, y ≠ 0. JMP, Algorithm 15. 10 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div_fp3(DoubleWord<T> x, T y) {
  const T th = x.h / y;
  const Product<T> p = two_prod(th, y);
  const T dh = x.h - p.p;
  const T dt = dh - p.e;
  const T d = dt + x.l;
  const T tl = d / y;
  return normalised(th, tl);
}

/// x/y, error ≤ 15u² + 56u³. p ≥ 7, y ≠ 0. JMP, Algorithm 16. 24 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div1(DoubleWord<T> x, DoubleWord<T> y) {
  const T th = x.h / y.h;
  const DoubleWord<T> r = mul_fp1(y, th);
  const Sum<T> p = two_sum(x.h, -r.h);
  const T dh = p.e - r.l;
  const T dl = dh + x.l;
  const T d = p.s + dl;
  const T tl = d / y.h;
  return normalised(th, tl);
}

/// x/y, the same result as div1: xh − rh is exact. JMP, Algorithm 17. 18 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div2(DoubleWord<T> x, DoubleWord<T> y) {
  const T th = x.h / y.h;
  const DoubleWord<T> r = mul_fp1(y, th);
  const T ph = x.h - r.h;
  const T dl = x.l - r.l;
  const T d = ph + dl;
  const T tl = d / y.h;
  return normalised(th, tl);
}

/// x/y, error ≤ 9.8u². p ≥ 14, y ≠ 0. JMP, Algorithm 18. 31 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> div3(DoubleWord<T> x, DoubleWord<T> y) {
  const T th = T(1) / y.h;
  const T rh = fma(-y.h, th, T(1));
  const T rl = -(y.l * th);
  const DoubleWord<T> e = normalised(rh, rl);
  const DoubleWord<T> delta = mul_fp3(e, th);
  const DoubleWord<T> m = add_fp(delta, th);
  return mul3(x, m);
}

/// √x, error ≤ (25/8)u²; √0 = 0. x ≥ 0. LLMPR, Algorithm 8. 8 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> sqrt(DoubleWord<T> x) {
  if (x.h == T(0)) {
    return {x.h, x.l};
  }
  const T sh = assay::sqrt(x.h);
  const T r1 = fma(-sh, sh, x.h);
  const T r2 = x.l + r1;
  const T sl = r2 / (T(2) * sh);
  return normalised(sh, sl);
}

}  // namespace dw

}  // namespace assay
