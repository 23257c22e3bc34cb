#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/tensor_core.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay {

/// A result that is computed in an accumulator and then rounded to the format: the accumulator's bound B, and
/// u/(1 + u)·(|d| + B) + η/2 with u and η of the format. `exact`: d, with its sign or without. Nothing overflows.
/// Derived in docs/bounds/matmul.md.
Bound stored_bound(const Bound& of_accumulator, const oracle::Dyadic& exact, const oracle::Format& format);

/// An entry of a matrix product of k terms whose products and sums are rounded in the format `accumulator`, in any
/// order, and which is then rounded to `result`, if that is another format. T = Σ|aₗbₗ|. Requires: ku < 1 for the
/// accumulator; throws std::domain_error that says so.
/// Derived in docs/bounds/matmul.md.
Bound inner_product_bound(std::uint64_t k, const oracle::Dyadic& exact, const oracle::Dyadic& T,
                          const oracle::Format& accumulator, const oracle::Format& result);

/// The same sum if operands and results below λ = 2^emin may become 0: γ_k·T + (1 + γ_(k − 1))(2k − 1)λ + kM, M the
/// largest |aₗ|⁺|bₗ|⁺ of the terms other than 0 with a subnormal factor. 0 for k = 0. Requires: ku < 1; throws
/// std::domain_error that says so.
/// Derived in docs/bounds/matmul.md.
Bound flushed_product_bound(std::uint64_t k, const oracle::Dyadic& T, const oracle::Dyadic& lifted,
                            const oracle::Format& accumulator);

/// tf32_either_bound() for any unit with m = 23, plus k(M + 2⁻¹²⁴) for numbers that are flushed to zero. Derived in
/// docs/bounds/matmul.md.
Bound tf32_flushed_bound(const MatrixProducts& products);

/// stored_bound() with 2^emin in place of η/2: a stored result below 2^emin may become 0.
/// Derived in docs/bounds/matmul.md.
Bound flushed_stored_bound(const Bound& of_accumulator, const oracle::Dyadic& exact, const oracle::Format& format);

/// (1 + 2⁻⁹)(γ_k·T + (1 + γ_(k − 1))·kη/2): products and sums in a format with at least 11 more bits, rounded to this
/// format at the end. Requires: ku < 1; throws std::domain_error that says so. Derived in docs/bounds/matmul.md.
Bound wide_product_bound(std::uint64_t k, const oracle::Dyadic& T, const oracle::Format& format);

/// αs + βc of a computed sum ŝ with |ŝ − s| ≤ B: |α|·B + (2u + u²)·(|α|(|s| + B) + |βc|) + (1 + u)η with u and η of
/// the format in which both products and their sum are rounded. `addend`: βc. Nothing overflows.
/// Derived in docs/bounds/matmul.md.
Bound epilogue_bound(const Bound& of_sum, const oracle::Dyadic& sum, const oracle::Dyadic& alpha,
                     const oracle::Dyadic& addend, const oracle::Format& format);

/// The same if operands and results below λ = 2^emin of the format may become 0: |α|·B + (2u + u²)·(|α|(|s| + B) +
/// |βc|) + 4λ + `lost`. `lost`: |βc| if c is subnormal, else 0. Derived in docs/bounds/matmul.md.
Bound flushed_epilogue_bound(const Bound& of_sum, const oracle::Dyadic& sum, const oracle::Dyadic& alpha,
                             const oracle::Dyadic& addend, const oracle::Dyadic& lost, const oracle::Format& format);

/// αs + βc if the sum begins with c: with T′ = `started_magnitude`, a sum of magnitudes, an error X of |α| times it and
/// the format, Y = X + (2u + u²)|βc| + (1 + |α|)η: Y + u(|αs + βc| + Y) + η/2. Derived in docs/bounds/matmul.md.
Bound started_bound(const Bound& of_scaled_sum, const oracle::Dyadic& exact, const oracle::Dyadic& alpha,
                    const oracle::Dyadic& addend, const oracle::Format& format);
/// T′ = (1 + u)²(|α|T + |βc|) + (1 + |α|)η.
oracle::Dyadic started_magnitude(const oracle::Dyadic& T, const oracle::Dyadic& alpha, const oracle::Dyadic& addend,
                                 const oracle::Format& format);

}  // namespace assay
