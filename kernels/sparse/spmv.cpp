#include "kernels/sparse/spmv.hpp"

#include <algorithm>

#include "arith/bits/ceil_div.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/sparse/arguments.hpp"
#include "kernels/sparse/detail/spmv_block.hpp"

namespace assay::sparse {
namespace {

using blas::require_argument;

template <class Matrix>
void queue(const Executor& on, const Matrix& a, const double* x, double* y, Rounding to) {
  using Kernel = detail::SpmvBlock<Matrix>;
  if (a.rows == 0) return;
  const int rows = Kernel::rows_for(a.rows);
  queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(a.rows, rows)), Kernel{a, x, y, to, rows});
}

}  // namespace

CsrMatrix with_column(const CsrMatrix& a, std::span<const double> b) {
  CsrMatrix joined{0, a.columns + 1, {0}, {}, {}};
  for (std::size_t i = 0; i < b.size(); ++i) {
    joined.append_row();
    for (auto at = static_cast<std::size_t>(a.row_offsets[i]); at < static_cast<std::size_t>(a.row_offsets[i + 1]);
         ++at) {
      joined.append(a.column_indices[at], a.values[at]);
    }
    joined.append(a.columns, b[i]);
  }
  return joined;
}

EllpackMatrix ellpack_of(const CsrMatrix& a, double filler, int words) {
  EllpackMatrix b{a.rows, a.columns, 0, {}, {}};
  const auto rows = static_cast<std::size_t>(a.rows);
  const auto size = static_cast<std::size_t>(words);
  for (std::size_t i = 0; i < rows; ++i) b.width = std::max(b.width, a.row_offsets[i + 1] - a.row_offsets[i]);
  b.column_indices.assign(rows * static_cast<std::size_t>(b.width), no_column);
  b.values.assign(b.column_indices.size() * size, filler);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto first = static_cast<std::size_t>(a.row_offsets[i]);
    for (std::size_t at = first; at < static_cast<std::size_t>(a.row_offsets[i + 1]); ++at) {
      const std::size_t to = i + (at - first) * rows;
      b.column_indices[to] = a.column_indices[at];
      for (std::size_t w = 0; w < size; ++w) b.values[to * size + w] = a.values[at * size + w];
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
  arguments::require_matrix(a, x.size(), 1, "csr_spmv");
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
  arguments::require_matrix(a, x.size(), 1, "ellpack_spmv");
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
