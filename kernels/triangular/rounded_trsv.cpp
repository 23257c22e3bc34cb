#include "kernels/triangular/rounded_trsv.hpp"

#include <algorithm>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/triangular/detail/substitution.hpp"

namespace assay::triangular {
namespace {

using blas::Diagonal;
using blas::Transpose;
using blas::Triangle;

/// A system by its numbers.
struct System {
  const char* routine;
  bool upper;  ///< of op(A)
  bool transposed;
  bool unit;
  std::int64_t n, lda, incx;

  System(const char* name, Triangle uplo, Transpose trans, Diagonal diag, std::int64_t unknowns, std::int64_t leading,
         std::int64_t stride)
      : routine(name),
        upper((uplo == Triangle::upper) != (trans == Transpose::yes)),
        transposed(trans == Transpose::yes),
        unit(diag == Diagonal::unit),
        n(unknowns),
        lda(leading),
        incx(stride) {
    blas::require_argument(n >= 0, routine, "n is at least 0");
    blas::require_argument(n < std::int64_t{1} << 28, routine, "n is below 2^28");
    blas::require_argument(lda >= 1 && lda >= n, routine, "lda is at least max(1, n)");
    blas::require_argument(incx != 0, routine, "incx is not 0");
  }

  void require_arrays(std::span<const double> a, std::span<const double> x) const {
    blas::require_argument(blas::holds_matrix(a.size(), n, n, lda), routine, "a is too short");
    blas::require_argument(blas::holds_vector(x.size(), n, incx), routine, "x is too short");
  }

  /// The unknown that becomes known first: the last one of an upper triangle.
  [[nodiscard]] std::int64_t origin() const { return upper ? n - 1 : 0; }
  /// The direction of the steps; forward where none is taken, since a step may be any number then.
  [[nodiscard]] std::int64_t sign() const { return origin() > 0 ? -1 : 1; }

  [[nodiscard]] detail::Rows rows(const double* a) const {
    const std::int64_t row_step = transposed ? lda : 1;
    const std::int64_t column_step = transposed ? 1 : lda;
    return {n, unit, a + origin() * row_step + origin() * column_step, sign() * row_step, sign() * column_step};
  }
  /// The vector with stride incx, from its lowest address.
  template <class T>
  [[nodiscard]] detail::Unknowns<T> unknowns(T* x) const {
    return {x + blas::begin_of(n, incx) + origin() * incx, sign() * incx};
  }
};

bool has_zero_diagonal(const System& system, std::span<const double> a) {
  bool found = false;
  for (std::int64_t i = 0; i < system.n && !system.unit; ++i) {
    found = found || a[static_cast<std::size_t>(i + i * system.lda)] == 0;
  }
  return found;
}

}  // namespace

void rounded_trsv(const Executor& on, Triangle uplo, Transpose trans, Diagonal diag, std::int64_t n, const double* a,
                  std::int64_t lda, double* x, std::int64_t incx) {
  const System system("rounded_trsv", uplo, trans, diag, n, lda, incx);
  if (n == 0) return;
  const detail::Unknowns<double> unknowns = system.unknowns(x);
  queue_blocks(on, 1, detail::SubstitutionBlock{system.rows(a), {unknowns.x, unknowns.step}, unknowns, false});
}

std::vector<double> rounded_trsv(const Executor& on, Triangle uplo, Transpose trans, Diagonal diag, std::int64_t n,
                                 std::span<const double> a, std::int64_t lda, std::span<const double> x,
                                 std::int64_t incx) {
  System("rounded_trsv", uplo, trans, diag, n, lda, incx).require_arrays(a, x);
  const Array<double> matrix(on, a);
  const Array<double> result(on, x);
  rounded_trsv(on, uplo, trans, diag, n, matrix.data(), lda, result.data(), incx);
  wait(on);
  matrix.compare(a);
  return result.take();
}

CertifiedSolution certified_trsv(const Executor& on, Triangle uplo, Transpose trans, Diagonal diag, std::int64_t n,
                                 std::span<const double> a, std::int64_t lda, std::span<const double> x,
                                 std::int64_t incx) {
  const System system("certified_trsv", uplo, trans, diag, n, lda, incx);
  system.require_arrays(a, x);
  CertifiedSolution solution{{x.begin(), x.end()}, SolveStatus::certified, 1};
  if (n == 0) return solution;
  if (has_zero_diagonal(system, a)) return {solution.x, SolveStatus::singular, 0};

  const auto size = static_cast<std::size_t>(n);
  const Array<double> matrix(on, a);
  const Array<double> right(on, x);
  const Array<double> words(on, size * most_solution_words);
  const Array<double> residual(on, size);
  const Array<double> bound(on, size);
  const Array<double> rounded(on, size);
  const Array<std::int32_t> certified(on, size);
  const detail::Rows rows = system.rows(matrix.data());
  const detail::Unknowns<const double> b = system.unknowns<const double>(right.data());
  std::vector<double> x_hat;
  for (int word = 0; word < most_solution_words; ++word) {
    const detail::Unknowns<const double> from = word == 0 ? b : detail::Unknowns<const double>{residual.data(), 1};
    queue_blocks(on, 1, detail::SubstitutionBlock{rows, from, {words.data() + word * n, 1}, false});
    queue_indices(on, size, detail::ResidualBody{rows, b, words.data(), word + 1, residual.data(), bound.data()});
    queue_blocks(on, 1, detail::SubstitutionBlock{rows, {bound.data(), 1}, {bound.data(), 1}, true});
    queue_indices(on, size,
                  detail::CertificateBody{n, words.data(), word + 1, bound.data(), rounded.data(), certified.data()});
    wait(on);
    const std::vector<std::int32_t> flags = certified.take();
    x_hat = rounded.take();
    solution.words = word + 1;
    solution.status = std::ranges::all_of(flags, [](std::int32_t flag) { return flag == 1; })
                          ? SolveStatus::certified
                          : SolveStatus::not_certified;
    if (solution.status == SolveStatus::certified) break;
  }
  matrix.compare(a);
  right.compare(x);
  static_cast<void>(words.take());
  static_cast<void>(residual.take());
  static_cast<void>(bound.take());
  const detail::Unknowns<double> unknowns = system.unknowns(solution.x.data());
  for (std::int64_t s = 0; s < n; ++s) unknowns[s] = x_hat[static_cast<std::size_t>(s)];
  return solution;
}

}  // namespace assay::triangular
