#include <fmt/core.h>

#include <array>

#include "assay/prober/prober.hpp"

namespace assay::prober {
namespace {

/// The elements for which a unit of hardware is made.
enum class Kind { half, tf32, fp8 };

struct Row {
  std::string_view architecture;
  Kind kind;
  tensor_core::Step step;
};

/// The units with accumulators in binary32 that keep 23 fraction bits or more. Of two with the same step, the first is
/// named.
constexpr std::array rows{
    Row{"volta", Kind::half, tensor_core::volta_f16},    Row{"ampere", Kind::half, tensor_core::ampere_f16},
    Row{"hopper", Kind::half, tensor_core::hopper_f16},  Row{"ampere", Kind::tf32, tensor_core::ampere_tf32},
    Row{"hopper", Kind::tf32, tensor_core::hopper_tf32}, Row{"hopper", Kind::fp8, tensor_core::hopper_fp8_mma}};

Kind kind_of(Number input) {
  if (input == Number::f32) return Kind::tf32;
  return input == Number::e4m3 || input == Number::e5m2 ? Kind::fp8 : Kind::half;
}

/// ":hopper", or nothing for a step that no row has.
std::string architecture_of(Kind kind, const tensor_core::Step& step) {
  for (const Row& row : rows) {
    if (row.kind == kind && row.step.terms == step.terms && row.step.fraction_bits == step.fraction_bits) {
      return ":" + std::string(row.architecture);
    }
  }
  return "";
}

/// The contract of a chain of steps that keep 23 fraction bits and drop the others toward zero.
std::string of_chain(const Unit& unit, const Arithmetic& arithmetic) {
  const tensor_core::Step& step = arithmetic.step;
  constexpr int least_fraction_bits = 23;
  if (step.alignment != tensor_core::Alignment::toward_zero || step.fraction_bits < least_fraction_bits) return "";
  if (step.result == tensor_core::Result::f16_rn) return "f16_accumulate";
  if (step.result != tensor_core::Result::f32_rz) return "";
  const Kind kind = kind_of(unit.input);
  const std::string architecture = architecture_of(kind, step);
  if (kind != Kind::tf32) return fmt::format("tensor_core:{}:f32{}", name_of(unit.input), architecture);
  const bool is_truncated = arithmetic.conversion == Conversion::tf32_truncated;
  return fmt::format("tf32:{}{}", is_truncated ? "truncated" : "rounded", architecture);
}

}  // namespace

std::string contract_of(const Unit& unit, const Finding& finding) {
  if (!finding.arithmetic || !finding.order) return "";
  const Arithmetic& arithmetic = *finding.arithmetic;
  if (arithmetic.flushes_inputs || arithmetic.flushes_results) return "";
  switch (arithmetic.rule) {
    case Rule::wraps:
      return "int8";
    case Rule::saturates:
      return "";
    case Rule::fma:
      return "fma";
    case Rule::multiply_add:
      return "inner_product";
    case Rule::step:
      break;
  }
  const std::optional<Shape> shape = shape_of(*finding.order, unit);
  if (!shape) return "";
  const bool is_raw_fp8 = kind_of(unit.input) == Kind::fp8 && arithmetic.step.fraction_bits == 13 &&
                          arithmetic.step.alignment == tensor_core::Alignment::toward_zero;
  if (is_raw_fp8) return shape->slice == 0 ? "fp8:raw" : fmt::format("fp8:promoted:{}", shape->slice);
  const std::string chain = of_chain(unit, arithmetic);
  if (shape->slices == 1 || chain.empty()) return chain;
  return unit.result == Number::f32 ? fmt::format("{}, {} slices", chain, shape->slices) : std::string();
}

}  // namespace assay::prober
