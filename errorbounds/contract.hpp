#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"

namespace assay {

/// The Euclidean norm of n numbers by squares, their sum in any order, and a root, where nothing over- or underflows:
/// (1 + u)·nu/(2 − 3nu) + u, relative. Requires: 2nu ≤ 1; throws std::domain_error that says so.
/// Derived in docs/bounds/contract.md.
RelativeBound norm_bound(std::uint64_t n, int p);

}  // namespace assay
