#pragma once

#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"
#include "arith/words/double_word.hpp"

/// Native-pair arithmetic: a number as the unevaluated sum of a high and a low native word, a `DoubleWord` with the
/// high word h and the low word l. Dieter, Kaveti, Dietz, "Low-cost microarchitectural support for improved
/// floating-point accuracy", IEEE Computer Architecture Letters 6(1), 2007; the operations, in their order, are those
/// that Dietz gave as a course assignment on GPU computing in 2011.
///
/// That source states no bounds. Those named here are derived, or refuted, in docs/bounds/pair.md: u = 2⁻ᵖ,
/// operands normalized (h = RN(h + l)), rounding to nearest with ties to even, nothing overflows, no error term
/// underflows (none of this is checked). Sufficient ranges of the magnitudes of words, as for double words: sums ≤
/// 2¹⁰¹⁶ in binary64, 2¹²⁰ in binary32; products, every non-zero word in [2⁻⁴⁸⁴, 2⁴⁸⁴] and [2⁻⁵¹, 2⁵¹].
namespace assay::pair {

/// How the product of two native words becomes a pair.
///
/// `fma`: by a fused multiply-add.
///
/// `split`: from halves cut by a multiplication with 2^⌈p/2⌉ + 1.
///
/// `mask`: from halves cut by clearing the ⌊p/2⌋ lowest bits of the pattern (12 of binary32, 26 of binary64).
///
/// `wide_mask`: the same with ⌈p/2⌉ bits (12 and 27).
enum class NativeMul { fma, split, mask, wide_mask };

/// h = RN(hi + lo) and h + l = hi + lo exactly, for |hi| ≥ |lo|; the other requirements are stated at `fast_two_sum`,
/// whose operations these are, except that the source computes the difference h − hi the other way round: that can
/// change only the sign of a zero l. For |hi| < |lo| l may be lost. 3 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> normalize(T hi, T lo) {
  return dw::detail::normalised(hi, lo);
}

/// z ≈ a + b, |z − (a + b)| ≤ 3u²(|a| + |b|) for p ≥ 5, and so 3u² relative if a.h and b.h have the same sign. There is
/// not a bound in terms of |a + b|: the relative error can be 1. The high words by TwoSum, the low words and its error
/// rounded: `dw::sloppy_add` with its operands exchanged. 11 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> add(DoubleWord<T> a, DoubleWord<T> b) {
  return dw::sloppy_add(b, a);
}

namespace detail {

/// x = h + l exactly: h is x with its ⌊p/2⌋ lowest fraction bits cleared; `mask_split` clears ⌈p/2⌉.
template <class T>
ASSAY_HD constexpr Split<T> narrow_mask_split(T x) {
  constexpr auto low = static_cast<BitsOf<T>>((BitsOf<T>{1} << (FloatTraits<T>::precision / 2)) - 1);
  const T h = from_bits<T>(static_cast<BitsOf<T>>(to_bits(x) & static_cast<BitsOf<T>>(~low)));
  return {h, x - h};
}

/// The product of a and b from their halves: the high product and the rounded sum of the cross products, normalized,
/// and the low product added to the low word. 9 operations.
template <class T>
ASSAY_HD constexpr DoubleWord<T> product_of_halves(Split<T> a, Split<T> b) {
  const T top = a.h * b.h;
  const T mid_a = a.h * b.l;
  const T mid_b = b.h * a.l;
  const T mid = mid_a + mid_b;
  const T bottom = a.l * b.l;
  const DoubleWord<T> c = normalize(top, mid);
  return {c.h, c.l + bottom};
}

}  // namespace detail

/// c ≈ a·b for native words. The properties of each form:
///
/// `fma`: exact, c.h = RN(ab); the operations of `two_prod`. 2 operations.
///
/// `split`: exact for p ≥ 4, but c.h is not always RN(ab): |c.l| ≤ ulp(c.h) for even p, 3/2 of it for odd p.
/// Requires: (2^⌈p/2⌉ + 1) times an operand does not overflow (not checked). Dekker, Numer. Math. 18, 1971, mul12. 17
/// operations.
///
/// `mask` with even p, and `wide_mask`: not exact, because the sum of the cross products can need p + 1 bits.
/// |c − ab| ≤ (2^(p/2) + 1)·4u²·|ab| for even p, 2⁻³⁴ in binary32; (2^((p + 1)/2) + 3)·4u²·|ab| for odd p, 2⁻⁷⁷ in
/// binary64. 13 operations, two of them on integers.
///
/// `mask` with odd p: the high product alone can need p + 1 bits. |c − ab| ≤ (1 + 2^((1 − p)/2))u·|ab|: no better than
/// a native product.
template <NativeMul how, class T>
ASSAY_HD constexpr DoubleWord<T> native_mul(T a, T b) {
  if constexpr (how == NativeMul::fma) {
    const Product<T> c = two_prod(a, b);
    return {c.p, c.e};
  } else if constexpr (how == NativeMul::split) {
    return detail::product_of_halves(veltkamp_split(a), veltkamp_split(b));
  } else if constexpr (how == NativeMul::mask) {
    return detail::product_of_halves(detail::narrow_mask_split(a), detail::narrow_mask_split(b));
  } else {
    return detail::product_of_halves(mask_split(a), mask_split(b));
  }
}

/// z ≈ a·b without the product of the low words: tops = native_mul(a.h, b.h), z = normalize(tops.h, tops.l + (a.h·b.l +
/// b.h·a.l)). z is normalized. 7 operations and those of native_mul.
///
/// `fma`: the operations of `dw::mul1`, relative error ≤ 5u²/(1 + u)² for p ≥ 6.
///
/// `split`: relative error ≤ 9u²/(1 − u)² for p ≥ 8, because the high product is not normalized.
///
/// `mask`, `wide_mask`: 13u² more than native_mul, times 1/(1 − u)².
template <NativeMul how, class T>
ASSAY_HD constexpr DoubleWord<T> mul(DoubleWord<T> a, DoubleWord<T> b) {
  const DoubleWord<T> tops = native_mul<how>(a.h, b.h);
  const T hilo_a = a.h * b.l;
  const T hilo_b = b.h * a.l;
  const T hilo = hilo_a + hilo_b;
  return normalize(tops.h, tops.l + hilo);
}

/// z ≈ a·b from the pairs of all four products, by additions of pairs. z is normalized. 45 operations and four times
/// those of native_mul.
///
/// `fma`, `split`: the same value, relative error ≤ (3/2)u² + 13u³ for p ≥ 8.
///
/// `mask`, `wide_mask`: 9u² more than native_mul.
template <NativeMul how, class T>
ASSAY_HD constexpr DoubleWord<T> good_mul(DoubleWord<T> a, DoubleWord<T> b) {
  const auto normalized_mul = [](T x, T y) {
    const DoubleWord<T> c = native_mul<how>(x, y);
    return normalize(c.h, c.l);
  };
  const DoubleWord<T> tops = normalized_mul(a.h, b.h);
  const DoubleWord<T> mid1 = normalized_mul(a.h, b.l);
  const DoubleWord<T> mid2 = normalized_mul(a.l, b.h);
  const DoubleWord<T> low = normalized_mul(a.l, b.l);
  return add(tops, add(mid2, add(mid1, low)));
}

/// The pair of binary32 next to d: h = RN(d), l = RN(d − h), where d − h is exact in binary64. |h + l − d| ≤
/// max(u²/2·|d|, 2⁻¹⁵⁰), u = 2⁻²⁴; exact for d of at most 49 bits that is a multiple of 2⁻¹⁴⁹. |l| ≤ ulp(h)/2, but not
/// always h = RN(h + l): l can round to half an ulp of an odd h. Requires: RN(d) is finite (not checked). 3 operations,
/// two of them conversions.
ASSAY_HD inline DoubleWord<float> from_double(double d) {
  const float h = static_cast<float>(d);
  return {h, static_cast<float>(d - static_cast<double>(h))};
}

/// RN(x.h + x.l) in binary64. 1 operation.
ASSAY_HD inline double to_double(DoubleWord<float> x) { return static_cast<double>(x.h) + static_cast<double>(x.l); }

}  // namespace assay::pair
