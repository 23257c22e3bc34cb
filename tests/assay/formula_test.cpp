// Kernels from outside against a formula: the example of docs/formula.md, in a user's commands.

#include <fstream>
#include <sstream>
#include <string>

#include "tests/assay/subject_checks.hpp"

namespace assay::testing_program {
namespace {

/// The first block of docs/formula.md that begins with ``` alone: the example.
std::string example_of_the_page() {
  std::ifstream page(ASSAY_FORMULA_PAGE);
  std::stringstream text;
  text << page.rdbuf();
  const std::string all = text.str();
  const std::size_t begin = all.find("\n```\n") + 5;
  return all.substr(begin, all.find("```", begin) - begin);
}

class FormulaTest : public SubjectTest {
 protected:
  FormulaTest() { std::ofstream(in("scaled.formula")) << example_of_the_page(); }
  Ended asked(const std::string& symbol, const std::string& rest = "") const {
    return assay("check --formula " + in("scaled.formula") + " --subject " + beside(ASSAY_LIBRARY_OF_ROWS) +
                 " --symbol " + symbol + " --format f32 --cases 200 --progress none --on host --out " + in("run") +
                 " " + rest);
  }
};

TEST_F(FormulaTest, OfThePageAcceptsTheKernelThatItDescribes) {
  EXPECT_THAT(asked("scaled_softmax", "--contract any_order"), Ends(0, Out(HasSubstr("keeps any_order"))));
}

TEST_F(FormulaTest, OfThePageRefusesAKernelThatForgetsTheScale) {
  EXPECT_THAT(asked("unscaled_softmax", "--contract any_order"), Ends(1, Out(HasSubstr("any_order"))));
}

TEST_F(FormulaTest, WithAWayThatOverflowsRefusesANumberOfNoWay) {
  std::ofstream(in("scaled.formula")) << "sp(x[n]) -> y[n]\n  range x -200 200\n"
                                         "  y = max(x, 0) + log1p(exp(-abs(x)))\n  way y = log1p(exp(x))\n";
  EXPECT_THAT(asked("softplus_of_one_way", "--contract ways"), Ends(0, Out(HasSubstr("keeps ways"))));
  EXPECT_THAT(asked("softplus_of_no_way", "--contract ways --overwrite"),
              Ends(1, Out(AllOf(HasSubstr("ways on host: violated"), HasSubstr("got    0x1.cp+2")))));
}

TEST_F(FormulaTest, SaysNothingOfANumberWhereEveryProgramOverflows) {
  std::ofstream(in("scaled.formula")) << "sp(x[n]) -> y[n]\n  range x 300 400\n  y = log1p(exp(x))\n";
  EXPECT_THAT(asked("softplus_of_one_way", "--contract fast"), Out(HasSubstr("keeps fast")));
  EXPECT_THAT(asked("softplus_of_no_way", "--contract fast --overwrite"),
              Out(AllOf(HasSubstr("not decided: fast"), HasSubstr("because every program of it overflows there"))));
}

TEST_F(FormulaTest, TellsOfHowManyNumbersAMachineSaysNothingAndWhy) {
  std::ofstream(in("scaled.formula")) << "scaled_softmax(x[r,n], scale) -> y[r,n]\n  range scale 0.125 2\n"
                                         "  y = softmax(scale * x, axis=n)\nmachine sums\n  sum any ; wide bf16\n";
  const std::string why =
      "sums of more than 256 weights of a softmax in bf16 in any order have no bound; here 300 are added";
  EXPECT_THAT(asked("scaled_softmax", "--contract sums --shape r=1,n=300"),
              Ends(3, AllOf(Out(HasSubstr("not decided: sums")), Out(HasSubstr("because " + why)),
                            Err(HasSubstr("no case was judged: " + why)))));
  EXPECT_THAT(
      asked("scaled_softmax", "--contract sums --shape r=1,n=255..258 --overwrite"),
      Out(ContainsRegex("sums says nothing of [0-9]+ of [0-9]+ numbers, of the first in case [0-9]+ because ")));
  for (const char* report : {"run/report.html", "run/report.md", "run/junit.xml"}) {
    EXPECT_THAT(content(in(report)), ContainsRegex("sums says nothing of [0-9,]+ of ")) << report;
  }
}

TEST_F(FormulaTest, IsInTheSummaryAndInTheReportThatItMade) {
  EXPECT_THAT(asked("scaled_softmax", "--contract any_order"), Ends(0));
  EXPECT_THAT(content(in("run/summary.json")), ContainsRegex("\"graph subject.scaled_softmax.f32\": \"[{].*softmax"));
  EXPECT_THAT(content(in("run/report.html")), HasSubstr("&quot;op&quot;: &quot;softmax&quot;"));
}

TEST_F(FormulaTest, OfTheTierNightlyMeetsALargeShape) {
  std::ofstream(in("sums.formula")) << "sums(x[r,n]) -> y[r]\n  y = sum(x, axis=n)\n";
  std::ofstream(in("sums.py")) << "import sys\nsys.path.insert(0, '" << ASSAY_PYTHON
                               << "')\nimport assay.subject\ndef sums(r, n, x):\n"
                                  "    return [sum(x[i * n : i * n + min(n, 65536)]) for i in range(r)]\n"
                                  "assay.subject.serve(sums=sums)\n";
  EXPECT_THAT(
      assay("check --tier nightly --cases 1001 --formula " + in("sums.formula") + " --subject 'python3 " +
            in("sums.py") + "' --format f32 --contract any_order --no-shrink --progress none --out " + in("run")),
      Ends(1, Out(HasSubstr("n = 524289"))));
}

TEST_F(FormulaTest, IsNeededToReplayACase) {
  const std::string words = " replay ";
  const std::string told = asked("unscaled_softmax", "--contract any_order").out;
  const std::size_t at = told.rfind(words);
  ASSERT_NE(at, std::string::npos) << told;
  const std::string of_run = told.substr(at + words.size(), 16) + " --out " + in("run");
  for (const std::string command : {"replay ", "explain "}) {
    EXPECT_THAT(assay(command + of_run), Ends(2, Err(HasSubstr("a case of a formula needs --formula and --subject"))));
  }
}

TEST_F(FormulaTest, TellsWhereItCannotBeRead) {
  std::ofstream(in("scaled.formula")) << "f(x[n]) -> y[n]\n  y = x +\n";
  EXPECT_THAT(asked("scaled_softmax"), Ends(2, Err(HasSubstr("scaled.formula:2:"))));
  std::ofstream(in("scaled.formula")) << "f(x[n]) -> y[n]\ny = 2 * x\n";
  EXPECT_THAT(asked("scaled_softmax"), Ends(2, Err(HasSubstr("scaled.formula:2:1: expected an indented line"))));
}

TEST_F(FormulaTest, WithoutARoundingIsKeptByARightKernel) {
  const std::string check = "check --formula relu --subject " + beside(ASSAY_LIBRARY_OF_ROWS) +
                            " --symbol relu --format f32 --progress none --on host --overwrite --out " + in("run");
  EXPECT_THAT(assay(check), Ends(0, Out(AllOf(HasSubstr("keeps correctly_rounded"),
                                              HasSubstr("nothing is promised; --contract correctly_rounded ")))));
  EXPECT_THAT(assay(check + " --quiet"), Ends(0, Out(::testing::IsEmpty())));
}

TEST_F(FormulaTest, OfOneNumberHasNoControlThatIsRight) {
  std::ofstream(in("scaled.formula")) << "ratio(x, y) -> z\n  z = x / y\n";
  EXPECT_THAT(asked("ratio"), Ends(0, AllOf(Out(HasSubstr("keeps correctly_rounded")), Err(Not(HasSubstr("passes"))))));
}

TEST_F(FormulaTest, IsKnownToAProgramAsAGraph) {
  const std::string told = in("told.sh");
  std::ofstream(told) << "read -r line\n"
                         "case \"$line\" in\n"
                         "*'\"graph\":{'*'\"op\":\"softmax\"'*) echo '{\"error\": \"the graph has a softmax\"}';;\n"
                         "*) echo '{\"error\": \"no graph\"}';;\n"
                         "esac\n";
  const std::string subject = " --format f32 --subject \"sh " + told + "\"";
  EXPECT_THAT(assay("check --formula " + in("scaled.formula") + subject),
              Ends(2, Err(HasSubstr("the graph has a softmax"))));
  EXPECT_THAT(assay("check --operation softmax" + subject), Ends(2, Err(HasSubstr("no graph"))));
}

TEST_F(FormulaTest, GivesATolerance) {
  EXPECT_THAT(assay("tolerance " + in("scaled.formula") + " --shape r=2,n=100 --machine any_order --derivation"),
              Ends(0, Out(HasSubstr("any_order"))));
  EXPECT_THAT(assay("tolerance " + in("scaled.formula") + " --machine none"), Ends(2, Err(HasSubstr("any_order"))));
}

TEST_F(FormulaTest, GivesTheToleranceOfASavedCase) {
  const std::string file = in("case.json");
  std::ofstream(file) << R"({"schema": 1, "property": "subject.relu.f32", "claim": "any_order", "format": "binary32",
 "case": {"n": "2", "x": ["0x1p+0", "-0x1p+0"]}, "why": "violated"})";
  EXPECT_THAT(assay("tolerance relu --machine any_order --data " + file),
              Ends(0, Out(AllOf(HasSubstr("for the numbers of " + file + " of f32, n = 2\n"),
                                HasSubstr("any_order: largest bound 0,")))));
  EXPECT_THAT(assay("tolerance relu --format f64 --data " + file),
              Ends(2, Err(HasSubstr("no case of relu in binary64"))));
  EXPECT_THAT(assay("tolerance relu --machine any_order --derivation --json --data " + file),
              Ends(0, Out(HasSubstr("\"-0x1p+0\""))));
  EXPECT_THAT(assay("tolerance dot --data " + file), Ends(2, Err(HasSubstr("no case of dot_of in binary32"))));
}

/// The number that stands behind a word for the first time.
double number_behind(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + word.size()));
}

TEST_F(FormulaTest, GivesTheSmallerBoundOfBothTheorems) {
  const Ended told = assay("tolerance attention --machine any_order --shape n=4,d=16,m=9,e=2 --derivation");
  const double by_mean = number_behind(told.out, "by formula.mean.1 ");
  const double by_forward = number_behind(told.out, "by formula.forward.1 ");
  EXPECT_LT(by_mean, 0.9 * by_forward) << told;
  EXPECT_NEAR(number_behind(told.out, "largest bound "), by_mean, 0.01 * by_mean) << told;
  // 8 x 50 entries; formula.forward.1 alone has 1.06 times the bound.
  const Ended large = assay("tolerance attention --machine any_order --shape n=8,d=16,m=20,e=50 --derivation");
  const double largest = number_behind(large.out, "by formula.mean.1 ");
  EXPECT_LT(largest, 0.97 * number_behind(large.out, "by formula.forward.1 ")) << large;
  EXPECT_NEAR(number_behind(large.out, "largest bound "), largest, 0.01 * largest) << large;
  EXPECT_THAT(assay("tolerance softmax --machine tree --shape r=2,n=2000"),
              Ends(0, Out(HasSubstr("smaller bounds by formula.forward.1 alone; a judge also asks"))));
}

TEST_F(FormulaTest, GivesTheBoundOfTheWayWithTheLargestOne) {
  const Ended told = assay("tolerance attention_backward_q --machine ways --shape n=2,d=2,m=3,e=2 --derivation");
  const double largest = number_behind(told.out, "largest bound ");
  EXPECT_NEAR(number_behind(told.out, "  bound "), largest, 0.01 * largest) << told;
}

TEST_F(FormulaTest, HasALongestAxisForATolerance) {
  const std::string question = "tolerance matmul --shape m=2,n=2 --longest k --within 1e-5";
  const Ended any = assay(question + " --machine any_order");
  const double fits = number_behind(any.out, "any_order: k = ");
  const auto needed = [&](double k) {
    const Ended one =
        assay("tolerance matmul --machine any_order --shape m=2,n=2,k=" + std::to_string(static_cast<int>(k)));
    return number_behind(one.out, "largest bound ");
  };
  EXPECT_GT(fits, 8) << any;
  EXPECT_LT(fits, 8192) << any;
  EXPECT_LE(number_behind(any.out, " needs "), 1e-5) << any;
  EXPECT_LE(number_behind(any.out, " needs "), needed(fits)) << any;
  EXPECT_GT(number_behind(any.out, std::to_string(static_cast<int>(fits) + 1) + " needs "), 1e-5) << any;
  EXPECT_GE(number_behind(assay(question + " --machine tree").out, "tree: k = "), 2 * fits);
  EXPECT_THAT(assay("tolerance matmul --shape m=2,n=2 --longest k --within 1e-9"),
              Ends(0, Out(HasSubstr("any_order: no k: k = 1 needs "))));
}

TEST_F(FormulaTest, RefusesALongestAxisThatItDoesNotHaveOrNoTolerance) {
  EXPECT_THAT(assay("tolerance matmul --shape m=2,n=2 --longest j --within 1"),
              Ends(2, Err(HasSubstr("--longest j: matmul_plain has m, k, n"))));
  EXPECT_THAT(assay("tolerance matmul --shape m=2,n=2 --longest k --within 0"),
              Ends(2, Err(HasSubstr("--within 0: it is above 0"))));
  EXPECT_THAT(assay("tolerance matmul --shape m=2,n=2 --longest k"), Ends(2, Err(HasSubstr("--longest"))));
  EXPECT_THAT(assay("tolerance matmul --shape m=2,n=2,k=7 --longest k --within 1"),
              Ends(2, Err(HasSubstr("--shape m=2,n=2,k=7: the length of k is looked for"))));
  EXPECT_THAT(assay("tolerance matmul --data case.json --longest k --within 1"), Ends(2, Err(HasSubstr("--data"))));
}

TEST_F(FormulaTest, IsWantedForATolerance) {
  EXPECT_THAT(assay("tolerance fft"), Ends(2, Err(HasSubstr("fft: an operation without a formula; assay.tolerance"))));
  EXPECT_THAT(assay("tolerance softmax --shape q=3"), Ends(2, Err(HasSubstr("softmax_rows has the axes r, n"))));
}

TEST_F(FormulaTest, IsShippedByName) {
  EXPECT_THAT(assay("tolerance attention --json"), Ends(0, Out(HasSubstr("\"attention\""))));
  EXPECT_THAT(assay("contracts formulas"), Ends(0, Out(HasSubstr("\nattention: "))));
  EXPECT_THAT(assay("tolerance atention"),
              Ends(2, Err(AllOf(HasSubstr("nearest: attention"), HasSubstr("`assay contracts formulas` lists all"),
                                Not(HasSubstr("rms_norm"))))));
}

}  // namespace
}  // namespace assay::testing_program
