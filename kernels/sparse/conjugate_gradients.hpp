#pragma once
// Conjugate gradients in binary64 with products and sums that are rounded once: the same bits on every executor.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/sparse/matrices.hpp"

namespace assay::sparse {

enum class CgStatus {
  converged,     ///< RN(r·r) ≤ RN(τ·RN(τ·RN(b·b))) for the residual r of the result
  not_positive,  ///< a direction p with RN(p·q) ≤ 0, or not finite, for q = RN(Ap): A is not positive definite enough
  not_converged,  ///< after the iterations that were allowed
  stagnated  ///< r·r of the recurrence reached the aim, and ‖b − Ax‖² was no smaller than at the last such place, of
             ///< which x = 0 is the first
};

struct CgSolution {
  std::vector<double> x;
  std::vector<double> residual;  ///< each entry of b − Ax, rounded once (to nearest) from its exact value
  CgStatus status = CgStatus::converged;
  std::int64_t iterations = 0;
};

/// x with ‖b − Ax‖ ≤ τ‖b‖ for a symmetric positive definite A, from x = 0. An iteration is q = Ap, α = (r·r)/(p·q), x ←
/// x + αp, r ← r − αq, p ← r + βp with β the quotient of the new r·r by the old one: sums of products are rounded once
/// (csr_spmv, exact_dot), updates by fused operations, the quotients in binary64. When r·r reaches the aim, r is
/// computed again as b − Ax, each entry rounded once. This r decides: if it does not confirm the aim, the iteration
/// continues from it with p = r, unless it is no smaller than at the last such place. ‖b‖² and τ²‖b‖² are numbers of
/// binary64: if they are not within 2^±900, `converged` means no more than its own line states (sparse.cg.2). Symmetry
/// is not checked. Hestenes, Stiefel, Methods of conjugate gradients for solving linear systems, Journal of Research of
/// the National Bureau of Standards 49(6), 1952. Throws std::invalid_argument for a matrix that csr_spmv refuses or
/// that is not square, another number of entries of b, `most` < 0, and τ that is negative or NaN.
CgSolution conjugate_gradients(const Executor& on, const CsrMatrix& a, std::span<const double> b, double tolerance,
                               std::int64_t most);

}  // namespace assay::sparse
