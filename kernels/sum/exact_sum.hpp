#pragma once
// Sums, dot products and matrix-vector products of binary64 numbers, rounded once.
//
// s = Σ xᵢ, Σ xᵢyᵢ or, for each i, α·Σ_j op(A)ᵢⱼxⱼ + βyᵢ, exactly, then rounded to binary64 in the direction `to`: to
// nearest with ties to even, up, down or toward zero; subnormal results and overflow as IEEE 754 has them. For every
// finite input: partial sums and products neither overflow nor underflow. With terms that are not finite the result is
// NaN if a term is a NaN or 0·∞ or if there are both infinities among them, otherwise the infinity; any NaN equals any
// NaN. Bit-identical on every executor, in every order of the terms, because everything before the rounding is exact:
// docs/bounds/accurate_sum.md.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/bits/traits.hpp"
#include "exec/executor.hpp"
#include "kernels/expansion/gemv.hpp"

namespace assay::sum {

// On memory that lies on the executor: host pointers for the host, device pointers for CUDA. Requires: n < 2³⁶
// (checked: std::invalid_argument); x, y hold n numbers (not checked). An exact 0 is −0 if n ≥ 1 and every term is −0,
// otherwise +0, in every direction.

// A device reads the numbers about as fast as it copies them, as long as those of a block lie within the binades told
// below; numbers of every exponent take some 30 times (dot: 70 times) as long.

/// The words of 64 bits that a call needs for itself.
std::size_t exact_sum_workspace();

/// *result = Σ xᵢ rounded; result and workspace lie on the executor, too. 9 operations a number as long as the numbers
/// of a block lie within about 78 binades.
void exact_sum(const Executor& on, const double* x, std::int64_t n, Rounding to, double* result,
               std::int64_t* workspace);

/// *result = Σ xᵢyᵢ rounded. 29 operations a product as long as the products of a block lie within about 113 binades.
void exact_dot(const Executor& on, const double* x, const double* y, std::int64_t n, Rounding to, double* result,
               std::int64_t* workspace);

// The same of arrays on the host.

double exact_sum(const Executor& on, std::span<const double> x, Rounding to = Rounding::rn);

/// x and y have the same size, otherwise std::invalid_argument is thrown.
double exact_dot(const Executor& on, std::span<const double> x, std::span<const double> y, Rounding to = Rounding::rn);

/// y ← α·op(A)·x + β·y, each entry of y rounded once from the exact value; an exact 0 is +0. A: m × n, column-major,
/// leading dimension lda ≥ max(1, m): entry (i, j) at a[i + j·lda]. Entry i of a vector of length l with stride inc
/// stands at [i·inc] for inc > 0 and at [(i − l + 1)·inc] for inc < 0. As in the reference BLAS, m = 0 or n = 0, or α =
/// 0 and β = 1, leave y as it is; with α = 0 neither A nor x is read, with β = 0 y is not. What is between the strides
/// is neither read nor written. Wrong arguments throw std::invalid_argument: a negative m or n, lda < max(1, m), a
/// stride 0, 2²⁸ terms of an entry or more. a, x and y lie on the executor. y must not overlap with a and x (not
/// checked). About 32 operations a product.
void exact_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha,
                const double* a, std::int64_t lda, const double* x, std::int64_t incx, double beta, double* y,
                std::int64_t incy, Rounding to = Rounding::rn);

/// y afterwards, of arrays on the host. An array that is too short throws, too.
std::vector<double> exact_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha,
                               std::span<const double> a, std::int64_t lda, std::span<const double> x,
                               std::int64_t incx, double beta, std::span<const double> y, std::int64_t incy,
                               Rounding to = Rounding::rn);

}  // namespace assay::sum
