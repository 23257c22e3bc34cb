#pragma once
// Triangular systems in binary64: exact dot products, one rounding for each unknown, and a certificate.
//
// op(A)·x = b, A triangular, column-major with leading dimension lda ≥ max(1, n): the triangle `uplo` is stored, and
// with `diag` unit its diagonal is 1 everywhere and not read. Unknown i is at x[i·incx] for incx > 0 and at [(i − n +
// 1)·incx] for incx < 0; memory between the strides is neither read nor written. Wrong arguments throw
// std::invalid_argument: a negative n, lda < max(1, n), a stride 0, n ≥ 2²⁸, an array that is too short.
// Bit-identical on every executor because everything before the roundings is exact, or proved not to matter
// (docs/bounds/triangular.md).

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/blas/triangle.hpp"

namespace assay::triangular {

/// x ← op(A)⁻¹·x by substitution: each unknown is RN((bᵢ − Σ lᵢⱼx̂ⱼ)/lᵢᵢ), ties to even, of the unknowns that are known
/// then, without any other rounding. Subnormal results and overflow per IEEE 754. Where a number is not finite
/// or the diagonal is 0 it is the quotient of the rounded sum, per IEEE 754. a and x lie on the executor. The
/// launch is queued: the call does not wait (exec/launch.hpp), and allocates nothing. x must not overlap with a (not
/// checked). One block: n/512 panels, whose rows each thread adds in three words with a bound of what they lose; a dot
/// product in a superaccumulator for an unknown that these do not decide. After Iakymchuk, Defour, Collange, Graillat,
/// Reproducible triangular solvers for high-performance computing, ITNG 2015, whose unknowns have two roundings.
void rounded_trsv(const Executor& on, blas::Triangle uplo, blas::Transpose trans, blas::Diagonal diag, std::int64_t n,
                  const double* a, std::int64_t lda, double* x, std::int64_t incx);

/// x afterwards, for arrays on the host, which are copied to the executor and back.
std::vector<double> rounded_trsv(const Executor& on, blas::Triangle uplo, blas::Transpose trans, blas::Diagonal diag,
                                 std::int64_t n, std::span<const double> a, std::int64_t lda, std::span<const double> x,
                                 std::int64_t incx);

enum class SolveStatus {
  certified,     ///< every unknown is one of the two neighbors of the true one, or the true one itself
  singular,      ///< an entry of the stored diagonal is 0: x is as it was
  not_certified  ///< the system is too ill-conditioned for the refinement, or a number or a result is not finite
};

struct CertifiedSolution {
  std::vector<double> x;
  SolveStatus status;
  int words;  ///< of each unknown when the refinement ended; 0 for a singular system
};

/// The most words of an unknown while it is refined.
inline constexpr int most_solution_words = 8;

/// The solution with a certificate. The unknowns are unevaluated sums of words: the first one is rounded_trsv of b, the
/// next ones rounded_trsv of the exact residual, rounded once. After each word |x − x̃| ≤ z is computed from the exact
/// residual r of x̃: zᵢ = (|rᵢ| + Σ|lᵢⱼ|zⱼ)/|lᵢᵢ| in exact sums, rounded up. The result is x̃ rounded once, certified
/// where no neighbor of x̂ lies within [x̃ − z, x̃ + z]; without a certificate after most_solution_words words it is
/// the last x̃ rounded. Cost: about 2n² exact products for each word, and n²/2 for each word of each word.
CertifiedSolution certified_trsv(const Executor& on, blas::Triangle uplo, blas::Transpose trans, blas::Diagonal diag,
                                 std::int64_t n, std::span<const double> a, std::int64_t lda, std::span<const double> x,
                                 std::int64_t incx);

}  // namespace assay::triangular
