#pragma once
// BLAS 2 with multiple-precision numbers: n = 8, 16, 32, 64 or 128 moduli, rns::Standard<n>, in addition to the
// products of kernels/gemv.
//
// Vectors, scalars, numbers out of range and errors: as in kernels/mp/blas1.hpp. A matrix is column-major: entry (i, j)
// is number i + j·lda, lda at least the number of its rows and 1. Of a symmetric matrix the triangle `uplo` is read or
// written, and the other one has the same numbers. As in the reference BLAS, an empty matrix and α = 0 leave the matrix
// as it is, and with α = 0 no vector is read. Numbers between the strides, in rows after the last one and in the other
// triangle keep their bits.
//
// ger and syr round α·xᵢ (mp_scal), then its product with y_j, then the sum with a_ij: the same operations in the same
// order on every executor and in every layout. symv has the exact sums of gemv::mp_gemv_exact, so that its order of
// summation is free. Bounds: docs/bounds/mp.md.

#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/blas/triangle.hpp"
#include "kernels/mp/array.hpp"

namespace assay::mp {

/// A after A ← α·x·yᵀ + A, A: m × n.
MpArray mp_ger(const Executor& on, std::int64_t m, std::int64_t n, const MpArray& alpha, const MpArray& x,
               std::int64_t incx, const MpArray& y, std::int64_t incy, const MpArray& a, std::int64_t lda);

/// A after A ← α·x·xᵀ + A with A symmetric, n × n, of which only one triangle is written.
MpArray mp_syr(const Executor& on, blas::Triangle uplo, std::int64_t n, const MpArray& alpha, const MpArray& x,
               std::int64_t incx, const MpArray& a, std::int64_t lda);

/// y after y ← α·A·x + β·y with A symmetric, n × n, each entry rounded once. Scalars that are 0, and 1 for β: as in
/// gemv::mp_gemv_exact. Cost: that of mp_gemv_exact, and a copy of A on the host.
MpArray mp_symv(const Executor& on, blas::Triangle uplo, std::int64_t n, const MpArray& alpha, const MpArray& a,
                std::int64_t lda, const MpArray& x, std::int64_t incx, const MpArray& beta, const MpArray& y,
                std::int64_t incy);

/// A ← x·yᵀ + A for numbers that lie on the executor: entry (i, j) of A is number i + j·lda, entries of x and y stand
/// side by side. Requires: m, n ≥ 1, lda ≥ m, arrays of one of the offered n that hold the operands, A apart from x and
/// y (not checked). The launch is queued: the call does not wait (exec/launch.hpp), and allocates nothing.
void queue_mp_ger(const Executor& on, std::int64_t m, std::int64_t n, const MpNumbersOn& x, const MpNumbersOn& y,
                  const MpNumbersOn& a, std::int64_t lda);

}  // namespace assay::mp
