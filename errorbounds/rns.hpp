#pragma once
// Widths of the interval evaluation of integers in residues, u = 2⁻ᵖ. Derived in docs/bounds/rns_interval.md.

#include "errorbounds/bound.hpp"

namespace assay {

/// |RD(z) − z|, |RU(z) − z| ≤ 2u|z| where nothing underflows.
RelativeBound directed_bound(int p);

/// What is known of the sums whose fractional parts enclose X/M.
struct RnsSumShape {
  int n;       ///< base moduli
  int height;  ///< the most additions that a term passes
};

/// ω = n·((1 + 2u)^(h + 2) − (1 − 2u)^(h + 2)), h the height: SU − SL ≤ ω for the sums of n terms |xᵢwᵢ|/mᵢ, each
/// rounded twice before it is added, rounded up and rounded down throughout.
Bound rns_sum_width(const RnsSumShape& shape, int p);

}  // namespace assay
