#pragma once
// Probes of double-word arithmetic: each claims |z − exact| ≤ factor·|exact|.

#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"
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

/// A double word and a number: the high word of a second one.
template <class T>
ASSAY_HD constexpr DwFp<T> draw_with_number(Stream& stream, int input_class, Range range) {
  const DwDw<T> both = draw_pair<T>(stream, input_class, range);
  return {both.x, both.y.h};
}

/// |z − x| and a lower bound of |x| ≥ |z| − |z − x|, for a z = zh + zl and an x such that z − x is the sum of the
/// terms.
template <class T, int n>
ASSAY_HD constexpr Scaled relative_to_result(const DoubleWord<T>& z, double (&terms)[n]) {
  const double upper = magnitude(terms).upper;
  const double size = at_most_sum(static_cast<double>(z.h), static_cast<double>(z.l));
  return {upper, (size - upper) * (1 - 0x1p-51)};
}

/// A sum: Op(x, y) against x + y. Requires: the range is that of sums.
template <class T, DoubleWord<T> (*Op)(DoubleWord<T>, DoubleWord<T>)>
struct Addition {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  static constexpr int classes = dw::classes;
  Range range;

  ASSAY_HD Input draw(Stream& stream, int input_class) const { return draw_pair<T>(stream, input_class, range); }
  ASSAY_HD Output run(const Input& c) const { return Op(c.x, c.y); }
  ASSAY_HD Scaled error(const Input& c, const Output& z) const {
    double terms[] = {static_cast<double>(z.h), -static_cast<double>(c.x.h), -static_cast<double>(c.y.h),
                      static_cast<double>(z.l), -static_cast<double>(c.x.l), -static_cast<double>(c.y.l)};
    return relative_to_result<T>(z, terms);
  }
};

/// A product: Op(x, y) against xy.
template <class T, DoubleWord<T> (*Op)(DoubleWord<T>, DoubleWord<T>)>
struct Multiplication {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  static constexpr int classes = dw::classes;
  Range range;

  ASSAY_HD Input draw(Stream& stream, int input_class) const { return draw_pair<T>(stream, input_class, range); }
  ASSAY_HD Output run(const Input& c) const { return Op(c.x, c.y); }
  ASSAY_HD Scaled error(const Input& c, const Output& z) const {
    const Product<double> hh = exact_product(c.x.h, c.y.h);
    const Product<double> hl = exact_product(c.x.h, c.y.l);
    const Product<double> lh = exact_product(c.x.l, c.y.h);
    const Product<double> ll = exact_product(c.x.l, c.y.l);
    double terms[] = {
        static_cast<double>(z.h), -hh.p, static_cast<double>(z.l), -hh.e, -hl.p, -lh.p, -hl.e, -lh.e, -ll.p, -ll.e};
    return relative_to_result<T>(z, terms);
  }
};

/// A quotient: |Op(x, y) − x/y| ≤ factor·|x/y| where |zy − x| ≤ factor·|x|.
template <class T, DoubleWord<T> (*Op)(DoubleWord<T>, DoubleWord<T>)>
struct Division {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  static constexpr int classes = dw::classes;
  Range range;

  ASSAY_HD Input draw(Stream& stream, int input_class) const { return draw_pair<T>(stream, input_class, range); }
  ASSAY_HD Output run(const Input& c) const { return Op(c.x, c.y); }
  ASSAY_HD Scaled error(const Input& c, const Output& z) const {
    const Product<double> hh = exact_product(z.h, c.y.h);
    const Product<double> hl = exact_product(z.h, c.y.l);
    const Product<double> lh = exact_product(z.l, c.y.h);
    const Product<double> ll = exact_product(z.l, c.y.l);
    double terms[] = {
        hh.p, -static_cast<double>(c.x.h), hh.e, -static_cast<double>(c.x.l), hl.p, lh.p, hl.e, lh.e, ll.p, ll.e};
    const double upper = magnitude(terms).upper;
    return {upper, at_most_sum(static_cast<double>(c.x.h), static_cast<double>(c.x.l))};
  }
};

using AccurateAdd = Addition<double, assay::dw::accurate_add<double>>;
using SloppyAdd = Addition<double, assay::dw::sloppy_add<double>>;
using Mul1 = Multiplication<double, assay::dw::mul1<double>>;
using Mul2 = Multiplication<double, assay::dw::mul2<double>>;
using Mul3 = Multiplication<double, assay::dw::mul3<double>>;
using Div1 = Division<double, assay::dw::div1<double>>;
using Div2 = Division<double, assay::dw::div2<double>>;
using Div3 = Division<double, assay::dw::div3<double>>;

}  // namespace assay::probes::dw
