#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/plots.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

/// Sets an environment variable for one scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

/// The text has every part.
void expect_has(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_THAT(text, HasSubstr(part));
}

Plot histogram() {
  Plot plot;
  plot.counts.assign(ratio_bins, 3);
  return plot;
}

std::string full_html(const store::Summary& summary) { return report_html(summary, {}, Detail::full); }

TEST(ReportHtml, IsTheSameForTheSameSummary) {
  EXPECT_EQ(report_html(sample::summary()), report_html(sample::summary()));
}

TEST(ReportMarkdown, ShowsMarkupOfNamesAndTextsAsText) {
  store::Summary summary;
  summary.tier = "<b>quick</b>";
  summary.properties = {sample::property("<script>`x`.a", true, 100)};
  summary.properties[0].info.claims[0].statement = "![x](http://x) <img src=x> `y` *z*";
  const std::string text = report_markdown(summary);
  for (const char* const markup : {"<b>", "<img", "![x](", " `y`", " *z*", "``"}) {
    EXPECT_THAT(text, Not(HasSubstr(markup)));
  }
  EXPECT_THAT(text, HasSubstr("| `<script>'x'.a/error` |"));
}

TEST(Outcome, OfNothingExecutedIsAShortcoming) {
  EXPECT_THAT(shortcomings({}), testing::ElementsAre("no case was executed"));
}

TEST(ReportHtml, ShowsEveryVerdict) {
  const std::string html = report_html(sample::summary());
  for (int i = 0; i <= static_cast<int>(store::Finding::not_run); ++i) {
    EXPECT_THAT(html, HasSubstr(">" + std::string(store::word(static_cast<store::Finding>(i))) + "</em>"));
  }
}

TEST(ReportHtml, TellsBrokenContractsFromBrokenPromises) {
  store::Summary summary = sample::summary();
  std::erase_if(summary.properties, [](const store::PropertySummary& property) {
    return property.findings[0].verdict != store::Finding::broken;
  });
  const std::string html = report_html(summary);
  const std::string first = html.substr(html.find("<header>"), html.find("<nav>") - html.find("<header>"));
  EXPECT_THAT(first, HasSubstr("<h1>outside.dot keeps none; breaks error. It keeps no contract about errors.</h1>"));
  EXPECT_THAT(first, HasSubstr("No contract was promised"));
  EXPECT_THAT(first, HasSubstr(">✗<small>"));
  EXPECT_THAT(first, Not(HasSubstr("class=good")));
}

TEST(ReportHtml, DoesNotCallASavedCaseThatBreaksAContractAgainABrokenPromise) {
  store::ClaimFinding finding;
  finding.corpus_surprises = {"0123456789abcdef"};
  finding.verdict = store::Finding::broken;
  EXPECT_FALSE(needs_attention(finding));
  finding.verdict = store::Finding::refuted_as_expected;
  EXPECT_TRUE(needs_attention(finding));
}

TEST(ReportHtml, SaysHowProbableAViolationCanStillBe) {
  EXPECT_EQ(violation_probability(10000), "0.0003");
  EXPECT_EQ(violation_probability(2), "–");
  EXPECT_THAT(report_html(sample::summary()), Not(HasSubstr("violation below")));
  EXPECT_THAT(full_html(sample::summary()), HasSubstr("<th class=n>violation below"));
}

TEST(ReportHtml, EscapesTexts) {
  const std::string html = report_html(sample::summary());
  EXPECT_THAT(html, HasSubstr("g++ 12.2 &lt;-O2 &amp; co&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<-O2")));
}

TEST(ReportHtml, EndsEachFailureWithALineToCopy) {
  const store::Summary summary = sample::summary();
  const std::string html = report_html(summary);
  for (const store::PropertySummary& property : summary.properties) {
    for (const store::ClaimFinding& finding : property.findings) {
      if (finding.failure) {
        EXPECT_THAT(html, HasSubstr("assay replay " + store::case_id(*finding.failure)));
      }
    }
  }
}

TEST(Reports, ShowTheScoreOfSystematicMutants) {
  store::Systematic table{
      "2026-11-22", 3803, {{"dw", 201, 190, 7, 3, 3, 5, 1, 4}}, {"all", 201, 190, 7, 3, 3, 5, 1, 4}, {}};
  table.left.push_back({17, "kernels/dw/a.cpp", 5, 6, "< for <=", "a <= b", "a < b", "survived", "all cases", "same",
                        "a never equals b"});
  const std::string line = "201 of 3803 mutants tried, 97.4 % of those not proved equivalent were killed (2026-11-22)";
  Beside beside;
  beside.systematic = table;
  const std::string html = report_html(sample::summary(), beside);
  expect_has(html, {"<h2 id=systematic>", line.c_str(), "<td>dw<td", "of these by tests alone", ">7<"});
  EXPECT_LT(html.find(line), html.find("<nav>")) << "the first screen has the score";
  expect_has(report_html(sample::summary(), beside, Detail::full), {"<code>a &lt; b</code>", "same: a never equals b"});
  expect_has(report_markdown(sample::summary(), table), {"### Systematic mistakes", line.c_str()});
  EXPECT_THAT(report_markdown(sample::summary()), Not(HasSubstr("Systematic mistakes")));
}

TEST(Reports, ShowTheScoreOfKernelsFromOutside) {
  const store::OutsideScore score{"2026-11-28", {{"dot", 90, 88, 44, 43, 1.5}}, {"all", 90, 88, 44, 43, 1.5}};
  const std::string line = "88 of 90 wrong kernels from outside refused, 43 of 44 right ones accepted (2026-11-28)";
  const std::string html = report_html(sample::summary(), {{}, score, {}, "", {}, {}});
  expect_has(html, {"<h2 id=outside>", line.c_str(), "<td>dot<td"});
  EXPECT_LT(html.find(line), html.find("<nav>")) << "the first screen has the score";
  expect_has(report_markdown(sample::summary(), {}, score), {"### Kernels from outside", line.c_str()});
  EXPECT_THAT(report_markdown(sample::summary()), Not(HasSubstr("Kernels from outside")));
}

TEST(ReportHtml, ShowsTheSignedErrorInUlps) { EXPECT_THAT(report_html(sample::summary()), HasSubstr("-0.6875 ulp")); }

TEST(ReportHtml, LinksTheTheoremOfAClaim) {
  EXPECT_THAT(report_html(sample::summary()),
              HasSubstr("<a href=\"docs/bounds/dw.md#theorem-dwaccurate_add1\">dw.accurate_add.1</a>"));
}

TEST(ReportHtml, FetchesNothing) {
  std::string html = report_html(sample::summary());
  html = std::regex_replace(html, std::regex("xmlns(:xlink)?=\"[^\"]*\""), "");
  EXPECT_THAT(html, Not(HasSubstr("http")));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
}

TEST(ReportHtml, SaysThatThereAreNoPlotsWithoutGnuplot) {
  const Variable none("ASSAY_GNUPLOT", "/nonexistent/gnuplot");
  const std::string html = report_html(sample::summary());
  EXPECT_THAT(html, HasSubstr("There are no plots: gnuplot was not found or failed."));
  EXPECT_THAT(html, Not(HasSubstr("<svg viewBox=\"0 0 460")));
  EXPECT_THAT(html, HasSubstr("Counterexamples, shrunk"));
}

/// Sums of K = 1 … 16 terms in three formats on two executors.
store::Summary expansions() {
  store::Summary summary;
  for (const std::string operation : {"certified_add", "certified_mul", "renormalize"}) {
    for (const auto& [suffix, format] : {std::pair{"", "binary64"}, {".f32", "binary32"}, {".p3", "p3:-254:255"}}) {
      for (int k = 1; k <= 16; ++k) {
        store::PropertySummary one = sample::property("expansion." + operation + std::to_string(k) + suffix, false, 50);
        one.info.format = format;
        one.rigor = suffix == std::string(".p3") ? "exhaustive" : "sampled";
        summary.properties.push_back(one);
        one.executor = "cuda";
        summary.properties.push_back(std::move(one));
      }
    }
  }
  return summary;
}

TEST(ReportHtml, HasACellForEachNumberOfTerms) {
  expect_has(report_html(expansions()), {"<b>certified_mulK/error</b>", "<li class=f>binary32",
                                         "<small>16</small><a href=\"#p-expansion.certified_mul16.f32\">0.5</a>",
                                         "<small>16</small><a href=\"#p-expansion.certified_mul16.p3\">0.5 ∎</a>"});
}

TEST(ReportHtml, LinksToPlacesThatExist) {
  store::Summary summary = sample::summary();
  const store::Summary more = expansions();
  summary.properties.insert(summary.properties.end(), more.properties.begin(), more.properties.end());
  const std::string html = report_html(summary);
  for (std::size_t at = 0; (at = html.find("href=\"#", at)) != std::string::npos;) {
    at += 7;
    const std::string target = html.substr(at, html.find('"', at) - at);
    ASSERT_THAT(html, HasSubstr("id=\"" + target + "\"")) << target;
  }
}

TEST(ReportHtml, ShowsLongListsOfInputsByTheirEndsInEveryFormat) {
  store::Summary summary = sample::summary();
  const auto property =
      std::find_if(summary.properties.begin(), summary.properties.end(),
                   [](const store::PropertySummary& p) { return p.findings.front().failure.has_value(); });
  ASSERT_NE(property, summary.properties.end());
  Record& inputs = property->findings.front().failure->inputs;
  inputs.fields.push_back({"z", Words{oracle::binary32, Words::Shape::list, std::vector<std::uint64_t>(1000, 0)}});
  inputs.fields.push_back({"w", Words{oracle::bfloat16, Words::Shape::list, std::vector<std::uint64_t>(1000, 0)}});
  const std::string html = report_html(summary);
  EXPECT_THAT(html, HasSubstr("<p>z = "));
  EXPECT_LT(html.size(), report_html(sample::summary()).size() + 4000);
}

TEST(ReportHtml, TellsOfExecutorsThatAgreeOnce) {
  store::Summary summary;
  summary.properties.push_back(sample::property("sum.kahan", false, 50));
  summary.properties.push_back(summary.properties[0]);
  summary.properties[1].executor = "cuda";
  EXPECT_EQ(occurrences(report_html(summary), "<b>error</b> on host, cuda"), 1u);
  summary.properties[1].tally.claims[0].worst.ratio /= 2;
  EXPECT_EQ(occurrences(report_html(summary), "<b>error</b> on host, cuda"), 0u);
}

TEST(ReportHtml, GivesEveryPropertyAPictureBeforeAnyHasItsLast) {
  if (!draw(std::vector{histogram()})) GTEST_SKIP() << "no gnuplot";
  store::Summary summary;
  for (int i = 0; i < 500; ++i) summary.properties.push_back(sample::property("many.k" + std::to_string(i), false, 50));
  summary.properties.push_back(sample::property("zeta.last", false, 50));
  const std::string html = full_html(summary);
  EXPECT_EQ(occurrences(html, ": distribution of error/bound</figcaption>"), 501u);
  EXPECT_THAT(html.substr(html.find("id=\"p-zeta.last\"")), HasSubstr("<figure>"));
  EXPECT_THAT(html, HasSubstr("402 plots of properties are omitted."));
}

/// A run with the names and formats of the catalog, on the host and a device that gives other errors: five claims each,
/// and every eighth property has a negative control.
store::Summary of_the_catalog() {
  std::ifstream digests(ASSAY_SOURCE_DIR "/tests/digests/digests.inc");
  std::set<std::string> names;
  const std::regex quoted("\"([a-z]+\\.[a-z0-9_.]+)\"");
  for (std::string line; std::getline(digests, line);) {
    if (std::smatch found; std::regex_search(line, found, quoted)) names.insert(found[1]);
  }
  store::Summary summary;
  for (const std::string& name : names) {
    const bool with_control = summary.properties.size() % 16 == 0;
    store::PropertySummary property = with_control ? sample::with_verdict(name, store::Finding::refuted_as_expected)
                                                   : sample::property(name, false, 50);
    const store::PropertySummary good = sample::property(name, false, 50);
    const std::string format = name.substr(name.rfind('.') + 1);
    if (format == "f32") property.info.format = "binary32";
    if (std::regex_match(format, std::regex("p[0-9]+"))) {
      property.info.format = format + ":-254:255";
      property.info.enumeration_size = property.requested;
      property.rigor = "exhaustive";
    }
    property.info.claims[0].theorem.clear();
    for (const char* const more : {"error_absolute", "exact", "special"}) {
      property.info.claims.push_back(good.info.claims[0]);
      property.info.claims.back().id = more;
      property.info.claims.back().statement += std::string(" and ") + more;
      property.info.claims.back().theorem.clear();
      const std::size_t like = more == std::string("error_absolute") ? 0 : 1;  // the others have no number
      property.tally.claims.push_back(good.tally.claims[like]);
      property.findings.push_back(good.findings[like]);
    }
    summary.properties.push_back(property);
    property.executor = "cuda";
    property.tally.claims[0].worst.ratio /= 2;
    summary.properties.push_back(std::move(property));
  }
  return summary;
}

TEST(ReportHtml, HasAtMostAMegabyteAndSixTenthsOfAKilobyteAProperty) {
  const store::Summary summary = of_the_catalog();
  const std::size_t properties = summary.properties.size() / 2;
  ASSERT_GT(properties, 1000u);
  EXPECT_LT(report_html(summary).size(), 1'000'000u + 600u * properties);
}

TEST(ReportHtml, TellsOfAnOperationInManyFormatsAndSizesOnce) {
  store::Summary summary = expansions();
  const auto nearest =
      std::find_if(summary.properties.begin(), summary.properties.end(),
                   [](const store::PropertySummary& p) { return p.info.name == "expansion.certified_mul7"; });
  nearest->tally.claims[0].worst.ratio = 0.9;
  const std::string html = report_html(summary);
  const std::string cases = html.substr(html.find("<h2 id=cases>"));
  expect_has(cases, {"<b>expansion.certified_mulK</b>", "<span class=of>48 properties, 2 160 cases</span>",
                     "<b>certified_mul7/error</b> on host · error/bound <b>0.9</b>"});
  EXPECT_EQ(occurrences(cases, "<b>certified_mul7/"), 2u) << "the nearest on the host, and the one of the device";
  EXPECT_EQ(occurrences(cases, "<b>certified_mul8/"), 0u);
  const std::size_t line = cases.find("<li id=\"p-expansion.certified_mul8\"><b>certified_mul8</b> 45 cases");
  ASSERT_NE(line, std::string::npos);
  const store::CaseFile& other = *nearest->findings[0].hardest;
  EXPECT_THAT(cases.substr(line, 200), ContainsRegex("^[^\n]* · error <code>[0-9a-f]+</code>\n"));
  EXPECT_THAT(cases, HasSubstr("replay " + store::case_id(other)));
}

TEST(ReportHtml, ShowsOneFailureOfEachClaimOfAnOperationAndAllThatNeedAttention) {
  store::Summary summary;
  for (const char* const name : {"sum.kahan", "sum.kahan.f32", "sum.kahan_n3.p4"}) {
    summary.properties.push_back(sample::with_verdict(name, store::Finding::refuted_as_expected));
  }
  const auto shown = [&] {
    return occurrences(report_html(summary), "<em class=good>refuted as expected</em><p>x = ");
  };
  EXPECT_EQ(shown(), 1u);
  summary.properties[1].findings[0].verdict = store::Finding::violated;
  summary.properties[2].findings[0].verdict = store::Finding::violated;
  EXPECT_EQ(shown(), 1u);
  const std::string html = report_html(summary);
  EXPECT_EQ(occurrences(html, "<em class=bad>violated</em><p>x = "), 2u);
  EXPECT_THAT(html, HasSubstr("<details class=\"p g\" open><summary><b>sum.kahan</b>"));
}

TEST(ReportHtml, KeepsPropertiesApartThatAreReplayedWithOptions) {
  store::Summary summary;
  for (const char* const name : {"mine.dot", "mine.dot.f32"}) {
    summary.properties.push_back(sample::property(name, false, 50));
    summary.provenance[store::options_key(name)] = "--operation dot";
  }
  expect_has(report_html(summary), {"<details class=p id=\"p-mine.dot\"", "<details class=p id=\"p-mine.dot.f32\""});
}

/// Two operations, one of which breaks a claim that the other keeps.
store::Summary rivals() {
  store::Summary summary;
  summary.properties.push_back(sample::with_verdict("gemm.exact", store::Finding::holds));
  summary.properties.push_back(sample::with_verdict("gemm.plain", store::Finding::refuted_as_expected));
  return summary;
}

TEST(ReportHtml, PutsOperationsSideBySideWhereTheyDiffer) {
  const std::string html = report_html(rivals());
  EXPECT_THAT(html, HasSubstr("<h4>Side by side"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#p-gemm.plain\">✗"));
  EXPECT_THAT(html, HasSubstr("<b>plain</b>"));
  store::Summary one = rivals();
  one.properties.pop_back();
  EXPECT_THAT(report_html(one), Not(HasSubstr("Side by side")));
}

TEST(ReportHtml, CountsTheEntriesThatBreakAClaim) {
  store::Summary summary = rivals();
  ClaimTally& tally = summary.properties[1].tally.claims[0];
  tally.components = 4321;
  tally.violated_components = 12;
  const std::string html = report_html(summary);
  EXPECT_THAT(html, HasSubstr("<div class=of>12 of 4 321</div>"));
  EXPECT_THAT(full_html(summary), HasSubstr("12 of 4 321 entries"));
}

TEST(ReportHtml, HasALineForEachTermOfABound) {
  expect_has(report_html(sample::summary()), {" · term 3u²|s|: 0.25", " · term γ|x|: 0.25"});
}

TEST(Reports, TellHowManyPairsOfTraitsTheCasesHave) {
  store::Summary summary;
  summary.properties.push_back(sample::property("dw.accurate_add", false, 200));
  expect_has(full_html(summary),
             {"<b>3 of 3</b> on host.", "<li>n: 1, 2 to 4</li>",
              "impossible: n = 1 with special = NaN &amp; infinity: a sum of one term is &lt;that&gt; term"});
  expect_has(report_markdown(summary), {"### Pairs of traits", "| `dw.accurate_add` | 3 of 3 | host |"});
  summary.properties[0].tally.pairs = "1000";
  EXPECT_THAT(full_html(summary), HasSubstr("<b>1 of 3</b> on host."));
  expect_has(report_markdown(summary), {"| `dw.accurate_add` | 1 of 3 | host |"});
}

TEST(Reports, SayNothingOfPairsWithoutTraits) {
  store::Summary summary;
  summary.properties.push_back(sample::property("dw.accurate_add", false, 200));
  summary.properties[0].info.traits.clear();
  summary.properties[0].info.impossible_pairs.clear();
  summary.properties[0].tally.pairs.clear();
  EXPECT_THAT(full_html(summary), Not(HasSubstr("Pairs of")));
  EXPECT_THAT(report_markdown(summary), Not(HasSubstr("Pairs of")));
}

TEST(ReportMarkdown, HasAColumnForEachTermOfABound) {
  store::Summary summary = sample::summary();
  expect_has(report_markdown(summary),
             {"| claim | error/bound | 3u²\\|s\\| | γ\\|x\\| | on |\n| --- | --: | --: | --: | --- |\n",
              "| `dw.accurate_add/error` | 0.5 | 0.25 | 0.25 | host |"});
  for (store::PropertySummary& property : summary.properties) property.tally.claims[0].terms.clear();
  EXPECT_THAT(report_markdown(summary), Not(HasSubstr("Terms of bounds")));
}

TEST(ReportMarkdown, TellsHowNearATruthCameToABoundaryOfRounding) {
  store::Summary summary = sample::summary();
  EXPECT_THAT(report_markdown(summary), HasSubstr("| claim | closest to a boundary | case | on |"));
  EXPECT_THAT(report_markdown(summary), ContainsRegex("\\| 2\\^-2[0-9] ulp \\| [0-9]+ \\|"));
  EXPECT_THAT(full_html(summary), ContainsRegex("closest to a boundary: 2\\^-2[0-9] ulp"));
  for (store::PropertySummary& property : summary.properties) property.tally.claims[0].closest = {};
  EXPECT_THAT(report_markdown(summary), Not(HasSubstr("Near misses")));
}

TEST(Proofs, AreTheClaimsThatHoldForAllInputs) {
  store::Summary summary = sample::summary();
  const std::uint64_t before = proofs(summary).claims;
  store::PropertySummary one = sample::property("eft.all", false, 200);
  one.info.enumeration_size = 200;
  one.rigor = "exhaustive";
  summary.properties.push_back(one);
  EXPECT_EQ(proofs(summary).claims, before + 1);
  EXPECT_THAT(report_markdown(summary), HasSubstr("proved for this build: every input of the domain was judged."));
  EXPECT_THAT(report_html(summary), HasSubstr("proved for this build"));
  summary.properties.back().partial = true;
  EXPECT_EQ(proofs(summary).claims, before);
  summary.properties.back().partial = false;
  summary.properties.back().requested = 201;
  EXPECT_EQ(proofs(summary).claims, before);
}

TEST(Report, NamesTheClaimThatHoldsANegativeControl) {
  store::Summary summary = rivals();
  summary.properties[1].info.claims[0].ceiling = "error_absolute";
  expect_has(report_markdown(summary), {"| `gemm.plain/error` | host | refuted as expected | `error_absolute` |"});
  expect_has(report_html(summary), {">error_absolute\n"});
}

TEST(ReportHtml, DrawsOperationsIntoOnePicture) {
  if (!draw(std::vector{histogram()})) GTEST_SKIP() << "no gnuplot";
  expect_has(report_html(rivals()),
             {"<b>error</b>, the bound at 1", "<path class=s0 ", "<path class=s1 ", "<i class=s1></i>plain</span>"});
}

TEST(ReportMarkdown, PutsOperationsSideBySideWhereTheyDiffer) {
  expect_has(report_markdown(rivals()), {"| | error | same_bits |", "| `exact` | 0.5 | ✓ |"});
}

TEST(ReportText, IsEscapedToCharactersThatXmlAllowsAndKeepsThose) {
  const std::string kept = "a\n\t\x7f\u0080\u07FF\u0800\uD7FF\uE000\uFFFD\U00010000\U0010FFFF";
  EXPECT_EQ(escaped(kept), kept);
  for (const std::string one : {"\x01", "\r", "\x80", "\xbf", "\xc3", "\xf8", "\xff"}) {
    EXPECT_EQ(escaped(one + "a"), "\uFFFDa") << one;
  }
  // An overlong sequence, a surrogate, U+FFFE, U+FFFF, beyond U+10FFFF, and one that ends early.
  for (const std::string three : {"\xe0\x9f\xbf", "\xed\xa0\x80", "\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    EXPECT_THAT(escaped(three), testing::StartsWith("\uFFFD")) << three;
  }
  EXPECT_THAT(escaped("\xf4\x90\x80\x80"), testing::StartsWith("\uFFFD"));
  EXPECT_EQ(escaped("\xf0\x9f\x92"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escaped("<a href=\"'&"), "&lt;a href=&quot;&#39;&amp;");
}

TEST(ReportJunit, HasOneTestCaseForEachClaimAndExecutor) {
  const std::string xml = report_junit(sample::summary());
  EXPECT_EQ(occurrences(xml, "<testcase "), 22u);
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"assay\" tests=\"22\" failures=\"3\" errors=\"4\" skipped=\"2\">"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"broken, not promised\"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"no CUDA device\"/>"));
}

TEST(ReportMarkdown, NamesWhatNeedsAttentionAndHowToSeeIt) {
  const store::Summary summary = sample::summary();
  const std::string text = report_markdown(summary);
  EXPECT_THAT(text, HasSubstr("| `dw.times/error` | host | **violated** |"));
  EXPECT_THAT(text, HasSubstr("`assay replay " + store::case_id(*summary.properties[2].findings[0].failure) + "`"));
  EXPECT_THAT(text, HasSubstr("survived: H1"));
  EXPECT_THAT(text, HasSubstr("\\|ŝ − s\\| ≤ 3u²\\|s\\| & more"));
}

TEST(ReportMarkdown, HasARowForEachFormatAndAColumnForEachNumberOfTerms) {
  expect_has(report_markdown(expansions()), {"| claim | bound | source | K = | 1 | 2 | 3 |",
                                             "| `certified_addK/error` | ", "|  |  |  | p3 | 0.5 ∎ | 0.5 ∎ |"});
}

TEST(Reports, AreTheSameUnderALocaleWithADecimalComma) {
  const std::string html = report_html(sample::summary());
  const std::string markdown = report_markdown(sample::summary());
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr) << "the locale de_DE.UTF-8 is missing";
  const std::string german_html = report_html(sample::summary());
  const std::string german_markdown = report_markdown(sample::summary());
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(german_html, html);
  EXPECT_EQ(german_markdown, markdown);
}

}  // namespace
}  // namespace assay::report
