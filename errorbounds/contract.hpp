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

}  // namespace assay
