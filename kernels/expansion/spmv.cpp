#include "kernels/expansion/spmv.hpp"

#include "arith/bits/ceil_div.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/expansion/detail/spmv_kernels.hpp"
#include "kernels/sparse/arguments.hpp"

namespace assay::expansion {
namespace {

constexpr const char* routine = "expansion_spmv";

template <class Matrix>
void queue(const Executor& on, int words, const Matrix& a, const double* x, double* y) {
  detail::with_entry_words(words, routine, [&](auto w) {
    constexpr int W = w;
    using Kernel = detail::SpmvRows<W, Matrix>;
    if (a.rows != 0) queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(a.rows, Kernel::rows)), Kernel{a, x, y});
  });
}

/// Copies the arrays of A except its offsets, x and y to the executor and back; call(columns, values, x, y) queues the
/// product.
template <class Matrix, class Call>
std::vector<double> travel(const Executor& on, int words, const Matrix& a, std::span<const double> x, Call call) {
  const Array<std::int32_t> columns(on, a.column_indices);
  const std::vector<double> unwritten(static_cast<std::size_t>(a.rows) * static_cast<std::size_t>(words));
  std::vector<double> y =
      detail::on_executor(on, a.values, x, unwritten, [&](const double* values, const double* vector, double* result) {
        call(columns.data(), values, vector, result);
      });
  columns.compare(a.column_indices);
  return y;
}

}  // namespace

void expansion_spmv(const Executor& on, int words, const sparse::CsrOn& a, const double* x, double* y) {
  blas::require_argument(a.rows >= 0, routine, "rows is at least 0");
  queue(on, words, a, x, y);
}

void expansion_spmv(const Executor& on, int words, const sparse::EllpackOn& a, const double* x, double* y) {
  blas::require_argument(a.rows >= 0 && a.width >= 0, routine, "rows and width are at least 0");
  queue(on, words, a, x, y);
}

std::vector<double> expansion_spmv(const Executor& on, int words, const sparse::CsrMatrix& a,
                                   std::span<const double> x) {
  detail::require_words(words, routine);
  sparse::arguments::require_matrix(a, x.size(), words, routine);
  const Array<std::int64_t> offsets(on, a.row_offsets);
  std::vector<double> y = travel(
      on, words, a, x, [&](const std::int32_t* columns, const double* values, const double* vector, double* result) {
        expansion_spmv(on, words, sparse::CsrOn{a.rows, offsets.data(), columns, values}, vector, result);
      });
  offsets.compare(a.row_offsets);
  return y;
}

std::vector<double> expansion_spmv(const Executor& on, int words, const sparse::EllpackMatrix& a,
                                   std::span<const double> x) {
  detail::require_words(words, routine);
  sparse::arguments::require_matrix(a, x.size(), words, routine);
  return travel(on, words, a, x,
                [&](const std::int32_t* columns, const double* values, const double* vector, double* result) {
                  expansion_spmv(on, words, sparse::EllpackOn{a.rows, a.width, columns, values}, vector, result);
                });
}

}  // namespace assay::expansion
