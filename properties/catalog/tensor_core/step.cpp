#include "errorbounds/tensor_core_theorems.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/catalog/tensor_core/claims.hpp"

namespace assay::tensor_core {

namespace {

using oracle::Dyadic;

/// One step of any unit with bfloat16 elements.
struct StepCase {
  std::vector<bfloat16> a, b;
  float c = 0;
  int fraction_bits = 24;
  int result = 0;
  int alignment = 0;
  int floor = -126;

  static constexpr auto fields() {
    return std::tuple{field("a", &StepCase::a),           field("b", &StepCase::b),
                      field("c", &StepCase::c),           field("fraction_bits", &StepCase::fraction_bits),
                      field("result", &StepCase::result), field("alignment", &StepCase::alignment),
                      field("floor", &StepCase::floor)};
  }
};

constexpr std::array<Result, 3> results{Result::f32_rz, Result::e8m13_rz, Result::f32_rn};

Step step_of(const StepCase& c) {
  return {.terms = 64,
          .fraction_bits = c.fraction_bits,
          .result = results[static_cast<std::size_t>(c.result)],
          .alignment = c.alignment == 0 ? Alignment::toward_zero : Alignment::down,
          .floor = c.floor};
}

Domain<StepCase> steps() {
  static constexpr ChainKind kind{.step = hopper_f16};
  Domain<StepCase> domain;
  domain.classes = chain_classes<bfloat16, float, 8, StepCase>(kind, [](Draw& draw, ChainCase<bfloat16, float> c) {
    const std::size_t n = std::min<std::size_t>(c.a.size(), 1 + draw.below(64));
    c.a.resize(n);
    c.b.resize(n);
    return StepCase{.a = std::move(c.a),
                    .b = std::move(c.b),
                    .c = c.c,
                    .fraction_bits = draw.coin() ? 25 : draw.between(1, 40),
                    .result = draw.between(0, 2),
                    .alignment = draw.between(0, 1),
                    .floor = draw.coin() ? -126 : draw.between(-150, -100)};
  });
  domain.contains = [](const StepCase& c) {
    return c.a.size() <= 64 && c.fraction_bits >= 1 && c.fraction_bits <= 40 && c.result >= 0 && c.result <= 2 &&
           c.alignment >= 0 && c.alignment <= 1 && c.floor >= -200 && c.floor <= 0 &&
           in_chain_domain<8>(kind.start_bits, kind.most, c);
  };
  domain.accepts =
      "one step of up to 64 products of bfloat16 with F of 1 to 40, results 0 (binary32 toward zero), 1 "
      "(e8m13), 2 (binary32 to nearest), alignments 0 (toward zero), 1 (down), a floor of −200 to 0";
  return domain;
}

const Registration step{Property<StepCase, float, Dyadic>{
    .name = "tensor_core.step.bf16",
    .domain = steps(),
    .subject =
        [](const Executor&, const StepCase& c) {
          const Operands operands(c);
          const auto [input, a, b] = operands.bits();
          return from_bits<float>(one_step(step_of(c), input, a, b, to_bits(c.c)));
        },
    .reference = [](const StepCase& c) { return exact_products_of(c).sum; },
    .claims = {same_as_exact(
        tensor_core_step_1,
        [](const StepCase& c) { return exact_chain(step_of(c), Operands(c).bits(), to_bits(c.c)); })},
    .quick_cases = 1000,
    .host_only = true}};

}  // namespace

}  // namespace assay::tensor_core
