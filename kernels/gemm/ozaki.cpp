#include "kernels/gemm/ozaki.hpp"

#include <string>

#include "exec/array.hpp"
#include "kernels/gemm/detail/ozaki_engine.hpp"

namespace assay::gemm {

SliceCapError::SliceCapError(int needed, int cap)
    : std::runtime_error("gemm_ozaki: " + std::to_string(needed) + " slices are needed, and the cap is " +
                         std::to_string(cap)),
      needed_(needed),
      cap_(cap) {}

OzakiPlan gemm_ozaki(const Executor& on, const GemmArguments& arguments, const GemmOptions& options,
                     const OzakiMode& mode) {
  return detail::OzakiProduct(on, arguments, options, mode).run();
}

OzakiSlices ozaki_slices(const Executor& on, blas::Transpose trans, std::int64_t rows, std::int64_t columns,
                         std::span<const double> x, std::int64_t lda) {
  constexpr const char* routine = "ozaki_slices";
  const bool transposed = trans == blas::Transpose::yes;
  const std::int64_t stored_rows = transposed ? columns : rows;
  blas::require_argument(rows >= 0 && columns >= 0, routine, "rows and columns are at least 0");
  blas::require_argument(lda >= 1 && lda >= stored_rows, routine, "lda is at least 1 and the rows of x as stored");
  blas::require_argument(blas::holds_matrix(x.size(), stored_rows, transposed ? rows : columns, lda), routine,
                         "x is too short");
  OzakiSlices slices{rows, columns, ozaki::slice_bits(columns), 0, {}, {}};
  if (rows == 0 || columns == 0) return slices;
  const Array<double> matrix(on, x);
  const GemmLines of{matrix.data(), rows, columns, transposed ? lda : 1, transposed ? 1 : lda, nullptr, 1};
  detail::OzakiLines lines = detail::ozaki_lines(on, of);
  detail::choose_grids(lines, slices.q, 0);
  slices.count = lines.most_slices(0, rows);
  slices.unit = lines.unit;
  const Array<std::int32_t> unit(on, std::span<const std::int32_t>(lines.unit));
  const Array<std::int32_t> zeroed(on, std::span<const std::int32_t>(lines.zeroed));
  const Array<double> digit(on, static_cast<std::size_t>(slices.count * rows * columns));
  const detail::OzakiSplitKernel kernel{of, unit.data(), zeroed.data(),  digit.data(), rows,
                                        1,  rows,        rows * columns, slices.q + 1, slices.count};
  queue_blocks(on, kernel.blocks(), kernel);
  matrix.compare(x);
  slices.digit = digit.take();
  return slices;
}

std::vector<double> ozaki_slice_product(const Executor& on, const OzakiSlices& x, int p, const OzakiSlices& y, int r) {
  constexpr const char* routine = "ozaki_slice_product";
  blas::require_argument(x.columns == y.columns && x.q == y.q, routine, "x and y have the same columns and grid");
  blas::require_argument(p >= 0 && p < x.count && r >= 0 && r < y.count, routine, "there is no such slice");
  const auto plane = [](const OzakiSlices& of, int slice) {
    const auto size = static_cast<std::size_t>(of.rows * of.columns);
    return std::span<const double>(of.digit).subspan(static_cast<std::size_t>(slice) * size, size);
  };
  const Array<double> a(on, plane(x, p));
  const Array<double> b(on, plane(y, r));
  const Array<double> c(on, static_cast<std::size_t>(x.rows * y.rows));
  cublas::dgemm(on, false, true, x.rows, y.rows, x.columns, 1.0, a.data(), x.rows, cublas::no_stride, b.data(), y.rows,
                cublas::no_stride, 0.0, c.data(), x.rows, cublas::no_stride, 1);
  a.compare(plane(x, p));
  b.compare(plane(y, r));
  return c.take();
}

}  // namespace assay::gemm
