#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "assay/report/plots.hpp"

namespace assay::report {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

Plot histogram() {
  Plot plot;
  plot.counts.assign(ratio_bins, 3);
  return plot;
}

TEST(Draw, LeavesNoIdsThatASecondPlotCouldHave) {
  const auto drawn = draw(std::vector{histogram(), histogram()});
  if (!drawn) GTEST_SKIP() << "no gnuplot";
  EXPECT_EQ(drawn->at(0), drawn->at(1));
  EXPECT_THAT(drawn->at(0), Not(HasSubstr("id=")));
}

TEST(Draw, WritesWholePixels) {
  Plot plot{Plot::Kind::feature, "n", 0, 4, {}, {0.5, 0.25, 1, 0.125}};
  const auto drawn = draw(std::vector{plot});
  if (!drawn) GTEST_SKIP() << "no gnuplot";
  EXPECT_THAT(drawn->at(0), HasSubstr("<path class=h "));
  EXPECT_THAT(drawn->at(0), Not(ContainsRegex("d='[^']*[.]")));
  EXPECT_LT(drawn->at(0).size(), 2500u);
}

TEST(Draw, WritesPowersAsSigns) {
  const auto drawn = draw(std::vector{histogram(), {Plot::Kind::feature, "n", 0, 4, {}, {0x1p-12, 0.25, 1, 0.125}}});
  if (!drawn) GTEST_SKIP() << "no gnuplot";
  EXPECT_THAT(drawn->at(0), AllOf(HasSubstr(">2⁻²⁰<"), HasSubstr(">10⁰<")));
  EXPECT_THAT(drawn->at(1), AllOf(HasSubstr(">2⁰<"), HasSubstr(">2⁻³<")));
  EXPECT_THAT(drawn->at(0), Not(HasSubstr("tspan")));
}

TEST(Draw, LeavesOutWhatIsDrawnTwice) {
  const auto drawn = draw(std::vector{histogram()});
  if (!drawn) GTEST_SKIP() << "no gnuplot";
  const std::string& svg = drawn->at(0);
  std::set<std::string> paths;
  for (std::size_t at = 0; (at = svg.find("<path", at)) != std::string::npos; ++at) {
    const std::string path = svg.substr(at, svg.find("/>", at) - at);
    EXPECT_TRUE(paths.insert(path).second) << path;
    EXPECT_THAT(path, Not(ContainsRegex("M[0-9 -]*(M|'$)"))) << "a move without a line";
  }
  EXPECT_FALSE(paths.empty());
}

TEST(Draw, LeavesNoPrologueNorVersion) {
  const auto drawn = draw(std::vector{histogram()});
  if (!drawn) GTEST_SKIP() << "no gnuplot";
  EXPECT_EQ(drawn->at(0).rfind("<svg", 0), 0u);
  EXPECT_THAT(drawn->at(0), Not(HasSubstr("<?xml")));
  EXPECT_THAT(drawn->at(0), Not(HasSubstr("gnuplot 5")));
  EXPECT_LT(drawn->at(0).size(), 20'000u);
}

TEST(Draw, KeepsTheOrderWhereAPlotIsEmpty) {
  Plot empty;
  empty.counts.assign(ratio_bins, 0);
  const auto drawn = draw(std::vector{empty, histogram()});
  if (!drawn) GTEST_SKIP() << "no gnuplot";
  EXPECT_EQ(drawn->at(0), "");
  EXPECT_NE(drawn->at(1), "");
}

TEST(Draw, ClipsInfiniteRatios) {
  Plot plot{Plot::Kind::feature, "gap's {range}_1", 0, 4, {}, {0.5, -1, std::numeric_limits<double>::infinity(), 0}};
  const auto drawn = draw(std::vector{plot});
  if (!drawn) GTEST_SKIP() << "no gnuplot";
  EXPECT_THAT(drawn->at(0), HasSubstr("gaps {range}_1"));
}

}  // namespace
}  // namespace assay::report
