#pragma once

#include "errorbounds/bound.hpp"

namespace assay {

/// Elementary functions of double words (K = 2) and quad doubles (K = 4) of binary64, u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴:
/// (2^(1 − K) + 2⁻⁴⁰)u^K·magnitude + η/2 with magnitude = |f(x)|. Requires: K = 2 or 4 (throws std::domain_error),
/// magnitude ≥ 0 (not checked). Derived in docs/bounds/elementary.md.
Bound word_function_bound(int words, const oracle::Dyadic& magnitude);

}  // namespace assay
