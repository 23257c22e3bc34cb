#pragma once
// The E rows of the mutant catalogue: error-free transforms with one mistake each, as element-wise kernels over double.

#include "arith/float/error_free.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay::mutants {

/// E1: TwoSum's place taken by FastTwoSum, without a swap.
struct UnorderedFastTwoSum {
  using Input = Pair<double>;
  using Output = Sum<double>;
  ASSAY_HD Output operator()(const Input& x) const { return fast_two_sum(x.a, x.b); }
};

/// E2: FastTwoSum behind a swap that compares values instead of magnitudes.
struct SwapBySignedValue {
  using Input = Pair<double>;
  using Output = Sum<double>;
  ASSAY_HD Output operator()(const Input& x) const {
    return x.a < x.b ? fast_two_sum(x.b, x.a) : fast_two_sum(x.a, x.b);
  }
};

/// E3: TwoSum without the second half of its error.
struct DroppedLastTerm {
  using Input = Pair<double>;
  using Output = Sum<double>;
  ASSAY_HD Output operator()(const Input& x) const {
    const double s = x.a + x.b;
    const double bb = s - x.a;
    return {s, x.a - (s - bb)};
  }
};

/// E4: TwoSum as a compiler leaves it that takes addition for associative.
struct ReassociatedTwoSum {
  using Input = Pair<double>;
  using Output = Sum<double>;
  ASSAY_HD Output operator()(const Input& x) const { return {x.a + x.b, 0.0}; }
};

/// E5: TwoSum of RN(ab) and c whose sum a compiler contracted into fma(a, b, c).
struct ContractedAcrossCall {
  using Input = Triple<double>;
  using Output = Sum<double>;
  ASSAY_HD Output operator()(const Input& x) const {
    const double p = x.a * x.b;
    const double s = fma(x.a, x.b, x.c);
    const double ap = s - x.c;
    const double bp = s - ap;
    return {s, (p - ap) + (x.c - bp)};
  }
};

/// E6: Veltkamp's split with its last two operations contracted.
struct ContractedSplit {
  using Input = Single<double>;
  using Output = Split<double>;
  ASSAY_HD Output operator()(const Input& x) const {
    constexpr double c = 0x1p27 + 1;
    const double t = c * x.a;
    const double h = fma(c, x.a, -(t - x.a));
    return {h, x.a - h};
  }
};

/// E7: TwoProd whose error is a·b − p without FMA.
struct ProductWithoutFma {
  using Input = Pair<double>;
  using Output = Product<double>;
  ASSAY_HD Output operator()(const Input& x) const {
    const double p = x.a * x.b;
    return {p, x.a * x.b - p};
  }
};

/// E8: Dekker's product on a split with the constant 2²⁶ + 1.
struct SplitOneBitShort {
  using Input = Pair<double>;
  using Output = Product<double>;
  ASSAY_HD static Split<double> split(double x) {
    const double g = (0x1p26 + 1) * x;
    const double h = g + (x - g);
    return {h, x - h};
  }
  ASSAY_HD Output operator()(const Input& x) const {
    const double p = x.a * x.b;
    return {p, detail::split_product_error(split(x.a), split(x.b), p)};
  }
};

/// E11, and the right TwoProd: the mistake is in the property, which lost its guard against underflow.
struct TwoProdAnywhere {
  using Input = Pair<double>;
  using Output = Product<double>;
  ASSAY_HD Output operator()(const Input& x) const { return two_prod(x.a, x.b); }
};
struct DekkerProdAnywhere {
  using Input = Pair<double>;
  using Output = Product<double>;
  ASSAY_HD Output operator()(const Input& x) const { return dekker_prod(x.a, x.b); }
};

}  // namespace assay::mutants
