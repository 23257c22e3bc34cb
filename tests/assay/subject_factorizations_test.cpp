// Factorizations from outside: the ladders of right and wrong functions of a library, and the controls.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

std::string ladder(const std::string& name, const std::string& symbol, const std::string& format = {},
                   std::uint64_t cases = 220) {
  return ladder_of_symbol(ASSAY_LIBRARY_OF_FACTORS, name, symbol, format, cases);
}

TEST(Potrf, IsKeptByEveryOrderOfARightKernel) {
  for (const char* const symbol : {"potrf", "potrf_right", "potrf_reciprocal", "potrf_blocked", "potrf_recursive",
                                   "potrf_fma", "potrf_wide", "dpotrf_", "potrf_without_status"}) {
    EXPECT_EQ(ladder("potrf", symbol), "keeps backward, exact_grid, exceptional") << symbol;
  }
  for (const char* const symbol : {"potrf_f32", "potrf_f32_right", "potrf_f32_reciprocal", "potrf_f32_blocked",
                                   "potrf_f32_recursive", "potrf_f32_fma", "potrf_f32_wide"}) {
    EXPECT_EQ(ladder("potrf", symbol, "f32"), "keeps backward, exact_grid, exceptional") << symbol;
  }
}

TEST(Potrf, IsBrokenByWhatReadsTheUpperTriangle) {
  EXPECT_EQ(ladder("potrf", "potrf_symmetrized"), "keeps backward_whole, exact_grid, exceptional; breaks backward");
  EXPECT_EQ(ladder("potrf", "potrf_of_upper"), "keeps backward_whole, exact_grid, exceptional; breaks backward");
}

TEST(Potrf, IsBrokenByAMistakeInOnePlace) {
  for (const char* const symbol : {"potrf_without_entry", "potrf_stale_row", "potrf_wrong_sign", "potrf_packed"}) {
    EXPECT_EQ(ladder("potrf", symbol), "keeps exceptional; breaks exact_grid, status") << symbol;
  }
  for (const char* const symbol : {"potrf_without_root", "potrf_upper"}) {
    EXPECT_EQ(ladder("potrf", symbol), "keeps status, exceptional; breaks backward_whole, exact_grid") << symbol;
  }
  EXPECT_EQ(ladder("potrf", "potrf_narrow"), "keeps exact_grid, exceptional; breaks status");
}

TEST(Potrf, IsBrokenByAWrongStatus) {
  EXPECT_EQ(ladder("potrf", "potrf_of_magnitudes"), "keeps exact_grid, exceptional; breaks status");
  EXPECT_EQ(ladder("potrf", "potrf_goes_on"), "keeps exact_grid; breaks status, exceptional");
  EXPECT_EQ(ladder("potrf", "potrf_refuses"), "keeps exceptional; breaks exact_grid, status");
  EXPECT_EQ(ladder("potrf", "potrf_status_of_order"), "keeps exceptional; breaks exact_grid, status");
}

TEST(Potrf, IsBrokenByWhatDropsANan) {
  EXPECT_EQ(ladder("potrf", "potrf_without_nan"), "keeps backward, exact_grid; breaks exceptional");
}

TEST(Getrf, IsKeptByEveryOrderOfARightKernel) {
  for (const char* const symbol : {"getrf", "getrf_fma", "getrf_columns", "getrf_wide", "dgetrf_"}) {
    EXPECT_EQ(ladder("getrf", symbol), "keeps backward, exact_grid, exceptional") << symbol;
  }
  for (const char* const symbol : {"getrf_f32", "getrf_f32_fma", "getrf_f32_columns"}) {
    EXPECT_EQ(ladder("getrf", symbol, "f32"), "keeps backward, exact_grid, exceptional") << symbol;
  }
}

TEST(Getrf, HasARungForReciprocalsAndOneForOtherPivots) {
  const std::string reciprocal = "keeps backward_reciprocal, exact_grid, exceptional; breaks backward";
  EXPECT_EQ(ladder("getrf", "getrf_reciprocal"), reciprocal);
  EXPECT_EQ(ladder("getrf", "getrf_f32_reciprocal", "f32", 1000), reciprocal);
  EXPECT_EQ(ladder("getrf", "getrf_threshold"), "keeps backward_any_pivots, exact_grid, exceptional; breaks growth");
}

TEST(Getrf, IsBrokenByPivotsThatMayBeZero) {
  for (const char* const symbol : {"getrf_without_pivots", "getrf_signed_pivots"}) {
    EXPECT_EQ(ladder("getrf", symbol), "keeps exact_grid, exceptional; breaks backward_any_pivots, growth") << symbol;
  }
}

TEST(Getrf, IsBrokenByAMistakeInOnePlace) {
  for (const char* const symbol :
       {"getrf_left_rows", "getrf_without_entry", "getrf_stale_row", "getrf_without_status", "getrf_from_one"}) {
    EXPECT_EQ(ladder("getrf", symbol), "keeps growth, exceptional; breaks backward_any_pivots, exact_grid") << symbol;
  }
  EXPECT_EQ(ladder("getrf", "getrf_without_quotient"),
            "keeps exceptional; breaks backward_any_pivots, exact_grid, growth");
  EXPECT_EQ(ladder("getrf", "getrf_narrow"), "keeps exact_grid, growth, exceptional; breaks backward_any_pivots");
  EXPECT_EQ(ladder("getrf", "getrf_without_nan"), "keeps backward, exact_grid; breaks exceptional");
}

TEST(Getrf, RefusesTheControls) { expect_controls_refused("getrf", {"f64", "f32"}, 44); }

TEST(Gesv, IsKeptByEveryOrderOfARightKernel) {
  for (const char* const symbol : {"gesv", "gesv_columns", "gesv_reciprocal", "gesv_fma", "gesv_wide", "dgesv_"}) {
    EXPECT_EQ(ladder("gesv", symbol), "keeps backward, exceptional") << symbol;
  }
  for (const char* const symbol : {"gesv_f32", "gesv_f32_columns", "gesv_f32_reciprocal"}) {
    EXPECT_EQ(ladder("gesv", symbol, "f32"), "keeps backward, exceptional") << symbol;
  }
}

TEST(Gesv, IsBrokenByWhatHasALargeResidual) {
  for (const char* const symbol : {"gesv_narrow", "gesv_without_pivots", "gesv_without_entry", "gesv_rows_of_b",
                                   "gesv_transposed", "gesv_normal_equations", "gesv_by_inverse", "gesv_refuses"}) {
    EXPECT_EQ(ladder("gesv", symbol), "keeps exceptional; breaks backward") << symbol;
  }
}

TEST(Gesv, RefusesTheControls) { expect_controls_refused("gesv", {"f64", "f32"}, 44); }

TEST(Trsm, IsKeptByEveryOrderOfARightKernel) {
  for (const char* const symbol : {"trsm", "trsm_columns", "cblas_dtrsm", "dtrsm_"}) {
    EXPECT_EQ(ladder("trsm", symbol), "keeps backward") << symbol;
  }
  for (const char* const symbol : {"trsm_f32", "trsm_f32_columns"}) {
    EXPECT_EQ(ladder("trsm", symbol, "f32"), "keeps backward") << symbol;
  }
  EXPECT_EQ(ladder("trsm", "trsm_reciprocal"), "keeps backward_reciprocal; breaks backward");
}

TEST(Trsm, IsBrokenByAMistakeInOnePlace) {
  for (const char* const symbol :
       {"trsm_first_column", "trsm_without_trans", "trsm_without_division", "trsm_stale_row", "trsm_narrow"}) {
    EXPECT_EQ(ladder("trsm", symbol), "keeps none; breaks backward_reciprocal") << symbol;
  }
}

TEST(Trsm, RefusesTheControls) { expect_controls_refused("trsm", {"f64", "f32"}, 44); }

TEST(Potrf, RefusesTheControls) { expect_controls_refused("potrf", {"f64", "f32"}, 44); }

}  // namespace
}  // namespace assay
