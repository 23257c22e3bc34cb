// Kernels from outside with numbers of 16 bits: computed in binary32 and stored, or rounded at every step.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

/// A way to compute an operation, and the ladders of <operation>_f16_<way> and <operation>_bf16_<way>.
struct Way {
  std::string operation, way, of_f16, of_bf16;
};
void expect_ladders(const std::vector<Way>& ways) {
  for (const auto& [operation, way, of_f16, of_bf16] : ways) {
    for (const std::string format : {"f16", "bf16"}) {
      const std::string symbol = operation + "_" + format + "_" + way;
      EXPECT_EQ(ladder_of_symbol(ASSAY_LIBRARY_OF_NARROW, operation, symbol, format, 150),
                format == "f16" ? of_f16 : of_bf16)
          << symbol;
    }
  }
}

TEST(Sums, OfNarrowNumbersTellInWhichFormatTheyWereAdded) {
  const std::string running =
      "keeps f32_any_order, pairwise, exceptional; breaks faithful, f32_compensated, f32_pairwise, order_free";
  const std::string pairs = "keeps f32_pairwise, exceptional; breaks faithful, f32_compensated, order_free";
  const std::string steps = "keeps any_order, exceptional; breaks faithful, f32_exact_grid, pairwise, order_free";
  const std::string reads = ", exceptional, alpha_zero_reads; breaks ";
  const std::string twice = "keeps faithful, f32_two_roundings" + reads + "correctly_rounded, alpha_zero_skips";
  const std::string thrice = "keeps two_roundings" + reads + "faithful, f32_exact_grid, alpha_zero_skips";
  const std::string prefixes =
      "keeps f32_any_order, pairwise, monotone, exceptional; breaks faithful, f32_compensated, f32_tree_ftz";
  const std::string narrow_prefixes =
      "keeps any_order, monotone, exceptional; breaks faithful, f32_exact_grid, tree_ftz";
  expect_ladders({{"sum", "in_f32", running, running},
                  {"sum", "by_pairs", pairs, pairs},
                  {"sum", "in_steps", steps, steps},
                  {"dot", "in_f32", running, running},
                  {"dot", "in_steps", steps, steps},
                  {"axpy", "in_f32", twice, twice},
                  {"axpy", "in_steps", thrice, thrice},
                  {"cumsum", "in_f32", prefixes, prefixes},
                  {"cumsum", "in_steps", narrow_prefixes, narrow_prefixes}});
}

TEST(Norms, OfNarrowNumbersTellInWhichFormatTheyWereComputed) {
  const std::string none = "keeps exceptional; breaks faithful, f32_any_order, f32_running_maximum, order_free";
  const std::string once = "keeps correctly_rounded";
  expect_ladders(
      {{"nrm2", "in_f32", "keeps correctly_rounded, order_free, exceptional",
        "keeps f32_any_order, order_free, exceptional; breaks faithful, f32_running_maximum"},
       {"nrm2", "in_steps", none, none},
       {"layer_norm", "in_f32", "keeps f32_two_pass, f32_any_range, exceptional, batch_invariant; breaks faithful",
        "keeps f32_two_pass, exceptional, batch_invariant; breaks faithful, f32_any_range"},
       // The variance of one pass is not kept from being negative.
       {"layer_norm", "one_pass", "keeps exceptional, batch_invariant; breaks f32_welford_ftz, f32_any_range, finite",
        "keeps f32_one_pass, exceptional, batch_invariant; breaks faithful, f32_scale_shift_ftz, f32_welford_ftz, "
        "f32_any_range"},
       {"rms_norm", "in_f32",
        "keeps faithful, f32_any_order, f32_any_range, exceptional, batch_invariant; breaks correctly_rounded",
        "keeps f32_any_order, exceptional, batch_invariant; breaks faithful, f32_any_range"}});
}

TEST(Softmax, OfNarrowNumbersTellsInWhichFormatItWasComputed) {
  const std::string none =
      "keeps exceptional, batch_invariant; breaks f32_unshifted_3ulp_ftz, f32_scaled_exp2_3ulp_ftz, "
      "f32_of_log_sum_3ulp_ftz, "
      "f32_row_sum";
  const std::string rounded = "keeps correctly_rounded, exceptional, batch_invariant";
  const std::string shifted =
      "keeps f32_shifted_1ulp, exceptional, batch_invariant; breaks faithful, f32_log1p_3ulp_ftz";
  const std::string steps =
      "keeps exceptional, batch_invariant; breaks faithful, f32_unshifted_3ulp_ftz, f32_shifted_exp2_3ulp_ftz";
  expect_ladders({{"softmax", "in_f32", rounded, rounded},
                  {"softmax", "in_steps", none, none},
                  {"log_softmax", "in_f32", shifted, shifted},
                  {"log_softmax", "in_steps", steps, steps}});
}

TEST(LastRounding, DecidesOverflowAndUnderflow) {
  const auto ladder = [](const std::string& symbol) {
    return ladder_of_symbol(ASSAY_LIBRARY_OF_NARROW, "sum", symbol, "f16", 150);
  };
  const std::string breaks = "; breaks faithful, f32_exact_grid, ";
  EXPECT_EQ(ladder("sum_f16_saturated"), "keeps pairwise" + breaks + "order_free, exceptional");
  EXPECT_EQ(ladder("sum_f16_flushed"), "keeps any_order_ftz, exceptional" + breaks + "any_order, order_free");
  EXPECT_EQ(ladder("sum_f16_cut"), "keeps any_order_ftz, exceptional" + breaks + "any_order, order_free");
}

TEST(Controls, AreRefusedInNarrowFormats) {
  for (const std::string operation : {"sum", "asum", "nrm2", "dot"}) {
    expect_controls_refused(operation, {"f16", "bf16"}, 60);
  }
}

}  // namespace
}  // namespace assay
