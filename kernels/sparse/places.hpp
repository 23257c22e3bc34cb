#pragma once
// Sparse matrices that lie on an executor, and the places of the entries of a row for a kernel.

#include <cstdint>

#include "arith/hd.hpp"

namespace assay::sparse {

/// A matrix in compressed sparse rows that lies on an executor.
template <class Values>
struct BasicCsrOn {
  std::int64_t rows;
  const std::int64_t* row_offsets;
  const std::int32_t* column_indices;
  Values values;

  /// Consecutive threads have consecutive places of a row.
  static constexpr bool row_by_row = true;
};
using CsrOn = BasicCsrOn<const double*>;

/// A matrix in ELLPACK that lies on an executor.
template <class Values>
struct BasicEllpackOn {
  std::int64_t rows;
  std::int64_t width;
  const std::int32_t* column_indices;
  Values values;

  /// Consecutive threads have places of consecutive rows.
  static constexpr bool row_by_row = false;
};
using EllpackOn = BasicEllpackOn<const double*>;

/// The places of a row: first, first + step, …, `count` of them. A place of ELLPACK may hold no entry.
struct Places {
  std::int64_t first, step, count;
};

template <class Values>
ASSAY_HD Places places_of(const BasicCsrOn<Values>& a, std::int64_t i) {
  return {a.row_offsets[i], 1, a.row_offsets[i + 1] - a.row_offsets[i]};
}
template <class Values>
ASSAY_HD Places places_of(const BasicEllpackOn<Values>& a, std::int64_t i) {
  return {i, a.rows, a.width};
}

}  // namespace assay::sparse
