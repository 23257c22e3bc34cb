#pragma once
// y ← α·A·x + β·y in multiple precision with a sparse matrix, rounded once for each entry.
//
// Formats: as in kernels/sparse/matrices.hpp, with numbers of residues as values. Entry i is RN(α·s + β·y) to
// P = ⌊log₂ √M⌋ bits, ties to even, where s is the exact sum of the products a·x of the entries of row i, however far
// their exponents are apart; a row without entries has s = 0. As in gemv::mp_gemv_exact: with α = 0 no number of A and
// x is read, with β = 0 y is not, α = 0 and β = 1 leave y as it is, and a number out of range in what is read for an
// entry makes the entry out of range. α and β are read for every entry, a number of x for the rows that have an entry
// in its column. Values of places of ELLPACK that hold no entry are never read. Theorem: docs/bounds/sparse.md,
// sparse.residues.1.
//
// Bit-identical on every executor, for every layout, format and order of the entries of a row, by exactness: as
// mp_gemv_exact. Requires numbers that are rounded (arith/residues/mp_number.hpp; not checked).

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/mp/array.hpp"
#include "kernels/sparse/matrices.hpp"
#include "kernels/sparse/places.hpp"

namespace assay::gemv {

using MpCsrMatrix = sparse::BasicCsrMatrix<mp::MpArray>;
using MpEllpackMatrix = sparse::BasicEllpackMatrix<mp::MpArray>;
using MpCsrOn = sparse::BasicCsrOn<MpPlanes>;
using MpEllpackOn = sparse::BasicEllpackOn<MpPlanes>;

/// The same matrix in ELLPACK, as wide as its longest row; values without an entry are 0. Requires: the requirements of
/// the product on a (not checked).
MpEllpackMatrix mp_ellpack_of(const MpCsrMatrix& a);

/// The requirements of the products of one shape.
class MpSpmvPlan {
 public:
  /// `longest`: at least the places of each row. Throws std::invalid_argument for rows < 0, longest < 0 or ≥ 2²⁸, and
  /// unless there are 8, 16, 32, 64 or 128 moduli.
  MpSpmvPlan(int moduli, std::int64_t rows, std::int64_t longest);

  [[nodiscard]] int moduli() const noexcept { return moduli_; }
  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::int64_t longest() const noexcept { return longest_; }
  /// The memory on the executor, in bytes, that a product needs in addition to A, x and y.
  [[nodiscard]] std::size_t workspace() const noexcept { return workspace_; }

 private:
  int moduli_;
  std::int64_t rows_, longest_;
  std::size_t workspace_;
};

/// y ← α·A·x + β·y on memory that lies on the executor. alpha and beta hold one number each on the host, of the plan's
/// moduli. y: entry i is number i. `workspace` points to plan.workspace() bytes, aligned to 64. Requires: A has the
/// plan's rows, none with more places than plan.longest(); row offsets from 0 on that do not fall, columns that x has;
/// y and the workspace overlap nothing else; no number out of range is read; |exponent − exponent_offset| is at most
/// MpPlanes::exponent_limit (none of it checked). Throws std::invalid_argument for other rows than the plan's, a width
/// beyond plan.longest(), and scalars that are not one number of the moduli. The launches are queued: the call does not
/// wait (exec/launch.hpp), and allocates nothing on the executor. Cost: as mp_gemv_exact for each product and each
/// entry.
void mp_spmv(const Executor& on, const MpSpmvPlan& plan, const mp::MpArray& alpha, const MpCsrOn& a, const MpPlanes& x,
             const mp::MpArray& beta, const MpResultPlanes& y, std::byte* workspace);
void mp_spmv(const Executor& on, const MpSpmvPlan& plan, const mp::MpArray& alpha, const MpEllpackOn& a,
             const MpPlanes& x, const mp::MpArray& beta, const MpResultPlanes& y, std::byte* workspace);

/// y afterwards, for arrays on the host, which are copied to the executor and back; it has y's layout. alpha and beta
/// hold one number each; all arrays have alpha's number of moduli. Throws std::invalid_argument for what csr_spmv and
/// ellpack_spmv refuse (kernels/sparse/spmv.hpp), for y that has not as many numbers as A has rows, for arrays of other
/// moduli, and for exponents of the numbers of A or of x that are read and more than 2²⁹ apart.
mp::MpArray mp_spmv(const Executor& on, const mp::MpArray& alpha, const MpCsrMatrix& a, const mp::MpArray& x,
                    const mp::MpArray& beta, const mp::MpArray& y);
mp::MpArray mp_spmv(const Executor& on, const mp::MpArray& alpha, const MpEllpackMatrix& a, const mp::MpArray& x,
                    const mp::MpArray& beta, const mp::MpArray& y);

}  // namespace assay::gemv
