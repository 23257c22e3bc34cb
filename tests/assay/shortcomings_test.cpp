// The report's lines about bounds that no case comes near to, and about properties with fewer cases.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/report/html.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/outcome.hpp"
#include "properties/framework/citations.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The sample's first property, with one more term that nothing reaches.
store::Summary with_blind_term() {
  store::Summary summary;
  summary.properties.push_back(sample::property("dw.accurate_add", false, 10000));
  summary.properties[0].tally.claims[0].terms["5nη"] = {0.0625, 3};
  return summary;
}

TEST(Blind, IsATermThatNothingReaches) {
  const store::Summary summary = with_blind_term();
  const std::vector<Blind> blind = blind_terms(summary);
  ASSERT_EQ(blind.size(), 1u);
  EXPECT_EQ(describe(blind[0]), "dw.accurate_add/error on host: 5nη reaches 0.0625 (dw.accurate_add.1)");
  EXPECT_THAT(report_html(summary), AllOf(HasSubstr("1 blind term of bounds"),
                                          HasSubstr(">dw.accurate_add/error on host: 5nη reaches 0.0625")));
  EXPECT_THAT(report_markdown(summary),
              AllOf(HasSubstr("### Blind"), HasSubstr("- blind: dw.accurate_add/error on host: 5nη reaches 0.0625")));
}

TEST(Blind, IsABoundOfOnePieceThatNothingReaches) {
  store::Summary summary = with_blind_term();
  ClaimTally& tally = summary.properties[0].tally.claims[0];
  tally.terms.clear();
  EXPECT_TRUE(blind_terms(summary).empty());
  tally.worst.ratio = 0.0625;
  EXPECT_EQ(describe(blind_terms(summary).at(0)),
            "dw.accurate_add/error on host: the bound reaches 0.0625 (dw.accurate_add.1)");
  tally.worst.ratio = 0;
  tally.histogram.fill(0);
  EXPECT_TRUE(blind_terms(summary).empty());
}

TEST(Blind, IsNoTermWithAReason) {
  store::Summary summary = with_blind_term();
  summary.properties[0].info.claims[0].loose_because = "the last words are <exact>";
  EXPECT_TRUE(blind_terms(summary).empty());
  EXPECT_THAT(report_html(summary), HasSubstr("<p class=of>loose because the last words are &lt;exact&gt;"));
}

TEST(Blind, IsNothingInAShortRunOrOfAClaimThatDoesNotHold) {
  store::Summary summary = with_blind_term();
  summary.properties[0].findings[0].verdict = store::Finding::refuted_as_expected;
  EXPECT_TRUE(blind_terms(summary).empty());
  summary = with_blind_term();
  summary.properties[0].info.quick_cases = 10001;
  EXPECT_TRUE(blind_terms(summary).empty());
  summary = with_blind_term();
  summary.properties[0].requested = 10001;
  EXPECT_TRUE(blind_terms(summary).empty());
}

TEST(Shortcomings, AreBlindClaimsOfTheWholeQuickTierWithTheDefaultSeed) {
  store::Summary summary = with_blind_term();
  summary.tier = "quick";
  summary.seed = default_seed;
  const auto blind =
      HasSubstr("error on host: 5nη reaches 0.0625 (dw.accurate_add.1), and the theorem names no reason");
  EXPECT_THAT(shortcomings(summary), ElementsAre(blind));
  summary.seed = default_seed + 1;
  EXPECT_THAT(shortcomings(summary), IsEmpty());
  summary.seed = default_seed;
  summary.tier = "nightly";
  EXPECT_THAT(shortcomings(summary), IsEmpty());
  summary.tier = "quick";
  summary.properties[0].info.quick_cases = 10001;
  EXPECT_THAT(shortcomings(summary), IsEmpty());
  summary = with_blind_term();
  summary.tier = "quick";
  summary.seed = default_seed;
  summary.properties[0].partial = true;
  EXPECT_THAT(shortcomings(summary), IsEmpty());
}

TEST(Shortcomings, AreReasonsThatNoClaimNeeds) {
  store::Summary summary = with_blind_term();
  summary.tier = "quick";
  summary.seed = default_seed;
  ClaimInfo& claim = summary.properties[0].info.claims[0];
  claim.loose_because = "two errors meet";
  EXPECT_THAT(superfluous_reasons(summary), IsEmpty());
  summary.properties[0].tally.claims[0].terms["5nη"] = {0.125, 3};
  EXPECT_THAT(superfluous_reasons(summary), ElementsAre("dw.accurate_add.1"));
  EXPECT_THAT(
      shortcomings(summary),
      ElementsAre(
          "dw.accurate_add.1 names a reason why cases stay far below its bound, but no claim or term stays below it"));
  summary.properties.push_back(summary.properties[0]);
  summary.properties[1].info.name = "dw.other";
  summary.properties[1].tally.claims[0].terms["5nη"] = {0.0625, 3};
  EXPECT_THAT(superfluous_reasons(summary), IsEmpty());
}

TEST(Shortcomings, AreNoReasonsOfAPageWhoseClaimsAreOfAnotherProgram) {
  const auto cited = [](TheoremWords words) {
    cite(words);
    store::Summary summary = with_blind_term();
    ClaimInfo& claim = summary.properties[0].info.claims[0];
    claim.theorem = words.id.text;
    claim.loose_because = "two errors meet";
    summary.properties[0].tally.claims[0].terms["5nη"] = {0.125, 3};
    return superfluous_reasons(summary);
  };
  TheoremWords words{.id = "tests.foreign.1", .hypotheses = "none", .statement = "true", .source = "derived"};
  words.checked_by = "ctest elsewhere, claim dw.nowhere*/error";
  EXPECT_THAT(cited(words), IsEmpty());
  words.id = "tests.without_page.1";
  words.checked_by = "";
  EXPECT_THAT(cited(words), ElementsAre("tests.without_page.1"));
}

TEST(Report, TellsHowManyPropertiesHaveFewerCasesThanTheQuickTier) {
  store::Summary summary = sample::summary();
  for (store::PropertySummary& each : summary.properties) each.info.quick_cases = each.requested;
  EXPECT_THAT(report_markdown(summary), Not(HasSubstr("fewer cases than in the quick tier")));
  EXPECT_THAT(report_html(summary), Not(HasSubstr("fewer cases than in the quick tier")));
  summary.properties[0].info.quick_cases = summary.properties[0].requested + 1;
  EXPECT_THAT(report_markdown(summary), HasSubstr("1 property has fewer cases than in the quick tier"));
  EXPECT_THAT(report_html(summary), HasSubstr("1 property has fewer cases than in the quick tier"));
}

TEST(Report, ListsTheReasonsOfLooseBoundsWithTheirNumber) {
  store::Summary summary = with_blind_term();
  summary.properties[0].info.claims[0].loose_because = "two errors meet";
  EXPECT_THAT(
      report_markdown(summary),
      HasSubstr("### Reasons of loose bounds\n\n1 theorem names one.\n\n- `dw.accurate_add.1`: two errors meet\n"));
  EXPECT_THAT(report_html(summary), AllOf(HasSubstr("1 theorem names a reason why no case comes near to the bound"),
                                          HasSubstr("<li>dw.accurate_add.1: two errors meet</li>")));
  EXPECT_THAT(report_markdown(with_blind_term()), Not(HasSubstr("Reasons")));
}

}  // namespace
}  // namespace assay::report
