#pragma once
// Probes of triple-word arithmetic: each claims |z − exact| ≤ factor·|exact|.

#include "arith/words/operands.hpp"
#include "arith/words/triple_word.hpp"
#include "exec/elementwise.hpp"
#include "probes/draw_word_sums.hpp"
#include "probes/triple/one_way.hpp"
#include "probes/words.hpp"

namespace assay::probes::triple {

/// Two triple words; in the last class all rounding errors of their product have one sign.
struct ProductDraws : WordSumDraws {
  static constexpr int classes = WordSumDraws::classes + 1;
  static constexpr const char* names[classes] = {
      WordSumDraws::names[0], WordSumDraws::names[1], WordSumDraws::names[2], WordSumDraws::names[3],
      WordSumDraws::names[4], WordSumDraws::names[5], WordSumDraws::names[6], "roundings that all err one way"};

  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    using T = typename NumberOf<decltype(Case::x)>::Type;
    if (input_class < WordSumDraws::classes) return WordSumDraws::draw<Case>(stream, input_class, range);
    constexpr std::uint64_t least = least_start<T>;
    const std::uint64_t start = least + stream.below(static_cast<std::uint32_t>(least / 3));
    const T of_x = bits::power_of_two<T>(stream.between(0, 8));
    const T of_y = bits::power_of_two<T>(stream.between(0, 8));
    const bool negative = stream.coin();
    return one_way_operands<T>(start, negative ? -of_x : of_x, stream.coin() ? -of_y : of_y);
  }
};

/// One operand above 0: −x for a drawn x below 0.
struct PositiveDraws : WordSumDraws {
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    const Case c = WordSumDraws::draw<Case>(stream, input_class, range);
    return {c.x.x0 < 0 ? assay::triple::negated(c.x) : c.x};
  }
  template <class T>
  ASSAY_HD static constexpr bool move(Stream& stream, Tw<T>& c, Range range) {
    const bool inside = move_case<T>(stream, c, range);
    if (c.x.x0 < T(0)) c.x = assay::triple::negated(c.x);
    return inside;
  }
};

/// A double word, and (1, y1, y2) within 40u² of 1: |y1| < 32u². No word is below 2^(−9p).
struct NearOneDraws {
  static constexpr bool moves = false;
  static constexpr int classes = 4;
  static constexpr const char* names[classes] = {"dense", "any significand and words",
                                                 "near powers of two, largest words",
                                                 "low word near an ulp of the product's second word"};

  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    using T = typename NumberOf<decltype(Case::x)>::Type;
    constexpr int p = FloatTraits<T>::precision;
    constexpr WordSumClass kinds[classes] = {{Digits::dense, Tail::near, 0},
                                             {Digits::any, Tail::any, 0},
                                             {Digits::near_power, Tail::largest, 0},
                                             {Digits::any, Tail::any, 0}};
    const WordSumClass kind = kinds[input_class];
    const int below = stream.below(3) == 0 ? stream.between(0, p + 3) : stream.between(0, 4);
    const int second = 4 - 2 * p - below;
    T w[3] = {T(1), draw_number<T>(stream, kind.digits, second), T(0)};
    draw_tail<TripleWord<T>>(stream, w, 2, kind.digits, kind.tail, range);
    const int e = central(stream, range);
    Case c{};
    draw_into(c.x, stream, kind, e, range);
    if (input_class == 3) {
      const int low = e + second - p + stream.between(-2, 2);
      c.x.l = draw_number<T>(stream, kind.digits, low);
    }
    c.y = {w[0], w[1], w[2]};
    return c;
  }
};

namespace detail {

// A name for one overload of a product.
template <assay::triple::PairSums sums, class T>
ASSAY_HD constexpr TripleWord<T> product_near_one(DoubleWord<T> x, TripleWord<T> y) {
  return assay::triple::mul_near_one<sums>(x, y);
}

}  // namespace detail

template <class T>
using Add = Addition<WordSumDraws, TwTw<T>, assay::triple::add<T>>;
template <class T>
using MulAccurate = Multiplication<ProductDraws, TwTw<T>, assay::triple::mul_accurate<TripleWord<T>, T>>;
template <class T>
using MulFast = Multiplication<ProductDraws, TwTw<T>, assay::triple::mul_fast<TripleWord<T>, T>>;
template <class T>
using MulDwAccurate = Multiplication<WordSumDraws, DwTw<T>, assay::triple::mul_accurate<DoubleWord<T>, T>>;
template <class T>
using MulDwFast = Multiplication<WordSumDraws, DwTw<T>, assay::triple::mul_fast<DoubleWord<T>, T>>;

template <class T>
using MulNearOne = Multiplication<NearOneDraws, DwTw<T>, detail::product_near_one<assay::triple::PairSums::sorted, T>>;
template <class T>
using MulNearOnePrinted =
    Multiplication<NearOneDraws, DwTw<T>, detail::product_near_one<assay::triple::PairSums::as_printed, T>>;
template <class T>
using ReciprocalAccurate = Reciprocal<WordSumDraws, Tw<T>, assay::triple::reciprocal_accurate<T>>;
template <class T>
using ReciprocalFast = Reciprocal<WordSumDraws, Tw<T>, assay::triple::reciprocal_fast<T>>;
template <class T>
using DivAccurate = Division<WordSumDraws, TwTw<T>, assay::triple::div_accurate<T>>;
template <class T>
using DivFast = Division<WordSumDraws, TwTw<T>, assay::triple::div_fast<T>>;
template <class T>
using SqrtAccurate = SquareRoot<PositiveDraws, Tw<T>, assay::triple::sqrt_accurate<T>>;
template <class T>
using SqrtFast = SquareRoot<PositiveDraws, Tw<T>, assay::triple::sqrt_fast<T>>;

using Probes = Operations<Add, MulAccurate, MulFast, MulDwAccurate, MulDwFast>;
/// Operations for which the range of binary32 is too small.
using Quotients = Operations<MulNearOne, MulNearOnePrinted, ReciprocalAccurate, ReciprocalFast, DivAccurate, DivFast,
                             SqrtAccurate, SqrtFast>;

}  // namespace assay::probes::triple
