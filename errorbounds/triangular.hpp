#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

namespace assay {

/// The residual |bᵢ − Σ lᵢⱼx̂ⱼ| of row i of a triangular system that was solved by substitution, with `beside` entries
/// outside the diagonal: γ_m·Σ|lᵢⱼx̂ⱼ| + (1 + γ_m)(beside + Σ|lᵢⱼ|)η/2, m = beside + 1. `products`: Σ|lᵢⱼx̂ⱼ|,
/// `entries`:
/// Σ|lᵢⱼ|, both with the diagonal. Requires: mu < 1; throws std::domain_error that says so.
/// Derived in docs/bounds/triangular.md.
Bound triangular_residual_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                                const oracle::Format& format);

/// The same for a row that is multiplied by the rounded reciprocal of its diagonal, which is a normal number: γ_{k+2}
/// in place of γ_{k+1}. Requires: (k + 2)u < 1.
Bound triangular_reciprocal_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                                  const oracle::Format& format);
/// The same for a kernel that flushes to zero, λ = 2^emin: γ_{k+1}·products + (1 + γ_{k+1})(2k + entries)λ + lost.
/// `lost`: the magnitudes of the right side, where it is subnormal, and of the products with a subnormal factor.
Bound triangular_flushed_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                               const oracle::Dyadic& lost, const oracle::Format& format);
/// The same for a row that is computed with `precision` bits and rounded to the format at the end: γ'_{k+1}·products +
/// (1 + γ'_{k+1})(u·own + (k + 2·entries)η/2). `own`: |lᵢᵢx̂ᵢ|, or the products of all unknowns if none is rounded
/// before the end.
Bound triangular_wide_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                            const oracle::Dyadic& own, int precision, const oracle::Format& format);

}  // namespace assay
