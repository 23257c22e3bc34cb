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

  /// n terms summed by halves: height ⌈log₂ n⌉.
  static RnsSumShape by_halves(int n);
};

/// ω = n·((1 + 2u)^(h + 2) − (1 − 2u)^(h + 2)), h the height: SU − SL ≤ ω for the sums of n terms |xᵢwᵢ|/mᵢ, each
/// rounded twice before it is added, rounded up and rounded down throughout.
Bound rns_sum_width(const RnsSumShape& shape, int p);

/// T = 2·max(2h, h + 2)·n·2u·10⁷: a smaller X is scaled up until its upper bound is at least this. Isupov, Using
/// floating-point intervals for non-modular computations in residue number system, 2020, with ε = 10⁻⁷ and room for
/// n < 4.
Bound rns_refinement_threshold(const RnsSumShape& shape, int p);

/// ε = ω/(T − ω): upper − lower ≤ ε·X/M for every X. It is below 10⁻⁷. Requires: T > ω; throws std::domain_error that
/// says so.
RelativeBound rns_interval_width(const RnsSumShape& shape, int p);

}  // namespace assay
