#pragma once
// Widths of the interval evaluation of integers in residues: binary64, n moduli below 2³¹, sums by halves. Derived in
// docs/bounds/rns.md.

#include "errorbounds/bound.hpp"

namespace assay {

/// |RD(z) − z|, |RU(z) − z| ≤ 2u|z|, u = 2⁻ᵖ, where nothing underflows.
RelativeBound directed_bound(int p);

/// ω = (3n + Σ_l a_l·2ˡ)·2⁻⁵², a_l = ⌊c_(l−1)/2⌋ the additions on level l, c₀ = n, c_l = ⌈c_(l−1)/2⌉; n(3 + log₂
/// n)·2⁻⁵² for a power of two. SU − SL ≤ ω for the sums of the n terms (xᵢwᵢ mod mᵢ)/mᵢ, rounded up and rounded down
/// throughout.
Bound rns_sum_width(int n);

/// T = 2·max(2h, h + 2)·n·(10⁷ + 2)·2⁻⁵², h = ⌈log₂ n⌉: a smaller X is scaled up until its upper bound is at least
/// this.
Bound rns_refinement_threshold(int n);

/// ε = ω/(T − ω): upper − lower ≤ ε·X/M for every X.
RelativeBound rns_interval_width(int n);

/// 2^(1 − 53K): an integer as K words of 53 bits, each from the first set bit of the rest on.
RelativeBound rns_to_expansion_bound(int K);

}  // namespace assay
