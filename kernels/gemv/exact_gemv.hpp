#pragma once
// Matrix-vector products of binary64 numbers, rounded once. Rounding, special values and the reason for equal bits are
// the ones of kernels/sum/exact_sum.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "arith/bits/traits.hpp"
#include "exec/executor.hpp"
#include "kernels/blas/arguments.hpp"

namespace assay::gemv {

/// y ← α·op(A)·x + β·y, each entry of y rounded once from the exact value; an exact 0 is +0. A: m × n, column-major,
/// leading dimension lda ≥ max(1, m): entry (i, j) at a[i + j·lda]. Entry i of a vector of length l with stride inc is
/// at [i·inc] for inc > 0 and at [(i − l + 1)·inc] for inc < 0. As in the reference BLAS, m = 0 or n = 0, or α = 0 and
/// β = 1, leave y as it is; with α = 0 neither A nor x is read, with β = 0 y is not. Entries between the strides are
/// neither read nor written. Wrong arguments throw std::invalid_argument: a negative m or n, lda < max(1, m), a stride
/// 0, 2²⁸ terms of an entry or more. a, x and y lie on the executor. y must not overlap with a and x (not checked). The
/// launch is queued: the call does not wait (exec/launch.hpp), and allocates nothing. About 32 operations a product.
void exact_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha,
                const double* a, std::int64_t lda, const double* x, std::int64_t incx, double beta, double* y,
                std::int64_t incy, Rounding to = Rounding::rn);

/// Returns y, for arrays on the host, which are copied to the executor and back. Also throws if an array is too short.
std::vector<double> exact_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha,
                               std::span<const double> a, std::int64_t lda, std::span<const double> x,
                               std::int64_t incx, double beta, std::span<const double> y, std::int64_t incy,
                               Rounding to = Rounding::rn);

}  // namespace assay::gemv
