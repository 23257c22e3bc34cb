#pragma once
// LU factorization with partial pivoting and the solution of systems, with floating-point numbers of L limbs, L = 2, 4,
// 8, 16, 32 or 64; every operation rounds to nearest, ties to even. Matrices, wrong arguments, bits: as in
// kernels/limb/cholesky.hpp, except that all n × n entries are read and written. Backward errors: docs/bounds/limb.md.

#include <cstdint>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/limb/array.hpp"

namespace assay::limb {

struct LuFactor {
  FloatArray lu;                     ///< L below the diagonal, whose own diagonal is 1, and U
  std::vector<std::int32_t> pivots;  ///< rows k and pivots[k] ≥ k were exchanged, k = 0, 1, … in this order
  std::int64_t failed = 0;           ///< the first column whose pivot is 0 or not finite; n if none is
};

/// PA = LU, unblocked (Crout). In step k, sᵢₖ = aᵢₖ − Σ lᵢₜuₜₖ over t < k for i ≥ k, the sum that of the lanes of
/// limb_gemv; the first one of the largest magnitude is the pivot, and its row is exchanged with row k; then lᵢₖ =
/// sᵢₖ/uₖₖ for i > k, and uₖⱼ = aₖⱼ − Σ lₖₜuₜⱼ for j > k. One rounding for each operation. If a pivot fails, later
/// columns and rows only hold NaNs. Cost: n³/3 fused operations, and 10 launches a step.
LuFactor limb_lu(const Executor& on, std::int64_t n, const FloatArray& a, std::int64_t lda);

/// x with Ax = b: the rows of b are exchanged; then two substitutions by fused operations, b ← b − yⱼ·(column j of L)
/// for j = 0, 1, …, and b ← b − xⱼ·(column j of U above the diagonal) for xⱼ = bⱼ/uⱼⱼ, j = n − 1, …, 0. Throws
/// std::invalid_argument for pivots that are not n numbers of k … n − 1, too.
FloatArray limb_lu_solve(const Executor& on, std::int64_t n, const FloatArray& lu, std::int64_t lda,
                         const std::vector<std::int32_t>& pivots, const FloatArray& b);

/// Queues the factorization of a matrix in memory of the executor, with n pivots. `row`, `other` and `d` are
/// workspaces of n numbers. Requires: as queue_limb_cholesky.
void queue_limb_lu(const Executor& on, int limbs, std::int64_t n, FloatPlanes a, std::int64_t lda, std::int32_t* pivots,
                   FloatPlanes row, FloatPlanes other, FloatPlanes d);

}  // namespace assay::limb
