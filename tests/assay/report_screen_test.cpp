#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "assay/report/html.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/entry.hpp"
#include "properties/framework/citations.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The text has every part.
void expect_has(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_THAT(text, HasSubstr(part));
}

/// The part of a page that a reader sees first.
std::string first_screen(const store::Summary& summary, const Beside& beside = {}) {
  const std::string html = report_html(summary, beside);
  return html.substr(html.find("<header>"), html.find("<nav>") - html.find("<header>"));
}

/// A run in which everything holds: of sums in binary64, sampled, and in p = 3, all inputs.
store::Summary of_sums() {
  store::Summary summary;
  summary.tier = "quick";
  summary.properties.push_back(sample::property("sum.kahan", false, 50));
  summary.properties.push_back(sample::property("sum.kahan.p3", false, 50));
  store::PropertySummary& all = summary.properties.back();
  all.info.format = "p3:-254:255";
  all.info.enumeration_size = 50;
  all.rigor = "exhaustive";
  summary.properties.push_back(sample::with_verdict("sum.plain", store::Finding::refuted_as_expected));
  return summary;
}

TEST(FirstScreen, SaysWhatHoldsWhatIsProvedAndWhatWasRefuted) {
  expect_has(first_screen(of_sums()),
             {"<h1 class=good>Every claim holds.</h1>",
              "<b class=good>1</b><span>claims proved for this build: every possible input was judged</span>",
              "<b class=good>1</b><span>claims hold in all cases that were drawn</span>",
              "<b class=none>1</b><span>claims that are false on purpose, refuted</span>"});
}

TEST(FirstScreen, HasAMapOfFamiliesAndFormats) {
  expect_has(first_screen(of_sums()),
             {"<th class=n>binary64<th class=n>toy", "<a href=\"#f-sum\">0.5<small>45</small></a>"});
  store::Summary summary = of_sums();
  summary.properties[1] = sample::with_verdict("sum.kahan", store::Finding::violated);
  EXPECT_THAT(first_screen(summary), HasSubstr("<td class=bad"));
}

TEST(FirstScreen, ListsTheClaimsNearestToTheirBounds) {
  store::Summary summary = of_sums();
  for (store::PropertySummary& property : summary.properties) property.tally.claims[0].closest = {};
  summary.properties[0].tally.claims[0].worst.ratio = 1;
  summary.properties[1].tally.claims[0].worst.ratio = 0.999999;
  expect_has(first_screen(summary), {"1 claim reaches its bound exactly.",
                                     "<a href=\"#p-sum.kahan.p3\">sum.kahan/error</a><span class=n>1 − 1e-6</span>"});
}

TEST(FirstScreen, SaysWhatNeedsAttentionAndHowToSeeIt) {
  const store::Summary summary = sample::summary();
  expect_has(first_screen(summary), {"claims need attention.</h1>", "dw.times/error</a>", "<a href=#attention>and "});
  EXPECT_THAT(first_screen(summary),
              HasSubstr("assay replay " + store::case_id(*summary.properties[2].findings[0].failure)));
}

TEST(FirstScreen, SaysWhereTheMutationScoreWasNotMeasured) {
  EXPECT_THAT(first_screen(of_sums()), HasSubstr("<p>Not measured in this run."));
  EXPECT_THAT(first_screen(sample::summary()), HasSubstr("1 of 2 planted mistakes caught."));
}

TEST(FirstScreen, SaysWhatChangedSinceAnEntryOfTheLedger) {
  Beside beside;
  EXPECT_THAT(first_screen(of_sums(), beside), HasSubstr("<p>No ledger to compare with"));
  store::Summary before = of_sums();
  const store::Entry first = store::entry_of(before, {});
  beside.changes = store::changes_between(first, first);
  EXPECT_THAT(first_screen(before, beside), HasSubstr(": nothing, 0 changes"));
  before.properties[0].findings[0].verdict = store::Finding::violated;
  beside.changes = store::changes_between(first, store::entry_of(before, {}));
  expect_has(first_screen(before, beside), {"1 verdicts that changed; <b class=bad>some for the worse</b>",
                                            "<li>worse: sum.kahan/error on host holds → violated"});
}

TEST(ReportHtml, ShowsTheLargestErrorOfRunCorpusAndHunt) {
  store::Summary summary = sample::summary();
  Beside beside;
  store::HuntRow& row = beside.hunted.emplace_back();
  row.property = "dw.accurate_add";
  row.claim = "error";
  row.ratio = "0.96875";
  EXPECT_THAT(report_html(summary, beside), HasSubstr("run 0.5, corpus 0.75, hunt 0.969 · "));
}

TEST(ReportHtml, ShowsHowNearATheoremsBoundIsKnownToBeAttained) {
  store::Summary summary = sample::summary();
  cite({.id = "near.known.1", .hypotheses = "h", .statement = "s", .source = "t", .attained = "2.25u² by a <pair>"});
  cite({.id = "near.unknown.1", .hypotheses = "h", .statement = "s", .source = "t", .attained = "not known"});
  summary.properties[0].info.claims[0].theorem = "near.known.1";
  summary.properties[1].info.claims[0].theorem = "near.unknown.1";
  expect_has(report_html(summary), {"<p class=of>attained: 2.25u² by a &lt;pair&gt;"});
  EXPECT_THAT(report_html(summary), Not(HasSubstr("attained: not")));
}

TEST(ReportHtml, DrawsSignedErrorsInUlps) {
  store::Summary summary = of_sums();
  const std::string html = report_html(summary);
  expect_has(html, {"<h4>Signed errors in ulps", "<figure><svg viewBox=\"0 0 100 20\"", "<b>kahan</b> 90 cases"});
  for (store::PropertySummary& property : summary.properties) property.tally.errors.fill(0);
  EXPECT_THAT(report_html(summary), Not(HasSubstr("Signed errors")));
  summary.properties[0].tally.errors[ulp_bins / 2] = 7;
  EXPECT_THAT(report_html(summary), HasSubstr("No error in any case: kahan."));
}

TEST(ReportHtml, HidesTheFilterAloneFromReadersWithoutScripts) {
  const std::string html = report_html(sample::summary());
  const std::string body = html.substr(html.find("<body>"), html.find("<script>") - html.find("<body>"));
  EXPECT_THAT(body, HasSubstr("<input id=filter hidden"));
  EXPECT_EQ(body.find(" hidden"), body.rfind(" hidden"));
  EXPECT_THAT(body, Not(HasSubstr("display:none")));
}

}  // namespace
}  // namespace assay::report
