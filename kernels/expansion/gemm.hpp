#pragma once
// C ← α·op(A)·op(B) + β·C with expansions as entries.
//
// Layout as in kernels/expansion/gemv.hpp: op(A) is m × k, op(B) k × n, C m × n, each array column-major with its
// leading dimension, which is at least the number of its rows and 1. As in the reference BLAS: m = 0 or n = 0, or β = 1
// and (α = 0 or k = 0), leave C as it is; with α = 0 or k = 0 neither A nor B is read, with β = 0 C is not. The rows
// between are neither read nor written. Wrong arguments throw std::invalid_argument.
//
// Arithmetic: ExpansionAccumulator. An entry is one sum over l = 0 … k − 1 in ascending order; the sum becomes an
// expansion without an error; then a separate accumulator adds up α·s (unless α = 0 or k = 0) and, if β ≠ 0, β·c.
// Results, unchecked requirements, bits: as for expansion_gemv. Bound: docs/bounds/expansion.md.

#include <cstdint>
#include <span>
#include <vector>

#include "arith/expansion/distillation.hpp"
#include "exec/executor.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/expansion/gemv.hpp"

namespace assay::expansion {

/// C ← α·op(A)·op(B) + β·C on memory that lies on the executor: a, b and c have K = `words` words per entry, side by
/// side; alpha and beta are K words each on the host. K is 2, 3, 4 or 8. Requires: the arrays hold what is read and
/// written, and C overlaps neither A nor B (not checked). Throws std::invalid_argument as above, and ExecutorError. The
/// launch is queued: the call does not wait (exec/launch.hpp), and allocates nothing. K²(2K − 1) operations a product:
/// 12, 45, 112, 960.
template <class T>
void expansion_gemm(const Executor& on, int words, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                    std::int64_t n, std::int64_t k, std::span<const T> alpha, const T* a, std::int64_t lda, const T* b,
                    std::int64_t ldb, std::span<const T> beta, T* c, std::int64_t ldc);

/// Returns C, for arrays on the host, which are copied to the executor and back. Every array has its words in a row, K
/// = `words` of them an entry; lda, ldb and ldc count entries. Also throws if an array is too short or its length is
/// not a multiple of K.
template <class T>
std::vector<T> expansion_gemm(const Executor& on, int words, blas::Transpose transa, blas::Transpose transb,
                              std::int64_t m, std::int64_t n, std::int64_t k, std::span<const T> alpha,
                              std::span<const T> a, std::int64_t lda, std::span<const T> b, std::int64_t ldb,
                              std::span<const T> beta, std::span<const T> c, std::int64_t ldc);

/// The same for arrays of expansions.
template <class T, int K>
std::vector<Expansion<T, K>> expansion_gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb,
                                            std::int64_t m, std::int64_t n, std::int64_t k,
                                            const Expansion<T, K>& alpha, std::span<const Expansion<T, K>> a,
                                            std::int64_t lda, std::span<const Expansion<T, K>> b, std::int64_t ldb,
                                            const Expansion<T, K>& beta, std::span<const Expansion<T, K>> c,
                                            std::int64_t ldc) {
  using detail::words_in;
  return detail::expansions_of<T, K>(expansion_gemm<T>(on, K, transa, transb, m, n, k, alpha.x, words_in(a), lda,
                                                       words_in(b), ldb, beta.x, words_in(c), ldc));
}

}  // namespace assay::expansion
