#pragma once
// Directed arithmetic of the extended range as element-wise kernels: both bounds of an exact result. What each requires
// stands at the functions of arith/float/extended_range.hpp; nothing is checked.

#include "arith/float/extended_range.hpp"
#include "exec/elementwise.hpp"

namespace assay::rns {

struct ExtendedPair {
  Extended a, b;
};

/// [RD(a + b), RU(a + b)].
struct ExtendedAdd {
  using Input = ExtendedPair;
  using Output = Interval;
  ASSAY_HD Output operator()(const Input& x) const { return {add_rd(x.a, x.b), add_ru(x.a, x.b)}; }
};

/// [RD(a − b), RU(a − b)].
struct ExtendedSub {
  using Input = ExtendedPair;
  using Output = Interval;
  ASSAY_HD Output operator()(const Input& x) const { return {sub_rd(x.a, x.b), sub_ru(x.a, x.b)}; }
};

/// [RD(ab), RU(ab)].
struct ExtendedMul {
  using Input = ExtendedPair;
  using Output = Interval;
  ASSAY_HD Output operator()(const Input& x) const { return {mul_rd(x.a, x.b), mul_ru(x.a, x.b)}; }
};

/// [RD(a/b), RU(a/b)].
struct ExtendedDiv {
  using Input = ExtendedPair;
  using Output = Interval;
  ASSAY_HD Output operator()(const Input& x) const { return {div_rd(x.a, x.b), div_ru(x.a, x.b)}; }
};

/// −1, 0 or 1 for a < b, a = b, a > b.
struct ExtendedCompare {
  using Input = ExtendedPair;
  using Output = double;
  ASSAY_HD Output operator()(const Input& x) const { return compare(x.a, x.b); }
};

}  // namespace assay::rns
