#pragma once
// Matrices of functions with a leading dimension: their columns have gaps, which follow from the numbers of a case, so
// that a case is called in the same way whenever it is called.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/contracts/increments.hpp"

namespace assay::contracts::factorizations {

/// Columns of `rows` numbers, `lda` apart.
struct StoredColumns {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t lda;
};

/// The leading dimension is the least one in half of all cases.
inline StoredColumns stored_columns(std::int64_t rows, std::int64_t columns, std::uint64_t hash) {
  static constexpr std::array<std::int64_t, 4> gaps{0, 0, 1, 3};
  return {rows, columns, std::max<std::int64_t>(1, rows) + gaps[(hash >> 16) % gaps.size()]};
}

/// The array of a matrix. NaNs stand in its gaps.
template <FloatingPoint T>
std::vector<T> with_gaps(const std::vector<T>& a, const StoredColumns& at) {
  std::vector<T> array(static_cast<std::size_t>(at.lda * at.columns), number_of<T>(format<T>.nan()));
  for (std::int64_t j = 0; j < at.columns; ++j) {
    std::copy_n(a.begin() + j * at.rows, at.rows, array.begin() + j * at.lda);
  }
  return array;
}

/// The matrix of the array of an output into `a`. A gap that was written counts as a guard zone that was.
template <FloatingPoint T>
void without_gaps(const Executor& on, const std::vector<T>& array, const StoredColumns& at, T* a) {
  for (std::int64_t j = 0; j < at.columns; ++j) {
    const auto column = array.begin() + j * at.lda;
    std::copy_n(column, at.rows, a + j * at.rows);
    const bool is_intact =
        std::all_of(column + at.rows, column + at.lda, [](const T& gap) { return bits_of(gap) == format<T>.nan(); });
    if (!is_intact) on.record_guard_zone_violation();
  }
}

}  // namespace assay::contracts::factorizations
