#pragma once
// Products of a sparse matrix and a vector in binary64, rounded once.
//
// yᵢ = ∘(Σ aᵢⱼxⱼ) over the entries of row i, ∘ the rounding `to`: to nearest with ties to even, up, down or toward
// zero; subnormal results and overflow per IEEE 754. For every finite input: partial sums and products neither
// overflow nor underflow. A row without entries gives +0. An exact 0 is −0 if the row has entries and every product is
// −0, otherwise +0, in every direction. With products that are not finite the entry is NaN if a product is a NaN or 0·∞
// or if there are both infinities among them, otherwise the infinity. An entry that is stored counts, even if its value
// is 0. Bit-identical on every executor, in every order of the entries of a row, because everything before the rounding
// is exact, or proved not to matter: docs/bounds/sparse.md. A row is added in three words with a bound of their loss
// (after Ziv 1991), and again in a superaccumulator if the bound does not decide the rounding (after Collange, Defour,
// Graillat, Iakymchuk, Parallel Computing 49, 2015).

#include <cstdint>
#include <span>
#include <vector>

#include "arith/bits/traits.hpp"
#include "exec/executor.hpp"
#include "kernels/sparse/matrices.hpp"
#include "kernels/sparse/places.hpp"

namespace assay::sparse {

/// y = A·x. A, x and y lie on the executor. Throws std::invalid_argument for rows < 0 and, of ELLPACK, width < 0.
/// Requires: row offsets that start from 0 and do not fall, columns that x has, y apart from A and x, fewer than 2²⁸
/// entries per row (not checked). The launch is queued: the call does not wait (exec/launch.hpp), and allocates
/// nothing. About 24 operations for each product; if three words do not decide, about 32 more, and about 1000 for each
/// row.
void csr_spmv(const Executor& on, const CsrOn& a, const double* x, double* y, Rounding to = Rounding::rn);
void ellpack_spmv(const Executor& on, const EllpackOn& a, const double* x, double* y, Rounding to = Rounding::rn);

/// Returns y, for arrays on the host, which are copied to the executor and back. Throws std::invalid_argument for a
/// negative number of rows or columns or a negative width; arrays whose lengths do not fit; row offsets that do not
/// begin with 0 or that fall; a column below 0 (ELLPACK: below −1) or beyond the last one; 2²⁸ entries of a row or
/// more.
std::vector<double> csr_spmv(const Executor& on, const CsrMatrix& a, std::span<const double> x,
                             Rounding to = Rounding::rn);
std::vector<double> ellpack_spmv(const Executor& on, const EllpackMatrix& a, std::span<const double> x,
                                 Rounding to = Rounding::rn);

}  // namespace assay::sparse
