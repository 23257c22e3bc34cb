#pragma once
// + − × ÷ √ and fma on arrays of floating-point numbers of L limbs, each result rounded once; L = 2, 4, 8, 16, 32 or
// 64. A thread computes one number. Each operation is documented at the function of arith/limbs/float_arithmetic.hpp
// that it names; the form of the operands is not checked. Bit-identical on every executor by exactness, and equal to
// MPFR's results.
//
// Functions on arrays throw std::invalid_argument with one line for a number of limbs that is not offered and for
// arrays whose sizes do not fit; all throw ExecutorError when the executor fails.

#include "exec/executor.hpp"
#include "kernels/limb/array.hpp"

namespace assay::limb {

enum class LimbOp {
  add,   ///< x + y
  sub,   ///< x − y
  mul,   ///< xy
  div,   ///< x/y
  sqrt,  ///< √x
  fma,   ///< xy + z
};

/// The operation on each of the numbers, rounded in the direction `to`; operands that it does not have are empty.
FloatArray limb_op(const Executor& on, LimbOp op, Rounding to, const FloatArray& x, const FloatArray& y = {},
                   const FloatArray& z = {});

/// Queues the same for numbers in memory of the executor: result_i = op(x_i, y_i, z_i) for i < length. The result may
/// be an operand. Requires: arrays of that length (not checked).
void queue_limb_op(const Executor& on, LimbOp op, Rounding to, int limbs, std::size_t length, FloatPlanes x,
                   FloatPlanes y, FloatPlanes z, FloatPlanes result);

}  // namespace assay::limb
