#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

namespace assay {

/// |A − Q̂R̂|ᵢⱼ for a column aⱼ of norm at most `norm`, and |Q̂ᵀQ̂ − I|ᵢⱼ for `norm` = 1:
/// 120⌈√m⌉r(m + 2)u·norm, r = min(m, n). Derived in docs/bounds/orthogonal.md, orthogonal.geqrf.1.
Bound qr_residual_bound(std::uint64_t rows, std::uint64_t pivots, const oracle::Dyadic& norm,
                        const oracle::Format& format);
/// Whether 320mr(m + 2)u ≤ 1 and m ≤ 256, as orthogonal.geqrf.1 requires.
bool qr_bound_applies(std::uint64_t rows, std::uint64_t pivots, const oracle::Format& format);

/// ‖A(x − x̂)‖: S + root, S = δ·lengths, `lengths`: ‖b‖ + Σ‖aⱼ‖|x̂ⱼ|, `root`: at least √P.
/// Derived in docs/bounds/orthogonal.md, orthogonal.gels.1.
Bound least_squares_bound(std::uint64_t rows, std::uint64_t columns, const oracle::Dyadic& lengths,
                          const oracle::Dyadic& root, const oracle::Format& format);
/// δ = 50n(m + 2)u of orthogonal.gels.1.
oracle::Dyadic least_squares_change(std::uint64_t rows, std::uint64_t columns, const oracle::Format& format);

/// |AV̂ − V̂Λ̂|ᵢⱼ for a matrix of Frobenius norm at most `norm`, and |V̂ᵀV̂ − I|ᵢⱼ for `norm` = 1: 2700⌈√n⌉n(n + 2)u·norm.
/// Derived in docs/bounds/orthogonal.md, orthogonal.syev.1.
Bound eigen_residual_bound(std::uint64_t n, const oracle::Dyadic& norm, const oracle::Format& format);
/// |λ̂ₖ − λₖ| for a matrix of Frobenius norm at most `norm`: 1000n(n + 2)u·norm.
/// Derived in docs/bounds/orthogonal.md, orthogonal.syev.2.
Bound eigenvalue_bound(std::uint64_t n, const oracle::Dyadic& norm, const oracle::Format& format);
/// Whether 3600n²(n + 2)u ≤ 1 and n ≤ 256, as orthogonal.syev.1 requires.
bool eigen_bound_applies(std::uint64_t n, const oracle::Format& format);

}  // namespace assay
