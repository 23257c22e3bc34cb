// The section on order of the reports: contracts of order, trees of additions, and what a user may rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "assay/report/exit_codes.hpp"
#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/order.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/outputs.hpp"
#include "assay/store/kernel_trees.hpp"
#include "assay/store/read_document.hpp"
#include "assay/store/summary_io.hpp"
#include "tests/assay/folder.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using store::Finding;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A kernel whose only claims besides same_bits are these contracts, with 60 cases each.
store::PropertySummary kernel(const std::string& name, const std::vector<std::pair<std::string, Finding>>& contracts) {
  store::PropertySummary property = sample::with_verdict(name, Finding::holds);
  property.info.features.clear();  // nothing to draw
  property.tally.errors = {};
  for (ClaimTally& each : property.tally.claims) each.features.clear();
  for (const auto& [id, verdict] : contracts) {
    property.info.claims.push_back({id, "the same bits", "contract.md", "", false, "contract." + id + ".1"});
    ClaimTally tally = property.tally.claims[1];
    tally.executed = verdict == Finding::not_run ? 0 : 60;
    tally.swaps = verdict == Finding::not_run ? Swaps{} : Swaps{240, 62};
    tally.violated = verdict == Finding::violated ? 3 : 0;
    property.tally.claims.push_back(tally);
    store::ClaimFinding finding;
    finding.verdict = verdict;
    property.findings.push_back(finding);
  }
  return property;
}

store::Summary of(std::vector<store::PropertySummary> properties) {
  store::Summary summary;
  summary.tier = "quick";
  summary.properties = std::move(properties);
  return summary;
}

std::string advice_of(const std::vector<std::pair<std::string, Finding>>& contracts) {
  const std::vector<KernelOrder> rows = kernel_orders(of({kernel("subject.sum", contracts)}));
  return rows.size() == 1 ? rows[0].advice : std::to_string(rows.size()) + " rows";
}

const store::KernelTree chain{"subject.sum", 1000, "fixed", "a chain of 1000 terms", "", 4096, 4096, false};
const store::SameOn same{"subject.sum", "host", "CPU A", "host", "CPU B", 60, 0, no_case};
const store::SameOn different{"subject.sum", "host", "CPU A", "host", "CPU B", 60, 3, 7};

TEST(OrderSection, OfARunWithoutContractsOfOrderIsNotThere) {
  const store::Summary summary =
      of({kernel("subject.sum", {}), kernel("subject.dot", {{"run_to_run", Finding::not_run}})});
  EXPECT_THAT(kernel_orders(summary), IsEmpty());
  EXPECT_THAT(report_html(summary), Not(HasSubstr("id=order")));
  EXPECT_THAT(report_html(summary), Not(HasSubstr("#order")));
  EXPECT_THAT(report_markdown(summary), Not(HasSubstr("### Order")));
}

TEST(OrderSection, SaysWhichContractsAKernelKeepsWithTheirEvidence) {
  store::Summary summary = of({kernel("subject.sum", {{"run_to_run", Finding::holds},
                                                      {"order_free", Finding::broken},
                                                      {"place_invariant", Finding::undecided},
                                                      {"split_invariant", Finding::not_run}})});
  summary.orders = {chain};
  const std::vector<KernelOrder> rows = kernel_orders(summary);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0].kept, ElementsAre("run_to_run (60 cases, 62 of 240 swaps)"));
  EXPECT_THAT(rows[0].broken, ElementsAre("order_free (60 cases)"));
  EXPECT_THAT(rows[0].open, ElementsAre("place_invariant (60 cases, 62 of 240 swaps)"));
  EXPECT_THAT(rows[0].not_asked, ElementsAre("split_invariant", "same_on"));
  EXPECT_THAT(
      rows[0].trees,
      ElementsAre("1\u202F000 terms: a chain of 1000 terms; it predicts 4\u202F096 of 4\u202F096 inputs bit for bit"));
  for (const std::string& report : {report_html(summary), report_markdown(summary)}) {
    EXPECT_THAT(report, HasSubstr("a chain of 1000 terms"));
    EXPECT_THAT(report, HasSubstr("not decided: "));
    EXPECT_THAT(report, HasSubstr("they change with the order of the terms."));
  }
  EXPECT_THAT(report_html(summary), HasSubstr("<a href=#order>"));
}

TEST(OrderSection, TellsAUserWhatToRelyOnInOneSentence) {
  EXPECT_EQ(advice_of({{"batch_invariant", Finding::holds}}),
            "Rely on the same bits in repeated calls and for a row alone and in every batch.");
  EXPECT_EQ(advice_of({{"run_to_run", Finding::holds}, {"order_free", Finding::broken}}),
            "Rely on the same bits in repeated calls with others between; they change with the order of the "
            "terms.");
  EXPECT_EQ(advice_of({{"run_to_run", Finding::violated}, {"place_invariant", Finding::holds}}),
            "Do not rely on the bits: they change from call to call.");
  EXPECT_EQ(advice_of({{"order_free", Finding::refuted_as_expected}}),
            "Rely on the same bits in repeated calls; they change with the order of the terms.");
}

TEST(OrderSection, PromisesNothingWhereRepeatedCallsDiffer) {
  store::PropertySummary property = kernel("subject.sum", {{"order_free", Finding::holds}});
  property.findings[1].verdict = Finding::flaky;  // same_bits
  EXPECT_EQ(kernel_orders(of({property}))[0].advice, "Do not rely on the bits: they change from call to call.");
  property.findings[1].verdict = Finding::undecided;
  property.findings[2].verdict = Finding::undecided;
  EXPECT_EQ(kernel_orders(of({property}))[0].advice, "Do not rely on the bits: nothing is decided.");
  store::Summary summary = of({kernel("subject.sum", {})});
  summary.orders = {chain};
  summary.orders[0].verdict = "not fixed";
  summary.orders[0].why = "two calls differ";
  EXPECT_THAT(kernel_orders(summary)[0].trees, ElementsAre("1\u202F000 terms: not fixed: two calls differ"));
  EXPECT_EQ(kernel_orders(summary)[0].advice, "Do not rely on the bits: they change from call to call.");
}

TEST(OrderSection, SaysWhereElseTheBitsWereTheSame) {
  store::Summary summary = of({kernel("subject.sum", {})});
  summary.same_on = {same};
  EXPECT_THAT(kernel_orders(summary)[0].kept, ElementsAre("same_on (60 results)"));
  EXPECT_EQ(kernel_orders(summary)[0].advice, "Rely on the same bits in repeated calls and on CPU A and CPU B.");
  EXPECT_EQ(exit_code(summary), exit_holds);
  EXPECT_THAT(report_junit(summary), HasSubstr("<testcase classname=\"subject.sum.host\" name=\"same_on\"/>"));
  EXPECT_THAT(report_junit(summary), HasSubstr("tests=\"3\" failures=\"0\""));
  summary.same_on = {different};
  EXPECT_THAT(report_junit(summary), HasSubstr("name=\"same_on\"><failure message=\"violated\">3 of 60 results"));
  EXPECT_THAT(report_junit(summary), HasSubstr("tests=\"3\" failures=\"1\""));
  EXPECT_THAT(kernel_orders(summary)[0].broken,
              ElementsAre("same_on (3 of 60 results have other bits than on host (CPU B), the first is of case 7)"));
  EXPECT_EQ(kernel_orders(summary)[0].advice,
            "Rely on the same bits in repeated calls; they change from CPU A to CPU B.");
  EXPECT_EQ(exit_code(summary), exit_violated);
  EXPECT_THAT(report_html(summary), HasSubstr("1 claim needs attention."));
  EXPECT_THAT(report_markdown(summary), HasSubstr("`subject.sum/same_on` | host | **violated**"));
}

TEST(OrderSection, HasOneRowForKernelsOfWhichTheSameIsTrue) {
  std::vector<store::PropertySummary> properties;
  for (const std::string name : {"sum.binned", "sum.exact"}) {
    for (const std::string executor : {"cuda", "host"}) {
      properties.push_back(kernel(name, {{"order_free", Finding::holds}}));
      properties.back().executor = executor;
    }
  }
  properties.push_back(kernel("sum.recursive", {{"order_free", Finding::broken}}));
  const std::vector<KernelOrder> rows = kernel_orders(of(properties));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0].properties, ElementsAre("sum.binned", "sum.exact"));
  EXPECT_EQ(rows[0].executors, "cuda, host");
  EXPECT_THAT(rows[1].properties, ElementsAre("sum.recursive"));
}

TEST(OrderSection, EscapesTheWordsOfAModel) {
  store::Summary summary = of({kernel("subject.sum", {})});
  summary.same_on = {different};
  summary.same_on[0].other_model = "<b>&|`";
  EXPECT_THAT(report_html(summary), Not(HasSubstr("<b>&|")));
  EXPECT_THAT(report_markdown(summary), Not(HasSubstr("<b>")));
}

// ----------------------------------------------------------------------------------------------------------- documents

TEST(OrderSection, IsKeptInTheSummaryAndMerged) {
  const test::Folder folder;
  store::Summary summary = of({kernel("subject.sum", {})});
  summary.same_on = {different};
  summary.orders = {chain};
  write_outputs(summary, folder.path());
  const store::Summary read = store::read_summary(folder.path());
  EXPECT_EQ(read.same_on, summary.same_on);
  EXPECT_EQ(read.orders, summary.orders);
  store::Summary other = of({kernel("subject.total", {})});
  other.same_on = {same};
  const store::Summary merged = store::merge(std::array{summary, other});
  EXPECT_THAT(merged.same_on, ElementsAre(same, different));
  EXPECT_EQ(merged.orders, summary.orders);
}

TEST(OrderSection, LeavesSummariesWithoutItAsTheyWere) {
  const std::string text = store::summary_bytes(of({kernel("subject.sum", {})}));
  EXPECT_THAT(text, Not(HasSubstr("same_on")));
  EXPECT_THAT(text, Not(HasSubstr("\"orders\"")));
}

TEST(OrderSection, RefusesCountsThatContradictEachOther) {
  const test::Folder folder;
  store::Summary summary = of({kernel("subject.sum", {})});
  for (const store::SameOn& row :
       {store::SameOn{"a.b", "host", "", "host", "", 3, 4, 1}, store::SameOn{"a.b", "host", "", "host", "", 3, 0, 1},
        store::SameOn{"a.b", "host", "", "host", "", 3, 2, no_case}}) {
    summary.same_on = {row};
    write_outputs(summary, folder.path());
    EXPECT_THROW(store::read_summary(folder.path()), store::DamagedFile);
  }
}

TEST(OrderSection, ReadsTheOrdersOfARun) {
  const store::KernelTrees trees{{chain}};
  EXPECT_EQ(store::kernel_trees_from_json(store::kernel_trees_to_json(trees)).rows, trees.rows);
}

}  // namespace
}  // namespace assay::report
