#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/sum.hpp"
#include "oracle/format.hpp"

namespace assay {

/// The Euclidean norm of n numbers by squares, their sum in any order, and a root, where nothing over- or underflows:
/// (1 + u)·nu/(2 − 3nu) + u, relative. Requires: 2nu ≤ 1; throws std::domain_error that says so.
/// Derived in docs/bounds/contract.md.
RelativeBound norm_bound(std::uint64_t n, int p);

/// αx + y with a rounded product and a rounded sum: u|r| + (1 + u)u|αx| + (1 + u)η/2. `product`: αx, `result`: r =
/// αx + y, both with their signs. Derived in docs/bounds/contract.md.
Bound two_roundings_bound(const oracle::Dyadic& product, const oracle::Dyadic& result, const oracle::Format& format);

// For kernels that flush subnormal numbers to zero: λ = 2^emin, `lost` is the sum L of the magnitudes of the terms that
// have a subnormal factor or are subnormal. Derived in docs/bounds/contract.md.

/// A sum in any order: (n − 1)uS + (1 + nu)((n − 1)λ + L), for every n.
Bound flushed_sum_bound(std::uint64_t n, const oracle::Dyadic& S, const oracle::Dyadic& lost,
                        const oracle::Format& format);
/// A sum by a tree of height h: γ_h·S + (1 + γ_h)((n − 1)λ + L). Requires: hu < 1.
Bound flushed_tree_bound(std::uint64_t n, std::uint64_t h, const oracle::Dyadic& S, const oracle::Dyadic& lost,
                         const oracle::Format& format);
/// A dot product by a tree of height h: γ_{h+1}·S + (1 + γ_{h+1})((2n − 1)λ + L). Requires: (h + 1)u < 1.
Bound flushed_dot_bound(std::uint64_t n, std::uint64_t h, const oracle::Dyadic& S, const oracle::Dyadic& lost,
                        const oracle::Format& format);
/// αx + y with a rounded product and a rounded sum: u|r| + (1 + u)(u|αx| + 2λ + L).
Bound flushed_axpy_bound(const oracle::Dyadic& product, const oracle::Dyadic& result, const oracle::Dyadic& lost,
                         const oracle::Format& format);

}  // namespace assay
