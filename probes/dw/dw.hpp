#pragma once
// Probes of double-word arithmetic: each claims |z − exact| ≤ factor·|exact|.

#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"
#include "probes/draw_words.hpp"
#include "probes/moves.hpp"
#include "probes/words.hpp"

namespace assay::probes::dw {

/// A double word near −x: the high words cancel up to a few places, or wholly.
template <class T>
ASSAY_HD constexpr DoubleWord<T> draw_near_negative(Stream& stream, const DoubleWord<T>& x, int e, Range range) {
  const DoubleWord<T> other = draw_double_word<T>(stream, Digits::any, Low::any, e, range);
  const T h = stepped(-x.h, stream.below(9));
  const Sum<T> z = fast_two_sum(h, stream.coin() ? other.l : -x.l);
  return {z.s, exponent(z.e) >= range.low ? z.e : T(0)};
}

/// Two double words, the exponents of their high words up to `longest` apart.
template <class T>
ASSAY_HD constexpr DwDw<T> draw_with_gap(Stream& stream, Digits digits, Low low, int longest, Range range) {
  const int e = central(stream, range);
  const int other = lower(e, stream.between(0, longest), range);
  const bool swaps = stream.coin();
  const DoubleWord<T> x = draw_double_word<T>(stream, digits, low, swaps ? other : e, range);
  const DoubleWord<T> y = draw_double_word<T>(stream, digits, low, swaps ? e : other, range);
  return {x, y};
}

/// Two double words with every non-zero word in the range. Each class has its digits and low words as constants: a
/// compiler generates separate code for each class.
template <class T>
ASSAY_HD constexpr DwDw<T> draw_pair(Stream& stream, int input_class, Range range) {
  constexpr int p = FloatTraits<T>::precision;
  switch (input_class) {
    case 0:
      return draw_with_gap<T>(stream, Digits::dense, Low::gap, p + 3, range);
    case 1:
      return draw_with_gap<T>(stream, Digits::any, Low::any, p + 3, range);
    case 2:
      return draw_with_gap<T>(stream, Digits::sparse, Low::near_half, 3, range);
    case 3:
      return draw_with_gap<T>(stream, Digits::near_power, Low::near_half, 3, range);
    case 4:
      return draw_with_gap<T>(stream, Digits::any, Low::half_ulp, p + 3, range);
    case 5: {
      const int e = central(stream, range);
      const DoubleWord<T> x = draw_double_word<T>(stream, Digits::any, Low::any, e, range);
      return {x, draw_near_negative<T>(stream, x, e, range)};
    }
    default: {
      const int e = stream.between(range.low, range.high);
      const int other = stream.between(range.low, range.high);
      const DoubleWord<T> x = draw_double_word<T>(stream, Digits::any, Low::any, e, range);
      const DoubleWord<T> y = draw_double_word<T>(stream, Digits::any, Low::any, other, range);
      return {x, y};
    }
  }
}

/// The operands of an operation, taken from two double words: both, one and the high word of the other, or one that is
/// not negative.
template <class T>
ASSAY_HD constexpr void take(const DwDw<T>& both, DwDw<T>& into) {
  into = both;
}
template <class T>
ASSAY_HD constexpr void take(const DwDw<T>& both, DwFp<T>& into) {
  into = {both.x, both.y.h};
}
template <class T>
ASSAY_HD constexpr void take(const DwDw<T>& both, Dw<T>& into) {
  into = {both.x.h < T(0) ? DoubleWord<T>{-both.x.h, -both.x.l} : both.x};
}

/// The classes of inputs of two operands, in their order. For one operand there is no gap of exponents and no
/// cancellation.
struct Draws {
  static constexpr int classes = 7;
  static constexpr const char* names[classes] = {"dense, gap 0…p+3",
                                                 "any significand, gap 0…p+3",
                                                 "sparse, low words near half an ulp, gap 0…3",
                                                 "near powers of two, low words near half an ulp, gap 0…3",
                                                 "low words half an ulp, gap 0…p+3",
                                                 "cancellation",
                                                 "full range"};
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    Case c{};
    take(draw_pair<typename NumberOf<decltype(Case::x)>::Type>(stream, input_class, range), c);
    return c;
  }
  static constexpr bool moves = true;
  template <class T, class Case>
  ASSAY_HD static constexpr bool move(Stream& stream, Case& c, Range range) {
    return move_case<T>(stream, c, range);
  }
  /// For a radicand: it stays positive.
  template <class T>
  ASSAY_HD static constexpr bool move(Stream& stream, Dw<T>& c, Range range) {
    const bool inside = move_case<T>(stream, c, range);
    if (c.x.h < T(0)) c.x = {-c.x.h, -c.x.l};
    return inside;
  }
};

template <class Case, auto Op>
using Addition = probes::Addition<Draws, Case, Op>;
template <class Case, auto Op>
using Multiplication = probes::Multiplication<Draws, Case, Op>;
template <class Case, auto Op>
using Division = probes::Division<Draws, Case, Op>;
template <class Case, auto Op>
using SquareRoot = probes::SquareRoot<Draws, Case, Op>;

template <class T>
using AddFp = Addition<DwFp<T>, assay::dw::add_fp<T>>;
template <class T>
using SloppyAdd = Addition<DwDw<T>, assay::dw::sloppy_add<T>>;
/// The same relative to |x| + |y|.
template <class T>
using SloppyAddByMagnitudes = AdditionByMagnitudes<Draws, DwDw<T>, assay::dw::sloppy_add<T>>;
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

using Probes = Operations<AddFp, SloppyAdd, SloppyAddByMagnitudes, AccurateAdd, MulFp1, MulFp2, MulFp3, Mul1, Mul2,
                          Mul3, DivFp1, DivFp2, DivFp3, Div1, Div2, Div3, Sqrt>;

}  // namespace assay::probes::dw
