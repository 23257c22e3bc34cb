#pragma once
// Triple-word arithmetic as element-wise kernels. What each requires stands at the function of
// arith/words/triple_word.hpp that it names; nothing is checked. Instantiated for double and float; reciprocals,
// quotients and square roots for double alone, since binary32 has no range for them.

#include "arith/words/operands.hpp"
#include "arith/words/triple_word.hpp"
#include "exec/elementwise.hpp"

namespace assay::triple {

/// a + b + c: `triple::to_triple`.
template <class T>
struct TwFromThree {
  using Input = Triple<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::to_triple(x.a, x.b, x.c); }
};

/// x + y: `triple::add`.
template <class T>
struct TwAdd {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::add(x.x, x.y); }
};

/// −1, 0 or 1 for x < y, x = y, x > y: `triple::compare`.
template <class T>
struct TwCompare {
  using Input = TwTw<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return triple::compare(x.x, x.y); }
};

/// xy: `triple::mul_accurate`.
template <class T>
struct TwMulAccurate {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::mul_accurate(x.x, x.y); }
};

/// xy: `triple::mul_fast`.
template <class T>
struct TwMulFast {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::mul_fast(x.x, x.y); }
};

/// xy for a double word x: `triple::mul_accurate`.
template <class T>
struct TwMulDwAccurate {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::mul_accurate(x.x, x.y); }
};

/// xy for a double word x: `triple::mul_fast`.
template <class T>
struct TwMulDwFast {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::mul_fast(x.x, x.y); }
};

/// xy for a double word x and y = (1, y1, y2): `triple::mul_near_one`.
template <class T>
struct TwMulNearOne {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::mul_near_one<triple::PairSums::sorted>(x.x, x.y); }
};

/// The same with bare FastTwoSums.
template <class T>
struct TwMulNearOnePrinted {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const {
    return triple::mul_near_one<triple::PairSums::as_printed>(x.x, x.y);
  }
};

/// 1/x: `triple::reciprocal_accurate`.
template <class T>
struct TwReciprocalAccurate {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::reciprocal_accurate(x.x); }
};

/// 1/x: `triple::reciprocal_fast`.
template <class T>
struct TwReciprocalFast {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::reciprocal_fast(x.x); }
};

/// x/y: `triple::div_accurate`.
template <class T>
struct TwDivAccurate {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::div_accurate(x.x, x.y); }
};

/// x/y: `triple::div_fast`.
template <class T>
struct TwDivFast {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::div_fast(x.x, x.y); }
};

/// √x: `triple::sqrt_accurate`.
template <class T>
struct TwSqrtAccurate {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::sqrt_accurate(x.x); }
};

/// √x: `triple::sqrt_fast`.
template <class T>
struct TwSqrtFast {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return triple::sqrt_fast(x.x); }
};

/// RN(x): `triple::round`.
template <class T>
struct TwRound {
  using Input = Tw<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return triple::round(x.x); }
};

/// RN(x) with the printed test: `triple::round_as_printed`.
template <class T>
struct TwRoundPrinted {
  using Input = Tw<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return triple::round_as_printed(x.x); }
};

/// The operations for binary32 and binary64.
using TripleWordOperations = Operations<TwFromThree, TwAdd, TwCompare, TwMulAccurate, TwMulFast, TwMulDwAccurate,
                                        TwMulDwFast, TwMulNearOne, TwMulNearOnePrinted, TwRound, TwRoundPrinted>;

/// The operations for binary64 alone: reciprocal, quotient, square root.
using QuotientOperations =
    Operations<TwReciprocalAccurate, TwReciprocalFast, TwDivAccurate, TwDivFast, TwSqrtAccurate, TwSqrtFast>;

}  // namespace assay::triple
