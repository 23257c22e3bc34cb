#pragma once
// BLAS 2 and 3 with entries of one, two or four words of binary64, in addition to expansion_gemv and expansion_gemm for
// two and more words.
//
// Words, vectors, arithmetic, results, unchecked requirements, bits: as in kernels/expansion/vectors.hpp. A matrix is
// column-major: entry (i, j) at a[i + j·lda], lda at least the number of its rows and 1. Of a symmetric matrix the
// triangle `uplo` is read or written, and the other one has the same numbers. As in the reference BLAS: an empty
// output, a vector without products, and α = 0 or no products and β = 1 leave the output as it is; with α = 0 no factor
// is read, with β = 0 the output is not. Wrong arguments throw std::invalid_argument.
//
// An entry of a vector has 64 lanes; lane c adds up the products number c, c + 64, … in ascending order; then for d =
// 32, 16, …, 1 lane c < d adds lane c + d. An entry of a matrix is one sum in ascending order. The sum s becomes an
// expansion without an error; then a separate accumulator adds up α·s (if it is added) and β·y, and with one word the
// result is rounded once more. Bound: docs/bounds/xblas.md.
//
// The first form of each function works on memory that lies on the executor and is queued, the second takes arrays of
// the host, as in kernels/expansion/vectors.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/blas/triangle.hpp"

namespace assay::expansion {

/// The lanes of an entry of a vector.
inline constexpr int vector_entry_lanes = 64;

/// y ← α·op(A)·x + β·y of binary64 numbers with Dot2's sums: the GEMV of one word. A: m × n.
void dot2_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha, const double* a,
               std::int64_t lda, const double* x, std::int64_t incx, double beta, double* y, std::int64_t incy);
std::vector<double> dot2_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha,
                              std::span<const double> a, std::int64_t lda, std::span<const double> x, std::int64_t incx,
                              double beta, std::span<const double> y, std::int64_t incy);

/// C ← α·op(A)·op(B) + β·C of binary64 numbers with Dot2's sums: the GEMM of one word. op(A): m × k, op(B): k × n.
void dot2_gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m, std::int64_t n,
               std::int64_t k, double alpha, const double* a, std::int64_t lda, const double* b, std::int64_t ldb,
               double beta, double* c, std::int64_t ldc);
std::vector<double> dot2_gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                              std::int64_t n, std::int64_t k, double alpha, std::span<const double> a, std::int64_t lda,
                              std::span<const double> b, std::int64_t ldb, double beta, std::span<const double> c,
                              std::int64_t ldc);

/// y ← α·A·x + β·y with A symmetric, n × n.
void expansion_symv(const Executor& on, int words, blas::Triangle uplo, std::int64_t n, std::span<const double> alpha,
                    const double* a, std::int64_t lda, const double* x, std::int64_t incx, std::span<const double> beta,
                    double* y, std::int64_t incy);
std::vector<double> expansion_symv(const Executor& on, int words, blas::Triangle uplo, std::int64_t n,
                                   std::span<const double> alpha, std::span<const double> a, std::int64_t lda,
                                   std::span<const double> x, std::int64_t incx, std::span<const double> beta,
                                   std::span<const double> y, std::int64_t incy);

/// A ← α·x·yᵀ + A, A: m × n.
void expansion_ger(const Executor& on, int words, std::int64_t m, std::int64_t n, std::span<const double> alpha,
                   const double* x, std::int64_t incx, const double* y, std::int64_t incy, double* a, std::int64_t lda);
std::vector<double> expansion_ger(const Executor& on, int words, std::int64_t m, std::int64_t n,
                                  std::span<const double> alpha, std::span<const double> x, std::int64_t incx,
                                  std::span<const double> y, std::int64_t incy, std::span<const double> a,
                                  std::int64_t lda);

/// C ← α·op(A)·op(A)ᵀ + β·C with C symmetric, n × n, of which one triangle is written; op(A): n × k.
void expansion_syrk(const Executor& on, int words, blas::Triangle uplo, blas::Transpose trans, std::int64_t n,
                    std::int64_t k, std::span<const double> alpha, const double* a, std::int64_t lda,
                    std::span<const double> beta, double* c, std::int64_t ldc);
std::vector<double> expansion_syrk(const Executor& on, int words, blas::Triangle uplo, blas::Transpose trans,
                                   std::int64_t n, std::int64_t k, std::span<const double> alpha,
                                   std::span<const double> a, std::int64_t lda, std::span<const double> beta,
                                   std::span<const double> c, std::int64_t ldc);

}  // namespace assay::expansion
