#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay {

/// A result that is computed in an accumulator and then rounded to the format: the accumulator's bound B, and
/// u/(1 + u)·(|d| + B) + η/2 with u and η of the format. `exact`: d, with its sign or without. Nothing overflows.
/// Derived in docs/bounds/matmul.md.
Bound stored_bound(const Bound& of_accumulator, const oracle::Dyadic& exact, const oracle::Format& format);

/// An entry of a matrix product of k terms whose products and sums are rounded in the format `accumulator`, in any
/// order, and which is then rounded to `result`, where that is another format. T = Σ|aₗbₗ|. Requires: ku < 1 for the
/// accumulator; throws std::domain_error that says so.
/// Derived in docs/bounds/matmul.md.
Bound inner_product_bound(std::uint64_t k, const oracle::Dyadic& exact, const oracle::Dyadic& T,
                          const oracle::Format& accumulator, const oracle::Format& result);

/// αs + βc of a computed sum ŝ with |ŝ − s| ≤ B: |α|·B + (2u + u²)·(|α|(|s| + B) + |βc|) + (1 + u)η with u and η of
/// the format in which both products and their sum are rounded. `addend`: βc. Nothing overflows.
/// Derived in docs/bounds/matmul.md.
Bound epilogue_bound(const Bound& of_sum, const oracle::Dyadic& sum, const oracle::Dyadic& alpha,
                     const oracle::Dyadic& addend, const oracle::Format& format);

}  // namespace assay
