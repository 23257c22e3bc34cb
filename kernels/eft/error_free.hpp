#pragma once
// The error-free transforms as element-wise kernels. The requirements of each operation are documented at the function
// of arith/float/error_free.hpp that it names; nothing is checked. Instantiated for double, float, binary16 and Toy<3>
// … Toy<8>.

#include "arith/float/error_free.hpp"
#include "arith/words/operands.hpp"
#include "kernels/function.hpp"

namespace assay::eft {

/// s = RN(a + b), s + e = a + b: `two_sum`.
template <class T>
using TwoSum = Function<Pair<T>, two_sum<T>>;

/// s = RN(a + b), s + e = a + b for |a| ≥ |b|: `fast_two_sum`.
template <class T>
using FastTwoSum = Function<Pair<T>, fast_two_sum<T>>;

/// p = RN(a·b), p + e = a·b, by FMA: `two_prod`.
template <class T>
using TwoProd = Function<Pair<T>, two_prod<T>>;

/// h + l = a by rounding: `veltkamp_split`.
template <class T>
using VeltkampSplit = Function<Single<T>, veltkamp_split<T>>;

/// p = RN(a·b), p + e = a·b, without FMA: `dekker_prod`.
template <class T>
using DekkerProd = Function<Pair<T>, dekker_prod<T>>;

/// h + l = a by an integer mask: `mask_split`.
template <class T>
using MaskSplit = Function<Single<T>, mask_split<T>>;

/// p = RN(a·b), p + e = a·b for even precision, by masked halves: `masked_prod`.
template <class T>
using MaskedProd = Function<Pair<T>, masked_prod<T>>;

/// r1 = RN(a·b + c), r1 + r2 + r3 = a·b + c: `err_fma`.
template <class T>
using ErrFma = Function<Triple<T>, err_fma<T>>;

/// All transforms of this header.
using ErrorFreeTransforms =
    Operations<TwoSum, FastTwoSum, TwoProd, VeltkampSplit, DekkerProd, MaskSplit, MaskedProd, ErrFma>;

}  // namespace assay::eft
