#pragma once

#include <cstdint>

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

}  // namespace assay
