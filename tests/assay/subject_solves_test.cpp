// Systems by factors, definite systems and inverses from outside: the ladders of right and wrong functions.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

std::string ladder(const std::string& name, const std::string& symbol, const std::string& format = {},
                   std::uint64_t cases = 50) {
  return ladder_of_symbol(ASSAY_LIBRARY_OF_FACTORS, name, symbol, format, cases);
}

TEST(Getrs, IsKeptByBothOrdersOfLoops) {
  for (const char* const symbol : {"getrs", "getrs_columns"}) {
    EXPECT_EQ(ladder("getrs", symbol), "keeps backward, exceptional") << symbol;
  }
  EXPECT_EQ(ladder("getrs", "getrs_f32", "f32"), "keeps backward, exceptional");
}

TEST(Getrs, IsBrokenByAMistakeInOnePlace) {
  for (const char* const symbol : {"getrs_without_pivots", "getrs_backward_pivots", "getrs_packed", "getrs_narrow"}) {
    EXPECT_EQ(ladder("getrs", symbol), "keeps exceptional; breaks backward") << symbol;
  }
  EXPECT_EQ(ladder("getrs", "getrs_without_nan"), "keeps backward; breaks exceptional");
}

TEST(Getrs, RefusesTheControls) { expect_controls_refused("getrs", {"f64", "f32"}, 44); }

TEST(Posv, IsKeptByQuotientsAndReciprocals) {
  for (const char* const symbol : {"posv", "posv_reciprocal"}) {
    EXPECT_EQ(ladder("posv", symbol), "keeps backward, exceptional") << symbol;
  }
  EXPECT_EQ(ladder("posv", "posv_f32", "f32"), "keeps backward, exceptional");
}

TEST(Posv, IsBrokenByAWrongStatus) {
  for (const char* const symbol : {"posv_of_magnitudes", "posv_by_elimination", "posv_refuses"}) {
    EXPECT_EQ(ladder("posv", symbol), "keeps exceptional; breaks status") << symbol;
  }
}

TEST(Posv, IsBrokenByALargeResidual) {
  for (const char* const symbol : {"posv_narrow", "posv_by_inverse"}) {
    EXPECT_EQ(ladder("posv", symbol), "keeps status, exceptional; breaks backward") << symbol;
  }
  EXPECT_EQ(ladder("posv", "posv_without_nan"), "keeps backward; breaks exceptional");
}

TEST(Posv, RefusesTheControls) { expect_controls_refused("posv", {"f64", "f32"}, 44); }

/// The growth in the bounds hides the other form's residual in most cases.
constexpr std::uint64_t enough = 1500;

TEST(Inv, BySystemsKeepsTheRightResidualAlone) {
  for (const char* const symbol : {"inv", "inv_columns"}) {
    EXPECT_EQ(ladder("inv", symbol, {}, enough), "keeps right_residual, exceptional; breaks left_residual") << symbol;
  }
  EXPECT_EQ(ladder("inv", "inv_f32", "f32", enough), "keeps right_residual, exceptional; breaks left_residual");
}

TEST(Inv, ByTwoTriangularOnesKeepsTheLeftResidualAlone) {
  for (const char* const symbol : {"inv_getri", "inv_getri_quotients"}) {
    EXPECT_EQ(ladder("inv", symbol, {}, enough), "keeps left_residual, exceptional; breaks right_residual") << symbol;
  }
  EXPECT_EQ(ladder("inv", "inv_getri_f32", "f32", enough), "keeps left_residual, exceptional; breaks right_residual");
}

TEST(Inv, IsBrokenByALargeResidual) {
  for (const char* const symbol : {"inv_without_pivots", "inv_transposed", "inv_narrow", "inv_refuses"}) {
    EXPECT_EQ(ladder("inv", symbol), "keeps exceptional; breaks right_residual, left_residual") << symbol;
  }
  EXPECT_EQ(ladder("inv", "inv_without_nan"), "keeps right_residual; breaks left_residual, exceptional");
}

TEST(Inv, RefusesTheControls) { expect_controls_refused("inv", {"f64", "f32"}, 44); }

TEST(Ladders, AreTheSameInThreeThousandCases) {
  struct Row {
    const char *name, *symbol, *format, *ladder;
  };
  for (const Row& each : std::initializer_list<Row>{
           {"getrs", "getrs_columns", "", "keeps backward, exceptional"},
           {"getrs", "getrs_f32", "f32", "keeps backward, exceptional"},
           {"posv", "posv_reciprocal", "", "keeps backward, exceptional"},
           {"posv", "posv_f32", "f32", "keeps backward, exceptional"},
           {"inv", "inv_columns", "", "keeps right_residual, exceptional; breaks left_residual"},
           {"inv", "inv_getri_f32", "f32", "keeps left_residual, exceptional; breaks right_residual"}}) {
    EXPECT_EQ(ladder_of_symbol(ASSAY_LIBRARY_OF_FACTORS, each.name, each.symbol, each.format, 3000), each.ladder)
        << each.symbol;
  }
}

}  // namespace
}  // namespace assay
