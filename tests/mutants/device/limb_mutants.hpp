#pragma once
// The L rows of the mutant catalogue: mistakes in the arithmetic of numbers of four limbs, and in their sums of
// products.

#include "kernels/limb/blas.hpp"
#include "kernels/limb/operations.hpp"

namespace assay::mutants {

/// The limbs of the numbers.
inline constexpr int limb_mutant_limbs = 4;

enum class LimbMistake {
  none,
  l1,
  l2,
  l3,
  l4,
  l5,
  l6,
  l7,
  l8,
  l9,
  l10,
  l11,
  l12,
  l13,
  l14,
  l15,
  l16,
  l17,
  l18,
  l19,
  l20,
  l21,
  l22,
  l23,
  l24,
  l25,
  l26,
  l27,
  l28,
  l29,
  l30,
};

/// limb::limb_op with the mistake.
limb::FloatArray limb_op_with(LimbMistake mistake, const Executor& on, limb::LimbOp op, Rounding to,
                              const limb::FloatArray& x, const limb::FloatArray& y, const limb::FloatArray& z);

/// limb::limb_axpy, limb_dot and limb_gemv with the mistake.
limb::FloatArray limb_axpy_with(LimbMistake mistake, const Executor& on, const limb::FloatArray& alpha,
                                const limb::FloatArray& x, const limb::FloatArray& y);
limb::FloatArray limb_dot_with(LimbMistake mistake, const Executor& on, const limb::FloatArray& x,
                               const limb::FloatArray& y);
limb::FloatArray limb_gemv_with(LimbMistake mistake, const Executor& on, blas::Transpose trans, std::int64_t m,
                                std::int64_t n, const limb::FloatArray& alpha, const limb::FloatArray& a,
                                std::int64_t lda, const limb::FloatArray& x, const limb::FloatArray& beta,
                                const limb::FloatArray& y);

}  // namespace assay::mutants
