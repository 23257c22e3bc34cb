// Kernels of the shipped formulas, judged as those from outside are: right ones in several orders are kept by the rung
// that they claim, wrong ones are refused by it.

#include <gtest/gtest.h>

#include "properties/formulas/door/operation.hpp"
#include "tests/formulas/kernels.hpp"
#include "tests/tier.hpp"

namespace assay::formulas {
namespace {

/// The result of a claim.
struct Asked {
  std::uint64_t judged = 0;
  std::uint64_t violated = 0;
  double tightness = 0;
};

/// Runs a function of binary32 on the cases of a shipped formula, for one claim; `until_violated`: no longer than that.
Asked asked(const std::string& formula, void* function, const std::string& contract, std::uint64_t cases,
            bool until_violated = false) {
  const auto shared = std::make_shared<const Formula>(formula_named(formula));
  const auto property = property_of(shared, {}, {.format = "f32"}, {.function = function});
  const auto& claims = property->info().claims;
  const auto claim = std::ranges::find(claims, contract, &ClaimInfo::id);
  if (claim == claims.end()) {
    ADD_FAILURE() << formula << " has no contract " << contract;
    return {};
  }
  Asked found;
  for (std::uint64_t k = 0; k < cases && !(until_violated && found.violated != 0); ++k) {
    const std::vector<Record> record{*property->make(7, k)};
    const auto judged =
        property->judge_claim(Executor::host(), record, static_cast<std::size_t>(claim - claims.begin()));
    if (!judged.front()) continue;
    ++found.judged;
    found.violated += judged.front()->verdict == Verdict::violated ? 1 : 0;
    found.tightness = std::max(found.tightness, judged.front()->tightness);
  }
  return found;
}

struct Kernel {
  const char* formula;
  const char* contract;
  const char* name;
  void* function;
};
template <class F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

using namespace kernels;

std::vector<Kernel> right_kernels() {
  return {{"softmax", "any_order", "in order", address(softmax<forward_sum>)},
          {"softmax", "any_order", "in reverse order", address(softmax<backward_sum>)},
          {"softmax", "tree", "by pairs", address(softmax<pairwise_sum>)},
          {"softmax", "fast", "online", address(online_softmax)},
          {"logsumexp", "any_order", "shifted", address(kernels::logsumexp<true>)},
          {"log_softmax", "any_order", "of the sum", address(log_softmax<true>)},
          {"log_softmax", "ways", "shifted", address(log_softmax<false>)},
          {"cross_entropy", "any_order", "by logsumexp", address(cross_entropy<0>)},
          {"layer_norm", "any_order", "in order", address(layer_norm<forward_sum>)},
          {"layer_norm", "tree", "by pairs", address(layer_norm<pairwise_sum>)},
          {"layer_norm", "one_pass", "one pass", address(other_layer_norm<LayerNormMistake::one_pass>)},
          {"rms_norm", "any_order", "fused", address(rms_norm<true>)},
          {"variance", "tree", "by pairs", address(variance<true>)},
          {"matmul", "any_order", "rounded", address(matmul<false>)},
          {"matmul", "any_order", "fused", address(matmul<true>)},
          {"conv2d", "any_order", "direct", address(conv2d<1>)},
          {"attention", "any_order", "plain", address(plain_attention)},
          {"attention", "fast", "flash", address(flash<AttentionMistake::none>)},
          {"gelu", "any_order", "by tanh", address(gelu<Gelu::by_tanh>)},
          {"gelu_erf", "any_order", "by erf", address(gelu<Gelu::by_erf>)},
          {"silu", "any_order", "by a quotient", address(silu)},
          {"swiglu", "any_order", "by a quotient", address(swiglu<true>)},
          {"rope", "any_order", "fused", address(rope<1>)}};
}

std::vector<Kernel> wrong_kernels() {
  return {
      {"softmax", "fast", "without a shift", address(softmax_without_shift)},
      {"softmax", "fast", "the last weight left out", address(softmax_without_last)},
      {"softmax", "exceptional", "NaN taken for 0", address(softmax_without_nan)},
      {"logsumexp", "fast", "without a shift", address(kernels::logsumexp<false>)},
      {"log_softmax", "ways", "logarithm of the softmax", address(log_of_softmax)},
      {"cross_entropy", "ways", "the next label", address(cross_entropy<1>)},
      {"layer_norm", "any_order", "one pass for two", address(other_layer_norm<LayerNormMistake::one_pass>)},
      {"layer_norm", "one_pass", "n - 1 for n", address(other_layer_norm<LayerNormMistake::of_n_minus_1>)},
      {"layer_norm", "one_pass", "epsilon outside the root", address(other_layer_norm<LayerNormMistake::eps_outside>)},
      {"layer_norm", "one_pass", "no beta", address(other_layer_norm<LayerNormMistake::no_beta>)},
      {"rms_norm", "fast", "epsilon outside the root", address(rms_norm<false>)},
      {"variance", "one_pass", "n - 1 for n", address(variance<false>)},
      {"matmul", "any_order", "the last product left out", address(matmul_without_last)},
      {"conv2d", "any_order", "a flipped kernel", address(conv2d<-1>)},
      {"attention", "fast", "mask off by one", address(flash<AttentionMistake::mask_off_by_one>)},
      {"attention", "fast", "scaled twice", address(flash<AttentionMistake::scaled_twice>)},
      {"attention", "fast", "no rescaling", address(flash<AttentionMistake::no_rescaling>)},
      {"gelu", "fast", "erf for tanh", address(gelu<Gelu::by_erf>)},
      {"gelu", "fast", "a coefficient cut off", address(gelu<Gelu::coefficient>)},
      {"swiglu", "fast", "gate and value exchanged", address(swiglu<false>)},
      {"rope", "any_order", "a wrong sign", address(rope<-1>)}};
}

TEST(Kernels, RightOnesAreKeptByTheRungThatTheyClaim) {
  const auto cases = test::of_tier<std::uint64_t>(50, 1500);
  for (const Kernel& each : right_kernels()) {
    const Asked found = asked(each.formula, each.function, each.contract, cases);
    EXPECT_EQ(found.violated, 0U) << each.formula << ", " << each.name << ": " << found.tightness;
    EXPECT_GT(found.judged, cases / 2) << each.formula << ", " << each.name;
  }
}

TEST(Kernels, WrongOnesAreRefusedByTheRungThatTheyClaim) {
  for (const Kernel& each : wrong_kernels()) {
    const Asked found = asked(each.formula, each.function, each.contract, 200, true);
    EXPECT_GT(found.violated, 0U) << each.formula << ", " << each.name;
  }
}

TEST(Exceptional, RightKernelsGiveTheKindsOfTheirFormula) {
  for (const Kernel& each : right_kernels()) {
    if (std::string(each.formula) == "attention") continue;  // blocks that a mask leaves empty are the kernel's choice
    const Asked found = asked(each.formula, each.function, "exceptional", test::of_tier<std::uint64_t>(50, 1000));
    EXPECT_EQ(found.violated, 0U) << each.formula << ", " << each.name;
  }
}

}  // namespace
}  // namespace assay::formulas
