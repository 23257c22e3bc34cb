#pragma once
// C ← α·op(A)·op(B) + β·C in multiple precision, rounded once for each entry.
//
// op(A): m × k, op(B): k × n, C: m × n, column-major with leading dimensions: entry (i, j) of C is number i + j·ldc.
// Indices have 64 bits.
//
// As in the reference BLAS: m = 0 or n = 0, or β = 1 with k = 0 or α = 0, leave C as it is; with α = 0 or k = 0 neither
// A nor B is read and C ← RN(β·C), with β = 0 C is not read. Numbers between the columns are neither read nor written.
// Wrong arguments throw std::invalid_argument: a negative dimension, a leading dimension below the number of rows or 1,
// an array that is too short or of other moduli, k > 2²⁸, exponents of A, or of B, that are more than 2²⁹ apart, a
// workspace that is too small.
//
// Each entry is RN(α·s + β·c) to P = ⌊log₂ √M⌋ bits, ties to even, where s is the exact sum of all products a·b,
// however far their exponents are apart; X ≤ 2^P, and a result of fewer bits is exact. Entries that are not computed
// keep their bits, even if these are P + 1. A number out of range among the operands of an entry makes the entry out of
// range. Theorems: docs/bounds/gemv.md, gemv.gemm.1.
//
// Bit-identical on every executor, by exactness: integers modulo the moduli of the numbers and three further primes,
// each as 4 slices of 7 bits, whose products are int8 products with sums in 32 bits (tensor cores on a device), and the
// Chinese remainder theorem. So the exponents of a row of op(A), and those of a column of op(B), should lie within
// about 30 to 40 bits. Rows and columns with exponents farther apart are computed by mp_gemv_exact, each by itself.
// Requires numbers that are rounded (arith/residues/mp_number.hpp; not checked).

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/gemm/arguments.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/mp/array.hpp"

namespace assay::gemm {

/// The shape of a product of numbers of 8, 16, 32, 64 or 128 moduli.
struct MpGemmShape {
  int moduli = 8;
  blas::Transpose trans_a = blas::Transpose::no;
  blas::Transpose trans_b = blas::Transpose::no;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// Statistics of a product.
struct MpGemmReport {
  std::int64_t rows_apart = 0;     ///< rows of op(A) that mp_gemv_exact computed
  std::int64_t columns_apart = 0;  ///< columns of op(B) that it computed
  std::size_t workspace_bytes = 0;
};

/// Overwrites C, of numbers that lie on the executor; returns when it is complete. alpha and beta hold one number each,
/// on the host. Requires: arrays that hold what is read and written; C overlaps nothing else; no number out of range is
/// read; |exponent − exponent_offset| is at most MpPlanes::exponent_limit (none of it checked). Only the limit of the
/// workspace is used from the options. Throws std::invalid_argument as above, and ExecutorError. Cost: for each modulus
/// 16 int8 products, and operations in proportion to mk + kn and to mn; for each entry, and for each number of A and B,
/// those of its Chinese remainders.
MpGemmReport mp_gemm(const Executor& on, const MpGemmShape& shape, const mp::MpArray& alpha, const gemv::MpPlanes& a,
                     std::int64_t lda, const gemv::MpPlanes& b, std::int64_t ldb, const mp::MpArray& beta,
                     const gemv::MpResultPlanes& c, std::int64_t ldc, const GemmOptions& options = {});

/// C afterwards, for arrays on the host, which are copied to the executor and back. All arrays have the shape's number
/// of moduli. The result has C's layout.
mp::MpArray mp_gemm(const Executor& on, const MpGemmShape& shape, const mp::MpArray& alpha, const mp::MpArray& a,
                    std::int64_t lda, const mp::MpArray& b, std::int64_t ldb, const mp::MpArray& beta,
                    const mp::MpArray& c, std::int64_t ldc, const GemmOptions& options = {});

}  // namespace assay::gemm
