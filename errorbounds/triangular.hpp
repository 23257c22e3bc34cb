#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

namespace assay {

/// The residual |bᵢ − Σ lᵢⱼx̂ⱼ| of row i of a triangular system that was solved by substitution, with so many entries
/// beside the diagonal: γ_m·Σ|lᵢⱼx̂ⱼ| + (1 + γ_m)(beside + Σ|lᵢⱼ|)η/2, m = beside + 1. `products`: Σ|lᵢⱼx̂ⱼ|, `entries`:
/// Σ|lᵢⱼ|, both with the diagonal. Requires: mu < 1; throws std::domain_error that says so.
/// Derived in docs/bounds/triangular.md.
Bound triangular_residual_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                                const oracle::Format& format);

}  // namespace assay
