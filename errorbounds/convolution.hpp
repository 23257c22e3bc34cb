#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

/// Errors of convolutions by other algorithms than a sum of products. Derived in docs/bounds/convolution.md.
namespace assay {

/// Winograd's algorithm F(m, 3), m = 2 or 4, makes m results of m + 2 numbers and 3 taps. The weight of |xₐkₜ| in the
/// error of result p, times winograd_scale(m): the entry (p, a, t) of Σ_q |A|_pq |Bᵀ|_qa |G|_qt.
/// Requires: p < m, a < m + 2, t < 3 (not checked).
std::uint64_t winograd_weight(std::uint64_t m, std::uint64_t p, std::uint64_t a, std::uint64_t t);
std::uint64_t winograd_scale(std::uint64_t m);

/// γ_N·W + 2³⁰n(L + 1)·2^emin, N = n + 1 + 5d for m = 2 and n + 1 + 12d for m = 4: of a result by F(m, 3) in d = 1 or 2
/// dimensions with n channels. `weighted`: W times winograd_scale(m)ᵈ, `largest`: L. Requires: Nu ≤ 1/2; throws
/// std::domain_error that says so.
Bound winograd_bound(std::uint64_t m, std::uint64_t dimensions, std::uint64_t channels, const oracle::Dyadic& weighted,
                     const oracle::Dyadic& largest, const oracle::Format& format);

/// Q/(1 − Q), Q = (320h + 3n + 9)u: of a sum of n convolutions by transforms of fewer than 2ʰ points, relative to
/// Σ‖x‖‖k‖. Requires: p ≥ 24, Q ≤ 1/2; throws std::domain_error that says so.
RelativeBound fft_convolution_bound(std::uint64_t height, std::uint64_t convolutions, int p);

}  // namespace assay
