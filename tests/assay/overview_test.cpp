#include "assay/report/overview.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/report/figures.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using testing::ElementsAre;

/// A family of sums of K = 1 … 4 terms in two formats, p3 exhaustive, with a claim about bits in addition to the bound.
store::Summary by_terms() {
  store::Summary summary;
  for (int k = 1; k <= 4; ++k) {
    for (const std::string suffix : {"", ".p3"}) {
      store::PropertySummary one = sample::property("expansion.add" + std::to_string(k) + suffix, false, 20);
      one.info.claims[0].statement = "|s − (x + y)| ≤ " + std::to_string(k) + "u|x + y|";
      one.info.claims[1] = {"nonoverlapping", "ulp-nonoverlapping", "", "", false};
      if (!suffix.empty()) {
        one.info.format = "p3:-254:255";
        one.rigor = "exhaustive";
      }
      summary.properties.push_back(std::move(one));
    }
  }
  return summary;
}

TEST(Overview, MakesColumnsOfNumbersOfTerms) {
  const auto all = overviews(by_terms());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].by_terms);
  EXPECT_THAT(all[0].terms, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(all[0].formats, ElementsAre("binary64", "p3"));
  ASSERT_EQ(all[0].rows.size(), 2u);
  EXPECT_EQ(all[0].rows[0].operation, "addK");
  EXPECT_EQ(all[0].rows[0].cells.size(), 8u);
}

TEST(Overview, WritesKWhereStatementsDifferByIt) {
  EXPECT_EQ(overviews(by_terms())[0].rows[0].statement, "|s − (x + y)| ≤ Ku|x + y|");
}

TEST(Overview, WritesAFewStatementsWithTheirNumbers) {
  store::Summary summary = by_terms();
  for (std::size_t i = 0; i < summary.properties.size(); ++i) {
    summary.properties[i].info.claims[0].statement = i < 2 ? "s = x + y" : "|s − (x + y)| ≤ 2u|x + y|";
  }
  EXPECT_EQ(overviews(summary)[0].rows[0].statement, "K = 1: s = x + y; K = 2 … 4: |s − (x + y)| ≤ 2u|x + y|");
}

TEST(Overview, WritesTheFirstAndTheLastOfManyStatements) {
  store::Summary summary;
  for (int k = 1; k <= 6; ++k) {
    summary.properties.push_back(sample::property("expansion.add" + std::to_string(k), false, 20));
    summary.properties.back().info.claims[0].statement = "≤ " + std::to_string(k * k) + "u";
  }
  EXPECT_EQ(overviews(summary)[0].rows[0].statement, "K = 1: ≤ 1u; …; K = 6: ≤ 36u");
}

TEST(Overview, PutsHalvingsIntoOneRow) {
  store::Summary summary;
  for (const std::string name :
       {"renormalize16_to_8", "renormalize2_to_1", "renormalize4_to_2", "renormalize5_to_2", "renormalize8_to_4"}) {
    summary.properties.push_back(sample::property("expansion." + name, false, 20));
  }
  const auto all = overviews(summary);
  ASSERT_EQ(all[0].rows.size(), 2u);
  EXPECT_EQ(all[0].rows[0].operation, "renormalize2K_to_K");
  EXPECT_EQ(all[0].rows[0].cells.size(), 4u);
  EXPECT_EQ(all[0].rows[1].operation, "renormalize5_to_K");
}

TEST(Overview, TakesThreeNumbersForNamesOfAlgorithms) {
  store::Summary summary;
  for (const std::string name : {"dw.mul1", "dw.mul2", "dw.mul3"}) {
    summary.properties.push_back(sample::property(name, false, 20));
  }
  const auto all = overviews(summary);
  EXPECT_FALSE(all[0].by_terms);
  EXPECT_THAT(all[0].terms, ElementsAre(0));
  EXPECT_EQ(all[0].rows[0].operation, "mul1");
}

TEST(Overview, TakesANumberedOperationAmongOthersForAlgorithms) {
  store::Summary summary;
  for (const std::string name : {"gemm.acc3", "gemm.acc4", "gemm.acc6", "gemm.acc8", "gemm.crt", "gemm.slices"}) {
    summary.properties.push_back(sample::property(name, false, 20));
  }
  const auto all = overviews(summary);
  EXPECT_FALSE(all[0].by_terms);
  EXPECT_EQ(all[0].rows[0].operation, "acc3");
}

/// Three operations with one claim of the same words; that of `broken` has a counterexample, as expected.
store::Summary rivals(const std::string& broken) {
  store::Summary summary;
  for (const std::string name : {"gemm.a", "gemm.b", "gemm.c"}) {
    summary.properties.push_back(
        sample::with_verdict(name, name == broken ? store::Finding::refuted_as_expected : store::Finding::holds));
  }
  return summary;
}

TEST(Comparison, IsMadeWhereOneOperationKeepsWhatAnotherBreaks) {
  const auto all = overviews(rivals("gemm.b"));
  ASSERT_TRUE(all[0].comparison);
  const Comparison& comparison = *all[0].comparison;
  EXPECT_THAT(comparison.operations, ElementsAre("a", "b", "c"));
  ASSERT_EQ(comparison.claims.size(), 2u);
  EXPECT_EQ(comparison.claims[0].id, "error");
  EXPECT_EQ(comparison.cells[0][0]->verdict, store::Finding::holds);
  EXPECT_EQ(comparison.cells[1][0]->verdict, store::Finding::refuted_as_expected);
}

TEST(Comparison, IsNotMadeWhereAllKeepTheSame) { EXPECT_FALSE(overviews(rivals("none"))[0].comparison); }

TEST(Comparison, TakesAClaimForTheSameWithAnyRemarkAtItsEnd) {
  store::Summary summary = rivals("gemm.b");
  const std::string promise = summary.properties[0].info.claims[0].statement;
  summary.properties[0].info.claims[0].statement += " (a zero of either sign)";
  summary.properties[1].info.claims[0].statement += " (false for f(x) of slices)";
  const auto all = overviews(summary);
  ASSERT_TRUE(all[0].comparison);
  EXPECT_THAT(all[0].comparison->operations, ElementsAre("a", "b", "c"));
  EXPECT_EQ(all[0].comparison->claims[0].statement, promise);
}

TEST(Comparison, KeepsApartClaimsThatDifferInAFormulaOrBehindAColon) {
  for (const auto& [one, other] : {std::pair{"|e| ≤ c(3)", "|e| ≤ c(28)"}, {"rounded: up", "rounded: down"}}) {
    store::Summary summary = rivals("gemm.b");
    summary.properties[0].info.claims[0].statement = one;
    summary.properties[1].info.claims[0].statement = one;
    summary.properties[2].info.claims[0].statement = other;
    const auto all = overviews(summary);
    ASSERT_TRUE(all[0].comparison);
    EXPECT_THAT(all[0].comparison->operations, ElementsAre("a", "b")) << one;
  }
}

TEST(Comparison, LeavesOutWhatOneOperationAloneStates) {
  store::Summary summary = rivals("gemm.b");
  summary.properties[2].info.claims[0].statement = "something else";
  const auto all = overviews(summary);
  EXPECT_THAT(all[0].comparison->operations, ElementsAre("a", "b"));
}

TEST(Comparison, EndsWithTheClaimOfSameBits) {
  store::Summary summary = rivals("gemm.b");
  summary.properties[0].findings[1].verdict = store::Finding::violated;
  const auto all = overviews(summary);
  EXPECT_EQ(all[0].comparison->claims.back().id, "same_bits");
  EXPECT_EQ(all[0].comparison->cells[0].back()->verdict, store::Finding::violated);
  EXPECT_EQ(all[0].comparison->cells[2].back()->verdict, store::Finding::holds);
}

TEST(Comparison, FollowsTheOperationWithMostClaims) {
  store::Summary summary = rivals("gemm.b");
  for (const std::size_t full : {1, 2}) {
    store::PropertySummary& property = summary.properties[full];
    property.info.claims.insert(property.info.claims.begin(), {"zeros", "zeros are zeros", "a page", "", false});
    property.tally.claims.insert(property.tally.claims.begin(), property.tally.claims[1]);
    property.findings.insert(property.findings.begin(), property.findings[1]);
  }
  const auto all = overviews(summary);
  ASSERT_EQ(all[0].comparison->claims.size(), 3u);
  EXPECT_EQ(all[0].comparison->claims[0].id, "zeros");
  EXPECT_FALSE(all[0].comparison->cells[0][0]);
}

TEST(Comparison, CountsTheComponentsOfAllExecutors) {
  store::Summary summary = rivals("gemm.b");
  summary.properties.push_back(summary.properties[1]);
  summary.properties.back().executor = "cuda";
  const auto all = overviews(summary);
  const OverviewCell& cell = *all[0].comparison->cells[1][0];
  EXPECT_EQ(cell.components, 2 * summary.properties[1].tally.claims[0].components);
  EXPECT_GT(cell.violated_components, 0u);
  EXPECT_EQ(violated_text(cell), std::to_string(cell.violated_components) + " of " + std::to_string(cell.components));
}

TEST(Figures, HaveALineForEachOperation) {
  const auto figures = figures_of(overviews(rivals("gemm.b"))[0]);
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].claim, "error");
  EXPECT_EQ(figures[0].feature.name, "exponent gap");
  EXPECT_THAT(figures[0].names, ElementsAre("a", "b", "c"));
  EXPECT_EQ(figures[0].curves[0].size(), 6u);
}

TEST(Figures, HaveAtMostEightLines) {
  store::Summary summary;
  for (int i = 0; i < 18; ++i) {
    summary.properties.push_back(sample::property("sum." + std::string(1, static_cast<char>('a' + i)), false, 20));
  }
  const auto figures = figures_of(overviews(summary)[0]);
  ASSERT_EQ(figures.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(figures[i].names.size(), 6u);
    EXPECT_EQ(figures[i].part, i + 1);
  }
}

TEST(Overview, PutsWideFormatsFirst) {
  store::Summary summary;
  for (const auto& [suffix, format] : {std::pair{".p10", "p10:-254:255"},
                                       {"", "binary64"},
                                       {".p3", "p3:-254:255"},
                                       {".f16", "binary16"},
                                       {".f32", "binary32"}}) {
    store::PropertySummary one = sample::property(std::string("eft.two_sum") + suffix, false, 20);
    one.info.format = format;
    summary.properties.push_back(std::move(one));
  }
  EXPECT_THAT(overviews(summary)[0].formats, ElementsAre("binary64", "binary32", "binary16", "p3", "p10"));
}

TEST(Overview, TakesTheGravestVerdictOfAllExecutors) {
  store::Summary summary;
  for (const store::Finding verdict : {store::Finding::holds, store::Finding::violated, store::Finding::not_run}) {
    summary.properties.push_back(sample::with_verdict("sum.kahan", verdict));
  }
  const OverviewRow row = overviews(summary)[0].rows[0];
  ASSERT_EQ(row.cells.size(), 1u);
  EXPECT_EQ(row.cells.begin()->second.verdict, store::Finding::violated);
}

TEST(Overview, LeavesOutClaimsMadeOfEveryProperty) {
  const auto families = overviews(sample::summary());
  for (const OverviewRow& row : families[0].rows) EXPECT_NE(row.claim, "same_bits");
}

TEST(Overview, CallsAShardOfAnEnumerationSampled) {
  store::Summary summary;
  summary.properties.push_back(sample::property("dw.add.p3", false, 20, 0, 2));
  summary.properties.back().rigor = "exhaustive";
  EXPECT_FALSE(overviews(summary)[0].rows[0].cells.begin()->second.exhaustive);
}

TEST(CellText, MarksRigorAndVerdict) {
  EXPECT_EQ(cell_text({"", store::Finding::holds, 0.8437, false}, true), "0.844");
  EXPECT_EQ(cell_text({"", store::Finding::holds, 0.8437, true}, true), "0.844 ∎");
  EXPECT_EQ(cell_text({"", store::Finding::refuted_as_expected, 2.5, false}, true), "✗ 2.5");
  EXPECT_EQ(cell_text({"", store::Finding::violated, 3, false}, true), "‼ 3");
  EXPECT_EQ(cell_text({"", store::Finding::holds, 0, true}, false), "✓ ∎");
  EXPECT_EQ(cell_text({"", store::Finding::refuted_as_expected, -1, false}, false), "✗");
  EXPECT_EQ(cell_text({"", store::Finding::not_run, -1, false}, true), "–");
}

TEST(CellText, SaysOneOnlyWhereTheBoundIsReached) {
  const auto text = [](double ratio) { return cell_text({"", store::Finding::holds, ratio, false}, true); };
  EXPECT_EQ(text(1), "1");
  EXPECT_EQ(text(0.9996), "0.9996");
  EXPECT_EQ(text(0.99999), "<1");
  EXPECT_EQ(text(1.000001), ">1");
}

TEST(CellText, WritesExponentsShort) {
  EXPECT_EQ(cell_text({"", store::Finding::holds, 2.34e-7, false}, true), "2.3e-7");
  EXPECT_EQ(cell_text({"", store::Finding::refuted_as_expected, 1.46e14, false}, true), "✗ 1e14");
}

}  // namespace
}  // namespace assay::report
