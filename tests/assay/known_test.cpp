#include "assay/report/known.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "assay/report/html.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/day.hpp"
#include "assay/store/json.hpp"
#include "assay/store/summary_io.hpp"
#include "errorbounds/published.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

store::HuntRow hunted(const std::string& ratio) {
  store::HuntRow row{.property = "dw.accurate_add",
                     .claim = "error",
                     .term = "",
                     .executor = "host",
                     .ratio = ratio,
                     .boundary = std::nullopt,
                     .hardest = sample::case_file("dw.accurate_add", "error", 77, store::Why::hardest, 0.5)};
  row.hardest.date = "2026-11-20";
  return row;
}

TEST(KnownErrors, AreOfRunCorpusAndHuntTheLargestFirst) {
  const store::Summary run = sample::summary();
  const std::vector<store::HuntRow> hunts{hunted("0.625"), hunted("0.25")};
  const DatedRun dated{&run, "2026-11-24"};
  const store::KnownRow row = known_errors(run, hunts, std::span(&dated, 1)).rows.at(0);
  EXPECT_EQ(row.property, "dw.accurate_add");
  ASSERT_EQ(row.here.size(), 3u);
  EXPECT_EQ(row.here[0].from, "corpus");
  EXPECT_EQ(row.here[0].ratio, 0.75);
  EXPECT_EQ(row.here[0].id, "0123456789abcdef");
  EXPECT_EQ(row.here[0].date, "2026-11-21");
  EXPECT_EQ(row.here[1].from, "hunt");
  EXPECT_EQ(row.here[1].ratio, 0.625);
  EXPECT_EQ(row.here[1].id, store::case_id(hunts[0].hardest));
  EXPECT_EQ(row.here[1].date, "2026-11-20");
  EXPECT_EQ(row.here[2].from, "run");
  EXPECT_EQ(row.here[2].ratio, 0.5);
  EXPECT_EQ(row.here[2].id, store::case_id(*run.properties[0].findings[0].hardest));
  EXPECT_EQ(row.here[2].date, "2026-11-24");
}

TEST(KnownErrors, TakeNoHuntForATermOfTheBoundOrAnotherClaim) {
  std::vector<store::HuntRow> hunts{hunted("0.875"), hunted("0.875")};
  hunts[0].term = "u|s|";
  hunts[1].claim = "error_sharp";
  const store::KnownErrors known = known_errors(sample::summary(), hunts);
  for (const store::KnownError& each : known.rows.at(0).here) EXPECT_NE(each.from, "hunt");
}

TEST(KnownErrors, DateTheCaseOfAShardByTheShardThatHasIt) {
  const auto shard = [](std::uint64_t index) {
    store::Summary summary;
    summary.tier = "quick";
    summary.properties.push_back(sample::property("dw.accurate_add", false, 100, index, 2));
    return summary;
  };
  const std::vector<store::Summary> shards{shard(1), shard(0)};
  const std::vector<DatedRun> dated{{&shards[0], "2026-11-22"}, {&shards[1], "2026-11-23"}};
  const store::Summary merged = store::merge(shards);
  ASSERT_EQ(merged.properties[0].tally.claims[0].worst.number, 0u) << "a case of shard 0";
  EXPECT_EQ(known_errors(merged, {}, dated).rows.at(0).here.at(0).date, "2026-11-23");
}

TEST(KnownErrors, NameTheLargestPublishedErrorOfTheTheorem) {
  const store::KnownRow row = known_errors(sample::summary(), {}).rows.at(0);
  ASSERT_TRUE(row.published);
  EXPECT_EQ(row.published->value, "3u²");
  EXPECT_EQ(row.published->key, "MullerRideau2022");
  EXPECT_EQ(row.published->ratio, 1.0);
}

TEST(KnownErrors, LeaveOutNegativeControlsOfWhichNothingIsPublished) {
  store::Summary run = sample::summary();
  ASSERT_TRUE(run.properties[1].info.claims[0].expected_refuted);
  EXPECT_EQ(known_errors(run, {}).rows.at(1).property, "dw.sloppy_add");
  run.properties[1].info.claims[0].theorem = "dw.mul1.2";
  EXPECT_EQ(known_errors(run, {}).rows.at(1).property, "dw.times");
}

TEST(KnownErrors, AreAFoldedTableOfTheReport) {
  store::Summary run = sample::summary();
  run.properties[0].info.claims[0].theorem = "dw.mul_fp2.1";
  Beside beside;
  beside.hunted = {hunted("0.875")};
  const std::string html = report_html(run, beside);
  for (const char* part : {"<h2 id=known>Largest known errors</h2>\n<details><summary>", "2.517u² of 3u²: 0.839",
                           "JoldesMullerPopescu2017, Table 1", "<b>0.875</b><div class=of>corpus 0.75, run 0.5</div>",
                           "hunt, 2026-11-20"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
}

TEST(KnownErrors, AreBoldOnlyAboveThePublishedOne) {
  store::Summary run = sample::summary();
  run.properties[0].info.claims[0].theorem = "dw.mul_fp2.1";
  EXPECT_THAT(report_html(run), Not(HasSubstr("<b>0.75</b>")));
}

TEST(KnownErrors, WithoutAPublishedOneStandInTheFullReportAlone) {
  store::Summary run = sample::summary();
  for (store::PropertySummary& each : run.properties) each.info.claims[0].theorem = "dw.mul1.2";
  EXPECT_THAT(known_html(known_errors(run, {}), false), IsEmpty());
  EXPECT_THAT(known_html(known_errors(run, {}), true), HasSubstr("dw.accurate_add/error"));
}

TEST(Published, IsOfTheDoubleWordAlgorithms) {
  ASSERT_NE(published_error_of("dw.div3.1"), nullptr);
  EXPECT_EQ(published_error_of("dw.div3.1")->value, "5.922u²");
  EXPECT_EQ(published_error_of("dw.no.1"), nullptr);
}

TEST(Day, IsThatOfATimeInUtc) {
  EXPECT_EQ(store::day_of(0), "1970-01-01");
  EXPECT_EQ(store::day_of(1'795'541'546), "2026-11-24");
  EXPECT_TRUE(store::is_day(store::today()));
  for (const char* wrong : {"", "2026-11-2", "2026-11-244", "2026/11/24", "24-11-2026"}) {
    EXPECT_FALSE(store::is_day(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace assay::report
