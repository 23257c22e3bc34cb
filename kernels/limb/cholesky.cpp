#include "kernels/limb/cholesky.hpp"

#include "exec/workspace.hpp"
#include "kernels/limb/detail/steps.hpp"

namespace assay::limb {
namespace {

using detail::from;
using detail::Steps;

/// Queues the factorization.
void factorize(const Executor& on, int limbs, std::int64_t n, FloatPlanes a, std::int64_t lda, FloatPlanes row,
               FloatPlanes d) {
  const Steps steps(on, limbs, a, lda);
  for (std::int64_t j = 0; j < n; ++j) {
    const FloatPlanes column = steps.entry(j, j);
    const std::int64_t length = n - j;
    const std::int64_t rest = length - 1;
    if (j > 0) {
      steps.copy(j, steps.entry(j, 0), lda, row);
      steps.multiply(blas::Transpose::no, length, j, steps.entry(j, 0), row, d);
      steps.apply(LimbOp::sub, length, column, d);
    }
    steps.apply(LimbOp::sqrt, 1, column, {});
    steps.copy(rest, column, 0, row);
    steps.apply(LimbOp::div, rest, from(column, 1), row);
  }
}

}  // namespace

void queue_limb_cholesky(const Executor& on, int limbs, std::int64_t n, FloatPlanes a, std::int64_t lda,
                         FloatPlanes row, FloatPlanes d) {
  factorize(on, limbs, n, a, lda, row, d);
}

CholeskyFactor limb_cholesky(const Executor& on, std::int64_t n, const FloatArray& a, std::int64_t lda) {
  detail::require_square(a, n, lda, "limb_cholesky");
  const auto size = static_cast<std::size_t>(n);
  const FloatArrayOn matrix(on, a);
  const FloatArrayOn row(on, a.limbs, size);
  const FloatArrayOn d(on, a.limbs, size);
  factorize(on, a.limbs, n, matrix.planes(), lda, row.planes(), d.planes());
  wait(on);
  CholeskyFactor factor{matrix.take(a.limbs), 0};
  static_cast<void>(row.take(a.limbs));
  static_cast<void>(d.take(a.limbs));
  while (factor.failed < n && detail::is_regular(factor.lower, factor.failed * (lda + 1))) ++factor.failed;
  return factor;
}

FloatArray limb_cholesky_solve(const Executor& on, std::int64_t n, const FloatArray& l, std::int64_t lda,
                               const FloatArray& b) {
  constexpr const char* routine = "limb_cholesky_solve";
  detail::require_square(l, n, lda, routine);
  detail::require_right_side(b, n, l.limbs, routine);
  const FloatArrayOn matrix(on, l);
  const FloatArrayOn unknowns(on, b);
  const FloatArrayOn scalar(on, l.limbs, 1);
  const FloatArrayOn partial(on, l.limbs, static_cast<std::size_t>(limb_dot_splits(n)));
  const Steps steps(on, l.limbs, matrix.planes(), lda);
  const FloatPlanes x = unknowns.planes();
  for (std::int64_t j = 0; j < n; ++j) {
    steps.apply(LimbOp::div, 1, from(x, j), steps.entry(j, j));
    steps.negate(from(x, j), scalar.planes());
    steps.add_multiple(n - j - 1, scalar.planes(), steps.entry(j + 1, j), from(x, j + 1));
  }
  for (std::int64_t j = n; j-- > 0;) {
    steps.dot(n - j - 1, steps.entry(j + 1, j), from(x, j + 1), partial.planes(), scalar.planes());
    steps.apply(LimbOp::sub, 1, from(x, j), scalar.planes());
    steps.apply(LimbOp::div, 1, from(x, j), steps.entry(j, j));
  }
  wait(on);
  matrix.compare(l);
  static_cast<void>(scalar.take(l.limbs));
  static_cast<void>(partial.take(l.limbs));
  return unknowns.take(l.limbs);
}

}  // namespace assay::limb
