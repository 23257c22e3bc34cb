// The prober finds the model of a unit again, and recognizes a unit that differs from it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "assay/prober/prober.hpp"
#include "kernels/tensor_core/model.hpp"

namespace assay::prober {
namespace {

using tensor_core::Alignment;
using tensor_core::Input;
using tensor_core::Result;
using tensor_core::Step;
using Words = std::span<const std::uint32_t>;
using Sum = std::function<std::uint32_t(Words a, Words b, std::uint32_t c)>;

std::vector<std::uint32_t> patterns(Number format, const std::vector<double>& values) {
  std::vector<std::uint32_t> words;
  for (const double each : values) words.push_back(static_cast<std::uint32_t>(pattern_of(format, each)));
  return words;
}

Unit unit_of(Number input, Number result, int products, bool has_c, const Sum& sum) {
  return {"unit", input, result, products, has_c, [=](std::span<const Product> asked) {
            std::vector<std::uint64_t> answers;
            for (const Product& each : asked) {
              const auto c = static_cast<std::uint32_t>(pattern_of(result, each.c));
              answers.push_back(sum(patterns(input, each.a), patterns(input, each.b), c));
            }
            return answers;
          }};
}

Input input_of(Number number) {
  return number == Number::f16    ? Input::f16
         : number == Number::bf16 ? Input::bf16
         : number == Number::e4m3 ? Input::e4m3
         : number == Number::e5m2 ? Input::e5m2
                                  : Input::tf32;
}

/// An instruction: a chain of steps onto c.
Unit instruction(const Step& step, Number input, int products) {
  const Number result = step.result == Result::f16_rn ? Number::f16 : Number::f32;
  return unit_of(input, result, products, true,
                 [=](Words a, Words b, std::uint32_t c) { return tensor_core::chain(step, input_of(input), a, b, c); });
}

/// A library's product: slices of a chain, added in binary32.
Unit product_in_slices(const Step& step, Number input, int products, int slice) {
  return unit_of(input, Number::f32, products, false, [=](Words a, Words b, std::uint32_t) {
    return tensor_core::sliced_chain(step, input_of(input), a, b, slice);
  });
}

void expect_step(const Unit& unit, const Step& step) {
  const Finding found = probe(unit);
  ASSERT_TRUE(found.arithmetic) << found.trouble;
  EXPECT_EQ(found.arithmetic->rule, Rule::step);
  EXPECT_EQ(found.arithmetic->step.terms, step.terms);
  EXPECT_EQ(found.arithmetic->step.fraction_bits, step.fraction_bits);
  EXPECT_EQ(found.arithmetic->step.result, step.result);
  EXPECT_EQ(found.arithmetic->step.alignment, step.alignment);
  EXPECT_LE(found.least_floor, step.floor);
  EXPECT_GE(found.largest_floor, step.floor);
  EXPECT_EQ(found.predicted, checked_products);
}

TEST(ProberOfInstructions, FindsVolta) {
  expect_step(instruction(tensor_core::volta_f16, Number::f16, 4), tensor_core::volta_f16);
}
TEST(ProberOfInstructions, FindsTuring) {
  expect_step(instruction(tensor_core::turing_f16, Number::f16, 8), tensor_core::turing_f16);
}
TEST(ProberOfInstructions, FindsTwoStepsOfAmpere) {
  expect_step(instruction(tensor_core::ampere_f16, Number::f16, 16), tensor_core::ampere_f16);
}
TEST(ProberOfInstructions, FindsAmpereInBfloat16) {
  expect_step(instruction(tensor_core::ampere_f16, Number::bf16, 16), tensor_core::ampere_f16);
}
TEST(ProberOfInstructions, FindsAmpereInTf32) {
  expect_step(instruction(tensor_core::ampere_tf32, Number::f32, 8), tensor_core::ampere_tf32);
}
TEST(ProberOfInstructions, FindsAdaInE4m3) {
  expect_step(instruction(tensor_core::ada_fp8, Number::e4m3, 32), tensor_core::ada_fp8);
}
TEST(ProberOfInstructions, FindsAdaInE5m2) {
  expect_step(instruction(tensor_core::ada_fp8, Number::e5m2, 32), tensor_core::ada_fp8);
}
TEST(ProberOfInstructions, FindsHopper) {
  expect_step(instruction(tensor_core::hopper_f16, Number::f16, 16), tensor_core::hopper_f16);
}
TEST(ProberOfInstructions, FindsHopperInBfloat16) {
  expect_step(instruction(tensor_core::hopper_f16, Number::bf16, 16), tensor_core::hopper_f16);
}
TEST(ProberOfInstructions, FindsHopperInTf32) {
  expect_step(instruction(tensor_core::hopper_tf32, Number::f32, 8), tensor_core::hopper_tf32);
}
TEST(ProberOfInstructions, FindsWgmmaInE4m3) {
  expect_step(instruction(tensor_core::hopper_fp8_wgmma, Number::e4m3, 32), tensor_core::hopper_fp8_wgmma);
}
TEST(ProberOfInstructions, FindsWgmmaInE5m2) {
  expect_step(instruction(tensor_core::hopper_fp8_wgmma, Number::e5m2, 32), tensor_core::hopper_fp8_wgmma);
}
TEST(ProberOfInstructions, FindsHopperInE4m3) {
  expect_step(instruction(tensor_core::hopper_fp8_mma, Number::e4m3, 32), tensor_core::hopper_fp8_mma);
}
TEST(ProberOfInstructions, FindsBlackwellInE5m2) {
  expect_step(instruction(tensor_core::blackwell_fp8, Number::e5m2, 32), tensor_core::blackwell_fp8);
}

TEST(ProberOfInstructions, FindsAccumulatorsInBinary16) {
  const Step step = tensor_core::with_f16_accumulator(tensor_core::hopper_f16);
  expect_step(instruction(step, Number::f16, 16), step);
}

TEST(ProberOfInstructions, FindsALongChainOfAccumulatorsInBinary16) {
  const Step step = tensor_core::with_f16_accumulator(tensor_core::hopper_f16);
  expect_step(instruction(step, Number::f16, 256), step);
}

TEST(ProberOfInstructions, FindsAFloorBelowTheUsualOne) {
  Step step = tensor_core::hopper_f16;
  step.floor = -133;
  const Finding found = probe(instruction(step, Number::bf16, 16));
  EXPECT_EQ(found.least_floor, -133);
  EXPECT_EQ(found.largest_floor, -133);
}

TEST(ProberOfInstructions, SaysThatElementsInBinary16ShowNoFloor) {
  const Finding found = probe(instruction(tensor_core::hopper_f16, Number::f16, 16));
  EXPECT_LT(found.least_floor, -150);
}

TEST(ProberOfInstructions, NamesThePatternOfNans) {
  EXPECT_EQ(probe(instruction(tensor_core::hopper_f16, Number::f16, 16)).nan, "7fffffff");
}

TEST(ProberOfInstructions, FindsAChainOfFusedMultiplyAddsInBinary64) {
  const Unit unit{"unit", Number::f64, Number::f64, 8, true, [](std::span<const Product> asked) {
                    std::vector<std::uint64_t> answers;
                    for (const Product& each : asked) {
                      answers.push_back(pattern_of(Number::f64, tensor_core::fma_chain(each.a, each.b, each.c)));
                    }
                    return answers;
                  }};
  const Finding found = probe(unit);
  ASSERT_TRUE(found.arithmetic) << found.trouble;
  EXPECT_EQ(found.arithmetic->rule, Rule::fma);
  EXPECT_EQ(shape_of(*found.order, unit)->step, 1);
  EXPECT_EQ(found.predicted, checked_products);
}

/// A loop in binary32 that adds rounded products.
Unit loop_of_products(bool descending) {
  return unit_of(Number::f32, Number::f32, 12, false, [=](Words a, Words b, std::uint32_t) {
    float sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::size_t at = descending ? a.size() - 1 - i : i;
      sum += from_bits<float>(a[at]) * from_bits<float>(b[at]);
    }
    return to_bits(sum);
  });
}

TEST(ProberOfLibraries, FindsALoopThatRoundsProductsAndSums) {
  const Finding found = probe(loop_of_products(false));
  ASSERT_TRUE(found.arithmetic) << found.trouble;
  EXPECT_EQ(found.arithmetic->rule, Rule::multiply_add);
  EXPECT_EQ(found.arithmetic->conversion, Conversion::none);
}

TEST(ProberOfLibraries, SeesThatALoopGoesDownward) {
  const Unit unit = loop_of_products(true);
  const Finding found = probe(unit);
  ASSERT_TRUE(found.arithmetic) << found.trouble;
  EXPECT_EQ(shape_of(*found.order, unit)->stride, 0);
}

TEST(ProberOfLibraries, FindsThePromotionInterval) {
  const Unit unit = product_in_slices(tensor_core::hopper_fp8_wgmma, Number::e4m3, 384, 128);
  const Finding found = probe(unit);
  ASSERT_TRUE(found.arithmetic) << found.trouble;
  const Shape shape = *shape_of(*found.order, unit);
  EXPECT_EQ(shape.slice, 128);
  EXPECT_EQ(shape.slices, 3);
  EXPECT_EQ(shape.step, 32);
  EXPECT_EQ(contract_of(unit, found), "fp8_promoted");
}

TEST(ProberOfLibraries, FindsOneChainWithoutPromotion) {
  const Unit unit = product_in_slices(tensor_core::hopper_fp8_wgmma, Number::e4m3, 256, 256);
  EXPECT_EQ(contract_of(unit, probe(unit)), "fp8_raw");
}

TEST(ProberOfLibraries, FindsTheSlicesOfASplitSum) {
  const Unit unit = product_in_slices(tensor_core::hopper_f16, Number::bf16, 128, 32);
  const Finding found = probe(unit);
  EXPECT_EQ(words_of(*found.order, unit), "4 slices of 32: 2 steps of 16 products");
  EXPECT_EQ(contract_of(unit, found), "split_k_hopper");
}

/// tf32 whose elements are rounded first.
TEST(ProberOfLibraries, TellsElementsThatAreRoundedToTf32FromThoseThatAreCut) {
  const Unit unit = unit_of(Number::f32, Number::f32, 16, false, [](Words a, Words b, std::uint32_t) {
    std::vector<std::uint32_t> x;
    std::vector<std::uint32_t> y;
    for (const std::uint32_t each : a) x.push_back(tensor_core::tf32_rounded(each));
    for (const std::uint32_t each : b) y.push_back(tensor_core::tf32_rounded(each));
    return tensor_core::chain(tensor_core::ampere_tf32, Input::tf32, x, y, 0);
  });
  EXPECT_EQ(contract_of(unit, probe(unit)), "tf32");
}

/// An exact sum of 8-bit integers, modulo 2^32 or kept within 32 bits.
Unit integers(bool saturates) {
  return unit_of(Number::s8, Number::s32, 32, true, [=](Words a, Words b, std::uint32_t c) {
    std::int64_t sum = static_cast<std::int32_t>(c);
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<std::int8_t>(a[i]) * static_cast<std::int8_t>(b[i]);
    if (saturates) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
    return static_cast<std::uint32_t>(sum);
  });
}

Rule rule_of(const Unit& unit) {
  const Finding found = probe(unit);
  EXPECT_TRUE(found.arithmetic) << found.trouble;
  return found.arithmetic.value_or(Arithmetic{}).rule;
}

TEST(ProberOfIntegers, FindsSumsThatWrap) { EXPECT_EQ(rule_of(integers(false)), Rule::wraps); }
TEST(ProberOfIntegers, FindsSumsThatSaturate) { EXPECT_EQ(rule_of(integers(true)), Rule::saturates); }

/// The prober finds an instruction that differs from every unit of the models, and names the contract that it implies.
void expect_other_step(const Step& step, const std::string& contract) {
  const Unit unit = instruction(step, Number::f16, 16);
  expect_step(unit, step);
  EXPECT_EQ(contract_of(unit, probe(unit)), contract);
}

TEST(ProberOfMistakes, TellsAnExtraGuardBit) {
  expect_other_step({.terms = 16, .fraction_bits = 26}, "tensor_core_hopper");
}

TEST(ProberOfMistakes, TellsAMissingGuardBit) {
  expect_other_step({.terms = 16, .fraction_bits = 24}, "tensor_core_ampere");
}

TEST(ProberOfMistakes, TellsRoundingToNearest) {
  expect_other_step({.terms = 16, .fraction_bits = 25, .result = Result::f32_rn}, "");
}

TEST(ProberOfMistakes, TellsAlignmentDownward) {
  expect_other_step({.terms = 8, .fraction_bits = 24, .alignment = Alignment::down}, "");
}

TEST(ProberOfMistakes, TellsElementsWhoseSubnormalNumbersAreFlushed) {
  const Unit unit = unit_of(Number::f16, Number::f32, 16, true, [](Words a, Words b, std::uint32_t c) {
    std::vector<std::uint32_t> x(a.begin(), a.end());
    std::vector<std::uint32_t> y(b.begin(), b.end());
    for (auto* each : {&x, &y}) {
      for (std::uint32_t& word : *each) word = (word & 0x7c00) == 0 ? word & 0x8000 : word;
    }
    return tensor_core::chain(tensor_core::hopper_f16, Input::f16, x, y, (c & 0x7f800000) == 0 ? 0 : c);
  });
  const Finding found = probe(unit);
  ASSERT_TRUE(found.arithmetic) << found.trouble;
  EXPECT_FALSE(*found.keeps_inputs);
  EXPECT_EQ(contract_of(unit, found), "");
}

/// A step that is right except for the last bit of d if all products have one sign.
TEST(ProberOfMistakes, SaysThatNoModelFitsAndShowsTheInput) {
  const Unit unit = unit_of(Number::f16, Number::f32, 16, true, [](Words a, Words b, std::uint32_t c) {
    const std::uint32_t d = tensor_core::chain(tensor_core::hopper_f16, Input::f16, a, b, c);
    int negative = 0;
    for (std::size_t i = 0; i < a.size(); ++i) negative += ((a[i] ^ b[i]) & 0x8000) != 0 ? 1 : 0;
    return negative > 6 ? d ^ 1 : d;
  });
  const Finding found = probe(unit);
  EXPECT_FALSE(found.arithmetic);
  ASSERT_TRUE(found.example);
  EXPECT_EQ(found.example->got, found.example->predicted ^ 1);
}

TEST(ProberOfMistakes, SaysThatAConstantIsNoSum) {
  const Unit unit =
      unit_of(Number::f16, Number::f32, 16, true, [](Words, Words, std::uint32_t) { return 0x3f800000u; });
  const Finding found = probe(unit);
  EXPECT_FALSE(found.order);
  EXPECT_EQ(found.trouble, "the answers are not the sums of any fixed order");
}

TEST(ProberOfContracts, NamesTheArchitectureOfAStep) {
  const Unit unit = instruction(tensor_core::hopper_f16, Number::f16, 16);
  EXPECT_EQ(contract_of(unit, probe(unit)), "tensor_core_hopper");
}

}  // namespace
}  // namespace assay::prober
