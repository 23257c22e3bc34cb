#include <algorithm>

#include "assay/prober/prober.hpp"

namespace assay::prober {
namespace {

using tensor_core::Result;
using tensor_core::Step;

/// Whether the error of a chain of the first steps is at most the error of a chain of the other steps: (k − q)·2⁻ᶠ +
/// q·2⁻²³ with q = ⌈k/b⌉ falls if b or F grows.
bool is_as_good(const Step& step, const Step& other) {
  return step.terms >= other.terms && step.fraction_bits >= other.fraction_bits;
}

/// For steps whose results are binary32 toward zero with m fraction bits.
std::string of_steps(const Unit& unit, const Step& step, const Shape& shape) {
  constexpr int m_of_single = 23;
  constexpr int m_of_fp8 = 13;
  constexpr int promotion = 128;
  constexpr int least_slice = 32;  // for the contracts split_k: s = ⌈k/32⌉ slices
  const bool is_chain = shape.slices == 1;
  const bool is_fp8 = unit.input == Number::e4m3 || unit.input == Number::e5m2;
  if (step.fraction_bits < m_of_single || step.result == Result::e8m13_rz) {
    if (!is_fp8 || step.fraction_bits < m_of_fp8) return "";
    return is_chain ? "fp8_raw" : shape.slice == promotion ? "fp8_promoted" : "";
  }
  if (unit.input == Number::f32) {
    if (!is_chain) return "";
    return is_as_good(step, tensor_core::hopper_tf32) ? "tf32_hopper" : "tf32";
  }
  const bool is_hopper = !is_fp8 && is_as_good(step, tensor_core::hopper_f16);
  if (!is_chain) {
    if (shape.slices > (unit.products + least_slice - 1) / least_slice) return "";
    return is_hopper ? "split_k_hopper" : "split_k";
  }
  if (is_hopper) return "tensor_core_hopper";
  return !is_fp8 && is_as_good(step, tensor_core::ampere_f16) ? "tensor_core_ampere" : "tensor_core";
}

}  // namespace

std::string contract_of(const Unit& unit, const Finding& finding) {
  if (!finding.arithmetic || !finding.order) return "";
  const Arithmetic& arithmetic = *finding.arithmetic;
  if (arithmetic.flushes_inputs || arithmetic.flushes_results || arithmetic.rule == Rule::saturates) return "";
  if (arithmetic.rule == Rule::wraps) return "exact";
  if (arithmetic.rule == Rule::fma && unit.result == Number::f64) return "fma_chain";
  if (arithmetic.rule != Rule::step) return "inner_product";
  const Step& step = arithmetic.step;
  const std::optional<Shape> shape = shape_of(*finding.order, unit);
  if (!shape || step.alignment != tensor_core::Alignment::toward_zero || step.result == Result::f32_rn) return "";
  if (step.result != Result::f16_rn) return of_steps(unit, step, *shape);
  const Step expected = tensor_core::hopper_f16;
  const bool is_kept =
      shape->slices == 1 && step.terms == expected.terms && step.fraction_bits >= expected.fraction_bits;
  return is_kept ? "f16_accumulate" : "";
}

}  // namespace assay::prober
