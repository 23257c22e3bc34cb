// Factorizations by orthogonal matrices from outside: the ladders of right and wrong functions, and the controls.
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

TEST(Geqrf, IsKeptByReflectorsInThreeOrdersOfLoopsAndByRotations) {
  for (const char* const symbol : {"geqrf", "geqrf_left", "geqrf_rows", "geqrf_whole", "geqrf_unit", "geqrf_givens"}) {
    EXPECT_EQ(ladder("geqrf", symbol), "keeps backward, exceptional") << symbol;
  }
  for (const char* const symbol : {"geqrf_f32", "geqrf_f32_rows", "geqrf_f32_givens"}) {
    EXPECT_EQ(ladder("geqrf", symbol, "f32"), "keeps backward, exceptional") << symbol;
  }
}

TEST(Geqrf, HasARungForGramAndSchmidt) {
  const std::string residual = "keeps residual, exceptional; breaks backward";
  for (const char* const symbol : {"geqrf_modified", "geqrf_classical"}) {
    EXPECT_EQ(ladder("geqrf", symbol), residual) << symbol;
  }
  EXPECT_EQ(ladder("geqrf", "geqrf_f32_classical", "f32"), residual);
}

TEST(Geqrf, IsBrokenByAMistakeInOnePlace) {
  for (const char* const symbol :
       {"geqrf_narrow", "geqrf_packed", "geqrf_without_step", "geqrf_signs", "geqrf_cholesky"}) {
    EXPECT_EQ(ladder("geqrf", symbol), "keeps exceptional; breaks residual") << symbol;
  }
  EXPECT_EQ(ladder("geqrf", "geqrf_cancelling", {}, 70).find("keeps backward"), std::string::npos);
  EXPECT_EQ(ladder("geqrf", "geqrf_without_nan"), "keeps backward; breaks exceptional");
}

TEST(Geqrf, RefusesTheControls) { expect_controls_refused("geqrf", {"f64", "f32"}, 44); }

TEST(Gels, IsKeptByReflectorsAndBothSubstitutions) {
  for (const char* const symbol : {"gels", "gels_columns"}) {
    EXPECT_EQ(ladder("gels", symbol), "keeps backward, exceptional") << symbol;
  }
  EXPECT_EQ(ladder("gels", "gels_f32", "f32"), "keeps backward, exceptional");
}

TEST(Gels, IsBrokenByNormalEquationsAndOtherMistakes) {
  for (const char* const symbol : {"gels_normal_equations", "gels_classical", "gels_first_rows", "gels_narrow"}) {
    EXPECT_EQ(ladder("gels", symbol), "keeps exceptional; breaks backward") << symbol;
  }
  EXPECT_EQ(ladder("gels", "gels_without_nan"), "keeps backward; breaks exceptional");
}

TEST(Gels, RefusesTheControls) { expect_controls_refused("gels", {"f64", "f32"}, 44); }

TEST(Syev, IsKeptByJacobi) {
  EXPECT_EQ(ladder("syev", "syev"), "keeps backward, values, exceptional");
  EXPECT_EQ(ladder("syev", "syev_f32", "f32"), "keeps backward, values, exceptional");
}

TEST(Syev, IsBrokenByWrongValues) {
  EXPECT_EQ(ladder("syev", "syev_diagonal"), "keeps none; breaks backward, values, exceptional");
  for (const char* const symbol : {"syev_descending", "syev_two_sweeps", "syev_narrow"}) {
    EXPECT_EQ(ladder("syev", symbol), "keeps exceptional; breaks backward, values") << symbol;
  }
}

TEST(Syev, IsBrokenByWrongVectors) {
  for (const char* const symbol : {"syev_unpaired", "syev_rows", "syev_unscaled"}) {
    EXPECT_EQ(ladder("syev", symbol), "keeps values, exceptional; breaks backward") << symbol;
  }
}

TEST(Syev, IsBrokenByWhatDropsANan) {
  EXPECT_EQ(ladder("syev", "syev_without_nan"), "keeps backward, values; breaks exceptional");
}

TEST(Syev, RefusesTheControls) { expect_controls_refused("syev", {"f64", "f32"}, 44); }

TEST(Ladders, AreTheSameInThreeThousandCases) {
  struct Row {
    const char *name, *symbol, *format, *ladder;
  };
  for (const Row& each :
       std::initializer_list<Row>{{"geqrf", "geqrf_left", "", "keeps backward, exceptional"},
                                  {"geqrf", "geqrf_f32_rows", "f32", "keeps backward, exceptional"},
                                  {"geqrf", "geqrf_modified", "", "keeps residual, exceptional; breaks backward"},
                                  {"gels", "gels", "", "keeps backward, exceptional"},
                                  {"gels", "gels_f32", "f32", "keeps backward, exceptional"},
                                  {"syev", "syev", "", "keeps backward, values, exceptional"},
                                  {"syev", "syev_f32", "f32", "keeps backward, values, exceptional"}}) {
    EXPECT_EQ(ladder_of_symbol(ASSAY_LIBRARY_OF_FACTORS, each.name, each.symbol, each.format, 3000), each.ladder)
        << each.symbol;
  }
}

}  // namespace
}  // namespace assay
