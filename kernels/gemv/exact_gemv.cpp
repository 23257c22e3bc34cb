#include <algorithm>

#include "arith/bits/ceil_div.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "kernels/gemv/exact_gemv_block.hpp"

namespace assay::gemv {
namespace {

constexpr const char* routine = "exact_gemv";

void check_shape(std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t incx, std::int64_t incy) {
  using blas::require_argument;
  blas::require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  blas::require_argument(lda >= 1 && lda >= m, routine, "lda is at least max(1, m)");
  blas::require_argument(incx != 0 && incy != 0, routine, "incx and incy are not 0");
}

template <bool transposed>
void queue(const Executor& on, detail::ExactGemvBlock<transposed> block) {
  queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(block.outputs, block.entries)), block);
}

}  // namespace

void exact_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha,
                const double* a, std::int64_t lda, const double* x, std::int64_t incx, double beta, double* y,
                std::int64_t incy, Rounding to) {
  check_shape(m, n, lda, incx, incy);
  const bool transposed = trans == blas::Transpose::yes;
  const std::int64_t outputs = transposed ? n : m;
  const std::int64_t terms = transposed ? m : n;
  if (outputs == 0 || terms == 0 || (alpha == 0 && beta == 1)) return;
  blas::require_argument(terms < std::int64_t{1} << 28, routine, "an entry has fewer than 2^28 terms");
  // The step of a vector with at most one entry may be any number; steps are never multiplied beyond the indices.
  if (terms == 1) incx = 1;
  if (outputs == 1) incy = 1;
  if (n == 1) lda = m;
  if (alpha == 0) {
    a = x = nullptr;
  } else {
    x += blas::begin_of(terms, incx);
  }
  y += blas::begin_of(outputs, incy);
  const std::int64_t read = alpha == 0 ? 0 : terms;
  if (transposed) {
    queue<true>(on, {outputs, read, alpha, a, lda, x, incx, beta, y, incy, to});
  } else {
    queue<false>(on, {outputs, read, alpha, a, lda, x, incx, beta, y, incy, to});
  }
}

std::vector<double> exact_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, double alpha,
                               std::span<const double> a, std::int64_t lda, std::span<const double> x,
                               std::int64_t incx, double beta, std::span<const double> y, std::int64_t incy,
                               Rounding to) {
  using blas::require_argument;
  check_shape(m, n, lda, incx, incy);
  const std::int64_t outputs = trans == blas::Transpose::yes ? n : m;
  const std::int64_t terms = trans == blas::Transpose::yes ? m : n;
  const bool empty = outputs == 0 || terms == 0;
  blas::require_argument(empty || blas::holds_vector(y.size(), outputs, incy), routine, "y is too short");
  if (empty || alpha == 0) {
    a = x = {};
  } else {
    blas::require_argument(blas::holds_matrix(a.size(), m, n, lda), routine, "a is too short");
    blas::require_argument(blas::holds_vector(x.size(), terms, incx), routine, "x is too short");
  }
  const Array<double> matrix(on, a);
  const Array<double> vector(on, x);
  const Array<double> result(on, y);
  exact_gemv(on, trans, m, n, alpha, matrix.data(), lda, vector.data(), incx, beta, result.data(), incy, to);
  wait(on);
  matrix.compare(a);
  vector.compare(x);
  return result.take();
}

}  // namespace assay::gemv
