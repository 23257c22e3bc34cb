#pragma once
// Sparse matrices on the host: compressed sparse rows (CSR) and ELLPACK.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::sparse {

/// Compressed sparse rows. Row i has the entries row_offsets[i] … row_offsets[i + 1] − 1, each with its column and its
/// value, in any order. Entries of a row with the same column add up.
template <class Values>
struct BasicCsrMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::int64_t> row_offsets{0};
  std::vector<std::int32_t> column_indices;
  Values values;

  /// Appends an entry to the last row. Requires: a row, values in a vector (not checked).
  void append(std::int64_t column, double value) {
    column_indices.push_back(static_cast<std::int32_t>(column));
    values.push_back(value);
    ++row_offsets.back();
  }
  void append_row() {
    ++rows;
    row_offsets.push_back(row_offsets.back());
  }
};
using CsrMatrix = BasicCsrMatrix<std::vector<double>>;

/// (A, b): b as a further column after the last one of A. Requires: b has a number for each row of A (not checked).
CsrMatrix with_column(const CsrMatrix& a, std::span<const double> b);

/// The column of a place of an ELLPACK matrix that holds no entry.
inline constexpr std::int32_t no_column = -1;

/// ELLPACK: every row has room for `width` entries. Entry k of row i has its column and its value at i + k·rows. A
/// place with the column −1 holds no entry, and its value is not read. Entries of a row with the same column add up.
template <class Values>
struct BasicEllpackMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t width = 0;
  std::vector<std::int32_t> column_indices;
  Values values;
};
using EllpackMatrix = BasicEllpackMatrix<std::vector<double>>;

/// The same matrix in ELLPACK, as wide as its longest row, with values of this many words; values without an entry are
/// `filler`. Requires: the requirements of the products on a (not checked).
EllpackMatrix ellpack_of(const CsrMatrix& a, double filler = 0, int words = 1);

}  // namespace assay::sparse
