#include "assay/cli/screen.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>

#include "assay/cli/progress.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/report/text.hpp"
#include "tests/assay/sample.hpp"

namespace assay::cli {
namespace {

/// A result of `count` numbers 0, 1, …, in components of `width` words.
store::CaseFile::Evidence evidence(std::size_t count, std::size_t width) {
  store::CaseFile::Evidence of;
  for (std::size_t i = 0; i < count; ++i) of.got.push_back(std::to_string(i));
  of.components = count / width;
  return of;
}

TEST(Screen, ShowsTheFirstAndLastFiveOfMoreThanTenWords) {
  EXPECT_EQ(words_text(evidence(10, 1).got, false), "0 1 2 3 4 5 6 7 8 9");
  EXPECT_EQ(words_text(evidence(11, 1).got, false), "11 numbers: 0 1 2 3 4 … 6 7 8 9 10");
}

TEST(Screen, ShowsTheShapeTheBadAndTheWorstOfALargeResult) {
  store::CaseFile::Evidence of = evidence(600, 2);
  of.worst = 17;
  of.bad = 3;
  EXPECT_EQ(worst_text(of, false), "[17] of 300 components, 3 bad: 34 35");
}

TEST(Screen, HasNoWorstOfOneComponent) { EXPECT_EQ(worst_text(store::CaseFile::Evidence{}, false), ""); }

TEST(Screen, ShowsIntegersAsIntegersAndTheirErrorAsADifference) {
  store::CaseFile::Evidence of;
  of.got = {"-0x1p+15", "0x1.8p+1"};
  of.components = 2;
  of.bad = 1;
  of.exact = "3.2768e4";
  of.ulps = -9.007e+15;
  EXPECT_EQ(words_text(of.got, true), "-32768 3");
  EXPECT_EQ(evidence_text(of, "exact", true, ""),
            "worst  [0] of 2 components, 1 bad: -32768\nexact  32768\nerror  -65536\n");
}

TEST(Screen, ShowsWhatIsDueWhereNoNumberSaysIt) {
  store::CaseFile::Evidence of;
  of.got = {"0x0p+0"};
  of.exact = "NaN is due";
  EXPECT_EQ(evidence_text(of, "exceptional", false, "  "), "  exact  NaN is due\n");
}

TEST(Screen, ShowsWhatAnotherCallGaveOfAClaimAboutRepetitions) {
  store::CaseFile::Evidence of;
  of.got = {"0x1p+0"};
  of.exact = "0x1.8p+0 in repetition 2";
  EXPECT_EQ(evidence_text(of, "same_bits", false, ""), "other  0x1.8p+0 in repetition 2\n");
}

TEST(Screen, ShowsTheSignedErrorInUlpsAndAsAFractionOfTheBound) {
  store::CaseFile::Evidence of;
  of.ratio = 0.6875;
  EXPECT_EQ(error_text(of), "0.6875 of the bound");
  of.ulps = 1.375;
  EXPECT_EQ(error_text(of), "+1.375 ulp, 0.6875 of the bound");
  of.got = {"0x1p+0", "0x1p-60"};
  EXPECT_EQ(error_text(of), "+1.375 ulp of one word, 0.6875 of the bound");
  of.got.clear();
  of.ulps = -1.375;
  EXPECT_EQ(error_text(of), "-1.375 ulp, 0.6875 of the bound");
  of.ulps = 0;
  EXPECT_EQ(error_text(of), "0 ulp, 0.6875 of the bound");
  of.ulps = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_text(of), "+inf ulp, 0.6875 of the bound");
}

TEST(Screen, ShowsNoRatioAsOneThatIsNotOne) {
  EXPECT_EQ(short_number(1), "1");
  EXPECT_EQ(short_number(0.99999999999), "0.99999999999");
  EXPECT_EQ(short_number(1.0000001), "1.0000001");
  EXPECT_EQ(short_number(0.12345), "0.1235");
  EXPECT_EQ(report::ratio_text(0.99999999999), "0.99999999999");
}

std::string printed(const store::Summary& summary, const Options& options = {}) {
  ::testing::internal::CaptureStdout();
  print_summary(summary, options);
  std::fflush(stdout);
  return ::testing::internal::GetCapturedStdout();
}

TEST(Screen, HasALineForEachClaimOfAFewProperties) {
  store::Summary summary;
  summary.properties = {sample::property("dw.a", false, 100)};
  const std::string text = printed(summary);
  EXPECT_EQ(text.find("dw.a/error"), 0U) << text;
  EXPECT_EQ(text.find("same_bits"), std::string::npos) << text;
  summary.properties[0].findings[1].verdict = store::Finding::undecided;
  EXPECT_NE(printed(summary).find("dw.a/same_bits"), std::string::npos);
}

TEST(Screen, HasATableOfFamiliesAndWhatNeedsAttentionOfManyProperties) {
  store::Summary summary;
  for (int i = 0; i < 30; ++i) summary.properties.push_back(sample::property("dw.a" + std::to_string(i), false, 100));
  summary.properties.push_back(sample::with_verdict("eft.refuted", store::Finding::refuted_as_expected));
  summary.properties.push_back(sample::with_verdict("eft.broken", store::Finding::violated));
  const std::string text = printed(summary);
  EXPECT_NE(text.find("\ndw              30              0                30"), std::string::npos) << text;
  EXPECT_NE(text.find("eft.broken/error  host  violated"), std::string::npos) << text;
  EXPECT_EQ(text.find("dw.a7"), std::string::npos) << text;
  EXPECT_EQ(text.find("eft.refuted"), std::string::npos) << text;
}

TEST(Progress, TellsTheRateAndTheTimeLeft) {
  EXPECT_EQ(progress_text("dw.a on host", 0, 0, 2000, 1), "dw.a on host: 0 of 2000 cases");
  EXPECT_EQ(progress_text("dw.a on host", 100, 600, 2100, 0.5), "dw.a on host: 600 of 2100 cases, 1e+03/s, 2 s left");
  EXPECT_EQ(duration_text(600), "10 min");
  EXPECT_EQ(duration_text(9000), "2.5 h");
}

/// The output of a function on standard error if that is a terminal of this kind.
template <class F>
std::string on_terminal(const char* kind, const F& write) {
  ::setenv("TERM", kind, 1);
  ::unsetenv("CI");
  int ends[2];
  if (::openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) != 0) return "no terminal";
  const int before = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  write();
  ::dup2(before, STDERR_FILENO);
  for (const int each : {before, ends[1]}) ::close(each);
  std::string text;
  for (char each = 0; ::read(ends[0], &each, 1) == 1;) text += each;
  ::close(ends[0]);
  return text;
}

TEST(Progress, IsErasedFromATerminalAndNotShownOnADumbOne) {
  const auto show = [] {
    Progress progress{Options{}};
    progress.add("dw.a on host");
    progress.show(0, 5, 10);
    progress.erase();
    to_stderr("done");
  };
  EXPECT_EQ(on_terminal("xterm", show), "\r\x1b[Kdw.a on host: 5 of 10 cases\r\x1b[Kdone");
  EXPECT_EQ(on_terminal("dumb", show), "done");
}

}  // namespace
}  // namespace assay::cli
