#pragma once
// y ← α·op(A)·x + β·y in multiple precision, decomposed into kernels over numbers and kernels over residues.
//
// A: m × n, column-major, leading dimension lda ≥ max(1, m): entry (i, j) is number i + j·lda. Entry i of a vector of
// length l with stride inc is number i·inc for inc > 0 and (i − l + 1)·inc for inc < 0, as in the reference BLAS.
// Indices have 64 bits.
//
// As in the reference BLAS: m = 0 or n = 0, or α = 0 and β = 1, leave y as it is; with α = 0 neither A nor x is read,
// with β = 0 y is not. Numbers between the strides and in rows m … lda − 1 are neither read nor written. Wrong
// arguments throw std::invalid_argument: a negative m or n, lda < max(1, m), a stride 0, an array that is too short or
// of other moduli, threads that are not a power of two from 1 to 32.
//
// Order of operations: d = fl(α·x); B = fl(A·diag(d)), for op(A) = Aᵀ fl(diag(d)·A); s = fl(β·y). Each of these is
// three kernels: signs, exponents and intervals, one thread for each number; digits, one thread for each residue;
// rounding, one thread for four limbs or residues of four numbers. Then T sums reduce one row of op(B): sum t adds its
// terms t, t + T, … in ascending order; for d = T/2, …, 2, 1 sum t < d adds sum t + d; s is added to the last one. In a
// sum one thread for each number goes ahead with signs, exponents and intervals, and threads for the residues follow.
// Scheme:
// Isupov, Knyazkov, Multiple-precision matrix-vector multiplication on graphics processing units, 2020, Algorithm 1,
// but there with one thread per number in rounding and in sums.
//
// Bit-identical on every executor by the same operations in the same order. Bound: docs/bounds/gemv.md. Requires
// numbers that are rounded (arith/residues/mp_number.hpp; not checked).

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/expansion/gemv.hpp"
#include "kernels/mp/array.hpp"

namespace assay::gemv {

/// T, the number of sums that reduce one entry at the same time, if the caller does not specify it.
inline constexpr int mp_gemv_threads = 32;

/// The memory on the executor, in bytes, that a product with `moduli` moduli needs in addition to A, x and y: a copy of
/// op(A), of x and of y. Throws std::invalid_argument for a negative m or n, and unless there are 8, 16, 32, 64 or 128
/// moduli.
std::size_t mp_gemv_decomposed_workspace(int moduli, std::int64_t m, std::int64_t n);

/// y ← α·op(A)·x + β·y on memory that lies on the executor, alpha and beta included, one number each. If alpha.digits
/// is nullptr, α = 0: neither A nor x is read; if beta.digits is, β = 0: y is not read. Other scalars are multiplied
/// whatever their values are. `workspace` points to mp_gemv_decomposed_workspace(…) bytes, aligned to 64. Set is
/// rns::Standard<8>, 16, 32, 64 or 128. Requires: the arrays hold what is read and written; y and the workspace overlap
/// nothing else (not checked). Throws std::invalid_argument as above, and ExecutorError. The launches are queued: the
/// call does not wait (exec/launch.hpp), and allocates nothing. Cost: m·n products with their rounding, m·n additions.
template <class Set>
void mp_gemv_decomposed(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                        const mp::MpView<Set>& alpha, const mp::MpView<Set>& a, std::int64_t lda,
                        const mp::MpView<Set>& x, std::int64_t incx, const mp::MpView<Set>& beta,
                        const mp::MpView<Set>& y, std::int64_t incy, std::byte* workspace,
                        int threads = mp_gemv_threads);

/// y afterwards, for arrays on the host, which are copied to the executor and back. alpha and beta hold one number
/// each; all arrays have alpha's number of moduli: 8, 16, 32, 64 or 128. The result has y's layout; element-major
/// arrays are read coalesced.
mp::MpArray mp_gemv_decomposed(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                               const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                               std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy,
                               int threads = mp_gemv_threads);

}  // namespace assay::gemv
