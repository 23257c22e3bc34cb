#pragma once
// Sparse matrices that lie on an executor, and where a kernel finds the entries of a row.

#include <cstdint>

#include "arith/hd.hpp"

namespace assay::sparse {

/// CsrMatrix that lies on an executor.
struct CsrOn {
  std::int64_t rows;
  const std::int64_t* row_offsets;
  const std::int32_t* column_indices;
  const double* values;

  /// Consecutive threads have consecutive places of a row.
  static constexpr bool row_by_row = true;
};

/// EllpackMatrix that lies on an executor.
struct EllpackOn {
  std::int64_t rows;
  std::int64_t width;
  const std::int32_t* column_indices;
  const double* values;

  /// Consecutive threads have places of consecutive rows.
  static constexpr bool row_by_row = false;
};

/// The places of a row: first, first + step, …, `count` of them. A place of ELLPACK may hold no entry.
struct Places {
  std::int64_t first, step, count;
};

ASSAY_HD inline Places places_of(const CsrOn& a, std::int64_t i) {
  return {a.row_offsets[i], 1, a.row_offsets[i + 1] - a.row_offsets[i]};
}
ASSAY_HD inline Places places_of(const EllpackOn& a, std::int64_t i) { return {i, a.rows, a.width}; }

}  // namespace assay::sparse
