#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay {

/// u = 2⁻ᵖ, the unit roundoff of rounding to nearest with p bits.
inline oracle::Dyadic unit_roundoff(int p) { return oracle::Dyadic::scaled(1, -p); }

/// η = 2^(emin − p + 1), the smallest positive subnormal.
inline oracle::Dyadic smallest_subnormal(const oracle::Format& format) {
  return oracle::Dyadic::scaled(1, format.emin - format.precision + 1);
}

/// γₙ = nu / (1 − nu), u = 2⁻ᵖ: |∏(1 + δᵢ)^±1 − 1| ≤ γₙ for n factors with |δᵢ| ≤ u.
/// Requires: nu < 1; throws std::domain_error that says so.
/// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, Lemma 3.1.
RelativeBound gamma(std::uint64_t n, int p);

/// |RN(x) − x| ≤ u/(1 + u)·|x| for a result in the normal range; for sums and differences in every range.
/// Dekker, A floating-point technique for extending the available precision, 1971; Jeannerod, Rump, On relative errors
/// of floating-point operations, Math. Comp. 87, 2018, Theorem 2.1. Derived in docs/bounds/eft.md.
RelativeBound rounding_bound(int p);

}  // namespace assay
