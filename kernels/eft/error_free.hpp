#pragma once
// The error-free transforms as element-wise kernels. What each requires stands at the function of
// arith/float/error_free.hpp that it names; nothing is checked. Instantiated for double, float, binary16 and Toy<3> …
// Toy<8>.

#include "arith/float/error_free.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay::eft {

/// s = RN(a + b), s + e = a + b: `two_sum`.
template <class T>
struct TwoSum {
  using Input = Pair<T>;
  using Output = Sum<T>;
  ASSAY_HD Output operator()(const Input& x) const { return two_sum(x.a, x.b); }
};

/// s = RN(a + b), s + e = a + b for |a| ≥ |b|: `fast_two_sum`.
template <class T>
struct FastTwoSum {
  using Input = Pair<T>;
  using Output = Sum<T>;
  ASSAY_HD Output operator()(const Input& x) const { return fast_two_sum(x.a, x.b); }
};

/// p = RN(a·b), p + e = a·b, by FMA: `two_prod`.
template <class T>
struct TwoProd {
  using Input = Pair<T>;
  using Output = Product<T>;
  ASSAY_HD Output operator()(const Input& x) const { return two_prod(x.a, x.b); }
};

/// h + l = a by rounding: `veltkamp_split`.
template <class T>
struct VeltkampSplit {
  using Input = Single<T>;
  using Output = Split<T>;
  ASSAY_HD Output operator()(const Input& x) const { return veltkamp_split(x.a); }
};

/// p = RN(a·b), p + e = a·b, without FMA: `dekker_prod`.
template <class T>
struct DekkerProd {
  using Input = Pair<T>;
  using Output = Product<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dekker_prod(x.a, x.b); }
};

/// h + l = a by an integer mask: `mask_split`.
template <class T>
struct MaskSplit {
  using Input = Single<T>;
  using Output = Split<T>;
  ASSAY_HD Output operator()(const Input& x) const { return mask_split(x.a); }
};

/// p = RN(a·b), p + e = a·b for even precision, by masked halves: `masked_prod`.
template <class T>
struct MaskedProd {
  using Input = Pair<T>;
  using Output = Product<T>;
  ASSAY_HD Output operator()(const Input& x) const { return masked_prod(x.a, x.b); }
};

/// r1 = RN(a·b + c), r1 + r2 + r3 = a·b + c: `err_fma`.
template <class T>
struct ErrFma {
  using Input = Triple<T>;
  using Output = FmaError<T>;
  ASSAY_HD Output operator()(const Input& x) const { return err_fma(x.a, x.b, x.c); }
};

/// All transforms of this header.
using ErrorFreeTransforms =
    Operations<TwoSum, FastTwoSum, TwoProd, VeltkampSplit, DekkerProd, MaskSplit, MaskedProd, ErrFma>;

}  // namespace assay::eft
