#pragma once
// Directed arithmetic of the extended range as element-wise kernels: both bounds of an exact result. The requirements
// are documented at the functions of arith/float/extended_range.hpp; nothing is checked.

#include "arith/float/extended_range.hpp"
#include "exec/elementwise.hpp"

namespace assay::rns {

struct ExtendedPair {
  Extended a, b;
};

/// [RD(op(a, b)), RU(op(a, b))] for an operation with its roundings.
template <Extended (*rd)(const Extended&, const Extended&), Extended (*ru)(const Extended&, const Extended&)>
struct ExtendedBounds {
  using Input = ExtendedPair;
  using Output = Interval;
  ASSAY_HD Output operator()(const Input& x) const { return {rd(x.a, x.b), ru(x.a, x.b)}; }
};

using ExtendedAdd = ExtendedBounds<add_rd, add_ru>;
using ExtendedSub = ExtendedBounds<sub_rd, sub_ru>;
using ExtendedMul = ExtendedBounds<mul_rd, mul_ru>;
using ExtendedDiv = ExtendedBounds<div_rd, div_ru>;

/// −1, 0 or 1 for a < b, a = b, a > b.
struct ExtendedCompare {
  using Input = ExtendedPair;
  using Output = double;
  ASSAY_HD Output operator()(const Input& x) const { return compare(x.a, x.b); }
};

}  // namespace assay::rns
