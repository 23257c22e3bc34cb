// Matrix units that differ in one respect from the unit whose steps the exact reference computes.

#include <cstdint>

#include "properties/catalog/tensor_core/claims.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using namespace tensor_core;

using Convert = std::uint32_t (*)(std::uint32_t);

/// How the tested unit computes: its step, and its operation on elements.
struct UnitMistake {
  Step step = hopper_f16;
  Convert convert = nullptr;
};

constexpr Step with(Step step, auto Step::*member, auto value) {
  step.*member = value;
  return step;
}

/// Elements in bfloat16, steps of Hopper.
auto hopper_promise(const UnitMistake& mistake) {
  const ChainKind kind{.step = hopper_f16};
  return TypedModel(chain_property<bfloat16, float>("mutants.matrix_unit", kind,
                                                    {error_within("error", tensor_core_chain_1, unit_of(kind))},
                                                    mistake.step, mistake.convert));
}

/// Elements in binary32, truncated to tf32.
auto tf32_promise(Convert convert) {
  const ChainKind kind{.step = hopper_tf32};
  return TypedModel(chain_property<float, float>(
      "mutants.tf32_unit", kind, {error_within("error", tensor_core_tf32_1, unit_of(kind))}, kind.step, convert));
}

/// Elements in e4m3, results with 13 fraction bits.
auto fp8_promise(const Step& computed) {
  const ChainKind kind{.step = hopper_fp8_wgmma, .result_bits = 13, .start_bits = 14};
  return TypedModel(chain_property<e4m3, float>("mutants.fp8_unit", kind, {}, computed));
}

std::uint32_t flushed(std::uint32_t bfloat16_bits) {
  return (bfloat16_bits & 0x7f80u) == 0 ? bfloat16_bits & 0x8000u : bfloat16_bits;
}

}  // namespace

Rows tensor_core_rows() {
  Rows rows = rows_of<UnitMistake>(
      {
          {{"T1", "the alignment keeps a bit too much", 8}, {with(hopper_f16, &Step::fraction_bits, 26)}},
          {{"T2", "the alignment keeps a bit too few", 8}, {with(hopper_f16, &Step::fraction_bits, 24)}},
          {{"T3", "the result is rounded to nearest", 8}, {with(hopper_f16, &Step::result, Result::f32_rn)}},
          {{"T4", "the least exponent is that of the least normal number", 4}, {with(hopper_f16, &Step::floor, -126)}},
          {{"T5", "the alignment rounds down", 8}, {with(hopper_f16, &Step::alignment, Alignment::down)}},
          {{"T6", "a step has half as many products", 12}, {with(hopper_f16, &Step::terms, 8)}},
          {{"T7", "subnormal elements are flushed to zero", 4}, {hopper_f16, flushed}},
      },
      hopper_promise);
  rows.push_back(kernel_row({"T8", "elements are rounded to tf32 instead of truncated", 20}, tf32_promise(tf32_rounded),
                            tf32_promise(nullptr)));
  rows.push_back(kernel_row({"T9", "results of fp8 keep all bits of binary32", 16},
                            fp8_promise(with(hopper_fp8_wgmma, &Step::result, Result::f32_rz)),
                            fp8_promise(hopper_fp8_wgmma)));
  return rows;
}

}  // namespace assay::mutants
