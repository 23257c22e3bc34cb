#include <string>
#include <utility>
#include <vector>

#include "kernels/limb/operations.hpp"
#include "properties/catalog/limb/operation_property.hpp"
#include "properties/framework/hard_cases.hpp"

namespace assay::limb {

namespace {

/// As many cases of 2 and of 4 limbs; fewer of longer numbers.
std::uint64_t quick_cases(int limbs) { return limbs <= 4 ? 4000 : limbs <= 16 ? 2000 : 500; }

template <class Case>
void operation(const char* name, LimbOp op, oracle::LimbOperation truth, int limbs,
               std::vector<InputClass<Case>> classes, const AnyTheorem auto& theorem, const std::string& formula) {
  auto property = limb_operation_property<Case>(
      std::string("limb.") + name + std::to_string(limbs),
      [op](const Executor& on, Rounding to, const FloatArray& x, const FloatArray& y, const FloatArray& z) {
        return limb_op(on, op, to, x, y, z);
      },
      truth, limbs, std::move(classes), theorem, formula);
  property.quick_cases = quick_cases(limbs);
  Registration{std::move(property)};
}

LimbPairCase negated_second(LimbPairCase c) {
  if (c.ey != nan_exponent) c.sy ^= 1;
  return c;
}

void family(int limbs) {
  operation("add", LimbOp::add, oracle::LimbOperation::add, limbs, detail::sum_classes(limbs), limb_add_1, "x + y");
  operation("sub", LimbOp::sub, oracle::LimbOperation::sub, limbs, mapped(detail::sum_classes(limbs), negated_second),
            limb_add_1, "x − y");
  operation("mul", LimbOp::mul, oracle::LimbOperation::mul, limbs, detail::product_classes(limbs), limb_mul_1, "xy");
  operation("div", LimbOp::div, oracle::LimbOperation::div, limbs, detail::quotient_classes(limbs), limb_div_1, "x/y");
  operation("sqrt", LimbOp::sqrt, oracle::LimbOperation::sqrt, limbs, detail::root_classes(limbs), limb_sqrt_1, "√x");
  operation("fma", LimbOp::fma, oracle::LimbOperation::fma, limbs, detail::fused_classes(limbs), limb_fma_1, "xy + z");
}

const LateRegistration families{"limb", [] {
                                  for (const int limbs : {2, 4, 8, 32, 64}) family(limbs);
                                }};

}  // namespace

}  // namespace assay::limb
