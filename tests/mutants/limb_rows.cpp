// The promises of numbers of limbs, for the mutants that break them.

#include "properties/catalog/limb/operation_property.hpp"
#include "tests/mutants/device/limb_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using Mistakes = std::vector<std::pair<Planted, LimbMistake>>;

/// The rows of an operation: its results have the same bits as those of MPFR.
template <class Case>
Rows operation_rows(const char* name, limb::LimbOp op, oracle::LimbOperation truth,
                    const std::vector<InputClass<Case>>& classes, const AnyTheorem auto& theorem, const char* formula,
                    const Mistakes& mistakes) {
  return rows_of(mistakes, [&](LimbMistake mistake) {
    auto promise = limb::limb_operation_property<Case>(
        std::string("mutants.limb_") + name,
        [op, mistake](const Executor& on, Rounding to, const limb::FloatArray& x, const limb::FloatArray& y,
                      const limb::FloatArray& z) { return limb_op_with(mistake, on, op, to, x, y, z); },
        truth, limb_mutant_limbs, classes, theorem, formula);
    promise.quick_cases = 2000;
    return TypedModel(std::move(promise));
  });
}

void append(Rows& rows, Rows more) { rows.insert(rows.end(), more.begin(), more.end()); }

}  // namespace

Rows limb_rows() {
  constexpr int L = limb_mutant_limbs;
  using limb::LimbOp;
  using Truth = oracle::LimbOperation;
  Rows rows;
  append(rows, operation_rows(
                   "add", LimbOp::add, Truth::add, limb::detail::sum_classes(L), limb_add_1, "x + y",
                   Mistakes{{{"L1", "a tie is rounded away from zero", 40}, LimbMistake::l1},
                            {{"L6", "bits of an addend below the window are forgotten", 40}, LimbMistake::l6},
                            {{"L7", "a difference with bits below the window borrows nothing", 40}, LimbMistake::l7},
                            {{"L9", "a difference keeps the sign of the first operand", 40}, LimbMistake::l9},
                            {{"L10", "an exact zero has the sign + in RD", 40}, LimbMistake::l10}}));
  append(rows, operation_rows(
                   "mul", LimbOp::mul, Truth::mul, limb::detail::product_classes(L), limb_mul_1, "xy",
                   Mistakes{{{"L3", "a significand that overflows does not raise the exponent", 128}, LimbMistake::l3},
                            {{"L4", "half of the least number is rounded up", 40}, LimbMistake::l4},
                            {{"L5", "a directed rounding overflows to infinity", 40}, LimbMistake::l5},
                            {{"L11", "the product of the lowest limbs is left out", 256}, LimbMistake::l11}}));
  append(rows, operation_rows(
                   "div", LimbOp::div, Truth::div, limb::detail::quotient_classes(L), limb_div_1, "x/y",
                   Mistakes{{{"L12", "the digit of a quotient is corrected once at most", 40}, LimbMistake::l12},
                            {{"L13", "the remainder of a quotient does not count in rounding", 256}, LimbMistake::l13},
                            {{"L14", "the estimate of a digit may exceed a limb", 40}, LimbMistake::l14},
                            {{"L19", "the difference of exponents has 32 bits", 40}, LimbMistake::l19}}));
  append(rows, operation_rows(
                   "sqrt", LimbOp::sqrt, Truth::sqrt, limb::detail::root_classes(L), limb_sqrt_1, "√x",
                   Mistakes{{{"L2", "what lies below the integer does not count in rounding", 128}, LimbMistake::l2},
                            {{"L15", "the root of an odd exponent is rounded toward zero", 40}, LimbMistake::l15},
                            {{"L16", "the double of a root loses the carry of a limb", 40}, LimbMistake::l16},
                            {{"L17", "a digit of a root is corrected by one too few", 40}, LimbMistake::l17}}));
  append(rows,
         operation_rows(
             "fma", LimbOp::fma, Truth::fma, limb::detail::fused_classes(L), limb_fma_1, "xy + z",
             Mistakes{{{"L8", "the window of the fused operation has no guard limb", 260}, LimbMistake::l8},
                      {{"L18", "the product is rounded before the sum of the fused operation", 40}, LimbMistake::l18},
                      {{"L20", "an infinite addend of the fused operation is a number", 40}, LimbMistake::l20}}));
  return rows;
}

}  // namespace assay::mutants
