#pragma once
// Products of a sparse matrix and a vector with entries of one, two or four words of binary64.
//
// Words, arithmetic, results, what is not checked, bits: as in kernels/expansion/vectors.hpp; formats: as in
// kernels/sparse/matrices.hpp, with the W words of a value side by side in `values`. yᵢ = Σ aᵢⱼxⱼ over the places of
// row i by 8 lanes: lane c takes the places number c, c + 8, … of the row in ascending order, in ELLPACK those that
// hold an entry; then for d = 4, 2, 1 lane c < d takes in lane c + d. A row without entries gives +0. Bound:
// docs/bounds/sparse.md.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/sparse/matrices.hpp"
#include "kernels/sparse/places.hpp"

namespace assay::expansion {

/// The lanes of a row.
inline constexpr int spmv_lanes = 8;

/// y = A·x. A, x and y lie on the executor. The launch is queued: the call does not wait, and allocates nothing. Throws
/// std::invalid_argument for another number of words than 1, 2 or 4, for rows < 0 and, of ELLPACK, width < 0. Requires:
/// row offsets from 0 on that do not fall, columns that x has, y apart from A and x (not checked).
void expansion_spmv(const Executor& on, int words, const sparse::CsrOn& a, const double* x, double* y);
void expansion_spmv(const Executor& on, int words, const sparse::EllpackOn& a, const double* x, double* y);

/// Returns y, for arrays on the host, which are copied to the executor and back. Throws std::invalid_argument for
/// another number of words, and for all arguments that csr_spmv and ellpack_spmv refuse (kernels/sparse/spmv.hpp).
std::vector<double> expansion_spmv(const Executor& on, int words, const sparse::CsrMatrix& a,
                                   std::span<const double> x);
std::vector<double> expansion_spmv(const Executor& on, int words, const sparse::EllpackMatrix& a,
                                   std::span<const double> x);

}  // namespace assay::expansion
