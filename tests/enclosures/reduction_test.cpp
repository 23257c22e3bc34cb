// The kernels of enclosures/elementwise.cuh for formulas with reductions against the oracle, and their floors against
// the bounds of formulas.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/enclosures/formula_cases.hpp"
#include "tests/tier.hpp"

namespace assay::enclosures {
namespace {

const std::vector<std::string>& all_names() {
  static const std::vector<std::string> names{"logsumexp",
                                              "mean",
                                              "variance",
                                              "variance_unbiased",
                                              "std",
                                              "std_unbiased",
                                              "max_of",
                                              "min_of",
                                              "mse",
                                              "norm_1",
                                              "norm_2",
                                              "normalize",
                                              "kl_div",
                                              "kl_div_backward",
                                              "mse_backward",
                                              "cosine_similarity",
                                              "cross_entropy",
                                              "cross_entropy_z",
                                              "cross_entropy_smooth",
                                              "cross_entropy_backward",
                                              "cross_entropy_smooth_backward",
                                              "cross_entropy_z_backward",
                                              "softmax",
                                              "log_softmax",
                                              "softmax_backward",
                                              "layer_norm",
                                              "layer_norm_residual",
                                              "layer_norm_backward_x",
                                              "rms_norm",
                                              "rms_norm_residual",
                                              "rms_norm_backward_x",
                                              "batch_norm_training",
                                              "batch_norm_backward_gamma",
                                              "batch_norm_backward_beta",
                                              "batch_norm_backward_x",
                                              "batch_norm_running_mean",
                                              "batch_norm_running_variance",
                                              "group_norm",
                                              "group_norm_backward_x",
                                              "instance_norm",
                                              "instance_norm_backward_x",
                                              "batch_norm",
                                              "attention_combine",
                                              "moe_combine",
                                              "dot",
                                              "layer_norm_backward_beta",
                                              "group_norm_backward_beta",
                                              "instance_norm_backward_beta",
                                              "cross_entropy_weighted",
                                              "sum"};
  return names;
}

class RowsOfAFormula : public testing::TestWithParam<std::string> {};

TEST_P(RowsOfAFormula, HaveEntriesInTheirEnclosuresAndFloorsBelowTheirBounds) {
  for (const char* const format : {"f32", "f16", "bf16", "bf16:f32"}) {
    const Held all = held(GetParam(), format, test::of_tier(40, 4000));
    EXPECT_EQ(all.escaped, 0U) << format;
    EXPECT_EQ(all.above, 0U) << format;
    EXPECT_EQ(all.below, 0U) << format;
    EXPECT_EQ(all.unsaid, 0U) << format;
    EXPECT_GT(all.known, all.entries / 4) << format;
    if (all.bounded != 0) {
      EXPECT_GT(all.floors / static_cast<double>(all.bounded), 0.15) << format;
    }
  }
}

TEST_P(RowsOfAFormula, HaveThemWhereTheyAreLong) {
  for (const char* const format : {"f32", "bf16"}) {
    const Held all = held(GetParam(), format, test::of_tier(3, 60), {}, 3000);
    EXPECT_EQ(all.escaped, 0U) << format;
    EXPECT_EQ(all.above, 0U) << format;
    EXPECT_EQ(all.below, 0U) << format;
    EXPECT_EQ(all.unsaid, 0U) << format;
  }
}

INSTANTIATE_TEST_SUITE_P(, RowsOfAFormula, testing::ValuesIn(all_names()), [](const auto& of) { return of.param; });

/// Machines that are not on the ladder, logits with large errors, and numbers that cancel but for a constant's radius.
TEST(RowsOfAnOwnFormula, HaveEntriesInTheirEnclosuresAndFloorsBelowTheirBounds) {
  const std::string head = "own(x[r,n]) -> y[r,n]\n";
  const std::string exp2 = "machine mine\n  sum any ; exp2\n", stored = "machine mine\n  sum tree ; store h bf16\n";
  const std::string zeros = "  h = 1000000 * (0.1 * x) - 100000 * x\n";
  for (const std::string& text :
       {"  y = softmax(x, axis=n)\n" + exp2, "  y = logsumexp(x, axis=n) - x\n" + exp2,
        "  h = 65 * x\n  y = softmax(h, axis=n)\n" + stored, zeros + "  y = logsumexp(h, axis=n) + 0 * x\n",
        zeros + "  y = variance(h, axis=n) + 0 * x\n",
        "  h = 1.01 * x\n  y = x / sqrt(variance(h, axis=n))\n" + stored}) {
    for (const char* const format : {"f32", "bf16"}) {
      const Held all = held(head + text, format, test::of_tier(150, 2000));
      EXPECT_EQ(all.escaped, 0U) << text << format;
      EXPECT_EQ(all.above, 0U) << text << format;
      EXPECT_EQ(all.below, 0U) << text << format;
      EXPECT_EQ(all.unsaid, 0U) << text << format;
    }
  }
}

TEST(EnclosureOfAReduction, IsLeftWithoutAPartOfIt) {
  for (const char* const name : {"logsumexp", "mean", "variance", "max_of", "norm_1", "cross_entropy", "softmax"}) {
    EXPECT_GT(held(name, "f32", 20, {.skipped = 1}).escaped, 0U) << name;
  }
}

TEST(EnclosureOfAReduction, IsLeftWithoutItsRadii) {
  const auto forget = [](ElementwiseNumber& of_row) { of_row.radius = 0; };
  for (const char* const name : {"logsumexp", "variance", "layer_norm", "mean", "cosine_similarity"}) {
    EXPECT_GT(held(name, "f32", 60, {.of_row = forget}).escaped, 0U) << name;
  }
}

TEST(FloorOfAReduction, IsAboveTheBoundsOfAMachineThatErrsLess) {
  const auto above = [](const char* name, const char* format, const Change& change) {
    return held(name, format, 60, {.formula = change}).above;
  };
  const auto with = [](double Reduction::*number, double factor) {
    return [=](ElementwiseFormula& formula) {
      for (Reduction& each : formula.reductions) each.*number = each.*number * factor + (factor - 1);
    };
  };
  const auto cost = [](double ElementwiseCosts::*number, double factor) {
    return [=](ElementwiseFormula& formula) { formula.costs.*number *= factor; };
  };
  EXPECT_GT(above("norm_1", "f32", cost(&ElementwiseCosts::unit, 1 + 0x1p-15)), 0U);
  EXPECT_GT(above("mean", "f32", with(&Reduction::extra, 2)), 0U);
  EXPECT_GT(above("mean", "f16", with(&Reduction::least_moved, 2)), 0U);
  EXPECT_GT(above("variance", "f32", with(&Reduction::height, 4)), 0U);
  EXPECT_GT(above("logsumexp", "f32", cost(&ElementwiseCosts::functions, 1.2)), 0U);
  EXPECT_GT(above("logsumexp", "f32", cost(&ElementwiseCosts::exp_difference, 1.5)), 0U);
  EXPECT_GT(above("softmax", "f32", cost(&ElementwiseCosts::exp_shift, 1.5)), 0U);
  const Change forget_grids = [](ElementwiseFormula& formula) {
    for (Reduction& each : formula.reductions) each.may_be_exact = 0;
  };
  EXPECT_GT(above("norm_1", "f32", forget_grids), 0U);
}

TEST(CeilingOfAReduction, IsBelowTheBoundsOfAMachineThatErrsMore) {
  const auto below = [](const char* name, const Change& change) {
    return held(name, "f32", 40, {.formula = change}).below;
  };
  const Change with_short_sums = [](ElementwiseFormula& formula) {
    for (Reduction& each : formula.reductions) each.height = std::min(each.height, 1.0);
  };
  EXPECT_GT(below("mean", with_short_sums), 0U);
  EXPECT_GT(below("variance", with_short_sums), 0U);
  EXPECT_GT(below("norm_2", with_short_sums), 0U);
}

}  // namespace
}  // namespace assay::enclosures
