#pragma once
// The requirements of the products of sparse matrices on matrices and vectors on the host.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/blas/arguments.hpp"
#include "kernels/sparse/matrices.hpp"

namespace assay::sparse {
namespace arguments {

/// A row has at most this many entries.
inline constexpr std::int64_t most_entries = (std::int64_t{1} << 28) - 1;

inline bool has_columns(std::span<const std::int32_t> indices, std::int64_t least, std::int64_t columns) {
  return std::ranges::all_of(indices, [&](std::int32_t each) { return least <= each && each < columns; });
}

/// The common requirements of both formats. A has `values` words of values, and the vector x words, with this many
/// words for each number.
template <class Matrix>
void require_shape(const Matrix& a, std::size_t values, std::size_t x, int words, const char* routine) {
  using blas::require_argument;
  const auto size = static_cast<std::size_t>(words);
  require_argument(a.rows >= 0 && a.columns >= 0, routine, "rows and columns are at least 0");
  require_argument(x % size == 0 && std::cmp_equal(x / size, a.columns), routine, "x has one number for each column");
  require_argument(values == a.column_indices.size() * size, routine, "each value has a column");
}

/// Throws std::invalid_argument with one line unless the product satisfies sparse.arguments.1.
template <class Values>
void require_places(const BasicCsrMatrix<Values>& a, std::size_t values, std::size_t x, int words,
                    const char* routine) {
  using blas::require_argument;
  require_shape(a, values, x, words, routine);
  const std::vector<std::int64_t>& offsets = a.row_offsets;
  require_argument(!offsets.empty() && std::cmp_equal(offsets.size() - 1, a.rows), routine,
                   "there is one row offset more than rows");
  require_argument(offsets.front() == 0, routine, "the first row offset is 0");
  require_argument(std::ranges::is_sorted(offsets), routine, "row offsets do not fall");
  require_argument(std::cmp_equal(offsets.back(), a.column_indices.size()), routine,
                   "the last row offset counts the values");
  const auto is_long = [](std::int64_t from, std::int64_t to) { return to - from > most_entries; };
  require_argument(std::ranges::adjacent_find(offsets, is_long) == offsets.end(), routine,
                   "a row has fewer than 2^28 entries");
  require_argument(has_columns(a.column_indices, 0, a.columns), routine, "columns are from 0 to the last one");
}

template <class Values>
void require_places(const BasicEllpackMatrix<Values>& a, std::size_t values, std::size_t x, int words,
                    const char* routine) {
  using blas::require_argument;
  require_shape(a, values, x, words, routine);
  const std::size_t places = a.column_indices.size();
  require_argument(a.width >= 0 && a.width <= most_entries, routine, "the width is from 0 to 2^28 - 1");
  require_argument(a.rows == 0 || a.width == 0 ? places == 0
                                               : std::cmp_equal(places / static_cast<std::size_t>(a.rows), a.width) &&
                                                     places % static_cast<std::size_t>(a.rows) == 0,
                   routine, "each row has as many values as the matrix is wide");
  require_argument(has_columns(a.column_indices, no_column, a.columns), routine,
                   "columns are from 0 to the last one, or -1");
}

/// The same for a matrix whose values are words of binary64.
template <class Matrix>
void require_matrix(const Matrix& a, std::size_t x, int words, const char* routine) {
  require_places(a, a.values.size(), x, words, routine);
}

}  // namespace arguments
}  // namespace assay::sparse
