#include "kernels/limb/operations.hpp"

#include "arith/limbs/float_arithmetic.hpp"
#include "exec/launch.hpp"
#include "kernels/limb/lengths.hpp"

namespace assay::limb {
namespace {

template <int L, LimbOp op>
struct LimbOpBody {
  Rounding to;
  FloatPlanes x, y, z, result;
  ASSAY_HD void operator()(std::size_t i) const {
    const Float<L> a = x.load<L>(i);
    if constexpr (op == LimbOp::sqrt) {
      result.store(i, limb::sqrt(a, to));
    } else {
      const Float<L> b = y.load<L>(i);
      if constexpr (op == LimbOp::add) result.store(i, limb::add(a, b, to));
      if constexpr (op == LimbOp::sub) result.store(i, limb::sub(a, b, to));
      if constexpr (op == LimbOp::mul) result.store(i, limb::mul(a, b, to));
      if constexpr (op == LimbOp::div) result.store(i, limb::div(a, b, to));
      if constexpr (op == LimbOp::fma) result.store(i, limb::fma(a, b, z.load<L>(i), to));
    }
  }
};

}  // namespace

void queue_limb_op(const Executor& on, LimbOp op, Rounding to, int limbs, std::size_t length, FloatPlanes x,
                   FloatPlanes y, FloatPlanes z, FloatPlanes result) {
  with_limbs(limbs, "limb_op", [&]<int L>(std::integral_constant<int, L>) {
    switch (op) {
      case LimbOp::add:
        return queue_indices(on, length, LimbOpBody<L, LimbOp::add>{to, x, y, z, result});
      case LimbOp::sub:
        return queue_indices(on, length, LimbOpBody<L, LimbOp::sub>{to, x, y, z, result});
      case LimbOp::mul:
        return queue_indices(on, length, LimbOpBody<L, LimbOp::mul>{to, x, y, z, result});
      case LimbOp::div:
        return queue_indices(on, length, LimbOpBody<L, LimbOp::div>{to, x, y, z, result});
      case LimbOp::sqrt:
        return queue_indices(on, length, LimbOpBody<L, LimbOp::sqrt>{to, x, y, z, result});
      case LimbOp::fma:
        return queue_indices(on, length, LimbOpBody<L, LimbOp::fma>{to, x, y, z, result});
    }
  });
}

FloatArray limb_op(const Executor& on, LimbOp op, Rounding to, const FloatArray& x, const FloatArray& y,
                   const FloatArray& z) {
  constexpr const char* routine = "limb_op";
  const bool reads_y = op != LimbOp::sqrt;
  const bool reads_z = op == LimbOp::fma;
  require_float_array(x, x.limbs, routine, "x");
  require_float_array(y, reads_y ? x.limbs : y.limbs, routine, "y");
  require_float_array(z, reads_z ? x.limbs : z.limbs, routine, "z");
  if (y.length != (reads_y ? x.length : 0) || z.length != (reads_z ? x.length : 0)) {
    throw std::invalid_argument(std::string(routine) + ": the operands have different lengths");
  }
  const FloatArrayOn a(on, x);
  const FloatArrayOn b(on, y);
  const FloatArrayOn c(on, z);
  const FloatArrayOn result(on, x.limbs, x.length);
  queue_limb_op(on, op, to, x.limbs, x.length, a.planes(), b.planes(), c.planes(), result.planes());
  wait(on);
  a.compare(x);
  b.compare(y);
  c.compare(z);
  return result.take(x.limbs);
}

}  // namespace assay::limb
