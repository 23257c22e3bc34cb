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

TEST_F(FormulaTest, TellsWhereItCannotBeRead) {
  std::ofstream(in("scaled.formula")) << "f(x[n]) -> y[n]\n  y = x +\n";
  EXPECT_THAT(asked("scaled_softmax"), Ends(2, Err(HasSubstr("scaled.formula:2:"))));
}

TEST_F(FormulaTest, WithoutARoundingIsKeptByARightKernel) {
  EXPECT_THAT(assay("check --formula relu --subject " + beside(ASSAY_LIBRARY_OF_ROWS) +
                    " --symbol relu --format f32 --progress none --on host --out " + in("run")),
              Ends(0, Out(HasSubstr("keeps correctly_rounded"))));
}

TEST_F(FormulaTest, GivesATolerance) {
  EXPECT_THAT(assay("tolerance " + in("scaled.formula") + " --shape r=2,n=100 --machine any_order --derivation"),
              Ends(0, Out(HasSubstr("any_order"))));
  EXPECT_THAT(assay("tolerance " + in("scaled.formula") + " --machine none"), Ends(2, Err(HasSubstr("any_order"))));
}

TEST_F(FormulaTest, IsShippedByName) {
  EXPECT_THAT(assay("tolerance attention --json"), Ends(0, Out(HasSubstr("\"attention\""))));
}

}  // namespace
}  // namespace assay::testing_program
