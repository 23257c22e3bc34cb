#pragma once
// y ← α·op(A)·x + β·y in multiple precision, rounded once for each entry.
//
// A: m × n, column-major, leading dimension lda ≥ max(1, m): entry (i, j) is number i + j·lda. Entry i of a vector of
// length l with stride inc is number i·inc for inc > 0 and (i − l + 1)·inc for inc < 0, as in the reference BLAS.
// Indices have 64 bits.
//
// As in the reference BLAS: m = 0 or n = 0, or α = 0 and β = 1, leave y as it is; with α = 0 neither A nor x is read,
// with β = 0 y is not. Numbers between the strides and in rows m … lda − 1 are neither read nor written. Wrong
// arguments throw std::invalid_argument: a negative m or n, lda < max(1, m), a stride 0, an array that is too short or
// of other moduli, more than 2²⁸ terms in an entry, exponents of A or of x that are more than 2²⁹ apart.
//
// Each entry is RN(α·s + β·y) to P = ⌊log₂ √M⌋ bits, ties to even, where s is the exact sum of the products a·x but for
// those whose exponents are more than D = 27n + P + ⌈log₂ terms⌉ + 2 (n the moduli) below the largest one; X ≤ 2^P, and
// a result of fewer bits is exact. A number out of range in what is read for an entry makes the entry out of range.
// Bound: docs/bounds/gemv.md.
//
// Bit-identical on every executor, for every layout and order, by exactness: sums of aligned products modulo every m,
// of which the integer is found by the Chinese remainder theorem. Requires numbers that are rounded
// (arith/residues/mp_number.hpp; not checked).

#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/expansion/gemv.hpp"
#include "kernels/mp/array.hpp"

namespace assay::gemv {

/// y after y ← α·op(A)·x + β·y. alpha and beta hold one number each; all arrays have alpha's number of moduli: 8, 16,
/// 32, 64 or 128. The result has y's layout; the kernels read modulus planes. Cost: one modular product, its alignment
/// and one addition for each residue of each product; for each entry one conversion from residues to limbs and back.
mp::MpArray mp_gemv_exact(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                          const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                          std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy);

}  // namespace assay::gemv
