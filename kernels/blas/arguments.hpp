#pragma once
// The checks of arguments that all BLAS-like routines share.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace assay::blas {

/// op(A) = A or Aᵀ.
enum class Transpose { no, yes };

inline void require_argument(bool holds, const char* routine, const char* what) {
  if (!holds) throw std::invalid_argument(std::string(routine) + ": " + what);
}

/// Whether `entries` hold a matrix of rows × columns with the leading dimension.
/// Requires: rows, columns ≥ 0, leading ≥ max(1, rows) (not checked).
inline bool holds_matrix(std::size_t entries, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
  if (rows == 0 || columns == 0) return true;
  const auto length = static_cast<std::uint64_t>(entries);
  const auto last_column = static_cast<std::uint64_t>(rows);
  return last_column <= length &&
         static_cast<std::uint64_t>(columns - 1) <= (length - last_column) / static_cast<std::uint64_t>(leading);
}

/// Whether `entries` hold a vector of the length with the stride; with stride 0 one entry is enough. Requires: length ≥
/// 0 (not checked).
inline bool holds_vector(std::size_t entries, std::int64_t length, std::int64_t stride) {
  const auto forward = static_cast<std::uint64_t>(stride);
  const std::uint64_t step = std::min(forward, 0 - forward);  // |stride|, also for −2⁶³
  return length == 0 || (entries > 0 && (step == 0 || static_cast<std::uint64_t>(length - 1) <= (entries - 1) / step));
}

/// The place of entry 0 of a vector: the last place in memory for a negative stride. 0 for a vector without entries.
inline std::int64_t begin_of(std::int64_t length, std::int64_t stride) {
  return length == 0 ? 0 : (1 - length) * std::min<std::int64_t>(stride, 0);
}

}  // namespace assay::blas
