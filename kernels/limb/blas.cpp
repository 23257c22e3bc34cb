#include "kernels/limb/blas.hpp"

#include "kernels/limb/detail/sums.hpp"
#include "kernels/limb/lengths.hpp"

namespace assay::limb {
namespace {

void require_scalar(const FloatArray& x, int limbs, const char* routine, const char* name) {
  require_float_array(x, limbs, routine, name);
  blas::require_argument(x.length == 1, routine, "a scalar is an array of length 1");
}

bool is_zero_scalar(const FloatArray& x) { return x.exponent[0] == zero_exponent; }

}  // namespace

void queue_limb_axpy(const Executor& on, int limbs, std::size_t length, FloatPlanes alpha, FloatPlanes x,
                     FloatPlanes y) {
  with_limbs(limbs, "limb_axpy",
             [&]<int L>(std::integral_constant<int, L>) { detail::queue_axpy<L>(on, length, alpha, x, y); });
}

void queue_limb_dot(const Executor& on, int limbs, std::int64_t length, FloatPlanes x, FloatPlanes y,
                    FloatPlanes partial, FloatPlanes d) {
  with_limbs(limbs, "limb_dot",
             [&]<int L>(std::integral_constant<int, L>) { detail::queue_dot<L>(on, length, x, y, partial, d); });
}

void queue_limb_gemv(const Executor& on, blas::Transpose trans, int limbs, std::int64_t m, std::int64_t n,
                     FloatPlanes a, std::int64_t lda, FloatPlanes x, FloatPlanes d) {
  with_limbs(limbs, "limb_gemv",
             [&]<int L>(std::integral_constant<int, L>) { detail::queue_gemv<L>(on, trans, m, n, a, lda, x, d); });
}

FloatArray limb_axpy(const Executor& on, const FloatArray& alpha, const FloatArray& x, const FloatArray& y) {
  constexpr const char* routine = "limb_axpy";
  require_scalar(alpha, y.limbs, routine, "alpha");
  require_float_array(x, y.limbs, routine, "x");
  require_float_array(y, y.limbs, routine, "y");
  blas::require_argument(x.length == y.length, routine, "x and y have one length");
  const FloatArrayOn factor(on, alpha);
  const FloatArrayOn terms(on, x);
  const FloatArrayOn result(on, y);
  queue_limb_axpy(on, y.limbs, y.length, factor.planes(), terms.planes(), result.planes());
  wait(on);
  factor.compare(alpha);
  terms.compare(x);
  return result.take(y.limbs);
}

FloatArray limb_dot(const Executor& on, const FloatArray& x, const FloatArray& y) {
  constexpr const char* routine = "limb_dot";
  require_float_array(x, x.limbs, routine, "x");
  require_float_array(y, x.limbs, routine, "y");
  blas::require_argument(x.length == y.length, routine, "x and y have one length");
  const auto length = static_cast<std::int64_t>(x.length);
  const FloatArrayOn a(on, x);
  const FloatArrayOn b(on, y);
  const FloatArrayOn partial(on, x.limbs, static_cast<std::size_t>(limb_dot_splits(length)));
  const FloatArrayOn d(on, x.limbs, 1);
  queue_limb_dot(on, x.limbs, length, a.planes(), b.planes(), partial.planes(), d.planes());
  wait(on);
  a.compare(x);
  b.compare(y);
  static_cast<void>(partial.take(x.limbs));  // includes the guard zones of the workspace
  return d.take(x.limbs);
}

FloatArray limb_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, const FloatArray& alpha,
                     const FloatArray& a, std::int64_t lda, const FloatArray& x, const FloatArray& beta,
                     const FloatArray& y) {
  constexpr const char* routine = "limb_gemv";
  require_scalar(alpha, y.limbs, routine, "alpha");
  require_scalar(beta, y.limbs, routine, "beta");
  require_float_array(a, y.limbs, routine, "A");
  require_float_array(x, y.limbs, routine, "x");
  require_float_array(y, y.limbs, routine, "y");
  blas::require_argument(m >= 0 && n >= 0, routine, "the shape is not negative");
  blas::require_argument(lda >= m && lda > 0, routine, "the leading dimension is at least the number of rows, and 1");
  blas::require_argument(blas::holds_matrix(a.length, m, n, lda), routine, "A does not fit into its array");
  const std::int64_t outputs = trans == blas::Transpose::yes ? n : m;
  const std::int64_t terms = trans == blas::Transpose::yes ? m : n;
  blas::require_argument(static_cast<std::int64_t>(x.length) == terms && static_cast<std::int64_t>(y.length) == outputs,
                         routine, "x and y have the lengths of op(A)");
  const bool multiplies = !is_zero_scalar(alpha);
  const FloatArrayOn factor(on, alpha);
  const FloatArrayOn matrix(on, a);
  const FloatArrayOn vector(on, x);
  const FloatArrayOn scale(on, beta);
  const FloatArrayOn d(on, y.limbs, y.length);
  const FloatArrayOn result(on, y);
  if (multiplies) {
    queue_limb_gemv(on, trans, y.limbs, m, n, matrix.planes(), lda, vector.planes(), d.planes());
  }
  with_limbs(y.limbs, routine, [&]<int L>(std::integral_constant<int, L>) {
    detail::queue_update<L>(on, y.length, factor.planes(), d.planes(), scale.planes(), result.planes(), multiplies,
                            !is_zero_scalar(beta));
  });
  wait(on);
  factor.compare(alpha);
  matrix.compare(a);
  vector.compare(x);
  scale.compare(beta);
  static_cast<void>(d.take(y.limbs));
  return result.take(y.limbs);
}

}  // namespace assay::limb
