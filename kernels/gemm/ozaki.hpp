#pragma once
// C ← RN(α·op(A)·op(B) + β·C) by the Ozaki scheme: matrix products in binary64 without a rounding error.
//
// op(A) = Σ_p A_p and op(B) = Σ_r B_r. A slice A_p holds some consecutive bits of every entry, counted from the top of
// its row; B_r likewise for columns (arith/accumulators/ozaki_split.hpp). All entries of a row of A_p are multiples of
// one power of two, the grid of that row. So the entries have few bits, and every product A_p·B_r is exact in binary64,
// in any order of its additions. A plain loop computes it on the host, and cuBLAS on a device. The products are summed
// up exactly and rounded once. Ozaki, Ogita, Oishi, Rump, Numer. Algorithms 59, 2012; Mukunoki, Ogita, Ozaki,
// Reproducible BLAS routines with tunable accuracy using Ozaki scheme for many-core architectures, PPAM 2019. Derived
// in docs/bounds/gemm.md.
//
// Arguments, and the rules for α = 0, β = 0, k = 0 and zeros: GemmArguments. They are not checked.
// Requires: α and β finite (not checked).
// A row of op(A) or a column of op(B) with an infinity or a NaN counts as zero; `gemm` computes its entries. Where c is
// an infinity or a NaN, the entry is β·c.
// Bit-identical on every executor, for every workspace, by exactness.

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
  near_sum   ///< as published: NearSum of the terms α·product and β·c, each split in two by TwoProd
};

/// The most slices of a line for NearSum, which keeps all terms of an entry in an array of the thread. NearSum is a
/// correctly rounded sum (arith/accumulators/accurate_sum.hpp).
inline constexpr int ozaki_near_sum_slices = 12;

struct OzakiMode {
  OzakiSum sum = OzakiSum::integers;
  /// The number of levels that are formed. Level i has the products A_p·B_r with p + r = i, counted from 0. 0: as many
  /// as correct rounding needs. Otherwise only the products with p + r < levels are formed, and ozaki_bound() in
  /// errorbounds/gemm.hpp bounds the error.
  int levels = 0;
  /// true: all products are formed. false: only as many levels are formed as decide how nearly all entries are rounded
  /// (Ziv's test), and superaccumulators compute the few others. All products are formed, too, for NearSum and if the
  /// inner index has several blocks. The bits are the same. Used only if levels = 0.
  bool every_product = false;
  /// More slices than this, or than ozaki_near_sum_slices for NearSum, throw SliceCapError before C is written. 128 are
  /// always enough for integers: a block of the inner index has at most 2¹⁶ terms.
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

/// How gemm_ozaki divided the work. C is computed in tiles, and the inner index in blocks. The number of slices of a
/// tile depends only on the rows of op(A) and the columns of op(B) of that tile.
struct OzakiPlan {
  int q = 0;         ///< bits of a slice
  int slices_a = 0;  ///< the most slices of a row of op(A)
  int slices_b = 0;  ///< and of a column of op(B)
  std::int64_t tile_rows = 0;
  std::int64_t tile_columns = 0;
  std::int64_t inner = 0;       ///< length of a block of the inner index
  double products = 0;          ///< slice products formed, as a multiple of one product of the whole matrices
  std::uint64_t undecided = 0;  ///< entries that were summed up by superaccumulators
  std::size_t workspace = 0;    ///< bytes on the executor
};

/// C after C ← RN(α·op(A)·op(B) + β·C), and how it was done. To stay within options.budget(),
/// gemm_ozaki first makes the tiles smaller and then the blocks shorter. It throws std::invalid_argument if the
/// smallest block does not fit; C may be written in part then. Waits for the end. Cost: at most slices_a·slices_b
/// products of binary64 matrices, a pass over A and B each, and one over the slice products.
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
/// column-major, leading dimension lda. A row of op(X) with an infinity or a NaN has slices of zeros. Throws
/// std::invalid_argument for negative sizes, a leading dimension that is too small, and an array that is too short.
OzakiSlices ozaki_slices(const Executor& on, blas::Transpose trans, std::int64_t rows, std::int64_t columns,
                         std::span<const double> x, std::int64_t lda);

/// X_p·Y_rᵀ divided by the units of the grids: x.rows × y.rows integers, column-major, computed by cublas::dgemm.
/// Requires: x and y of the same columns and q, p < x.count, r < y.count; otherwise std::invalid_argument is thrown.
std::vector<double> ozaki_slice_product(const Executor& on, const OzakiSlices& x, int p, const OzakiSlices& y, int r);

}  // namespace assay::gemm
