#pragma once
// Cholesky's factorization of symmetric matrices and the solution of their systems, with floating-point numbers of L
// limbs, L = 2, 4, 8, 16, 32 or 64; every operation rounds to nearest, ties to even. Bit-identical on every executor by
// the same operations in the same order. Backward errors: docs/bounds/limb.md.
//
// Matrices are column-major with the leading dimension lda ≥ max(1, n). The lower triangle is read and written, the
// rest of the array is not.
//
// Functions throw std::invalid_argument with one line for wrong arguments: a number of limbs that is not offered, n <
// 0, lda < max(1, n), arrays of another size; all throw ExecutorError when the executor fails.

#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/limb/array.hpp"

namespace assay::limb {

struct CholeskyFactor {
  FloatArray lower;         ///< with the lower triangle L in place of A's
  std::int64_t failed = 0;  ///< the first column whose pivot is not positive, or whose pivot overflows; n if none is
};

/// L with A = LLᵀ, unblocked, column by column: lⱼⱼ = √sⱼⱼ and lᵢⱼ = sᵢⱼ/lⱼⱼ, sᵢⱼ = aᵢⱼ − Σ lᵢₖlⱼₖ over k < j, the sum
/// that of the lanes of limb_gemv, one rounding for each other operation. If a pivot fails, later columns hold NaNs.
/// Cost: n³/6 fused operations, and 6 launches a column.
CholeskyFactor limb_cholesky(const Executor& on, std::int64_t n, const FloatArray& a, std::int64_t lda);

/// x with LLᵀx = b by two substitutions. Forward, b ← b − yⱼ·(column j of L) by fused operations once yⱼ = bⱼ/lⱼⱼ is
/// known; backward, xⱼ = (yⱼ − Σ lᵢⱼxᵢ)/lⱼⱼ with the sum of limb_dot over i > j.
FloatArray limb_cholesky_solve(const Executor& on, std::int64_t n, const FloatArray& l, std::int64_t lda,
                               const FloatArray& b);

/// Queues the factorization of a matrix in memory of the executor. `row` and `d` are workspaces of n numbers.
/// Requires: n ≥ 0, lda ≥ n, a number of limbs that is offered, arrays of these sizes (not checked).
void queue_limb_cholesky(const Executor& on, int limbs, std::int64_t n, FloatPlanes a, std::int64_t lda,
                         FloatPlanes row, FloatPlanes d);

}  // namespace assay::limb
