#pragma once

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/float/ulp.hpp"

namespace assay {

/// −x.
ASSAY_HD constexpr Superaccumulator negated(const Superaccumulator& x) {
  Superaccumulator z = x;
  ASSAY_UNROLL(1)
  for (int k = 0; k < Superaccumulator::words; ++k) z.word[k] = -x.word[k];
  return z;
}

/// x + z < limit; false where z or limit is not finite. Requires: the terms of x finite (not checked).
ASSAY_HD constexpr bool is_below(Superaccumulator x, double z, double limit) {
  if (!is_finite(z) || !is_finite(limit)) return false;
  x.add(z);
  x.add(-limit);
  return x.round(Rounding::rd) < 0;
}

/// Whether every number within [x − z, x + z] lies strictly between the neighbors of y: then y is faithful for each of
/// them. False where z or a neighbor is not finite. Requires: the terms of x finite (not checked). Decided exactly.
ASSAY_HD constexpr bool lies_between_neighbors(const Superaccumulator& x, double z, double y) {
  return is_below(x, z, next_up(y)) && is_below(negated(x), z, -next_down(y));
}

}  // namespace assay
