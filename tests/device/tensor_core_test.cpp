// The matrix instructions of the device compute the same as the models of its architecture, bit for bit.

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

#include "assay/prober/prober.hpp"
#include "assay/prober/questions.hpp"

namespace assay::prober {
namespace {

using tensor_core::Step;

bool is_mma_sync(const Unit& unit) { return unit.name.starts_with("mma.sync"); }
bool is_fp8(const Unit& unit) { return unit.input == Number::e4m3 || unit.input == Number::e5m2; }

/// The steps of compute capability 9.0.
Step hopper_step(const Unit& unit) {
  if (is_fp8(unit)) return is_mma_sync(unit) ? tensor_core::hopper_fp8_mma : tensor_core::hopper_fp8_wgmma;
  if (unit.result == Number::f16) return tensor_core::with_f16_accumulator(tensor_core::hopper_f16);
  return unit.input == Number::f32 ? tensor_core::hopper_tf32 : tensor_core::hopper_f16;
}

/// mma.sync of fp8: half of the products, the other half onto it, and c onto that.
Addition order_of_two_halves(int products) {
  Addition first;
  Addition second;
  for (int i = 0; i < products; ++i) (i % 4 < 2 ? first : second).places.push_back(i);
  second.results = {first};
  return {{products}, {second}};
}

/// One operation of all products onto c, or one operation a product.
Addition expected_order(const Unit& unit, bool is_chain) {
  if (is_mma_sync(unit) && is_fp8(unit)) return order_of_two_halves(unit.products);
  Addition order{{unit.products}, {}};
  for (int i = 0; i < unit.products; ++i) {
    if (is_chain && i > 0) order = {{}, {order}};
    order.places.insert(is_chain ? order.places.begin() : order.places.end() - 1, i);
  }
  return order;
}

/// Elements in binary32 are cut to tf32.
Arithmetic expected_arithmetic(const Unit& unit) {
  if (unit.input == Number::f64) return {.rule = Rule::fma};
  if (is_integer(unit.input)) return {.rule = Rule::wraps};
  return {.conversion = unit.input == Number::f32 ? Conversion::tf32_truncated : Conversion::none,
          .step = hopper_step(unit)};
}

/// Runs the unit on directed and random questions, and prints the first few answers that differ from the model's.
void expect_model(const Unit& unit, const Arithmetic& model, const Addition& order) {
  std::vector<int> places;
  for (int i = 0; i <= unit.products; ++i) places.push_back(i);
  int wrong = 0;
  std::size_t asked = 0;
  std::vector<std::vector<Product>> questions{random_products(unit, places, 20000, 7)};
  for (const auto& directed : {single_questions, alignment_questions, rounding_questions, floor_questions}) {
    questions.push_back(directed(unit, places));
  }
  for (const std::vector<Product>& each : questions) {
    const std::vector<std::uint64_t> answers = unit.compute(each);
    for (std::size_t i = 0; i < each.size(); ++i) {
      const std::uint64_t predicted = predict(model, order, unit, each[i]);
      ++asked;
      if (answers[i] == predicted) continue;
      if (++wrong > 5) continue;
      std::printf("%s: got %llx, model %llx for", unit.name.c_str(), static_cast<unsigned long long>(answers[i]),
                  static_cast<unsigned long long>(predicted));
      for (std::size_t j = 0; j < each[i].a.size(); ++j) {
        if (each[i].a[j] != 0 && each[i].b[j] != 0) std::printf(" %a*%a", each[i].a[j], each[i].b[j]);
      }
      std::printf(" onto %a\n", each[i].c);
    }
  }
  EXPECT_EQ(wrong, 0) << unit.name << ": of " << asked << " answers";
}

class TensorCore : public testing::Test {
 protected:
  void SetUp() override {
    if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
    for (const Unit& each : instructions_of(Executor::cuda())) {
      is_hopper_ = is_hopper_ || each.name.starts_with("wgmma");
      units_.push_back(each);
    }
    if (!is_hopper_) GTEST_SKIP() << "the models are those of compute capability 9.0";
  }

  void expect_models(const std::function<bool(const Unit&)>& is_wanted) {
    int found = 0;
    for (const Unit& each : units_) {
      if (!is_wanted(each)) continue;
      ++found;
      const Arithmetic model = expected_arithmetic(each);
      expect_model(each, model, expected_order(each, model.rule == Rule::fma));
    }
    EXPECT_GT(found, 0);
  }

  std::vector<Unit> units_;
  bool is_hopper_ = false;
};

TEST_F(TensorCore, MmaSyncAddsSixteenHalvesWith25FractionBitsTowardZero) {
  expect_models([](const Unit& unit) {
    return is_mma_sync(unit) && unit.result == Number::f32 && (unit.input == Number::f16 || unit.input == Number::bf16);
  });
}

TEST_F(TensorCore, MmaSyncAddsEightNumbersThatAreCutToTf32) {
  expect_models([](const Unit& unit) { return is_mma_sync(unit) && unit.input == Number::f32; });
}

TEST_F(TensorCore, MmaSyncKeeps25FractionBitsOfFp8) {
  expect_models([](const Unit& unit) { return is_mma_sync(unit) && is_fp8(unit); });
}

TEST_F(TensorCore, AccumulatorsInBinary16AreRoundedToNearestOnceAnOperation) {
  expect_models([](const Unit& unit) { return unit.result == Number::f16; });
}

TEST_F(TensorCore, WgmmaAddsHalvesAndTf32With25FractionBits) {
  expect_models([](const Unit& unit) { return !is_mma_sync(unit) && unit.result == Number::f32 && !is_fp8(unit); });
}

TEST_F(TensorCore, WgmmaKeeps13FractionBitsOfFp8) {
  expect_models([](const Unit& unit) { return !is_mma_sync(unit) && is_fp8(unit); });
}

TEST_F(TensorCore, Binary64IsAChainOfFusedMultiplyAdds) {
  expect_models([](const Unit& unit) { return unit.input == Number::f64; });
}

TEST_F(TensorCore, IntegersAreExactModulo2To32) {
  int found = 0;
  for (const Unit& each : units_) {
    if (each.input != Number::s8) continue;
    ++found;
    const Finding finding = probe(each);
    ASSERT_TRUE(finding.arithmetic) << each.name;
    EXPECT_EQ(finding.arithmetic->rule, Rule::wraps) << each.name;
    EXPECT_EQ(finding.predicted, checked_products) << each.name;
  }
  EXPECT_GT(found, 0);
}

TEST_F(TensorCore, TheProberFindsTheModelOfEachInstruction) {
  for (const Unit& each : units_) {
    const Finding finding = probe(each);
    const Arithmetic model = expected_arithmetic(each);
    if (!finding.arithmetic) {
      ADD_FAILURE() << each.name << ": " << finding.trouble;
      continue;
    }
    EXPECT_EQ(finding.arithmetic->rule, model.rule) << each.name;
    EXPECT_EQ(finding.predicted, checked_products) << each.name;
    if (model.rule != Rule::step) continue;
    ASSERT_TRUE(finding.order) << each.name;
    EXPECT_EQ(words_of(*finding.order, each), words_of(expected_order(each, false), each)) << each.name;
    EXPECT_EQ(finding.arithmetic->step.fraction_bits, model.step.fraction_bits) << each.name;
    EXPECT_EQ(finding.arithmetic->step.result, model.step.result) << each.name;
    EXPECT_EQ(finding.arithmetic->conversion, model.conversion) << each.name;
    std::printf("%s: floor from %d to %d, NaN %s\n", each.name.c_str(), finding.least_floor, finding.largest_floor,
                finding.nan.c_str());
  }
}

}  // namespace
}  // namespace assay::prober
