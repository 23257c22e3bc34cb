#pragma once
// Probes of double-word arithmetic: each claims |z − exact| ≤ factor·|exact|.

#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"

namespace assay::probes::dw {

/// The classes of inputs of two operands, in their order. For one operand there is no gap of exponents and no
/// cancellation.
inline constexpr int classes = 7;
inline constexpr const char* class_names[classes] = {"dense, gap 0…p+3",
                                                     "any significand, gap 0…p+3",
                                                     "sparse, low words near half an ulp, gap 0…3",
                                                     "near powers of two, low words near half an ulp, gap 0…3",
                                                     "low words half an ulp, gap 0…p+3",
                                                     "cancellation",
                                                     "full range"};

/// How a low word lies below its high word.
enum class Low {
  half_ulp,   ///< half the distance of the high word, which is even, to its neighbour
  near_half,  ///< just below that
  gap,        ///< 0 … p + 4 places below that
  any         ///< one of these, or 0
};

/// A normalised double word whose high word has the exponent e; its low word is 0 where it would leave the range.
template <class T>
ASSAY_HD constexpr DoubleWord<T> draw_double_word(Stream& stream, Digits digits, Low low, int e, Range range) {
  constexpr int p = FloatTraits<T>::precision;
  const bool negative = stream.coin();
  const bool opposite = stream.coin();
  std::uint64_t m = draw_digits<p>(stream, digits);
  if (low == Low::any) {
    const std::uint32_t which = stream.below(6);
    if (which == 0) return {number<T>(negative, m, e), T(0)};
    low = which == 1 ? Low::half_ulp : which == 2 ? Low::near_half : Low::gap;
  }
  if (low == Low::half_ulp) m &= ~std::uint64_t{1};
  // Below a power of two the neighbour is half as far.
  const int limit = e - p - (m == std::uint64_t{1} << (p - 1) && opposite ? 1 : 0);
  std::uint64_t tail = std::uint64_t{1} << (p - 1);
  int top = limit;
  if (low == Low::near_half) {
    tail = draw_digits<p>(stream, Digits::near_power) | std::uint64_t{3} << (p - 2);
    top = limit - 1;
  } else if (low == Low::gap) {
    tail = draw_digits<p>(stream, digits);
    top = limit - 1 - static_cast<int>(stream.below(p + 5));
  }
  const bool fits = top >= range.low && top >= FloatTraits<T>::emin;
  return {number<T>(negative, m, e), fits ? number<T>(negative != opposite, tail, top) : T(0)};
}

/// Digits, low words and the longest gap of the exponents of the first five classes.
struct GapClass {
  Digits digits;
  Low low;
  int gap;
};
template <class T>
ASSAY_HD constexpr GapClass gap_class(int input_class) {
  constexpr int p = FloatTraits<T>::precision;
  switch (input_class) {
    case 0:
      return {Digits::dense, Low::gap, p + 3};
    case 1:
      return {Digits::any, Low::any, p + 3};
    case 2:
      return {Digits::sparse, Low::near_half, 3};
    case 3:
      return {Digits::near_power, Low::near_half, 3};
    default:
      return {Digits::any, Low::half_ulp, p + 3};
  }
}

/// An exponent near 0, or near the end of the range that is nearest to 0.
ASSAY_HD constexpr int central(Stream& stream, Range range) {
  const int e = stream.between(-8, 8);
  return e < range.low ? range.low : e > range.high ? range.high : e;
}

ASSAY_HD constexpr int lower(int e, int gap, Range range) { return e - gap < range.low ? range.low : e - gap; }

/// The exponent of a number; below that of all normal numbers for a smaller one.
template <class T>
ASSAY_HD constexpr int exponent(T x) {
  using F = FloatTraits<T>;
  const auto field = static_cast<int>(static_cast<BitsOf<T>>(to_bits(x) << 1) >> F::precision);
  return field + F::emin - 1;
}

/// A double word near −x: the high words cancel up to a few places, or wholly.
template <class T>
ASSAY_HD constexpr DoubleWord<T> draw_near_negative(Stream& stream, const DoubleWord<T>& x, int e, Range range) {
  using Bits = BitsOf<T>;
  const DoubleWord<T> other = draw_double_word<T>(stream, Digits::any, Low::any, e, range);
  const Bits step = static_cast<Bits>(stream.below(9));
  const Bits turned = to_bits(x.h) ^ Bits { 1 } << (FloatTraits<T>::width - 1);
  // Of the four steps down none leaves the binade of the high word: from its lowest numbers there is none.
  constexpr Bits fraction = (Bits{1} << (FloatTraits<T>::precision - 1)) - 1;
  const Bits place = turned & fraction;
  const T h = from_bits<T>(step < 5 ? (place > 4 ? turned - step : turned)
                                    : (place < fraction - 4 ? turned + step - 4 : turned));
  const Sum<T> z = fast_two_sum(h, stream.coin() ? other.l : -x.l);
  return {z.s, exponent(z.e) >= range.low ? z.e : T(0)};
}

/// Two double words with every non-zero word in the range.
template <class T>
ASSAY_HD constexpr DwDw<T> draw_pair(Stream& stream, int input_class, Range range) {
  if (input_class == 5) {
    const int e = central(stream, range);
    const DoubleWord<T> x = draw_double_word<T>(stream, Digits::any, Low::any, e, range);
    return {x, draw_near_negative<T>(stream, x, e, range)};
  }
  if (input_class == 6) {
    const DoubleWord<T> x =
        draw_double_word<T>(stream, Digits::any, Low::any, stream.between(range.low, range.high), range);
    return {x, draw_double_word<T>(stream, Digits::any, Low::any, stream.between(range.low, range.high), range)};
  }
  const GapClass kind = gap_class<T>(input_class);
  const int e = central(stream, range);
  const DoubleWord<T> x = draw_double_word<T>(stream, kind.digits, kind.low, e, range);
  const int other = lower(e, stream.between(0, kind.gap), range);
  const DoubleWord<T> y = draw_double_word<T>(stream, kind.digits, kind.low, other, range);
  return stream.coin() ? DwDw<T>{x, y} : DwDw<T>{y, x};
}

/// The cases of an operation: two double words, a double word and the high word of a second one, or one double word
/// that is not negative.
template <class Case>
struct Cases;
template <class T>
struct Cases<DwDw<T>> {
  using Number = T;
  ASSAY_HD static constexpr DwDw<T> of(const DwDw<T>& both) { return both; }
  ASSAY_HD static constexpr DwDw<T> operands(const DwDw<T>& c) { return c; }
};
template <class T>
struct Cases<DwFp<T>> {
  using Number = T;
  ASSAY_HD static constexpr DwFp<T> of(const DwDw<T>& both) { return {both.x, both.y.h}; }
  ASSAY_HD static constexpr DwDw<T> operands(const DwFp<T>& c) { return {c.x, {c.y, T(0)}}; }
};
template <class T>
struct Cases<Dw<T>> {
  using Number = T;
  ASSAY_HD static constexpr Dw<T> of(const DwDw<T>& both) {
    return {both.x.h < T(0) ? DoubleWord<T>{-both.x.h, -both.x.l} : both.x};
  }
};

/// |z − x| and a lower bound of |x| ≥ |z| − |z − x|, for a z = zh + zl and an x such that z − x is the sum of the
/// terms.
template <class T, int n>
ASSAY_HD constexpr Scaled relative_to_result(const DoubleWord<T>& z, double (&terms)[n]) {
  const double upper = magnitude(terms).upper;
  const double size = at_most_sum(static_cast<double>(z.h), static_cast<double>(z.l));
  return {upper, (size - upper) * (1 - 0x1p-51)};
}

/// The terms of xy − z, the larger ones first.
inline constexpr int product_terms = 10;
template <class T>
ASSAY_HD constexpr void product_less(const DoubleWord<T>& x, const DoubleWord<T>& y, const DoubleWord<T>& z,
                                     double (&terms)[product_terms]) {
  const Product<double> hh = exact_product(x.h, y.h);
  const Product<double> hl = exact_product(x.h, y.l);
  const Product<double> lh = exact_product(x.l, y.h);
  const Product<double> ll = exact_product(x.l, y.l);
  const double all[] = {hh.p, -static_cast<double>(z.h), hh.e, -static_cast<double>(z.l), hl.p, lh.p, hl.e, lh.e, ll.p,
                        ll.e};
  for (int i = 0; i < product_terms; ++i) terms[i] = all[i];
}

/// What the probes below have in common. `range`: of the exponents of all words that are not zero.
template <class Case, auto Op>
struct Operation {
  using Number = typename Cases<Case>::Number;
  using Input = Case;
  using Output = DoubleWord<Number>;
  static constexpr int classes = dw::classes;
  Range range;

  ASSAY_HD constexpr Input draw(Stream& stream, int input_class) const {
    return Cases<Case>::of(draw_pair<Number>(stream, input_class, range));
  }
  ASSAY_HD constexpr Output run(const Input& c) const {
    if constexpr (requires { c.y; }) {
      return Op(c.x, c.y);
    } else {
      return Op(c.x);
    }
  }
};

/// Op(x, y) against x + y.
template <class Case, auto Op>
struct Addition : Operation<Case, Op> {
  using typename Operation<Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& z) const {
    const auto [x, y] = Cases<Case>::operands(c);
    double terms[] = {static_cast<double>(z.h), -static_cast<double>(x.h), -static_cast<double>(y.h),
                      static_cast<double>(z.l), -static_cast<double>(x.l), -static_cast<double>(y.l)};
    return relative_to_result(z, terms);
  }
};

/// Op(x, y) against xy, or against x/y where `divides`: |Op(x, y) − x/y| ≤ factor·|x/y| where |zy − x| ≤ factor·|x|.
template <class Case, auto Op, bool divides>
struct ProductOrQuotient : Operation<Case, Op> {
  using typename Operation<Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& z) const {
    const auto [x, y] = Cases<Case>::operands(c);
    double terms[product_terms];
    product_less(divides ? z : x, y, divides ? x : z, terms);
    return divides ? Scaled{magnitude(terms).upper, at_most_sum(x.h, x.l)} : relative_to_result(z, terms);
  }
};
template <class Case, auto Op>
using Multiplication = ProductOrQuotient<Case, Op, false>;
template <class Case, auto Op>
using Division = ProductOrQuotient<Case, Op, true>;

/// Op(x) against √x: |Op(x) − √x| ≤ c√x where |z² − x| ≤ c(2 − c)x and z ≥ 0, so that the factor is c(2 − c). For z ≥
/// √x, z² ≤ x(1 + c)²; else z² ≥ x(1 − c)².
template <class Case, auto Op>
struct SquareRoot : Operation<Case, Op> {
  using typename Operation<Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& z) const {
    const Product<double> hh = exact_product(z.h, z.h);
    const Product<double> hl = exact_product(z.h, 2 * static_cast<double>(z.l));
    const Product<double> ll = exact_product(z.l, z.l);
    double terms[] = {hh.p, -static_cast<double>(c.x.h), hh.e, -static_cast<double>(c.x.l), hl.p, hl.e, ll.p, ll.e};
    const bool is_negative = static_cast<double>(z.h) < 0;
    return {magnitude(terms).upper, is_negative ? 0 : at_most_sum(c.x.h, c.x.l)};
  }
};

template <class T>
using AddFp = Addition<DwFp<T>, assay::dw::add_fp<T>>;
template <class T>
using SloppyAdd = Addition<DwDw<T>, assay::dw::sloppy_add<T>>;
template <class T>
using AccurateAdd = Addition<DwDw<T>, assay::dw::accurate_add<T>>;
template <class T>
using MulFp1 = Multiplication<DwFp<T>, assay::dw::mul_fp1<T>>;
template <class T>
using MulFp2 = Multiplication<DwFp<T>, assay::dw::mul_fp2<T>>;
template <class T>
using MulFp3 = Multiplication<DwFp<T>, assay::dw::mul_fp3<T>>;
template <class T>
using Mul1 = Multiplication<DwDw<T>, assay::dw::mul1<T>>;
template <class T>
using Mul2 = Multiplication<DwDw<T>, assay::dw::mul2<T>>;
template <class T>
using Mul3 = Multiplication<DwDw<T>, assay::dw::mul3<T>>;
template <class T>
using DivFp1 = Division<DwFp<T>, assay::dw::div_fp1<T>>;
template <class T>
using DivFp2 = Division<DwFp<T>, assay::dw::div_fp2<T>>;
template <class T>
using DivFp3 = Division<DwFp<T>, assay::dw::div_fp3<T>>;
template <class T>
using Div1 = Division<DwDw<T>, assay::dw::div1<T>>;
template <class T>
using Div2 = Division<DwDw<T>, assay::dw::div2<T>>;
template <class T>
using Div3 = Division<DwDw<T>, assay::dw::div3<T>>;
template <class T>
using Sqrt = SquareRoot<Dw<T>, assay::dw::sqrt<T>>;

using Probes = Operations<AddFp, SloppyAdd, AccurateAdd, MulFp1, MulFp2, MulFp3, Mul1, Mul2, Mul3, DivFp1, DivFp2,
                          DivFp3, Div1, Div2, Div3, Sqrt>;

}  // namespace assay::probes::dw
