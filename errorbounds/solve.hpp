#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "errorbounds/bound.hpp"
#include "errorbounds/factorization.hpp"
#include "oracle/format.hpp"

namespace assay {

/// |Pb − LUx̂|ᵢ: (2n + 3)u·products + spoiled·η. `products`: (|L||U||x̂|)ᵢ, `spoiled`: n + 2Σ|lᵢₖ|(n + |uₖₖ|).
/// Derived in docs/bounds/solve.md, solve.getrs.1.
Bound getrs_residual_bound(std::uint64_t n, const oracle::Dyadic& products, const oracle::Dyadic& spoiled,
                           const oracle::Format& format);
/// Whether n(n + 2)u ≤ 1, as solve.getrs.1 requires.
bool getrs_bound_applies(std::uint64_t n, const oracle::Format& format);

/// |X̂A − I|ᵢⱼ of an inverse by two triangular ones: (3n + 5)u·vⱼ·Σₖ|x̂ᵢₖ| + 4n(1 + w)(1 + Σₖ|x̂ᵢₖ|)η, v and w as in
/// solve_residual_bound. `largest`: max|aᵢⱼ| of each column, `numbers`: Σₖ|x̂ᵢₖ|. Requires: ε = (n + 3)u < 1; throws
/// std::domain_error that says so; j < n (not checked). Derived in docs/bounds/solve.md, solve.inv.3.
Bound left_residual_bound(std::span<const oracle::Dyadic> largest, std::size_t j, const oracle::Dyadic& numbers,
                          const oracle::Format& format);

/// |b − Ax̂|ᵢ of a definite system: (3n + 6)u/(1 − ε)·scaled + 4(n + 2M)(nM + 1 + Σ|x̂ⱼ|)η, ε = (n + 2)u. `scaled`:
/// √aᵢᵢ·Σ√aⱼⱼ|x̂ⱼ| or more, `largest`: M, `unknowns`: Σ|x̂ⱼ|. Requires: ε < 1 (not checked).
/// Derived in docs/bounds/solve.md, solve.posv.1.
Bound posv_residual_bound(std::uint64_t n, const oracle::Dyadic& scaled, const oracle::Dyadic& largest,
                          const oracle::Dyadic& unknowns, const oracle::Format& format);

}  // namespace assay
