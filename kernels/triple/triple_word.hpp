#pragma once
// Triple-word arithmetic as element-wise kernels. The requirements of each are stated at the function of
// arith/words/triple_word.hpp that it names; nothing is checked. Instantiated for double and float; reciprocals,
// quotients and square roots for double alone, since binary32 has no range for them; the sum and the products for
// Toy<3> and Toy<4> besides.

#include "arith/words/operands.hpp"
#include "arith/words/triple_word.hpp"
#include "kernels/function.hpp"

namespace assay::triple {

namespace detail {

// A name for one overload of a product.
template <PairSums sums, class T>
ASSAY_HD constexpr TripleWord<T> product_near_one(DoubleWord<T> x, TripleWord<T> y) {
  return triple::mul_near_one<sums>(x, y);
}

}  // namespace detail

/// a + b + c: `triple::to_triple`.
template <class T>
using TwFromThree = Function<Triple<T>, to_triple<T>>;

/// x + y: `triple::add`.
template <class T>
using TwAdd = Function<TwTw<T>, add<T>>;

/// −1, 0 or 1 for x < y, x = y, x > y: `triple::compare`.
template <class T>
using TwCompare = Function<TwTw<T>, compare<T>>;

/// xy: `triple::mul_accurate`.
template <class T>
using TwMulAccurate = Function<TwTw<T>, mul_accurate<TripleWord<T>, T>>;

/// xy: `triple::mul_fast`.
template <class T>
using TwMulFast = Function<TwTw<T>, mul_fast<TripleWord<T>, T>>;

/// xy for a double word x: `triple::mul_accurate`.
template <class T>
using TwMulDwAccurate = Function<DwTw<T>, mul_accurate<DoubleWord<T>, T>>;

/// xy for a double word x: `triple::mul_fast`.
template <class T>
using TwMulDwFast = Function<DwTw<T>, mul_fast<DoubleWord<T>, T>>;

/// xy for a double word x and y = (1, y1, y2): `triple::mul_near_one`.
template <class T>
using TwMulNearOne = Function<DwTw<T>, detail::product_near_one<PairSums::sorted, T>>;

/// The same with bare FastTwoSums.
template <class T>
using TwMulNearOnePrinted = Function<DwTw<T>, detail::product_near_one<PairSums::as_printed, T>>;

/// 1/x: `triple::reciprocal_accurate`.
template <class T>
using TwReciprocalAccurate = Function<Tw<T>, reciprocal_accurate<T>>;

/// 1/x: `triple::reciprocal_fast`.
template <class T>
using TwReciprocalFast = Function<Tw<T>, reciprocal_fast<T>>;

/// x/y: `triple::div_accurate`.
template <class T>
using TwDivAccurate = Function<TwTw<T>, div_accurate<T>>;

/// x/y: `triple::div_fast`.
template <class T>
using TwDivFast = Function<TwTw<T>, div_fast<T>>;

/// √x: `triple::sqrt_accurate`.
template <class T>
using TwSqrtAccurate = Function<Tw<T>, sqrt_accurate<T>>;

/// √x: `triple::sqrt_fast`.
template <class T>
using TwSqrtFast = Function<Tw<T>, sqrt_fast<T>>;

/// RN(x): `triple::round`.
template <class T>
using TwRound = Function<Tw<T>, round<T>>;

/// RN(x) with the printed test: `triple::round_as_printed`.
template <class T>
using TwRoundPrinted = Function<Tw<T>, round_as_printed<T>>;

/// The operations for binary32 and binary64.
using TripleWordOperations = Operations<TwFromThree, TwAdd, TwCompare, TwMulAccurate, TwMulFast, TwMulDwAccurate,
                                        TwMulDwFast, TwMulNearOne, TwMulNearOnePrinted, TwRound, TwRoundPrinted>;

/// The operations for binary64 alone: reciprocal, quotient, square root.
using QuotientOperations =
    Operations<TwReciprocalAccurate, TwReciprocalFast, TwDivAccurate, TwDivFast, TwSqrtAccurate, TwSqrtFast>;

/// The operations for toy formats.
using SumAndProducts = Operations<TwAdd, TwMulAccurate, TwMulFast, TwMulDwAccurate, TwMulDwFast>;

}  // namespace assay::triple
