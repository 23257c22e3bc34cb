#include "kernels/limb/cholesky.hpp"

#include <utility>

#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/limb/blas.hpp"
#include "kernels/limb/operations.hpp"

namespace assay::limb {
namespace {

/// to_i ← ±from_(i·step).
struct CopyBody {
  int limbs;
  FloatPlanes from;
  std::size_t step;
  bool negates;
  FloatPlanes to;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::size_t at = i * step;
    for (int k = 0; k < limbs; ++k) {
      to.word[static_cast<std::size_t>(k) * to.plane + i] = from.word[static_cast<std::size_t>(k) * from.plane + at];
    }
    to.exponent[i] = from.exponent[at];
    to.sign[i] = from.sign[at] ^ (negates && from.exponent[at] != nan_exponent ? 1U : 0U);
  }
};

FloatPlanes from(FloatPlanes x, std::int64_t first) {
  return {x.word + first, x.exponent + first, x.sign + first, x.plane};
}

/// A square matrix on an executor: where its parts are, and the operations on them.
class Steps {
 public:
  Steps(const Executor& on, int limbs, FloatPlanes a, std::int64_t lda) : on_(on), limbs_(limbs), a_(a), lda_(lda) {}

  [[nodiscard]] FloatPlanes entry(std::int64_t i, std::int64_t j) const { return from(a_, i + j * lda_); }
  /// to ← ±(every step-th number of x); step 0 repeats one.
  void copy(std::int64_t length, FloatPlanes x, std::int64_t step, FloatPlanes to, bool negates = false) const {
    queue_indices(on_, static_cast<std::size_t>(length),
                  CopyBody{limbs_, x, static_cast<std::size_t>(step), negates, to});
  }
  /// x ← x ∘ y
  void apply(LimbOp op, std::int64_t length, FloatPlanes x, FloatPlanes y) const {
    queue_limb_op(on_, op, Rounding::rn, limbs_, static_cast<std::size_t>(length), x, y, {}, x);
  }
  /// d ← A₁x, A₁ the rows j … n − 1 of the columns before j.
  void multiply(std::int64_t n, std::int64_t j, FloatPlanes x, FloatPlanes d) const {
    queue_limb_gemv(on_, blas::Transpose::no, limbs_, n - j, j, entry(j, 0), lda_, x, d);
  }
  void add_multiple(std::int64_t length, FloatPlanes alpha, FloatPlanes x, FloatPlanes y) const {
    queue_limb_axpy(on_, limbs_, static_cast<std::size_t>(length), alpha, x, y);
  }
  void dot(std::int64_t length, FloatPlanes x, FloatPlanes y, FloatPlanes partial, FloatPlanes d) const {
    queue_limb_dot(on_, limbs_, length, x, y, partial, d);
  }

 private:
  const Executor& on_;
  int limbs_;
  FloatPlanes a_;
  std::int64_t lda_;
};

void require_matrix(const FloatArray& a, std::int64_t n, std::int64_t lda, const char* routine) {
  require_float_array(a, a.limbs, routine, "the matrix");
  blas::require_argument(n >= 0, routine, "n is at least 0");
  blas::require_argument(lda >= 1 && lda >= n, routine, "lda is at least max(1, n)");
  blas::require_argument(blas::holds_matrix(a.length, n, n, lda), routine, "the matrix does not fit into its array");
}

}  // namespace

CholeskyFactor limb_cholesky(const Executor& on, std::int64_t n, const FloatArray& a, std::int64_t lda) {
  require_matrix(a, n, lda, "limb_cholesky");
  const auto size = static_cast<std::size_t>(n);
  const FloatArrayOn matrix(on, a);
  const FloatArrayOn row(on, a.limbs, size);
  const FloatArrayOn d(on, a.limbs, size);
  const Steps steps(on, a.limbs, matrix.planes(), lda);
  for (std::int64_t j = 0; j < n; ++j) {
    const FloatPlanes column = steps.entry(j, j);
    if (j > 0) {
      steps.copy(j, steps.entry(j, 0), lda, row.planes());
      steps.multiply(n, j, row.planes(), d.planes());
      steps.apply(LimbOp::sub, n - j, column, d.planes());
    }
    steps.apply(LimbOp::sqrt, 1, column, {});
    steps.copy(n - j - 1, column, 0, row.planes());
    steps.apply(LimbOp::div, n - j - 1, from(column, 1), row.planes());
  }
  wait(on);
  CholeskyFactor factor{matrix.take(a.limbs), 0};
  static_cast<void>(row.take(a.limbs));
  static_cast<void>(d.take(a.limbs));
  while (factor.failed < n) {
    const std::int32_t exponent = factor.l.exponent[static_cast<std::size_t>(factor.failed * (lda + 1))];
    if (exponent < least_exponent || exponent > most_exponent) break;
    ++factor.failed;
  }
  return factor;
}

FloatArray limb_cholesky_solve(const Executor& on, std::int64_t n, const FloatArray& l, std::int64_t lda,
                               const FloatArray& b) {
  constexpr const char* routine = "limb_cholesky_solve";
  require_matrix(l, n, lda, routine);
  require_float_array(b, l.limbs, routine, "b");
  blas::require_argument(std::cmp_equal(b.length, n), routine, "b has n numbers");
  const FloatArrayOn matrix(on, l);
  const FloatArrayOn unknowns(on, b);
  const FloatArrayOn scalar(on, l.limbs, 1);
  const FloatArrayOn partial(on, l.limbs, static_cast<std::size_t>(limb_dot_splits(n)));
  const Steps steps(on, l.limbs, matrix.planes(), lda);
  const FloatPlanes x = unknowns.planes();
  for (std::int64_t j = 0; j < n; ++j) {
    steps.apply(LimbOp::div, 1, from(x, j), steps.entry(j, j));
    steps.copy(1, from(x, j), 0, scalar.planes(), true);
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
