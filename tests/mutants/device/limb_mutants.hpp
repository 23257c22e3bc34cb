#pragma once
// The L rows of the mutant catalog: mistakes in the arithmetic of numbers of four limbs.

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
};

/// limb::limb_op with the mistake.
limb::FloatArray limb_op_with(LimbMistake mistake, const Executor& on, limb::LimbOp op, Rounding to,
                              const limb::FloatArray& x, const limb::FloatArray& y, const limb::FloatArray& z);

}  // namespace assay::mutants
