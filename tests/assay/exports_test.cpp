#include "assay/report/exports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "assay/report/sources.hpp"
#include "errorbounds/pages/page.hpp"
#include "tests/assay/folder.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const fs::path docs = ASSAY_SOURCE_DIR "/docs";

/// The theorems of all pages.
std::vector<theorems::Entry> all_theorems() {
  std::vector<theorems::Entry> all;
  for (const auto& page : fs::directory_iterator(docs / "bounds")) {
    for (theorems::Entry& each : theorems::theorems_of(page.path().stem().string(), content(page.path()))) {
      all.push_back(std::move(each));
    }
  }
  return all;
}

/// Tests of the pages, which a bundle of programs does not have.
class Pages : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(docs)) GTEST_SKIP() << "no source tree";
  }
};

/// A property with one claim of this statement and this source.
store::Summary with_claim(const std::string& statement, const std::string& source) {
  store::Summary summary;
  summary.properties.push_back(sample::property("dw.accurate_add", false, 50));
  summary.properties[0].info.claims[0].statement = statement;
  summary.properties[0].info.claims[0].source = source;
  return summary;
}

TEST_F(Pages, HaveSourcesWithKeys) {
  for (const theorems::Entry& each : all_theorems()) {
    EXPECT_THAT(unresolved(theorems::normalized(each.source)), IsEmpty())
        << each.id << ": no work of docs/sources.bib has `cited_as` with words of this source";
  }
}

TEST_F(Pages, CiteAllSources) {
  std::set<std::string> cited;
  for (const theorems::Entry& each : all_theorems()) {
    for (const std::string& key : keys_of(theorems::normalized(each.source))) cited.insert(key);
  }
  for (const Source& each : sources()) EXPECT_TRUE(cited.contains(each.key)) << each.key;
}

TEST(Sources, AreNamedInTheOrderOfTheText) {
  EXPECT_THAT(keys_of("Théry 2026, ThreeDiv_error, on Fabiano, Muller, Picot 2019, Algorithm 14"),
              ElementsAre("Thery2026", "FabianoMullerPicot2019"));
  EXPECT_THAT(keys_of("derived"), IsEmpty());
  EXPECT_THAT(unresolved("Higham 2002, §4.2; Nobody 1900; derived for the root"), ElementsAre("Nobody 1900"));
}

TEST(Sources, OfAnotherFormAreRefused) {
  const std::string good = "@book{A,\n  cited_as = {A, b | C},\n  year = {1},\n}\n";
  ASSERT_EQ(sources_of(good).size(), 1u);
  EXPECT_THAT(sources_of(good)[0].cited_as, ElementsAre("A, b", "C"));
  EXPECT_EQ(sources_of(good)[0].entry, "@book{A,\n  year = {1},\n}\n");
  EXPECT_THROW(sources_of(good + good), std::invalid_argument);
  EXPECT_THROW(sources_of("@book{A,\n  year = {1},\n}\n"), std::invalid_argument);
  EXPECT_THROW(sources_of("@book{A,\nyear = {1},\n}\n"), std::invalid_argument);
  EXPECT_THROW(sources_of("@book{A,\n  cited_as = {A\n}\n"), std::invalid_argument);
}

TEST(ReportLatex, MarksSampledExhaustiveAndRefutedClaims) {
  store::Summary summary = sample::summary();
  const std::string sampled = report_latex(summary);
  EXPECT_THAT(sampled,
              HasSubstr("\\texttt{dw.\\allowbreak accurate\\_\\allowbreak add/\\allowbreak error} & \\raggedright "));
  EXPECT_THAT(
      sampled,
      HasSubstr(
          " & 180 & 0.5\\textsuperscript{\\dag} & \\raggedright \\cite{JoldesMullerPopescu2017} \\tabularnewline"));
  EXPECT_THAT(sampled, HasSubstr("\\textsuperscript{\\ddag}"));
  EXPECT_THAT(sampled, HasSubstr("violated, "));
  EXPECT_THAT(sampled, Not(HasSubstr("same\\_bits")));
  summary.properties[0].rigor = "exhaustive";
  EXPECT_THAT(report_latex(summary), HasSubstr(" & 180 & 0.5\\,\\rule{0.7ex}{0.7ex} & "));
}

TEST(ReportLatex, WritesStatementsWithMathematics) {
  EXPECT_THAT(report_latex(with_claim("|d̂ − d| ≤ γ_{h+1}T, 2^(−k)·x⁻¹²", "derived")),
              HasSubstr("$|\\hat{d} $ $-$ d$|$ $\\le $ $\\gamma $\\textsubscript{h+1}T, "
                        "2\\textsuperscript{$-$k}$\\cdot $x${}^{-12}$ & "));
  EXPECT_THAT(
      report_latex(with_claim("γ_h S, 2^R, 2^-54k, fma_chain", "derived")),
      HasSubstr("$\\gamma $\\textsubscript{h} S, 2\\textsuperscript{R}, 2\\textsuperscript{-54k}, fma\\_chain & "));
}

TEST_F(Pages, HaveStatementsThatLatexHasSignsFor) {
  for (const theorems::Entry& each : all_theorems()) {
    const std::string statement = theorems::normalized(each.statement);
    if (statement.find('?') != std::string::npos) continue;
    EXPECT_THAT(report_latex(with_claim(statement, "derived")), Not(HasSubstr("?"))) << each.id << ": " << statement;
  }
}

TEST(ReportLatex, CitesWorksAndPrintsOtherSourcesInTheirOwnWords) {
  const auto cell = [](const std::string& source) { return report_latex(with_claim("s", source)); };
  EXPECT_THAT(cell("Higham 2002, §4.2; derived"),
              HasSubstr(" & \\raggedright derived, \\cite{Higham2002} \\tabularnewline\n"));
  EXPECT_THAT(cell("derived"), HasSubstr(" & \\raggedright derived \\tabularnewline\n"));
  EXPECT_THAT(cell("My Paper 2031, §3"), HasSubstr(" & \\raggedright My Paper 2031, $\\S $3 \\tabularnewline\n"));
}

TEST(ReportLatex, WritesNamesWithoutIndices) {
  store::Summary summary = with_claim("s", "derived");
  summary.properties[0].info.claims[0].id = "exact_on_a_grid";
  EXPECT_THAT(report_latex(summary), HasSubstr("exact\\_\\allowbreak on\\_\\allowbreak a\\_\\allowbreak grid}"));
}

TEST(ReportLatex, TellsWhatIsMissingToOne) {
  store::Summary summary = with_claim("s", "derived");
  summary.properties[0].tally.claims[0].worst.ratio = 1 - 0x1p-52;
  EXPECT_THAT(report_latex(summary), HasSubstr(" & $1-{}$2.2$\\cdot 10^{-16}$\\textsuperscript{\\dag} & "));
}

TEST(ReportLatex, KeepsNoCommandOfAName) {
  EXPECT_THAT(report_latex(with_claim("\\input{/etc/passwd} $x$ %", "derived")),
              HasSubstr("\\textbackslash{}input\\{/etc/passwd\\} \\$x\\$ \\%"));
}

TEST_F(Pages, HaveStatementsThatLatexCompiles) {
  if (std::system("pdflatex --version > /dev/null 2>&1 && kpsewhich booktabs.sty longtable.sty > /dev/null") != 0)
    GTEST_SKIP() << "no LaTeX with the package booktabs";
  store::Summary summary = sample::summary();
  const store::PropertySummary model = sample::property("all.statements", false, 50);
  for (const theorems::Entry& each : all_theorems()) {
    store::PropertySummary one = model;
    one.info.name = each.id;
    one.info.claims[0].statement = theorems::normalized(each.statement);
    one.info.claims[0].source = theorems::normalized(each.source);
    summary.properties.push_back(std::move(one));
  }
  const test::Folder folder;
  std::ofstream(folder / "table.tex") << report_latex(summary);
  std::ofstream(folder / "works.bib") << report_bibtex(summary);
  std::ofstream(folder / "paper.tex")
      << "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
         "\\input{table}\n\\bibliographystyle{plain}\n\\bibliography{works}\n"
         "\\end{document}\n";
  const std::string compile = "cd " + folder.path().string() +
                              " && pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error paper > log 2>&1";
  EXPECT_EQ(std::system(compile.c_str()), 0) << content(folder / "log");
  std::istringstream log(content(folder / "log"));
  for (std::string line; std::getline(log, line);) {
    EXPECT_THAT(line, Not(::testing::AnyOf(HasSubstr("Float too large"), HasSubstr("Overfull"))));
  }
  const std::string works = "cd " + folder.path().string() + " && bibtex -terse paper > log 2>&1";
  EXPECT_EQ(std::system(works.c_str()), 0) << content(folder / "log");
}

TEST(ReportBibtex, HasTheWorksThatTheClaimsCiteAndNoOthers) {
  const std::string bib = report_bibtex(with_claim("s", "Higham 2002, §4.2; Ziv 1991"));
  EXPECT_THAT(bib, StartsWith("@book{Higham2002,\n"));
  EXPECT_THAT(bib, HasSubstr("\n\n@article{Ziv1991,\n"));
  EXPECT_THAT(bib, Not(HasSubstr("cited_as")));
  EXPECT_THAT(bib, Not(HasSubstr("Knuth")));
}

TEST(ReportCsv, HasARowForEachClaimAndEachTerm) {
  const std::string csv = report_csv(with_claim("a, \"b\"", "Higham 2002; derived"));
  EXPECT_THAT(csv, StartsWith("property,claim,term,executor,"));
  EXPECT_THAT(csv, HasSubstr("\ndw.accurate_add,error,,host,binary64,sampled,holds,holds,45,0,0.5,0,"));
  EXPECT_THAT(csv, HasSubstr("\ndw.accurate_add,error,3u²|s|,host,binary64,sampled,holds,holds,45,0,0.25,0,"));
  EXPECT_THAT(csv, HasSubstr(",\"a, \"\"b\"\"\",Higham 2002; derived,Higham2002,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4);
}

TEST(WritePlots, WritesEachPictureAsSvgAndPdfWithTheSameBytes) {
  store::Summary summary;
  summary.properties.push_back(sample::with_verdict("gemm.exact", store::Finding::holds));
  summary.properties.push_back(sample::with_verdict("gemm.plain", store::Finding::refuted_as_expected));
  const test::Folder first;
  const test::Folder second;
  std::vector<std::string> files;
  try {
    files = write_plots(summary, first.path());
  } catch (const std::runtime_error&) {
    GTEST_SKIP() << "no gnuplot";
  }
  EXPECT_THAT(files, ElementsAre("gemm.error.exponent_gap.svg", "gemm.error.exponent_gap.pdf",
                                 "gemm.exact.error.exponent_gap.host.svg", "gemm.exact.error.exponent_gap.host.pdf",
                                 "gemm.plain.error.exponent_gap.host.svg", "gemm.plain.error.exponent_gap.host.pdf"));
  const std::string svg = content(first / files[0]);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  for (const char* in_the_key : {"exact", "plain", "bound"}) EXPECT_THAT(svg, HasSubstr(in_the_key));
  EXPECT_THAT(content(first / files[1]), StartsWith("%PDF"));
  write_plots(summary, second.path());
  for (const std::string& file : files) EXPECT_EQ(content(first / file), content(second / file)) << file;
}

}  // namespace
}  // namespace assay::report
