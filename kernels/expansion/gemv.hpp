#pragma once
// y ← α·op(A)·x + β·y with expansions as entries.
//
// An expansion of K words is their unevaluated sum, words by decreasing magnitude; in memory they stand side by side.
// A: m × n, column-major, leading dimension lda ≥ max(1, m): entry (i, j) at a[i + j·lda]. Entry i of a vector of
// length l with stride inc is at [i·inc] for inc > 0 and at [(i − l + 1)·inc] for inc < 0, as in the reference BLAS.
// Indices have 64 bits.
//
// As in the reference BLAS: m = 0 or n = 0, or α = 0 and β = 1, leave y as it is; with α = 0 neither A nor x is read,
// with β = 0 y is not. Entries between the strides and rows m … lda − 1 are neither read nor written. Wrong arguments
// throw std::invalid_argument: a negative m or n, lda < max(1, m), a stride 0, an array that is too short.
//
// Arithmetic: ExpansionAccumulator. Entry i of op(A)·x has 64 lanes; lane c adds up the products number c, c + 64, … in
// ascending order; then for d = 32, 16, 8, 4, 2, 1 lane c < d adds lane c + d. The sum s becomes an expansion without
// an error; then a separate accumulator adds up α·s and, if β ≠ 0, β·y. Entries are ulp-nonoverlapping, zeros at the
// end. Not checked: that the operands' words are expansions (the bound holds for any words, with their weights),
// overflow, values that are not finite. Bit-identical on every executor by the same operations in the same order; any
// NaN equals any NaN. Bound: docs/bounds/expansion.md.

#include <cstdint>
#include <span>
#include <vector>

#include "arith/expansion/distillation.hpp"
#include "exec/executor.hpp"
#include "kernels/expansion/blas_arguments.hpp"

namespace assay::expansion {

/// The lanes of one entry of op(A)·x.
inline constexpr int expansion_gemv_lanes = 64;

/// y ← α·op(A)·x + β·y on memory that lies on the executor: a, x and y have K = `words` words per entry, side by side;
/// y points to the lowest address of its vector, as x does. alpha and beta are K words each on the host. K is 2, 3, 4
/// or
/// 8. Requires: the arrays hold what is read and written, y overlaps neither a nor x, and for even K a, x and y are
/// aligned to 16 bytes (not checked). Throws std::invalid_argument as above, and ExecutorError. The launch is queued:
/// the call does not wait (exec/launch.hpp), and allocates nothing. K²(2K − 1) operations a product: 12, 45, 112, 960.
template <class T>
void expansion_gemv(const Executor& on, int words, blas::Transpose trans, std::int64_t m, std::int64_t n,
                    std::span<const T> alpha, const T* a, std::int64_t lda, const T* x, std::int64_t incx,
                    std::span<const T> beta, T* y, std::int64_t incy);

/// Returns y, for arrays on the host, which are copied to the executor and back. Every array has its words in a row, K
/// = `words` of them an entry; lda, incx and incy count entries. Also throws if an array is too short or its length is
/// not a multiple of K.
template <class T>
std::vector<T> expansion_gemv(const Executor& on, int words, blas::Transpose trans, std::int64_t m, std::int64_t n,
                              std::span<const T> alpha, std::span<const T> a, std::int64_t lda, std::span<const T> x,
                              std::int64_t incx, std::span<const T> beta, std::span<const T> y, std::int64_t incy);

/// The same for arrays of expansions.
template <class T, int K>
std::vector<Expansion<T, K>> expansion_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                                            const Expansion<T, K>& alpha, std::span<const Expansion<T, K>> a,
                                            std::int64_t lda, std::span<const Expansion<T, K>> x, std::int64_t incx,
                                            const Expansion<T, K>& beta, std::span<const Expansion<T, K>> y,
                                            std::int64_t incy) {
  using detail::words_in;
  return detail::expansions_of<T, K>(
      expansion_gemv<T>(on, K, trans, m, n, alpha.x, words_in(a), lda, words_in(x), incx, beta.x, words_in(y), incy));
}

}  // namespace assay::expansion
