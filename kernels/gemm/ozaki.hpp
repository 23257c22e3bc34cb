#pragma once
// C ← RN(α·op(A)·op(B) + β·C) by the Ozaki scheme: matrix products in binary64 without a rounding error.
//
// op(A) = Σ_p A_p, op(B) = Σ_r B_r in slices (arith/accumulators/ozaki_split.hpp) on grids that belong to the rows of
// op(A) and the columns of op(B). Every product A_p·B_r is exact, in any order of its additions, so that it comes from
// a plain loop on the host and from cuBLAS on a device; the products are summed up exactly and rounded once. Ozaki,
// Ogita, Oishi, Rump, Numer. Algorithms 59, 2012; Mukunoki, Ogita, Ozaki, Reproducible BLAS routines with tunable
// accuracy using Ozaki scheme for many-core architectures, PPAM 2019. Derived in docs/bounds/gemm.md.
//
// Arguments as in kernels/gemm/arguments.hpp, on the executor; they are not checked. α = 0 or k = 0: A and B are not
// read, C ← RN(β·C); β = 0: C is not read. An exact 0 gives +0; a result that underflows keeps its sign. α and β are
// finite (not checked). A row of op(A) or a column of op(B) with an infinity or a NaN counts as zero; β·c takes the
// place of an entry with such a c. Bit-identical on every executor, for every workspace, by exactness.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// How the slice products of an entry are summed up. Both give the same bits.
enum class OzakiSum {
  integers,  ///< as integers on their common grid, once rounded
  near_sum   ///< as published: NearSum of the products and of what α and β make of them (TwoProd)
};

/// NearSum takes this many slices at most: it has the terms of an entry at once.
inline constexpr int ozaki_near_sum_slices = 12;

struct OzakiMode {
  OzakiSum sum = OzakiSum::integers;
  /// 0: the result is correctly rounded. Otherwise the products A_p·B_r with p + r < levels, counted from 0, are
  /// formed, and its error is that of ozaki_bound() in errorbounds/gemm_ozaki.hpp.
  int levels = 0;
  /// Correctly rounded by all products at once. Otherwise only as many levels are formed as decide how nearly all
  /// entries are rounded (Ziv), and the few others are summed up by superaccumulators; NearSum takes all.
  bool every_product = false;
  /// More slices than this throw SliceCapError: 128 are enough for every matrix with k ≤ 2¹⁶.
  int most_slices = 128;
};

/// Thrown if a matrix needs more slices than it may have.
class SliceCapError : public std::runtime_error {
 public:
  SliceCapError(int needed, int cap);
  [[nodiscard]] int needed() const noexcept { return needed_; }
  [[nodiscard]] int cap() const noexcept { return cap_; }

 private:
  int needed_;
  int cap_;
};

/// How a product is computed. C is computed in tiles, and the inner index in blocks. A tile needs as many slices as its
/// own rows and columns need.
struct OzakiPlan {
  int q = 0;         ///< bits of a slice
  int slices_a = 0;  ///< the most slices of a row of op(A)
  int slices_b = 0;  ///< and of a column of op(B)
  std::int64_t tile_rows = 0;
  std::int64_t tile_columns = 0;
  std::int64_t inner = 0;       ///< length of a block of the inner index
  double products = 0;          ///< slice products formed, in products of the whole matrices
  std::uint64_t undecided = 0;  ///< entries that were summed up by superaccumulators
  std::size_t workspace = 0;    ///< bytes on the executor
};

/// C after C ← RN(α·op(A)·op(B) + β·C), and how it was done. The workspace is kept within options.budget(), by smaller
/// tiles first and shorter blocks then; std::invalid_argument if no block is small enough, and C may be written in part
/// then. Waits for the end. Cost: at most slices_a·slices_b products of binary64 matrices, a pass over A and B each,
/// and one over the slice products.
OzakiPlan gemm_ozaki(const Executor& on, const GemmArguments& arguments, const GemmOptions& options = {},
                     const OzakiMode& mode = {});

/// The slices of op(X), rows × columns, on grids of its rows: entry (i, l) is
/// Σ_p digit[(p·columns + l)·rows + i]·2^(unit[i] − p·(q + 1)), exactly, with integers |digit| ≤ 2^q.
struct OzakiSlices {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  int q = 0;
  int count = 0;
  std::vector<std::int32_t> unit;
  std::vector<double> digit;
};

/// The slices of op(X) that gemm_ozaki forms of op(A), or of the transpose of op(B). X: rows × columns after `trans`,
/// column-major, leading dimension lda. Throws std::invalid_argument for an array that is too short.
OzakiSlices ozaki_slices(const Executor& on, blas::Transpose trans, std::int64_t rows, std::int64_t columns,
                         std::span<const double> x, std::int64_t lda);

/// X_p·Y_rᵀ in units of the grids: x.rows × y.rows integers, column-major, as the executor's product gives them.
/// Requires: x and y of the same columns and q, p < x.count, r < y.count; otherwise std::invalid_argument is thrown.
std::vector<double> ozaki_slice_product(const Executor& on, const OzakiSlices& x, int p, const OzakiSlices& y, int r);

}  // namespace assay::gemm
