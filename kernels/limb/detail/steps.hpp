#pragma once
// The steps of the factorizations in limbs, for the files that queue them.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "exec/launch.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/limb/blas.hpp"
#include "kernels/limb/operations.hpp"

namespace assay::limb::detail {

/// to_(i·to_step) ← ±from_(i·step).
struct CopyBody {
  int limbs;
  FloatPlanes from, to;
  bool negates;
  std::size_t step = 1;
  std::size_t to_step = 1;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::size_t at = i * step;
    const std::size_t place = i * to_step;
    for (int k = 0; k < limbs; ++k) {
      to.word[static_cast<std::size_t>(k) * to.plane + place] =
          from.word[static_cast<std::size_t>(k) * from.plane + at];
    }
    to.exponent[place] = from.exponent[at];
    to.sign[place] = from.sign[at] ^ (negates && from.exponent[at] != nan_exponent ? 1U : 0U);
  }
};

/// The planes from number `first` on.
inline FloatPlanes from(FloatPlanes x, std::int64_t first) {
  return {x.word + first, x.exponent + first, x.sign + first, x.plane};
}

/// A square matrix on an executor: where its parts are, and the operations on them, which are queued. Every operation
/// rounds to nearest.
class Steps {
 public:
  Steps(const Executor& on, int limbs, FloatPlanes a, std::int64_t lda) : on_(on), limbs_(limbs), a_(a), lda_(lda) {}

  [[nodiscard]] FloatPlanes entry(std::int64_t i, std::int64_t j) const { return from(a_, i + j * lda_); }
  /// Every to_step-th number of `to` ← every step-th number of x; step 0 repeats one.
  void copy(std::int64_t length, FloatPlanes x, std::int64_t step, FloatPlanes to, std::int64_t to_step = 1) const {
    queue_indices(on_, static_cast<std::size_t>(length),
                  CopyBody{limbs_, x, to, false, static_cast<std::size_t>(step), static_cast<std::size_t>(to_step)});
  }
  /// to_0 ← −x_0
  void negate(FloatPlanes x, FloatPlanes to) const { queue_indices(on_, 1, CopyBody{limbs_, x, to, true}); }
  /// x ← x ∘ y
  void apply(LimbOp op, std::int64_t length, FloatPlanes x, FloatPlanes y) const {
    queue_limb_op(on_, op, Rounding::rn, limbs_, static_cast<std::size_t>(length), x, y, {}, x);
  }
  /// d ← op(B)x, B the m × n entries from `b` on.
  void multiply(blas::Transpose trans, std::int64_t m, std::int64_t n, FloatPlanes b, FloatPlanes x,
                FloatPlanes d) const {
    queue_limb_gemv(on_, trans, limbs_, m, n, b, lda_, x, d);
  }
  /// y ← αx + y
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

inline void require_square(const FloatArray& a, std::int64_t n, std::int64_t lda, const char* routine) {
  require_float_array(a, a.limbs, routine, "the matrix");
  blas::require_argument(n >= 0, routine, "n is at least 0");
  blas::require_argument(lda >= 1 && lda >= n, routine, "lda is at least max(1, n)");
  blas::require_argument(blas::holds_matrix(a.length, n, n, lda), routine, "the matrix does not fit into its array");
}

inline void require_right_side(const FloatArray& b, std::int64_t n, int limbs, const char* routine) {
  require_float_array(b, limbs, routine, "b");
  blas::require_argument(std::cmp_equal(b.length, n), routine, "b has n numbers");
}

/// Whether a pivot is neither 0 nor infinite nor a NaN.
inline bool is_regular(const FloatArray& a, std::int64_t at) {
  const std::int32_t exponent = a.exponent[static_cast<std::size_t>(at)];
  return exponent >= least_exponent && exponent <= most_exponent;
}

}  // namespace assay::limb::detail
