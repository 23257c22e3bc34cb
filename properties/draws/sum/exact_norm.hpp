#pragma once

#include "oracle/exact.hpp"
#include "properties/draws/sum/exact_sums.hpp"

namespace assay::sum {

/// √Σxⱼ². Requires: finite numbers (not checked).
template <FloatingPoint T>
oracle::Exact exact_norm(const SumCase<T>& c) {
  if (is_long<T>(c.x.size())) return oracle::square_root(long_sum_of(c.x, &c.x).sum());
  oracle::Dyadic squares;
  for (const T& each : c.x) {
    const oracle::Dyadic x = value_of(each);
    squares.add_mul(x, x);
  }
  return oracle::square_root(squares);
}

}  // namespace assay::sum
