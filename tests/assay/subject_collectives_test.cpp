// Collective operations from outside: the ladders of right and wrong ones of a library, and the controls.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

/// "keeps any_order; breaks faithful": what the function of the library keeps and breaks.
std::string ladder(const std::string& operation, const std::string& symbol, const std::string& format = "f64") {
  return ladder_of_symbol(ASSAY_LIBRARY_OF_COLLECTIVES, operation, symbol, format, 150);
}

/// Functions of an operation with their ladders.
void expect_ladders(const std::string& operation, const std::vector<std::pair<std::string, std::string>>& ladders) {
  for (const auto& [symbol, expected] : ladders) EXPECT_EQ(ladder(operation, symbol), expected) << symbol;
}

/// What every sum over ranks keeps that is right, without the place, and what each breaks that is not exact.
const std::string on_ranks = ", same_bits_on_all_ranks, ";
const std::string results = "run_to_run, exceptional, zeros; breaks faithful, ";

TEST(AllReduce, HasTheLadderOfItsAlgorithm) {
  for (const auto& [format, wider] : std::vector<std::pair<std::string, std::string>>{{"f64", "wide_any_order"},
                                                                                      {"f32", "wide_any_order"},
                                                                                      {"f16", "f32_exact_grid"},
                                                                                      {"bf16", "f32_exact_grid"}}) {
    const std::string of_tree = "keeps tree" + on_ranks + "place_invariant, " + results + wider + ", order_free";
    const std::string of_chain =
        "keeps any_order" + on_ranks + "place_invariant, " + results + wider + ", tree, order_free";
    const std::string of_ring = "keeps any_order" + on_ranks + results + wider + ", tree, order_free, place_invariant";
    for (const auto& [algorithm, expected] : std::vector<std::pair<std::string, std::string>>{
             {"gather", of_chain}, {"ring", of_ring}, {"tree", of_tree}, {"doubling", of_tree}}) {
      EXPECT_EQ(ladder("all_reduce", "all_reduce_" + format + "_" + algorithm, format), expected)
          << format << algorithm;
    }
  }
  EXPECT_EQ(ladder("all_reduce", "all_reduce_bf16_in_f32", "bf16"),
            "keeps f32_tree" + on_ranks + "place_invariant, " + results + "order_free");
}

TEST(AllReduceThatIsWrong, BreaksTheContractThatItsAuthorWouldClaim) {
  const std::string chain = "wide_any_order, tree, order_free";
  const std::string none =
      "keeps same_bits_on_all_ranks, place_invariant, run_to_run, exceptional, zeros; breaks "
      "exact_grid, order_free";
  expect_ladders(
      "all_reduce",
      {{"all_reduce_adds_twice", none},
       {"all_reduce_own_first",
        "keeps any_order, place_invariant, " + results + "wide_any_order, tree, same_bits_on_all_ranks, order_free"},
       {"all_reduce_last_bit",
        "keeps run_to_run, exceptional; breaks exact_grid, same_bits_on_all_ranks, order_free, "
        "place_invariant, zeros"},
       {"all_reduce_without_tail",
        "keeps same_bits_on_all_ranks, run_to_run, zeros; breaks exact_grid, order_free, "
        "place_invariant, exceptional"},
       {"all_reduce_by_length", "keeps any_order" + on_ranks + results + chain + ", place_invariant"},
       {"all_reduce_as_they_come", "keeps any_order, same_bits_on_all_ranks, exceptional, zeros; breaks faithful, " +
                                       chain + ", place_invariant, run_to_run"},
       {"all_reduce_previous",
        "keeps none; breaks exact_grid, same_bits_on_all_ranks, order_free, place_invariant, "
        "run_to_run, exceptional, zeros"},
       {"all_reduce_from_zero",
        "keeps any_order, same_bits_on_all_ranks, place_invariant, run_to_run, exceptional; "
        "breaks faithful, " +
            chain + ", zeros"},
       {"all_reduce_flushes",
        "keeps any_order_ftz" + on_ranks + "place_invariant, " + results + "wide_any_order, any_order, order_free"},
       {"all_reduce_drops_nan",
        "keeps any_order, same_bits_on_all_ranks, place_invariant, run_to_run, zeros; breaks "
        "faithful, " +
            chain + ", exceptional"}});
  EXPECT_EQ(ladder("all_reduce", "all_reduce_in_bf16", "f32"), none);
}

TEST(Extremes, HaveTheLadderOfTheirRuleForNan) {
  const std::string structure = "same_bits_on_all_ranks, place_invariant, run_to_run";
  const std::string rules = "nan_propagates, nan_is_missing, zeros_ordered, same_bits_on_all_ranks";
  const std::string propagates = "keeps exact, nan_propagates, zeros_ordered, " + structure;
  expect_ladders("all_reduce_max",
                 {{"all_reduce_max_propagates", propagates},
                  {"all_reduce_max_number", "keeps exact, nan_is_missing, zeros_ordered, " + structure},
                  {"all_reduce_max_compares", "keeps exact, place_invariant, run_to_run; breaks " + rules},
                  {"all_reduce_max_magnitude", "keeps place_invariant, run_to_run; breaks exact, " + rules}});
  expect_ladders("all_reduce_min", {{"all_reduce_min_propagates", propagates},
                                    {"all_reduce_max_propagates",
                                     "keeps nan_propagates, " + structure + "; breaks exact, zeros_ordered"}});
}

TEST(ReduceScatter, HasTheLadderOfItsAlgorithm) {
  const std::string chain = "wide_any_order, tree, order_free";
  expect_ladders("reduce_scatter",
                 {{"reduce_scatter_gather", "keeps any_order, place_invariant, " + results + chain},
                  {"reduce_scatter_ring", "keeps any_order, " + results + chain + ", place_invariant"},
                  {"reduce_scatter_shifted",
                   "keeps run_to_run; breaks exact_grid, order_free, place_invariant, exceptional, zeros"}});
}

TEST(AllGather, KeepsEveryBit) {
  const std::string broken = "keeps run_to_run; breaks bits_kept";
  expect_ladders("all_gather", {{"all_gather_copies", "keeps bits_kept, run_to_run"},
                                {"all_gather_adds_zero", broken},
                                {"all_gather_without_own", broken}});
}

TEST(Collectives, RefuseEveryControl) {
  for (const std::string operation :
       {"all_reduce", "all_reduce_max", "all_reduce_min", "reduce_scatter", "all_gather"}) {
    expect_controls_refused(operation, {"f64", "f32", "f16", "bf16"}, 40);
  }
}

}  // namespace
}  // namespace assay
