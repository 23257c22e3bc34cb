#pragma once
// Native-pair arithmetic as element-wise kernels. What each requires stands at the function of arith/words/native_pair.hpp
// that it names; nothing is checked. Instantiated for double and float, the conversions for pairs of float.

#include "arith/words/native_pair.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay {

using native_pair::NativeMul;

/// (hi, lo) = (a, b) normalised: `native_pair::normalize`.
template <class T>
struct PairNormalize {
  using Input = Pair<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return native_pair::normalize(x.a, x.b); }
};

/// x + y: `native_pair::add`.
template <class T>
struct PairAdd {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return native_pair::add(x.x, x.y); }
};

/// a·b of native words: `native_pair::native_mul`.
template <NativeMul how, class T>
struct PairNativeMul {
  using Input = Pair<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return native_pair::native_mul<how>(x.a, x.b); }
};

/// x·y: `native_pair::mul`.
template <NativeMul how, class T>
struct PairMul {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return native_pair::mul<how>(x.x, x.y); }
};

/// x·y with the product of the low words: `native_pair::good_mul`.
template <NativeMul how, class T>
struct PairGoodMul {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return native_pair::good_mul<how>(x.x, x.y); }
};

/// The pair of binary32 next to a number of binary64: `native_pair::from_double`.
struct PairFromDouble {
  using Input = Single<double>;
  using Output = DoubleWord<float>;
  ASSAY_HD Output operator()(const Input& x) const { return native_pair::from_double(x.a); }
};

/// The number of binary64 next to a pair of binary32: `native_pair::to_double`.
struct PairToDouble {
  using Input = Dw<float>;
  using Output = double;
  ASSAY_HD Output operator()(const Input& x) const { return native_pair::to_double(x.x); }
};

}  // namespace assay
