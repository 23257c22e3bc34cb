#pragma once
// Triple-word arithmetic as element-wise kernels. What each requires stands at the function of arith/words/triple_word.hpp
// that it names; nothing is checked. Instantiated for double and float; reciprocals, quotients and square roots for
// double alone, since binary32 has no range for them.

#include "arith/words/operands.hpp"
#include "arith/words/triple_word.hpp"
#include "exec/elementwise.hpp"

namespace assay {

/// a + b + c: `tw::to_triple`.
template <class T>
struct TwFromThree {
  using Input = Triple<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::to_triple(x.a, x.b, x.c); }
};

/// x + y: `tw::add`.
template <class T>
struct TwAdd {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::add(x.x, x.y); }
};

/// −1, 0 or 1 for x < y, x = y, x > y: `tw::compare`.
template <class T>
struct TwCompare {
  using Input = TwTw<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return tw::compare(x.x, x.y); }
};

/// xy: `tw::mul_accurate`.
template <class T>
struct TwMulAccurate {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::mul_accurate(x.x, x.y); }
};

/// xy: `tw::mul_fast`.
template <class T>
struct TwMulFast {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::mul_fast(x.x, x.y); }
};

/// xy for a double word x: `tw::mul_accurate`.
template <class T>
struct TwMulDwAccurate {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::mul_accurate(x.x, x.y); }
};

/// xy for a double word x: `tw::mul_fast`.
template <class T>
struct TwMulDwFast {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::mul_fast(x.x, x.y); }
};

/// xy for a double word x and y = (1, y1, y2): `tw::mul_near_one`.
template <class T>
struct TwMulNearOne {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::mul_near_one<tw::PairSums::sorted>(x.x, x.y); }
};

/// The same with bare FastTwoSums.
template <class T>
struct TwMulNearOnePrinted {
  using Input = DwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::mul_near_one<tw::PairSums::as_printed>(x.x, x.y); }
};

/// 1/x: `tw::reciprocal_accurate`.
template <class T>
struct TwReciprocalAccurate {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::reciprocal_accurate(x.x); }
};

/// 1/x: `tw::reciprocal_fast`.
template <class T>
struct TwReciprocalFast {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::reciprocal_fast(x.x); }
};

/// x/y: `tw::div_accurate`.
template <class T>
struct TwDivAccurate {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::div_accurate(x.x, x.y); }
};

/// x/y: `tw::div_fast`.
template <class T>
struct TwDivFast {
  using Input = TwTw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::div_fast(x.x, x.y); }
};

/// √x: `tw::sqrt_accurate`.
template <class T>
struct TwSqrtAccurate {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::sqrt_accurate(x.x); }
};

/// √x: `tw::sqrt_fast`.
template <class T>
struct TwSqrtFast {
  using Input = Tw<T>;
  using Output = TripleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return tw::sqrt_fast(x.x); }
};

/// RN(x): `tw::round`.
template <class T>
struct TwRound {
  using Input = Tw<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return tw::round(x.x); }
};

/// RN(x) with the printed test: `tw::round_as_printed`.
template <class T>
struct TwRoundPrinted {
  using Input = Tw<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return tw::round_as_printed(x.x); }
};

}  // namespace assay
