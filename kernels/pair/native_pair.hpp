#pragma once
// Native-pair arithmetic as element-wise kernels. What each requires stands at the function of
// arith/words/native_pair.hpp that it names; nothing is checked. Instantiated for double and float, the conversions for
// pairs of float.

#include "arith/words/native_pair.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay::pair {

/// (hi, lo) = (a, b) normalised: `pair::normalize`.
template <class T>
struct PairNormalize {
  using Input = Pair<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return pair::normalize(x.a, x.b); }
};

/// x + y: `pair::add`.
template <class T>
struct PairAdd {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return pair::add(x.x, x.y); }
};

/// a·b of native words: `pair::native_mul`.
template <NativeMul how, class T>
struct PairNativeMul {
  using Input = Pair<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return pair::native_mul<how>(x.a, x.b); }
};

/// x·y: `pair::mul`.
template <NativeMul how, class T>
struct PairMul {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return pair::mul<how>(x.x, x.y); }
};

/// x·y with the product of the low words: `pair::good_mul`.
template <NativeMul how, class T>
struct PairGoodMul {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return pair::good_mul<how>(x.x, x.y); }
};

/// The pair of binary32 next to a number of binary64: `pair::from_double`.
struct PairFromDouble {
  using Input = Single<double>;
  using Output = DoubleWord<float>;
  ASSAY_HD Output operator()(const Input& x) const { return pair::from_double(x.a); }
};

/// The number of binary64 next to a pair of binary32: `pair::to_double`.
struct PairToDouble {
  using Input = Dw<float>;
  using Output = double;
  ASSAY_HD Output operator()(const Input& x) const { return pair::to_double(x.x); }
};

/// The operations that need no product.
using PairSums = Operations<PairNormalize, PairAdd>;

/// The products whose error term comes from `mul`.
template <NativeMul mul>
struct ProductsBy {
  template <class T>
  using Native = PairNativeMul<mul, T>;
  template <class T>
  using Mul = PairMul<mul, T>;
  template <class T>
  using GoodMul = PairGoodMul<mul, T>;
  using All = Operations<Native, Mul, GoodMul>;
};

}  // namespace assay::pair
