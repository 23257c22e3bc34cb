#pragma once

#include "arith/bits/traits.hpp"
#include "arith/expansion/distillation.hpp"
#include "arith/fields.hpp"
#include "arith/float/directed.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"
#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"

namespace assay {

/// A triple word: the unevaluated sum x0 + x1 + x2, P-nonoverlapping (Priest): |x1| < ulp(x0), |x2| < ulp(x1), and
/// after a zero word only zeros.
template <class T>
struct TripleWord {
  T x0, x1, x2;
  static constexpr auto fields() {
    return std::tuple{field("x0", &TripleWord::x0), field("x1", &TripleWord::x1), field("x2", &TripleWord::x2)};
  }
};

/// A triple-word operand; two triple words; a double word and a triple word.
template <class T>
using Tw = OperandOf<TripleWord<T>>;
template <class T>
using TwTw = OperandsOf<TripleWord<T>, TripleWord<T>>;
template <class T>
using DwTw = OperandsOf<DoubleWord<T>, TripleWord<T>>;

/// Triple-word arithmetic. Sources:
/// FMP: Fabiano, Muller, Picot, "Algorithms for triple-word arithmetic", IEEE Trans. Computers 68(11), 2019.
/// T: Théry, a machine-checked proof of FMP, 2026, github.com/thery/threewords; it corrects FMP's Algorithms 7 and 18
/// and the constants of Theorems 9 and 10.
///
/// For every function here: u = 2⁻ᵖ, bounds are relative to the exact result, and if that is 0 the result is 0. Results
/// are triple words. Requires triple-word operands, double words with h = RN(h + l), rounding to nearest with ties to
/// even, and a range in which nothing overflows and every exact intermediate result is a multiple of the smallest
/// subnormal η (none of this is checked). Sufficient ranges of the non-zero words: sums ≤ 2¹⁰¹⁶ in binary64, 2¹²⁰ in
/// binary32; products [2⁻⁴⁸⁴, 2⁴⁸⁴] and [2⁻⁵¹, 2⁵¹]; in binary64 reciprocals [2⁻²⁰⁰, 2²⁶], quotients [2⁻¹⁵⁰, 2¹³],
/// square roots [2⁻¹⁵², 2³⁴]. binary32 has no range for the last three. docs/bounds/triple.md derives them, and why
/// every FastTwoSum here is exact. Operations on constants do not count.
namespace triple {

namespace detail {

/// expansion::vec_sum, if each word is 0, or at least the sum of the words after it, or a multiple of that sum's ulp.
/// 3n − 3 operations.
template <class T, int n>
ASSAY_HD constexpr void fast_vec_sum(T (&x)[n]) {
  ASSAY_UNROLL(n - 1)
  for (int i = n - 1; i > 0; --i) {
    const Sum<T> z = fast_two_sum(x[i - 1], x[i]);
    x[i - 1] = z.s;
    x[i] = z.e;
  }
}

/// expansion::vec_sum_err_branch with FastTwoSum: the first k words of e made P-nonoverlapping, zeros last. VSEB(k):
/// FMP, Algorithm 5. Requires what makes each FastTwoSum exact: docs/bounds/triple.md. 3n − 3 operations, n − 2
/// tests.
template <int k, class T, int n>
ASSAY_HD constexpr void fast_vec_sum_err_branch(const T (&e)[n], T (&y)[k]) {
  ASSAY_UNROLL(k)
  for (int i = 0; i < k; ++i) {
    y[i] = T(0);
  }
  int at = 0;
  T eps = e[0];
  ASSAY_UNROLL(n - 2)
  for (int i = 0; i < n - 2; ++i) {
    const Sum<T> z = fast_two_sum(eps, e[i + 1]);
    const bool inexact = z.e != T(0);
    expansion::detail::put(z.s, at, i, y);
    at += inexact ? 1 : 0;
    eps = inexact ? z.e : z.s;
  }
  const Sum<T> z = fast_two_sum(eps, e[n - 1]);
  expansion::detail::put(z.s, at, n - 2, y);
  expansion::detail::put(z.e, at + 1, n - 1, y);
}

/// FastTwoSum of the larger and the smaller number: a TwoSum in 3 operations and a comparison.
template <class T>
ASSAY_HD constexpr Sum<T> sorted_fast_two_sum(T a, T b) {
  const bool swap = abs(a) < abs(b);
  return fast_two_sum(swap ? b : a, swap ? a : b);
}

/// Puts the larger magnitude first.
template <class T>
ASSAY_HD constexpr void order(T& a, T& b) {
  const bool swap = abs(a) < abs(b);
  const T larger = swap ? b : a;
  b = swap ? a : b;
  a = larger;
}

/// z00 + b0 + b1 + c + z31 + z32 ≈ (x0 + x1 + x2)·(y0 + y1 + y2): what FMP's Algorithms 9 to 12 share.
template <class T>
struct ProductTerms {
  T z00, b0, b1, c, z31, z32;
};

/// x = x0 + x1.
template <class T>
ASSAY_HD constexpr ProductTerms<T> product_terms(T x0, T x1, TripleWord<T> y) {
  const Product<T> z00 = two_prod(x0, y.x0);
  const Product<T> z01 = two_prod(x0, y.x1);
  const Product<T> z10 = two_prod(x1, y.x0);
  T b[3] = {z00.e, z01.p, z10.p};
  expansion::vec_sum(b);
  const T c = fma(x1, y.x1, b[2]);
  const T z31 = fma(x0, y.x2, z10.e);
  return {z00.p, b[0], b[1], c, z31, z01.e};
}
template <class T>
ASSAY_HD constexpr ProductTerms<T> product_terms(DoubleWord<T> x, TripleWord<T> y) {
  return product_terms(x.h, x.l, y);
}
template <class T>
ASSAY_HD constexpr ProductTerms<T> product_terms(TripleWord<T> x, TripleWord<T> y) {
  ProductTerms<T> t = product_terms(x.x0, x.x1, y);
  t.z32 = fma(x.x2, y.x0, t.z32);
  return t;
}

template <class T>
ASSAY_HD constexpr TripleWord<T> accurate_sum(const ProductTerms<T>& t) {
  const T z3 = t.z31 + t.z32;
  const Sum<T> s3 = two_sum(t.c, z3);
  T e[4] = {t.z00, t.b0, t.b1, s3.s};
  fast_vec_sum(e);
  const T low[4] = {e[1], e[2], e[3], s3.e};
  T r[2];
  fast_vec_sum_err_branch(low, r);
  return {e[0], r[0], r[1]};
}

template <class T>
ASSAY_HD constexpr TripleWord<T> fast_sum(const ProductTerms<T>& t) {
  const T z3 = t.z31 + t.z32;
  T e[4] = {t.z00, t.b0, t.b1, t.c + z3};
  fast_vec_sum(e);
  const T low[3] = {e[1], e[2], e[3]};
  T r[2];
  fast_vec_sum_err_branch(low, r);
  return {e[0], r[0], r[1]};
}

}  // namespace detail

/// r = a + b + c exactly, for any numbers. Requires: no overflow, p ≥ 4.
/// ToTW: FMP, Algorithm 6, Theorem 4. 21 operations, a test.
template <class T>
ASSAY_HD constexpr TripleWord<T> to_triple(T a, T b, T c) {
  const Sum<T> d = two_sum(a, b);
  T e[3] = {d.s, d.e, c};
  expansion::vec_sum(e);
  const bool first_exact = e[1] == T(0);
  const Sum<T> z = fast_two_sum(first_exact ? e[0] : e[1], e[2]);
  return first_exact ? TripleWord<T>{z.s, z.e, T(0)} : TripleWord<T>{e[0], z.s, z.e};
}

/// r ≈ x + y, relative error ≤ (3/2)u³ + 9u⁴ for p ≥ 6.
/// TWSum: FMP, Algorithm 8, Theorem 6 with 2u³; docs/bounds/triple.md. 42 operations, 6 comparisons, 4 tests. The words
/// are merged by Batcher's network, whatever the magnitudes.
template <class T>
ASSAY_HD constexpr TripleWord<T> add(TripleWord<T> x, TripleWord<T> y) {
  T z[6] = {x.x0, x.x1, x.x2, y.x2, y.x1, y.x0};
  detail::order(z[0], z[5]);
  detail::order(z[2], z[3]);
  detail::order(z[5], z[2]);
  detail::order(z[1], z[4]);
  detail::order(z[1], z[5]);
  detail::order(z[4], z[2]);
  T e[6] = {z[0], z[1], z[5], z[4], z[2], z[3]};
  expansion::vec_sum(e);
  // The first step of VSEB(3) needs no operation: e₀ = RN(e₀ + e₁).
  const bool first_exact = e[1] == T(0);
  const T low[5] = {first_exact ? e[0] : e[1], e[2], e[3], e[4], e[5]};
  T r[3];
  detail::fast_vec_sum_err_branch(low, r);
  return first_exact ? TripleWord<T>{r[0], r[1], r[2]} : TripleWord<T>{e[0], r[0], r[1]};
}

/// −x.
template <class T>
ASSAY_HD constexpr TripleWord<T> negated(TripleWord<T> x) {
  return {-x.x0, -x.x1, -x.x2};
}

/// −1, 0 or 1 for x < y, x = y, x > y: the sign of add(x, −y), whose relative error is below 1.
template <class T>
ASSAY_HD constexpr T compare(TripleWord<T> x, TripleWord<T> y) {
  const T d = add(x, negated(y)).x0;
  return d == T(0) ? T(0) : d < T(0) ? T(-1) : T(1);
}

/// r ≈ xy for a triple word y and for X a triple word or a double word, p ≥ 6.
/// X a triple word: relative error ≤ 28u³ + 107u⁴. 3Prod, accurate: FMP, Algorithm 9, Theorem 7; T, ThreeProd_error. 46
/// operations, 2 tests.
/// X a double word: relative error ≤ (21/2)u³ + 39u⁴. 3Prod of 2 and 3 words, accurate: FMP, Algorithm 11, Theorem 8;
/// T, ThreeProdDW_error. 45 operations, 2 tests.
template <class X, class T>
ASSAY_HD constexpr TripleWord<T> mul_accurate(X x, TripleWord<T> y) {
  return detail::accurate_sum(detail::product_terms(x, y));
}

/// The same with fewer operations.
/// X a triple word: relative error ≤ 44u³ + 176u⁴. 3Prod, fast: FMP, Algorithm 10; T, ThreeProdFast_error. 38
/// operations, a test.
/// X a double word: relative error ≤ 18u³ + 75u⁴. 3Prod of 2 and 3 words, fast: FMP, Algorithm 12; T,
/// ThreeProdDWFast_error. 37 operations, a test.
template <class X, class T>
ASSAY_HD constexpr TripleWord<T> mul_fast(X x, TripleWord<T> y) {
  return detail::fast_sum(detail::product_terms(x, y));
}

/// How the two sums of mul_near_one that need not have the larger number first are made: error-free, by a comparison
/// (T), or by a bare FastTwoSum, which FMP prints and justifies by the smallness of what is lost (old version,
/// Remark 10). The loss can be 40u³.
enum class PairSums { sorted, as_printed };

namespace detail {

template <PairSums sums, class T>
ASSAY_HD constexpr Sum<T> pair_sum(T a, T b) {
  if constexpr (sums == PairSums::sorted) {
    return sorted_fast_two_sum(a, b);
  } else {
    return fast_two_sum(a, b);
  }
}

/// b0 and s3 with x0 + b0 + s3 ≈ (x0 + x1)·y for y = (1, y1, y2).
template <PairSums sums, class T>
ASSAY_HD constexpr Sum<T> near_one_terms(T x0, T x1, TripleWord<T> y) {
  const Product<T> z01 = two_prod(x0, y.x1);
  const Sum<T> b = pair_sum<sums>(x1, z01.p);
  const T z31 = fma(x1, y.x1, z01.e);
  const T z3 = fma(x0, y.x2, z31);
  return {b.s, b.e + z3};
}

/// x0 + b0 + s3 as a triple word.
template <PairSums sums, class T>
ASSAY_HD constexpr TripleWord<T> near_one_sum(T x0, T b0, T s3) {
  const Sum<T> s = two_sum(b0, s3);
  const Sum<T> e = fast_two_sum(x0, s.s);
  const Sum<T> r = pair_sum<sums>(e.e, s.e);
  return {e.s, r.s, r.e};
}

}  // namespace detail

/// r ≈ xy for a double word x and y = (1, y1, y2), whose leading word is not read: relative error ≤ u³ + 620u⁴ for
/// p ≥ 6 and |y − 1| ≤ 40u², with PairSums::sorted; with PairSums::as_printed the error can be 40u³.
/// FMP, supplement, Algorithm 18; T, ThreeProdOne_error. 20 operations, 2 comparisons.
template <PairSums sums, class T>
ASSAY_HD constexpr TripleWord<T> mul_near_one(DoubleWord<T> x, TripleWord<T> y) {
  const Sum<T> t = detail::near_one_terms<sums>(x.h, x.l, y);
  return detail::near_one_sum<sums>(x.h, t.s, t.e);
}

/// The same for a triple word x: relative error ≤ 6u³ + (31c + 10)u⁴ for |y − 1| ≤ cu² and a double word (x1, x2).
/// FMP, supplement, Algorithm 20; T, ThreeProdOneTW_error. 21 operations, 2 comparisons.
template <PairSums sums, class T>
ASSAY_HD constexpr TripleWord<T> mul_near_one(TripleWord<T> x, TripleWord<T> y) {
  const Sum<T> t = detail::near_one_terms<sums>(x.x0, x.x1, y);
  return detail::near_one_sum<sums>(x.x0, t.s, t.e + x.x2);
}

namespace detail {

/// b ≈ 1/(x0 + x1), |bx − 1| ≤ 34u² + 123u³: a Newton step from RN((1 + 2u)/x0), whose product with x0 rounds to
/// 1 + 2u. FMP, Algorithm 13, the first six lines. 9 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> reciprocal_seed(T x0, T x1) {
  const T one(1);
  const T ulp_of_one = bits::power_of_two<T>(1 - FloatTraits<T>::precision);
  const T above = one + ulp_of_one;
  const T below = one - ulp_of_one;
  const T a = above / x0;
  const T h11 = fma(a, x0, -above);
  const T h1 = fma(-a, x1, -h11);
  const Product<T> b = two_prod(a, below);
  const T b12 = fma(a, h1, b.e);
  const Sum<T> z = fast_two_sum(b.p, b12);
  return {z.s, z.e};
}

/// 2 − r for a product r = (1, r1, r2), 3/2 − r for r = (1/2, r1, r2).
template <class T>
ASSAY_HD constexpr TripleWord<T> newton_factor(TripleWord<T> r) {
  return {T(1), -r.x1, -r.x2};
}

/// (b, b/2) with b ≈ 1/√(x0 + x1), |b√x − 1| ≤ 100u²: a Newton step from RN((1 + 4u)/RN(√x0)). FMP, Algorithm 15, the
/// lines before the products. 18 operations, one of them a square root and one a division.
template <class T>
struct RootSeed {
  DoubleWord<T> b, half;
};
template <class T>
ASSAY_HD constexpr RootSeed<T> reciprocal_root_seed(T x0, T x1) {
  using assay::sqrt;
  const T half = bits::power_of_two<T>(-1);
  const T three_halves = T(1) + half;
  const T above = T(1) + bits::power_of_two<T>(2 - FloatTraits<T>::precision);
  const T a = above / sqrt(x0);
  const T a_half = half * a;
  const Product<T> h = two_prod(a, x0);
  const T h1 = fma(a, x1, h.e);
  const Product<T> g = two_prod(a_half, h.p);
  const T g0 = three_halves - g.p;
  const T g1 = -fma(a_half, h1, g.e);
  const Product<T> b = two_prod(a, g0);
  const T b12 = fma(a, g1, b.e);
  const Sum<T> z = fast_two_sum(b.p, b12);
  return {{z.s, z.e}, {half * z.s, half * z.e}};
}

}  // namespace detail

/// r ≈ 1/x, relative error ≤ (23/3)u³ + 1800u⁴ for p ≥ 10. Requires: x0 ≠ 0 (not checked).
/// 3Reci with accurate products: FMP, Algorithm 13; docs/bounds/triple.md (T, ThreeReci_error: (23/2)u³ + 1830u⁴). 74
/// operations (FMP: 73, since the leading word of bx is known to be 1), 2 comparisons, 2 tests.
template <class T>
ASSAY_HD constexpr TripleWord<T> reciprocal_accurate(TripleWord<T> x) {
  const DoubleWord<T> b = detail::reciprocal_seed(x.x0, x.x1);
  return mul_near_one<PairSums::sorted>(b, detail::newton_factor(mul_accurate(b, x)));
}

/// r ≈ 1/x, relative error ≤ (35/3)u³ + 1800u⁴ for p ≥ 10. Requires: x0 ≠ 0 (not checked).
/// 3Reci with fast products: FMP, Algorithm 13; docs/bounds/triple.md (T, ThreeReciFast_error: 19u³ + 1870u⁴). 66
/// operations (FMP: 65), 2 comparisons, a test.
template <class T>
ASSAY_HD constexpr TripleWord<T> reciprocal_fast(TripleWord<T> x) {
  const DoubleWord<T> b = detail::reciprocal_seed(x.x0, x.x1);
  return mul_near_one<PairSums::sorted>(b, detail::newton_factor(mul_fast(b, x)));
}

/// r ≈ z/x, relative error ≤ (41/2)u³ + 2500u⁴ for p ≥ 10. Requires: x0 ≠ 0 (not checked).
/// 3Div with accurate products, (bz)(2 − bx): FMP, Algorithm 14, Theorem 10 with 24u³ + 1509u⁴; docs/bounds/triple.md.
/// 120 operations (FMP: 119), 2 comparisons, 4 tests.
template <class T>
ASSAY_HD constexpr TripleWord<T> div_accurate(TripleWord<T> z, TripleWord<T> x) {
  const DoubleWord<T> b = detail::reciprocal_seed(x.x0, x.x1);
  return mul_near_one<PairSums::sorted>(mul_accurate(b, z), detail::newton_factor(mul_accurate(b, x)));
}

/// r ≈ z/x, relative error ≤ 32u³ + 2500u⁴ for p ≥ 10. Requires: x0 ≠ 0 (not checked).
/// 3Div with fast products: FMP, Algorithm 14, Theorem 10 with 39u³ + 1582u⁴; docs/bounds/triple.md. 104 operations
/// (FMP: 103), 2 comparisons, 2 tests.
template <class T>
ASSAY_HD constexpr TripleWord<T> div_fast(TripleWord<T> z, TripleWord<T> x) {
  const DoubleWord<T> b = detail::reciprocal_seed(x.x0, x.x1);
  return mul_near_one<PairSums::sorted>(mul_fast(b, z), detail::newton_factor(mul_fast(b, x)));
}

namespace detail {

enum class Products { accurate, fast };

template <Products by, class X, class T>
ASSAY_HD constexpr TripleWord<T> product(X x, TripleWord<T> y) {
  if constexpr (by == Products::accurate) {
    return mul_accurate(x, y);
  } else {
    return mul_fast(x, y);
  }
}

/// (bx)(3/2 − (b/2)(bx)); √0 = 0.
template <Products by, class T>
ASSAY_HD constexpr TripleWord<T> sqrt_by(TripleWord<T> x) {
  if (x.x0 == T(0)) {
    return {T(0), T(0), T(0)};
  }
  const RootSeed<T> seed = reciprocal_root_seed(x.x0, x.x1);
  const TripleWord<T> root = product<by>(seed.b, x);
  return mul_near_one<PairSums::sorted>(root, newton_factor(product<by>(seed.half, root)));
}

}  // namespace detail

/// r ≈ √x, relative error ≤ (47/4)u³ + 11300u⁴ for p ≥ 11; √0 = 0. Requires: x ≥ 0 (not checked).
/// 3SqRt with accurate products, (bx)(3/2 − (b/2)(bx)): FMP, Algorithm 15, Theorem 11 with 24u³; docs/bounds/triple.md.
/// 129 operations (FMP: 127; the leading word of (b/2)(bx) is known to be 1/2, and b/2 counts as one), one of them a
/// square root and one a division, 2 comparisons, 5 tests.
template <class T>
ASSAY_HD constexpr TripleWord<T> sqrt_accurate(TripleWord<T> x) {
  return detail::sqrt_by<detail::Products::accurate>(x);
}

/// r ≈ √x, relative error ≤ (35/2)u³ + 11300u⁴ for p ≥ 11; √0 = 0. Requires: x ≥ 0 (not checked).
/// 3SqRt with fast products: FMP, Algorithm 15, Theorem 11 with 39u³; docs/bounds/triple.md. 113 operations (FMP: 111),
/// one of them a square root and one a division, 2 comparisons, 3 tests.
template <class T>
ASSAY_HD constexpr TripleWord<T> sqrt_fast(TripleWord<T> x) {
  return detail::sqrt_by<detail::Products::fast>(x);
}

namespace detail {

/// x0 + 2x1 is a number, as it is if x0 + x1 lies halfway between two numbers.
template <class T>
ASSAY_HD constexpr bool doubles_exactly(TripleWord<T> x) {
  return fast_two_sum(x.x0, x.x1 + x.x1).e == T(0);
}

/// x1 = RN(−((3/2)u − 2u²)·x0): the case x0 = ±2ᵏ(1 + 2u) in which x0 + 2x1 is a number although x0 + x1 is not
/// halfway.
template <class T>
ASSAY_HD constexpr bool below_power_of_two(TripleWord<T> x) {
  constexpr int p = FloatTraits<T>::precision;
  const T u = bits::power_of_two<T>(-p);
  const T three_halves_u = u + bits::power_of_two<T>(-p - 1);
  return -(three_halves_u - bits::power_of_two<T>(1 - p) * u) * x.x0 == x.x1;
}

/// x0 + x1 rounded in the direction of x2.
template <class T>
ASSAY_HD T rounded_toward_third_word(TripleWord<T> x) {
  return x.x2 > T(0) ? add_ru(x.x0, x.x1) : x.x2 < T(0) ? add_rd(x.x0, x.x1) : x.x0 + x.x1;
}

}  // namespace detail

/// RN(x0 + x1 + x2), ties to even, for p ≥ 4. Requires: x0 = 0, or |x0| ≥ 2^(emin + p) and x0 + 2x1 does not overflow
/// (not checked). RoundTW: FMP, Algorithm 7, Theorem 5, with the second condition negated: T, RoundTW_correct. 6
/// operations, one of them an addition in a direction where x0 + x1 is halfway; 4 tests.
template <class T>
ASSAY_HD T round(TripleWord<T> x) {
  if (!detail::doubles_exactly(x) || detail::below_power_of_two(x)) {
    return x.x0 + x.x1;
  }
  return detail::rounded_toward_third_word(x);
}

/// FMP's Algorithm 7 as printed, with the second condition reversed: it ignores x2 if x0 + x1 is halfway.
template <class T>
ASSAY_HD T round_as_printed(TripleWord<T> x) {
  if (!detail::doubles_exactly(x) || !detail::below_power_of_two(x)) {
    return x.x0 + x.x1;
  }
  return detail::rounded_toward_third_word(x);
}

}  // namespace triple
}  // namespace assay
