#pragma once
// gemm_superaccumulator by the vector instructions and the cores of the host's processor.

#include <cstdint>

#include "kernels/gemm/detail/superaccumulator_block.hpp"

namespace assay::gemm::detail {

/// The fewest products of an entry for which the vector code is faster than SuperaccumulatorTile.
inline constexpr std::int64_t host_least_terms = 24;

/// How many threads share the entries of a product: the cores of this machine, no more than one for each 2¹⁸ products
/// of numbers, and at least one.
unsigned superaccumulator_threads(const GemmEntries& of);

/// All entries of `batch` products on the host, with the same bits as SuperaccumulatorTile because sums are exact: the
/// products of an entry are added by sum::exact_dot_part, then rounded as a block rounds them. Rows of op(A) and
/// columns of op(B) are copied so that their numbers are consecutive. Returns false, with C unchanged, if there is no
/// memory for that. Requires: all.k ≥ 1 (not checked).
bool superaccumulator_on_host(const GemmEntries& all, std::int64_t batch);

}  // namespace assay::gemm::detail
