#pragma once
// Native-pair arithmetic as element-wise kernels. The requirements of each operation are documented at the function of
// arith/words/native_pair.hpp that it names; nothing is checked. Instantiated for double and float, the conversions for
// pairs of float.

#include "arith/words/native_pair.hpp"
#include "arith/words/operands.hpp"
#include "kernels/function.hpp"

namespace assay::pair {

/// The pair of binary32 next to a number of binary64: `pair::from_double`.
using PairFromDouble = Function<Single<double>, pair::from_double>;

/// The number of binary64 next to a pair of binary32: `pair::to_double`.
using PairToDouble = Function<Dw<float>, pair::to_double>;

/// (hi, lo) = (a, b) normalized: `pair::normalize`.
template <class T>
using PairNormalize = Function<Pair<T>, pair::normalize<T>>;

/// x + y: `pair::add`.
template <class T>
using PairAdd = Function<DwDw<T>, pair::add<T>>;

/// a·b of native words: `pair::native_mul`.
template <NativeMul how, class T>
using PairNativeMul = Function<Pair<T>, pair::native_mul<how, T>>;

/// x·y: `pair::mul`.
template <NativeMul how, class T>
using PairMul = Function<DwDw<T>, pair::mul<how, T>>;

/// x·y with the product of the low words: `pair::good_mul`.
template <NativeMul how, class T>
using PairGoodMul = Function<DwDw<T>, pair::good_mul<how, T>>;

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
