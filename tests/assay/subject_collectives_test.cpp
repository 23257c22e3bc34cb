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
  return ladder_of_symbol(ASSAY_LIBRARY_OF_COLLECTIVES, operation, symbol, format, 300);
}

/// Functions of an operation with their ladders.
void expect_ladders(const std::string& operation, const std::vector<std::pair<std::string, std::string>>& ladders) {
  for (const auto& [symbol, expected] : ladders) EXPECT_EQ(ladder(operation, symbol), expected) << symbol;
}

TEST(AllReduce, HasTheLadderOfItsAlgorithm) {
  for (const std::string format : {"f64", "f32", "f16", "bf16"}) {
    for (const std::string algorithm : {"gather", "ring", "tree", "doubling"}) {
      EXPECT_EQ(ladder("all_reduce", "all_reduce_" + format + "_" + algorithm, format), "") << format << algorithm;
    }
  }
}

TEST(AllReduceThatIsWrong, BreaksTheContractThatItsAuthorWouldClaim) {
  expect_ladders("all_reduce", {{"all_reduce_adds_twice", ""},
                                {"all_reduce_own_first", ""},
                                {"all_reduce_last_bit", ""},
                                {"all_reduce_without_tail", ""},
                                {"all_reduce_by_length", ""},
                                {"all_reduce_as_they_come", ""},
                                {"all_reduce_previous", ""},
                                {"all_reduce_from_zero", ""},
                                {"all_reduce_flushes", ""},
                                {"all_reduce_drops_nan", ""}});
  EXPECT_EQ(ladder("all_reduce", "all_reduce_in_bf16", "f32"), "");
  EXPECT_EQ(ladder("all_reduce", "all_reduce_bf16_in_f32", "bf16"), "");
}

TEST(Extremes, HaveTheLadderOfTheirRuleForNan) {
  expect_ladders("all_reduce_max", {{"all_reduce_max_propagates", ""},
                                    {"all_reduce_max_number", ""},
                                    {"all_reduce_max_compares", ""},
                                    {"all_reduce_max_magnitude", ""}});
  expect_ladders("all_reduce_min", {{"all_reduce_min_propagates", ""}, {"all_reduce_max_propagates", ""}});
}

TEST(ReduceScatter, HasTheLadderOfItsAlgorithm) {
  expect_ladders("reduce_scatter",
                 {{"reduce_scatter_gather", ""}, {"reduce_scatter_ring", ""}, {"reduce_scatter_shifted", ""}});
}

TEST(AllGather, KeepsEveryBit) {
  expect_ladders("all_gather",
                 {{"all_gather_copies", ""}, {"all_gather_adds_zero", ""}, {"all_gather_without_own", ""}});
}

TEST(Collectives, RefuseEveryControl) {
  for (const std::string operation :
       {"all_reduce", "all_reduce_max", "all_reduce_min", "reduce_scatter", "all_gather"}) {
    expect_controls_refused(operation, {"f64", "f32", "f16", "bf16"}, 150);
  }
}

}  // namespace
}  // namespace assay
