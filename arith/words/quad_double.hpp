#pragma once

#include "arith/bits/traits.hpp"
#include "arith/expansion/distillation.hpp"
#include "arith/fields.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"
#include "arith/words/operands.hpp"

namespace assay {

/// A quad double: the unevaluated sum x0 + x1 + x2 + x3 with |x_{i+1}| ≤ ulp(x_i)/2, and after a zero word only zeros.
/// (QD's name; the words are of any format T.)
template <class T>
struct QuadDouble {
  T x0, x1, x2, x3;
  static constexpr auto fields() {
    return std::tuple{field("x0", &QuadDouble::x0), field("x1", &QuadDouble::x1), field("x2", &QuadDouble::x2),
                      field("x3", &QuadDouble::x3)};
  }
};

/// Two quad doubles; a quad double and a number.
template <class T>
using QdQd = OperandsOf<QuadDouble<T>, QuadDouble<T>>;
template <class T>
using QdFp = OperandsOf<QuadDouble<T>, T>;

/// Four-term arithmetic by fixed networks of TwoSums. Source: Hida, Li, Bailey, "Algorithms for quad-double precision
/// floating point arithmetic", ARITH-15, 2001, and its library QD 2.3, whose results these functions have bit by bit.
///
/// For every function here: u = 2⁻ᵖ, p ≥ 16. The bounds are derived in docs/bounds/qd.md; the source states
/// accuracies without proof. Requires quad doubles, rounding to nearest with ties to even, and a range in which nothing
/// overflows and every exact product is a multiple of the smallest subnormal (none of this is checked): sums, every
/// word ≤ 2¹⁰¹⁴ in binary64 and 2¹¹⁸ in binary32; products, every non-zero word in [2⁻⁴⁸⁴, 2⁴⁸⁴] and [2⁻⁵¹, 2⁵¹].
namespace qd {

namespace detail {

template <class T>
struct ThreeSum {
  T first, second, third;
};

/// The sum of a, b and c in three words: the first ≈ the sum, the second ≈ the rest. 18 operations.
template <class T>
ASSAY_HD constexpr ThreeSum<T> three_sum(T a, T b, T c) {
  const Sum<T> t = two_sum(a, b);
  const Sum<T> first = two_sum(c, t.s);
  const Sum<T> second = two_sum(t.e, first.e);
  return {first.s, second.s, second.e};
}

/// The sum of a, b and c in two words, rounded at the second. 13 operations.
template <class T>
ASSAY_HD constexpr Sum<T> three_sum2(T a, T b, T c) {
  const Sum<T> t = two_sum(a, b);
  const Sum<T> first = two_sum(c, t.s);
  return {first.s, t.e + first.e};
}

/// a + b in two words, without a TwoSum of the second ones. 8 operations.
template <class T>
ASSAY_HD constexpr Sum<T> two_word_sum(Sum<T> a, Sum<T> b) {
  const Sum<T> z = two_sum(a.s, b.s);
  return {z.s, z.e + (a.e + b.e)};
}

/// The second pass of a renormalisation: FastTwoSums of `first` with the words of `rest`, a word put out for each error
/// that is not 0. Words after the first three are added to the fourth word.
template <class T, int n>
ASSAY_HD constexpr QuadDouble<T> without_zeros(T first, const T (&rest)[n]) {
  T r[4] = {T(0), T(0), T(0), T(0)};
  T word = first;
  int at = 0;
  ASSAY_UNROLL(n)
  for (int i = 0; i < n; ++i) {
    const Sum<T> z = fast_two_sum(word, rest[i]);
    const bool inexact = at < 3 && z.e != T(0);
    if (inexact) {
      expansion::detail::put(z.s, at, i, r);
    }
    at += inexact ? 1 : 0;
    word = inexact ? z.e : z.s;
  }
  expansion::detail::put(word, at, n, r);
  return {r[0], r[1], r[2], r[3]};
}

/// c0 + c1 + c2 + c3 + c4 as a quad double: FastTwoSums from the last word to the first, then from the first to the
/// last past words that are 0. 24 operations and 3 tests.
template <class T>
ASSAY_HD constexpr QuadDouble<T> renormalised(T c0, T c1, T c2, T c3, T c4) {
  const Sum<T> w3 = fast_two_sum(c3, c4);
  const Sum<T> w2 = fast_two_sum(c2, w3.s);
  const Sum<T> w1 = fast_two_sum(c1, w2.s);
  const Sum<T> w0 = fast_two_sum(c0, w1.s);
  const T rest[4] = {w0.e, w1.e, w2.e, w3.e};
  return without_zeros(w0.s, rest);
}

/// The same of four words. 18 operations and 3 tests.
template <class T>
ASSAY_HD constexpr QuadDouble<T> renormalised(T c0, T c1, T c2, T c3) {
  const Sum<T> w2 = fast_two_sum(c2, c3);
  const Sum<T> w1 = fast_two_sum(c1, w2.s);
  const Sum<T> w0 = fast_two_sum(c0, w1.s);
  const T rest[3] = {w0.e, w1.e, w2.e};
  return without_zeros(w0.s, rest);
}

/// (p2, q1, q2) + (p3, p4, p5), all three sums of the products of the second order: s0 + s1 + s2.
template <class T>
struct SecondOrder {
  T p0, p1, q0, s0, s1, s2;
};

/// The products x_i·y_j with i + j ≤ 2 and their errors, except for the errors q3, q4, q5 of those with i + j = 2.
template <class T>
struct LowErrors {
  T q3, q4, q5;
};

template <class T>
ASSAY_HD constexpr SecondOrder<T> second_order(const QuadDouble<T>& x, const QuadDouble<T>& y, LowErrors<T>& low) {
  const Product<T> p0 = two_prod(x.x0, y.x0);
  const Product<T> p1 = two_prod(x.x0, y.x1);
  const Product<T> p2 = two_prod(x.x1, y.x0);
  const Product<T> p3 = two_prod(x.x0, y.x2);
  const Product<T> p4 = two_prod(x.x1, y.x1);
  const Product<T> p5 = two_prod(x.x2, y.x0);
  low = {p3.e, p4.e, p5.e};
  const ThreeSum<T> a = three_sum(p1.p, p2.p, p0.e);
  const ThreeSum<T> b = three_sum(a.second, p1.e, p2.e);
  const ThreeSum<T> c = three_sum(p3.p, p4.p, p5.p);
  const Sum<T> s0 = two_sum(b.first, c.first);
  const Sum<T> t1 = two_sum(b.second, c.second);
  const T s2 = b.third + c.third;
  const Sum<T> s1 = two_sum(t1.s, s0.e);
  return {p0.p, a.first, a.third, s0.s, s1.s, s2 + (s1.e + t1.e)};
}

}  // namespace detail

/// r ≈ x + y, |r − (x + y)| ≤ 10u⁴(|x| + |y|). The relative error can be 1.
/// sloppy_add of QD. 87 operations and 3 tests.
template <class T>
ASSAY_HD constexpr QuadDouble<T> sloppy_add(const QuadDouble<T>& x, const QuadDouble<T>& y) {
  const Sum<T> z0 = two_sum(x.x0, y.x0);
  const Sum<T> z1 = two_sum(x.x1, y.x1);
  const Sum<T> z2 = two_sum(x.x2, y.x2);
  const Sum<T> z3 = two_sum(x.x3, y.x3);
  const Sum<T> s1 = two_sum(z1.s, z0.e);
  const detail::ThreeSum<T> s2 = detail::three_sum(z2.s, s1.e, z1.e);
  const Sum<T> s3 = detail::three_sum2(z3.s, s2.second, z2.e);
  const T rest = (s3.e + s2.third) + z3.e;
  return detail::renormalised(z0.s, s1.s, s2.first, s3.s, rest);
}

/// r ≈ x + y: the words of both, merged by magnitude, pass through an accumulator of two words.
/// The bound 2⁻²⁰⁹|x + y| in QD's headers (IEEE-style) is false. |r − (x + y)| ≤ 3.6u|w| + 42u⁴(|x| + |y|), w the sixth
/// largest word; exact if the accumulator outputs at most two words. ieee_add of QD. 12 operations for each word except
/// the first two, 18 at the end, and comparisons: data-dependent, at most 93 operations.
template <class T>
ASSAY_HD constexpr QuadDouble<T> ieee_add(const QuadDouble<T>& x, const QuadDouble<T>& y) {
  const T a[4] = {x.x0, x.x1, x.x2, x.x3};
  const T b[4] = {y.x0, y.x1, y.x2, y.x3};
  int i = 0;
  int j = 0;
  const auto next = [&a, &b, &i, &j] {
    const bool from_a = j >= 4 || (i < 4 && abs(a[i]) > abs(b[j]));
    return from_a ? a[i++] : b[j++];
  };
  const T largest = next();
  const Sum<T> start = fast_two_sum(largest, next());
  T high = start.s;
  T low = start.e;
  T r[4] = {T(0), T(0), T(0), T(0)};
  int k = 0;
  while (k < 4) {
    if (i >= 4 && j >= 4) {
      r[k] = high;
      if (k < 3) {
        r[k + 1] = low;
      }
      break;
    }
    const Sum<T> inner = two_sum(low, next());
    const Sum<T> outer = two_sum(high, inner.s);
    if (outer.e != T(0) && inner.e != T(0)) {
      r[k++] = outer.s;
      high = outer.e;
      low = inner.e;
    } else {
      high = outer.s;
      low = inner.e != T(0) ? inner.e : outer.e;
    }
  }
  for (; i < 4; ++i) {
    r[3] = r[3] + a[i];
  }
  for (; j < 4; ++j) {
    r[3] = r[3] + b[j];
  }
  return detail::renormalised(r[0], r[1], r[2], r[3]);
}

/// r ≈ xy for a number y.
/// QD, quad-double × double.
template <class T>
ASSAY_HD constexpr QuadDouble<T> mul_fp(const QuadDouble<T>& x, T y) {
  const Product<T> p0 = two_prod(x.x0, y);
  const Product<T> p1 = two_prod(x.x1, y);
  const Product<T> p2 = two_prod(x.x2, y);
  const T p3 = x.x3 * y;
  const Sum<T> s1 = two_sum(p0.e, p1.p);
  const detail::ThreeSum<T> s2 = detail::three_sum(s1.e, p1.e, p2.p);
  const Sum<T> s3 = detail::three_sum2(s2.second, p2.e, p3);
  return detail::renormalised(p0.p, s1.s, s2.first, s3.s, s3.e + s2.third);
}

/// r ≈ xy with rounded products x_i·y_j for i + j = 3, |r − xy| ≤ 150u⁴|xy|.
/// sloppy_mul of QD. 123 operations and 3 tests.
template <class T>
ASSAY_HD constexpr QuadDouble<T> sloppy_mul(const QuadDouble<T>& x, const QuadDouble<T>& y) {
  detail::LowErrors<T> low{};
  const detail::SecondOrder<T> s = detail::second_order(x, y, low);
  const T third = (((((((x.x0 * y.x3 + x.x1 * y.x2) + x.x2 * y.x1) + x.x3 * y.x0) + s.q0) + low.q3) + low.q4) + low.q5);
  return detail::renormalised(s.p0, s.p1, s.s0, s.s1 + third, s.s2);
}

/// r ≈ xy, |r − xy| ≤ 45u⁴|xy|.
/// accurate_mul of QD. 185 operations and 3 tests.
template <class T>
ASSAY_HD constexpr QuadDouble<T> mul(const QuadDouble<T>& x, const QuadDouble<T>& y) {
  detail::LowErrors<T> low{};
  const detail::SecondOrder<T> s = detail::second_order(x, y, low);
  const Product<T> p6 = two_prod(x.x0, y.x3);
  const Product<T> p7 = two_prod(x.x1, y.x2);
  const Product<T> p8 = two_prod(x.x2, y.x1);
  const Product<T> p9 = two_prod(x.x3, y.x0);
  // The sum of the nine terms of the third order in two words.
  const Sum<T> ab = detail::two_word_sum(two_sum(s.q0, low.q3), two_sum(low.q4, low.q5));
  const Sum<T> cd = detail::two_word_sum(two_sum(p6.p, p7.p), two_sum(p8.p, p9.p));
  const Sum<T> abcd = detail::two_word_sum(ab, cd);
  const Sum<T> t = two_sum(abcd.s, s.s1);
  const T t_low = t.e + abcd.e;
  const T fourth = ((((((x.x1 * y.x3 + x.x2 * y.x2) + x.x3 * y.x1) + p6.e) + p7.e) + p8.e) + p9.e) + s.s2;
  return detail::renormalised(s.p0, s.p1, s.s0, t.s, t_low + fourth);
}

}  // namespace qd
}  // namespace assay
