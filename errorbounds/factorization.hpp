#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

namespace assay {

/// The residual |aᵢⱼ − Σ lᵢₖlⱼₖ| of entry (i, j), j ≤ i, of a Cholesky factorization of order n:
/// (n + 1)u·Σ|lᵢₖlⱼₖ| + (1 + (n + 1)u)(before + entry)η/2. `products`: Σ|lᵢₖlⱼₖ| with the last product, `before`: the
/// number of products before the last one, `entry`: |lⱼⱼ| beside the diagonal, 0 on it.
/// Derived in docs/bounds/factorization.md, factorization.potrf.1.
Bound cholesky_residual_bound(std::uint64_t n, std::uint64_t before, const oracle::Dyadic& products,
                              const oracle::Dyadic& entry, const oracle::Format& format);

/// c = 2n(n + 2)u of factorization.potrf.2 and potrf.3: how far A ± c·diag(A) is from what a kernel may not tell from
/// A.
oracle::Dyadic cholesky_margin(std::uint64_t n, const oracle::Format& format);

/// The residual of entry (i, j) of PA − L̂Û: c·u·Σ|lᵢₖuₖⱼ| + (1 + cu)(before + entry)η/2, c = `factors`. `products`:
/// Σ|lᵢₖuₖⱼ| with the last product, `before`: the number of products before the last one, `entry`: |uⱼⱼ| below the
/// diagonal, else 0. Derived in docs/bounds/factorization.md, factorization.getrf.1.
Bound lu_residual_bound(std::uint64_t factors, std::uint64_t before, const oracle::Dyadic& products,
                        const oracle::Dyadic& entry, const oracle::Format& format);

/// |ûᵢⱼ| of an elimination with partial pivoting and `pivots` pivots of a matrix whose numbers are at most `largest` in
/// magnitude: α(1 + α)^(r−1)·(largest + rη), α = (1 + ε)/(1 − ε), ε = (r + 3)u. Requires: ε < 1, pivots > 0; throws
/// std::domain_error that says so. Derived in docs/bounds/factorization.md, factorization.getrf.2.
Bound lu_growth_bound(std::uint64_t pivots, const oracle::Dyadic& largest, const oracle::Format& format);

/// |b − Ax̂| of a solution by elimination with partial pivoting: (3n + 5)u·Σ vⱼ|x̂ⱼ| + 4(n + w)(n + Σ|x̂ⱼ|)η,
/// vⱼ = (βʲ − 1)(largest of column j + nη), w the vₙ of the largest of all, β = 2/(1 − ε), ε = (n + 3)u. `magnitudes`:
/// |x̂ⱼ|. Requires: ε < 1; throws std::domain_error that says so; as many columns as magnitudes (not checked).
/// Derived in docs/bounds/factorization.md, factorization.gesv.1.
Bound solve_residual_bound(std::span<const oracle::Dyadic> largest, std::span<const oracle::Dyadic> magnitudes,
                           const oracle::Format& format);
/// vⱼ and w of factorization.gesv.1, the same denominator. `largest` as above. Requires: as above; j < n (not checked).
struct SolveGrowth {
  oracle::Dyadic of_column;
  oracle::Dyadic most;
  oracle::Dyadic denominator;
};
SolveGrowth solve_growth(std::span<const oracle::Dyadic> largest, std::size_t j, const oracle::Format& format);
/// V = (n + 3)u·Σ vⱼ of factorization.gesv.2.
Bound solve_change_bound(std::span<const oracle::Dyadic> largest, const oracle::Format& format);
/// Whether (3n + 5)u(βⁿ − 1) ≤ 1/4: beyond, a solution that is large enough keeps the bound whatever it is.
bool solve_bound_says_something(std::uint64_t n, const oracle::Format& format);

}  // namespace assay
