#include "kernels/expansion/triangular.hpp"

#include <algorithm>

#include "exec/launch.hpp"
#include "kernels/expansion/detail/triangular_kernels.hpp"

namespace assay::expansion {
namespace {

using Span = std::span<const double>;
using blas::Diagonal;
using blas::Side;
using blas::Transpose;
using blas::Triangle;

/// A call: n unknowns in each of several systems, unknown i of system c at b[i·b_step + c·system_step].
struct Call {
  const char* routine;
  int words;
  bool upper;  ///< of op(A), or of op(A)ᵀ if A is on the right
  bool transposed;
  bool unit;
  std::int64_t n, systems;
  Span alpha;
  std::int64_t lda;
  std::int64_t begin, b_step, system_step;

  [[nodiscard]] bool adds_b() const { return !detail::is_zero_expansion(alpha); }

  void queue(const Executor& on, const double* a, double* b, double* workspace) const {
    if (n == 0 || systems == 0) return;
    detail::with_entry_words(words, routine, [&](auto w) {
      constexpr int W = w;
      // The last unknown comes first if the triangle that is solved is an upper one.
      const std::int64_t sign = upper ? -1 : 1;
      const std::int64_t origin = upper ? n - 1 : 0;
      const std::int64_t row_step = n == 1 ? 0 : transposed ? lda : 1;
      const std::int64_t column_step = n == 1 ? 0 : transposed ? 1 : lda;
      const detail::TriangularSystem<W> system{n,
                                               systems,
                                               unit,
                                               adds_b(),
                                               detail::scalar_of<W>(alpha),
                                               a + origin * (row_step + column_step) * W,
                                               sign * row_step,
                                               sign * column_step,
                                               b + (begin + origin * b_step) * W,
                                               sign * b_step,
                                               system_step,
                                               workspace};
      const auto all = static_cast<std::size_t>(n * systems);
      queue_indices(on, all, detail::StartTriangular<W>{system});
      if (!adds_b()) return;
      constexpr std::int64_t panel = detail::SolveTriangularPanel<W>::threads;
      for (std::int64_t first = 0; first < n; first += panel) {
        queue_blocks(on, static_cast<std::size_t>(systems), detail::SolveTriangularPanel<W>{system, first});
        const std::int64_t end = std::min(n, first + panel);
        if (end < n) {
          queue_indices(on, static_cast<std::size_t>((n - end) * systems),
                        detail::EliminateTriangularPanel<W>{system, first, end});
        }
      }
    });
  }

  /// The same on arrays of the host.
  [[nodiscard]] std::vector<double> on_arrays(const Executor& on, Span a, Span b) const {
    if (n == 0 || systems == 0) return {b.begin(), b.end()};
    const Array<double> scratch(on, triangular_workspace(words, n, systems));
    return detail::on_executor(
        on, adds_b() ? a : Span{}, {}, b,
        [&](const double* matrix, const double*, double* right) { queue(on, matrix, right, scratch.data()); });
  }
};

constexpr double one_words[4] = {1, 0, 0, 0};

Call trsv_call(int words, Triangle uplo, Transpose trans, Diagonal diag, std::int64_t n, std::int64_t lda,
               std::int64_t incx) {
  constexpr const char* routine = "expansion_trsv";
  detail::require_words(words, routine);
  blas::require_argument(n >= 0, routine, "n is at least 0");
  blas::require_argument(lda >= 1 && lda >= n, routine, "lda is at least max(1, n)");
  blas::require_argument(incx != 0, routine, "incx is not 0");
  const bool transposed = trans == Transpose::yes;
  const std::int64_t step = n <= 1 ? 1 : incx;
  return {routine, words, (uplo == Triangle::upper) != transposed,          transposed, diag == Diagonal::unit,
          n,       1,     Span(one_words, static_cast<std::size_t>(words)), lda,        blas::begin_of(n, step),
          step,    0};
}

Call trsm_call(int words, Side side, Triangle uplo, Transpose trans, Diagonal diag, std::int64_t m, std::int64_t n,
               Span alpha, std::int64_t lda, std::int64_t ldb) {
  constexpr const char* routine = "expansion_trsm";
  detail::require_words(words, routine);
  detail::require_scalar(words, alpha, routine);
  const bool left = side == Side::left;
  const std::int64_t order = left ? m : n;
  blas::require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  blas::require_argument(lda >= 1 && lda >= order, routine, "lda is at least 1 and the rows of A");
  blas::require_argument(ldb >= 1 && ldb >= m, routine, "ldb is at least max(1, m)");
  // X·op(A) = αB is op(A)ᵀ·Xᵀ = αBᵀ.
  const bool transposed = (trans == Transpose::yes) == left;
  const std::int64_t column_step = n <= 1 ? 1 : ldb;
  return {routine,
          words,
          (uplo == Triangle::upper) != transposed,
          transposed,
          diag == Diagonal::unit,
          order,
          left ? n : m,
          alpha,
          lda,
          0,
          left ? 1 : column_step,
          left ? column_step : 1};
}

}  // namespace

void expansion_trsv(const Executor& on, int words, Triangle uplo, Transpose trans, Diagonal diag, std::int64_t n,
                    const double* a, std::int64_t lda, double* x, std::int64_t incx, double* workspace) {
  trsv_call(words, uplo, trans, diag, n, lda, incx).queue(on, a, x, workspace);
}
std::vector<double> expansion_trsv(const Executor& on, int words, Triangle uplo, Transpose trans, Diagonal diag,
                                   std::int64_t n, Span a, std::int64_t lda, Span x, std::int64_t incx) {
  const Call call = trsv_call(words, uplo, trans, diag, n, lda, incx);
  blas::require_argument(blas::holds_matrix(detail::entries_in(a, words, call.routine), n, n, lda), call.routine,
                         "a is too short");
  blas::require_argument(blas::holds_vector(detail::entries_in(x, words, call.routine), n, incx), call.routine,
                         "x is too short");
  return call.on_arrays(on, a, x);
}

void expansion_trsm(const Executor& on, int words, Side side, Triangle uplo, Transpose trans, Diagonal diag,
                    std::int64_t m, std::int64_t n, Span alpha, const double* a, std::int64_t lda, double* b,
                    std::int64_t ldb, double* workspace) {
  trsm_call(words, side, uplo, trans, diag, m, n, alpha, lda, ldb).queue(on, a, b, workspace);
}
std::vector<double> expansion_trsm(const Executor& on, int words, Side side, Triangle uplo, Transpose trans,
                                   Diagonal diag, std::int64_t m, std::int64_t n, Span alpha, Span a, std::int64_t lda,
                                   Span b, std::int64_t ldb) {
  const Call call = trsm_call(words, side, uplo, trans, diag, m, n, alpha, lda, ldb);
  blas::require_argument(!call.adds_b() || n == 0 || m == 0 ||
                             blas::holds_matrix(detail::entries_in(a, words, call.routine), call.n, call.n, lda),
                         call.routine, "a is too short");
  blas::require_argument(blas::holds_matrix(detail::entries_in(b, words, call.routine), m, n, ldb), call.routine,
                         "b is too short");
  return call.on_arrays(on, a, b);
}

}  // namespace assay::expansion
