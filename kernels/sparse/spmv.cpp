#include "kernels/sparse/spmv.hpp"

#include <algorithm>
#include <utility>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/sparse/detail/spmv_block.hpp"

namespace assay::sparse {
namespace {

using blas::require_argument;

constexpr std::int64_t most_entries = (std::int64_t{1} << 28) - 1;  ///< of a row

template <class Matrix>
void queue(const Executor& on, const Matrix& a, const double* x, double* y, Rounding to) {
  using Kernel = detail::SpmvBlock<Matrix>;
  if (a.rows != 0) queue_blocks(on, static_cast<std::size_t>((a.rows - 1) / Kernel::rows + 1), Kernel{a, x, y, to});
}

bool has_columns(std::span<const std::int32_t> indices, std::int64_t least, std::int64_t columns) {
  return std::ranges::all_of(indices, [&](std::int32_t each) { return least <= each && each < columns; });
}

/// What both formats ask.
void require_shape(const char* routine, std::int64_t rows, std::int64_t columns, std::size_t indices,
                   std::size_t values, std::size_t x) {
  require_argument(rows >= 0 && columns >= 0, routine, "rows and columns are at least 0");
  require_argument(std::cmp_equal(x, columns), routine, "x has one number for each column");
  require_argument(indices == values, routine, "each value has a column");
}

void require_matrix(const CsrMatrix& a, std::span<const double> x) {
  constexpr const char* routine = "csr_spmv";
  require_shape(routine, a.rows, a.columns, a.column_indices.size(), a.values.size(), x.size());
  const std::vector<std::int64_t>& offsets = a.row_offsets;
  require_argument(!offsets.empty() && std::cmp_equal(offsets.size() - 1, a.rows), routine,
                   "there is one row offset more than rows");
  require_argument(offsets.front() == 0, routine, "the first row offset is 0");
  require_argument(std::ranges::is_sorted(offsets), routine, "row offsets do not fall");
  require_argument(std::cmp_equal(offsets.back(), a.values.size()), routine, "the last row offset counts the values");
  const auto is_long = [](std::int64_t from, std::int64_t to) { return to - from > most_entries; };
  require_argument(std::ranges::adjacent_find(offsets, is_long) == offsets.end(), routine,
                   "a row has fewer than 2^28 entries");
  require_argument(has_columns(a.column_indices, 0, a.columns), routine, "columns are from 0 to the last one");
}

void require_matrix(const EllpackMatrix& a, std::span<const double> x) {
  constexpr const char* routine = "ellpack_spmv";
  require_shape(routine, a.rows, a.columns, a.column_indices.size(), a.values.size(), x.size());
  require_argument(a.width >= 0 && a.width <= most_entries, routine, "the width is from 0 to 2^28 - 1");
  require_argument(a.rows == 0 || a.width == 0
                       ? a.values.empty()
                       : std::cmp_equal(a.values.size() / static_cast<std::size_t>(a.rows), a.width) &&
                             a.values.size() % static_cast<std::size_t>(a.rows) == 0,
                   routine, "each row has as many values as the matrix is wide");
  require_argument(has_columns(a.column_indices, no_column, a.columns), routine,
                   "columns are from 0 to the last one, or -1");
}

}  // namespace

EllpackMatrix ellpack_of(const CsrMatrix& a, double filler) {
  EllpackMatrix b{a.rows, a.columns, 0, {}, {}};
  const auto rows = static_cast<std::size_t>(a.rows);
  for (std::size_t i = 0; i < rows; ++i) b.width = std::max(b.width, a.row_offsets[i + 1] - a.row_offsets[i]);
  b.column_indices.assign(rows * static_cast<std::size_t>(b.width), no_column);
  b.values.assign(b.column_indices.size(), filler);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto first = static_cast<std::size_t>(a.row_offsets[i]);
    for (std::size_t at = first; at < static_cast<std::size_t>(a.row_offsets[i + 1]); ++at) {
      b.column_indices[i + (at - first) * rows] = a.column_indices[at];
      b.values[i + (at - first) * rows] = a.values[at];
    }
  }
  return b;
}

void csr_spmv(const Executor& on, const CsrOn& a, const double* x, double* y, Rounding to) {
  require_argument(a.rows >= 0, "csr_spmv", "rows is at least 0");
  queue(on, a, x, y, to);
}

void ellpack_spmv(const Executor& on, const EllpackOn& a, const double* x, double* y, Rounding to) {
  require_argument(a.rows >= 0 && a.width >= 0, "ellpack_spmv", "rows and width are at least 0");
  queue(on, a, x, y, to);
}

std::vector<double> csr_spmv(const Executor& on, const CsrMatrix& a, std::span<const double> x, Rounding to) {
  require_matrix(a, x);
  const Array<std::int64_t> offsets(on, a.row_offsets);
  const Array<std::int32_t> columns(on, a.column_indices);
  const Array<double> values(on, a.values);
  const Array<double> vector(on, x);
  const Array<double> result(on, static_cast<std::size_t>(a.rows));
  csr_spmv(on, {a.rows, offsets.data(), columns.data(), values.data()}, vector.data(), result.data(), to);
  wait(on);
  offsets.compare(a.row_offsets);
  columns.compare(a.column_indices);
  values.compare(a.values);
  vector.compare(x);
  return result.take();
}

std::vector<double> ellpack_spmv(const Executor& on, const EllpackMatrix& a, std::span<const double> x, Rounding to) {
  require_matrix(a, x);
  const Array<std::int32_t> columns(on, a.column_indices);
  const Array<double> values(on, a.values);
  const Array<double> vector(on, x);
  const Array<double> result(on, static_cast<std::size_t>(a.rows));
  ellpack_spmv(on, {a.rows, a.width, columns.data(), values.data()}, vector.data(), result.data(), to);
  wait(on);
  columns.compare(a.column_indices);
  values.compare(a.values);
  vector.compare(x);
  return result.take();
}

}  // namespace assay::sparse
