// Kernels from outside whose results are arrays: the ladders of right and wrong functions of a library, and the
// controls.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "properties/framework/shrink.hpp"
#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

/// "keeps any_order; breaks faithful": the contracts that the function of the library keeps and breaks.
std::string ladder(const std::string& name, const std::string& symbol, std::uint64_t cases = 150) {
  return ladder_of_symbol(ASSAY_LIBRARY_OF_VECTORS, name, symbol, {}, cases);
}

/// Functions of an operation with their ladders.
void expect_ladders(const std::string& operation, const std::vector<std::pair<std::string, std::string>>& ladders) {
  for (const auto& [symbol, expected] : ladders) EXPECT_EQ(ladder(operation, symbol), expected) << symbol;
}

/// Functions of an operation that have one ladder.
void expect_each(const std::string& operation, const std::vector<std::string>& symbols, const std::string& expected) {
  for (const std::string& symbol : symbols) EXPECT_EQ(ladder(operation, symbol), expected) << symbol;
}

TEST(LargeShapes, AreThreeOfEachOperationThatTakesShapes) {
  const std::set<std::string> with_shapes{"sum",
                                          "asum",
                                          "nrm2",
                                          "dot",
                                          "axpy",
                                          "cumsum",
                                          "fft",
                                          "ifft",
                                          "rfft",
                                          "irfft",
                                          "fft_rows",
                                          "fft2",
                                          "convolve",
                                          "convolve2d",
                                          "softmax",
                                          "log_softmax",
                                          "layer_norm",
                                          "rms_norm",
                                          "matmul",
                                          "gemm",
                                          "gemv",
                                          "csrmv",
                                          "spmv",
                                          "matmul_epilogue",
                                          "gemv_n",
                                          "all_reduce",
                                          "all_gather",
                                          "all_reduce_max",
                                          "all_reduce_min",
                                          "reduce_scatter",
                                          "convolution1d",
                                          "convolution2d",
                                          "convolution2d_bias",
                                          "convolution2d_backward_x",
                                          "convolution2d_backward_k"};
  std::set<std::string> found;
  for (const Operation* const each : operations()) {
    Question question;
    question.format = each->formats.front();
    question.has_large = true;
    const auto property = each->property(question, {});
    const std::vector<ClassInfo>& classes = property->info().classes;
    const auto is_large = [](const ClassInfo& of) { return of.name.starts_with("large: "); };
    const auto large = std::ranges::count_if(classes, is_large);
    if (large == 0) continue;
    found.insert(each->name);
    EXPECT_EQ(large, 3) << each->name;
    std::uint64_t number = property->info().quick_cases;
    for (const ClassInfo& of : classes) {
      if (!is_large(of)) continue;
      const std::optional<Record> record = property->make(1, number++);
      ASSERT_TRUE(record) << each->name << ": " << of.name;
      EXPECT_GT(numbers_in(*record), 1000) << each->name << ": " << of.name;
    }
  }
  EXPECT_EQ(found, with_shapes);
}

TEST(Axpy, HasTheLadderOfItsRoundings) {
  const std::string reads = "exceptional, alpha_zero_reads; breaks ";
  const std::string twice = "keeps two_roundings, " + reads + "faithful, wide_two_roundings, alpha_zero_skips";
  const std::string once = "keeps fma, " + reads + "alpha_zero_skips";
  expect_ladders(
      "axpy", {{"axpy", twice},
               {"cblas_daxpy", twice},
               {"daxpy_", twice},
               {"axpy_fma", once},
               {"cblas_saxpy", once},
               {"axpy_quick", "keeps correctly_rounded, exceptional, alpha_zero_skips; breaks fma, alpha_zero_reads"}});
}

TEST(Axpy, ThatIsWrongKeepsNoBound) {
  const std::string breaks = "breaks exact_grid, exceptional, alpha_zero_reads, alpha_zero_skips";
  expect_each("axpy", {"axpy_without_alpha", "axpy_scales"}, "keeps none; " + breaks);
  expect_ladders("axpy",
                 {{"axpy_without_last", "keeps alpha_zero_reads; breaks exact_grid, exceptional, alpha_zero_skips"},
                  {"axpy_single", "keeps exceptional; breaks exact_grid, alpha_zero_reads, alpha_zero_skips"},
                  {"axpy_nothing", "keeps alpha_zero_skips; breaks exact_grid, exceptional, alpha_zero_reads"}});
}

TEST(Cumsum, HasTheLadderOfItsOrder) {
  const std::string tree = ", exceptional; breaks faithful, wide_tree, wide_any_order, compensated, ";
  expect_ladders("cumsum", {{"cumsum",
                             "keeps any_order, monotone, exceptional; breaks faithful, wide_tree, wide_any_order, "
                             "compensated, tree_ftz"},
                            {"cumsum_compensated",
                             "keeps wide_pairwise, wide_any_order, compensated, pairwise, any_order, monotone; breaks "
                             "faithful, exceptional"},
                            {"cumsum_kogge_stone", "keeps pairwise, any_order" + tree + "monotone"},
                            {"cumsum_blelloch", "keeps tree, any_order" + tree + "pairwise, monotone"}});
}

TEST(Cumsum, ThatIsWrongKeepsNoBound) {
  expect_each("cumsum", {"cumsum_exclusive", "cumsum_of_blocks", "cumsum_copies"},
              "keeps none; breaks exact_grid, monotone, exceptional");
  expect_each("cumsum", {"cumsum_total", "cumsum_subtracts"}, "keeps monotone; breaks exact_grid, exceptional");
}

TEST(Softmax, HasTheLadderOfItsExponentialsAndItsShift) {
  expect_ladders(
      "softmax",
      {{"softmax", "keeps shifted_1ulp, row_sum, exceptional, batch_invariant; breaks faithful"},
       {"softmax_2ulp",
        "keeps shifted_3ulp, unshifted_1ulp, row_sum, exceptional, batch_invariant; breaks shifted_1ulp"},
       {"softmax_unshifted",
        "keeps unshifted_1ulp, nan_stays, masked_nan, batch_invariant; breaks scaled_exp2_3ulp_ftz, "
        "of_log_sum_3ulp_ftz, row_sum, "
        "infinity_nan, infinity_limit"},
       {"softmax_drops_nan",
        "keeps shifted_1ulp, row_sum, masked_nan, infinity_nan, batch_invariant; breaks faithful, nan_stays"}});
  EXPECT_EQ(ladder("softmax", "softmax_truncated", 600),
            "keeps shifted_1ulp, row_sum, exceptional, batch_invariant; breaks faithful");
}

TEST(Softmax, ThatIsWrongKeepsNoBound) {
  const std::string bounds = "breaks unshifted_3ulp_ftz, scaled_exp2_3ulp_ftz, of_log_sum_3ulp_ftz, ";
  const std::string infinities = "infinity_nan, infinity_limit";
  expect_ladders(
      "softmax",
      {{"softmax_zeros", "keeps masked_zero, batch_invariant; " + bounds + "row_sum, nan_stays, " + infinities},
       {"softmax_first_row", "keeps none; " + bounds + "row_sum, nan_stays, masked_nan, masked_zero, masked_uniform, " +
                                 infinities + ", batch_invariant"},
       {"softmax_without_sum", "keeps nan_stays, masked_nan, batch_invariant; " + bounds + "row_sum, " + infinities},
       {"softmax_uniform", "keeps row_sum, masked_uniform, batch_invariant; " + bounds + "nan_stays, " + infinities}});
}

TEST(LogSoftmax, HasTheLadderOfItsForm) {
  expect_ladders(
      "log_softmax",
      {{"log_softmax", "keeps shifted_1ulp, exceptional, batch_invariant; breaks log1p_3ulp_ftz"},
       {"log_softmax_of_sum", "keeps of_sum_1ulp, exceptional, batch_invariant; breaks shifted_exp2_3ulp_ftz"},
       {"log_softmax_unshifted",
        "keeps unshifted_1ulp, nan_stays, masked_nan, batch_invariant; breaks of_sum_3ulp_ftz, shifted_exp2_3ulp_ftz, "
        "infinity_nan, infinity_limit"},
       {"log_softmax_of_quotient",
        "keeps unshifted_1ulp, exceptional, batch_invariant; breaks of_sum_3ulp_ftz, shifted_exp2_3ulp_ftz"},
       {"log_softmax_shifts_alone",
        "keeps nan_stays, masked_nan, batch_invariant; breaks unshifted_3ulp_ftz, shifted_exp2_3ulp_ftz, infinity_nan, "
        "infinity_limit"}});
}

TEST(LayerNorm, HasTheLadderOfItsPasses) {
  // The variance of the one pass is not kept from being negative.
  expect_ladders(
      "layer_norm",
      {{"layer_norm", "keeps two_pass, exceptional, batch_invariant; breaks faithful, wide_two_pass, any_range"},
       {"layer_norm_one_pass", "keeps exceptional, batch_invariant; breaks welford_ftz, any_range, finite"}});
}

TEST(LayerNorm, ThatIsWrongKeepsNoBound) {
  const std::string bounds = "breaks faithful, wide_two_pass, welford_ftz, one_pass_scale_shift_ftz, any_range";
  expect_each("layer_norm", {"layer_norm_without_eps", "layer_norm_eps_outside"},
              "keeps exceptional, batch_invariant; breaks welford_ftz, any_range, finite");
  expect_each("layer_norm", {"layer_norm_unbiased"}, "keeps finite, exceptional, batch_invariant; " + bounds);
  expect_each("layer_norm", {"layer_norm_without_weight"},
              "keeps batch_invariant; breaks welford_ftz, any_range, finite, exceptional");
  expect_each("layer_norm", {"layer_norm_without_bias"}, "keeps finite, batch_invariant; " + bounds + ", exceptional");
  expect_each("layer_norm", {"layer_norm_first_row"},
              "keeps none; breaks welford_ftz, any_range, finite, exceptional, batch_invariant");
}

TEST(RmsNorm, HasTheLadderOfItsRoundings) {
  EXPECT_EQ(ladder("rms_norm", "rms_norm"), "keeps any_order, exceptional, batch_invariant; breaks any_range");
}

TEST(RmsNorm, ThatIsWrongKeepsNoBound) {
  expect_each("rms_norm", {"rms_norm_without_eps", "rms_norm_eps_outside", "rms_norm_centred"},
              "keeps exceptional, batch_invariant; breaks any_range, finite");
  expect_each("rms_norm", {"rms_norm_without_weight"}, "keeps batch_invariant; breaks any_range, finite, exceptional");
}

TEST(Spmv, HasTheLadderOfItsSums) {
  expect_ladders("spmv",
                 {{"spmv", "keeps any_order, exceptional; breaks faithful, wide_any_order, compensated, pairwise"},
                  {"spmv_compensated", "keeps compensated, pairwise; breaks faithful, wide_any_order, exceptional"}});
}

TEST(Spmv, ThatIsWrongKeepsNothing) {
  expect_each("spmv", {"spmv_without_empty_rows", "spmv_without_columns", "spmv_without_last", "spmv_row_sums"},
              "keeps none; breaks exact_grid, exceptional");
}

TEST(Trsv, HasTheLadderOfASubstitution) {
  expect_each("trsv", {"trsv", "trsv_by_columns", "cblas_dtrsv", "dtrsv_"},
              "keeps backward, exact_grid, exceptional; breaks faithful, wide_unknowns");
}

TEST(Trsv, ThatIsWrongKeepsNoBound) {
  const std::string breaks = "breaks wide_unknowns, backward_reciprocal, backward_ftz, exact_grid";
  expect_each("trsv",
              {"trsv_by_inverse", "trsv_without_trans", "trsv_without_division", "trsv_diagonal_alone", "trsv_nothing"},
              "keeps none; " + breaks + ", exceptional");
  EXPECT_EQ(ladder("trsv", "trsv_without_unit"), "keeps exceptional; " + breaks);
}

/// An operation whose result is an array.
class Arrays : public testing::TestWithParam<std::string> {};

TEST_P(Arrays, RefuseTheControlsByEveryContractAboutAnError) {
  expect_controls_refused(GetParam(), find_operation(GetParam())->formats, 40);
}

INSTANTIATE_TEST_SUITE_P(Operations, Arrays,
                         testing::Values("axpy", "cumsum", "softmax", "log_softmax", "layer_norm", "rms_norm", "spmv",
                                         "trsv"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace assay
