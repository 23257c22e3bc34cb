#include "tests/mutants/device/limb_mutants.hpp"

#include "arith/limbs/float_arithmetic.hpp"
#include "exec/launch.hpp"
#include "mutated/L1/arith/limbs/float_arithmetic.hpp"
#include "mutated/L10/arith/limbs/float_arithmetic.hpp"
#include "mutated/L11/arith/limbs/float_arithmetic.hpp"
#include "mutated/L12/arith/limbs/float_arithmetic.hpp"
#include "mutated/L13/arith/limbs/float_arithmetic.hpp"
#include "mutated/L14/arith/limbs/float_arithmetic.hpp"
#include "mutated/L15/arith/limbs/float_arithmetic.hpp"
#include "mutated/L16/arith/limbs/float_arithmetic.hpp"
#include "mutated/L17/arith/limbs/float_arithmetic.hpp"
#include "mutated/L18/arith/limbs/float_arithmetic.hpp"
#include "mutated/L19/arith/limbs/float_arithmetic.hpp"
#include "mutated/L2/arith/limbs/float_arithmetic.hpp"
#include "mutated/L20/arith/limbs/float_arithmetic.hpp"
#include "mutated/L3/arith/limbs/float_arithmetic.hpp"
#include "mutated/L4/arith/limbs/float_arithmetic.hpp"
#include "mutated/L5/arith/limbs/float_arithmetic.hpp"
#include "mutated/L6/arith/limbs/float_arithmetic.hpp"
#include "mutated/L7/arith/limbs/float_arithmetic.hpp"
#include "mutated/L8/arith/limbs/float_arithmetic.hpp"
#include "mutated/L9/arith/limbs/float_arithmetic.hpp"

namespace assay::mutants {

namespace {

using limb::FloatArray;
using limb::FloatArrayOn;
using limb::FloatPlanes;
using Number = limb::Float<limb_mutant_limbs>;

struct LimbOpWith {
  LimbMistake mistake;
  limb::LimbOp op;
  Rounding to;
  FloatPlanes x, y, z, result;

  ASSAY_HD void operator()(std::size_t i) const {
    constexpr int L = limb_mutant_limbs;
    const Number none = limb::zero<L>();
    const bool binary = op != limb::LimbOp::sqrt;
    result.store(i, of(x.load<L>(i), binary ? y.load<L>(i) : none, op == limb::LimbOp::fma ? z.load<L>(i) : none));
  }

  [[nodiscard]] ASSAY_HD Number of(const Number& a, const Number& b, const Number& c) const {
    switch (mistake) {
      case LimbMistake::l1:
        return limb::l1::add(a, b, to);
      case LimbMistake::l2:
        return limb::l2::sqrt(a, to);
      case LimbMistake::l3:
        return limb::l3::mul(a, b, to);
      case LimbMistake::l4:
        return limb::l4::mul(a, b, to);
      case LimbMistake::l5:
        return limb::l5::mul(a, b, to);
      case LimbMistake::l6:
        return limb::l6::add(a, b, to);
      case LimbMistake::l7:
        return limb::l7::add(a, b, to);
      case LimbMistake::l8:
        return limb::l8::fma(a, b, c, to);
      case LimbMistake::l9:
        return limb::l9::add(a, b, to);
      case LimbMistake::l10:
        return limb::l10::add(a, b, to);
      case LimbMistake::l11:
        return limb::l11::mul(a, b, to);
      case LimbMistake::l12:
        return limb::l12::div(a, b, to);
      case LimbMistake::l13:
        return limb::l13::div(a, b, to);
      case LimbMistake::l14:
        return limb::l14::div(a, b, to);
      case LimbMistake::l15:
        return limb::l15::sqrt(a, to);
      case LimbMistake::l16:
        return limb::l16::sqrt(a, to);
      case LimbMistake::l17:
        return limb::l17::sqrt(a, to);
      case LimbMistake::l18:
        return limb::l18::fma(a, b, c, to);
      case LimbMistake::l19:
        return limb::l19::div(a, b, to);
      case LimbMistake::l20:
        return limb::l20::fma(a, b, c, to);
      default:
        return right(a, b, c);
    }
  }
  [[nodiscard]] ASSAY_HD Number right(const Number& a, const Number& b, const Number& c) const {
    switch (op) {
      case limb::LimbOp::add:
        return limb::add(a, b, to);
      case limb::LimbOp::sub:
        return limb::sub(a, b, to);
      case limb::LimbOp::mul:
        return limb::mul(a, b, to);
      case limb::LimbOp::div:
        return limb::div(a, b, to);
      case limb::LimbOp::sqrt:
        return limb::sqrt(a, to);
      case limb::LimbOp::fma:
        break;
    }
    return limb::fma(a, b, c, to);
  }
};

}  // namespace

FloatArray limb_op_with(LimbMistake mistake, const Executor& on, limb::LimbOp op, Rounding to, const FloatArray& x,
                        const FloatArray& y, const FloatArray& z) {
  const FloatArrayOn a(on, x);
  const FloatArrayOn b(on, y);
  const FloatArrayOn c(on, z);
  const FloatArrayOn result(on, limb_mutant_limbs, x.length);
  launch_indices(on, x.length, LimbOpWith{mistake, op, to, a.planes(), b.planes(), c.planes(), result.planes()});
  return result.take(limb_mutant_limbs);
}

}  // namespace assay::mutants
