#pragma once
// Triangular systems with entries of one, two or four words of binary64.
//
// op(A)·X = α·B or X·op(A) = α·B by substitution; X takes the place of B. A is triangular and column-major: the
// triangle `uplo` is stored, and with `diag` unit its diagonal is 1 everywhere and not read. Words, vectors, unchecked
// requirements, bits: as in kernels/expansion/vectors.hpp. As in the reference BLAS there is no test for a zero on the
// diagonal: it gives infinities and NaNs. An empty B is left as it is; with α = 0 X = 0 and neither A nor B is read.
// Wrong arguments throw std::invalid_argument: another number of words, negative dimensions, lda or ldb too small, a
// stride 0, an array that is too short.
//
// Arithmetic: each unknown has an accumulator (ExpansionAccumulator, K = max(W, 2)), which adds α·b and then −l·x for
// the known x, in the order of substitution. The quotient by the diagonal l has two digits for W = 1 and W + 1
// otherwise: qᵢ = RN(r₀/l₀), r₀ the first word of the rest r, an expansion; an accumulator of r and −qᵢ·l gives the
// next rest, another one the sum of the digits. Results as in kernels/expansion/vectors.hpp. Bound of the residual:
// docs/bounds/xblas.md.
//
// The first form of each function works on memory that lies on the executor and is queued, the second takes arrays of
// the host, as in kernels/expansion/vectors.hpp. `workspace` holds triangular_workspace() numbers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/blas/triangle.hpp"

namespace assay::expansion {

/// The numbers of the workspace for B of m × n, an accumulator for each entry; a vector is a matrix of one column.
constexpr std::size_t triangular_workspace(int words, std::int64_t m, std::int64_t n) {
  return static_cast<std::size_t>(m * n * std::max(words, 2));
}

/// x ← op(A)⁻¹·x, A: n × n.
void expansion_trsv(const Executor& on, int words, blas::Triangle uplo, blas::Transpose trans, blas::Diagonal diag,
                    std::int64_t n, const double* a, std::int64_t lda, double* x, std::int64_t incx, double* workspace);
std::vector<double> expansion_trsv(const Executor& on, int words, blas::Triangle uplo, blas::Transpose trans,
                                   blas::Diagonal diag, std::int64_t n, std::span<const double> a, std::int64_t lda,
                                   std::span<const double> x, std::int64_t incx);

/// B ← α·op(A)⁻¹·B (left) or α·B·op(A)⁻¹ (right), B: m × n; A is square with as many rows as B on the left, as columns
/// on the right.
void expansion_trsm(const Executor& on, int words, blas::Side side, blas::Triangle uplo, blas::Transpose trans,
                    blas::Diagonal diag, std::int64_t m, std::int64_t n, std::span<const double> alpha, const double* a,
                    std::int64_t lda, double* b, std::int64_t ldb, double* workspace);
std::vector<double> expansion_trsm(const Executor& on, int words, blas::Side side, blas::Triangle uplo,
                                   blas::Transpose trans, blas::Diagonal diag, std::int64_t m, std::int64_t n,
                                   std::span<const double> alpha, std::span<const double> a, std::int64_t lda,
                                   std::span<const double> b, std::int64_t ldb);

}  // namespace assay::expansion
