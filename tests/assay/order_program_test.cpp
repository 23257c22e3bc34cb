// The program on contracts about order: their names, what it prints and writes of swaps, and digests of results.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "assay/store/json.hpp"
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using testing::HasSubstr;
using testing::Not;

class OrderTest : public ProgramTest {
 protected:
  Ended judged(const std::string& operation, const std::string& symbol, const std::string& rest) const {
    return shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 " + beside("assay") + " check --operation " + operation +
                 " --subject " + beside(ASSAY_ORDERS) + " --symbol " + symbol + " --cases 60 --progress none --out " +
                 in("run") + " " + rest);
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
};

TEST_F(OrderTest, AcceptsTheOlderNameOfBatchInvariant) {
  for (const std::string name : {"alone", "batch_invariant"}) {
    EXPECT_THAT(judged("matmul --format f32", "matmul_by_rows", "--contract " + name),
                Ends(1, Out(HasSubstr("subject.matmul.f32/batch_invariant"))))
        << name;
  }
  EXPECT_THAT(judged("matmul --format f32", "matmul_by_rows", "--contract alon"),
              Ends(2, Err(HasSubstr("no contract"))));
}

TEST_F(OrderTest, SaysHowManySwapsWouldHaveBeenSeen) {
  EXPECT_THAT(judged("sum", "sum_forward", "--contract place_invariant --contract run_to_run"),
              Ends(0, Out(AllOf(HasSubstr("place_invariant: "), HasSubstr("run_to_run: "),
                                HasSubstr(" swaps of two terms would have been seen\n")))));
  EXPECT_THAT(text_of("run/summary.json"), HasSubstr("\"swaps\""));
}

TEST_F(OrderTest, AsksForPlacesOnlyByNameAndOnlyOfALibrary) {
  EXPECT_THAT(judged("sum", "sum_by_address", "--contract place_invariant"),
              Ends(1, Out(AllOf(HasSubstr("subject.sum/place_invariant"), HasSubstr("elements in front of it")))));
  EXPECT_THAT(judged("sum", "sum_forward", "").out, Not(HasSubstr("place_invariant")));
  EXPECT_THAT(shell(beside("assay") + " check --operation sum --subject 'cat' --contract place_invariant"),
              Ends(2, Err(HasSubstr("--contract place_invariant: the arrays of a program"))));
}

TEST_F(OrderTest, HandsSumsOverInChunks) {
  EXPECT_THAT(judged("sum", "sum_forward", "--contract split_invariant"), Ends(0, Out(HasSubstr("holds"))));
  EXPECT_THAT(judged("sum", "sum_backward", "--contract split_invariant"), Ends(1, Out(HasSubstr("in chunks of"))));
}

// ------------------------------------------------------------------------------------------------------------- digests

TEST_F(OrderTest, WritesDigestsAndComparesThem) {
  const std::string digests = "--digests " + in("sum.json");
  EXPECT_THAT(judged("sum", "sum_forward", digests),
              Ends(0, Out(HasSubstr("sum.json, which was missing: nothing was compared with it\n"))));
  EXPECT_THAT(text_of("run/summary.json"), Not(HasSubstr("same_on")));
  const std::string written = text_of("sum.json");
  EXPECT_THAT(judged("sum", "sum_forward", digests), Ends(0, Out(HasSubstr("the bits of all 60 results are those"))));
  EXPECT_THAT(judged("sum", "sum_backward", digests),
              Ends(1, Out(AllOf(HasSubstr("same_on: subject.sum on host"), HasSubstr("violated: "),
                                HasSubstr(" of 60 results have other bits"), HasSubstr("the first is of case ")))));
  EXPECT_EQ(text_of("sum.json"), written);
  // The violation is kept in the run, and so is its exit code.
  EXPECT_EQ(shell(beside("assay") + " report " + in("run") + " --markdown " + in("run.md")).code, 1);
  EXPECT_THAT(text_of("run.md"), HasSubstr("they change from one machine or build to another"));
}

TEST_F(OrderTest, RefusesDigestsOfOtherCases) {
  const std::string digests = "--digests " + in("sum.json");
  EXPECT_EQ(judged("sum", "sum_forward", digests).code, 0);
  EXPECT_THAT(judged("sum", "sum_forward", digests + " --seed 2"),
              Ends(2, Err(HasSubstr("it has 60 cases of seed 1 of subject.sum, not 60 of seed 2; --cases 60 --seed 1 "
                                    "asks these\n"))));
  EXPECT_THAT(judged("sum", "sum_forward", digests + " --as mine"),
              Ends(2, Err(HasSubstr("it has no digests of mine.sum"))));
  EXPECT_THAT(judged("sum", "sum_forward", digests + " --shard 0/2"),
              Ends(2, Err(HasSubstr("--digests: of whole runs"))));
}

TEST_F(OrderTest, RefusesDamagedDigestsInOneLine) {
  const std::string digests = "--digests " + in("sum.json");
  EXPECT_EQ(judged("sum", "sum_forward", digests).code, 0);
  const std::string written = text_of("sum.json");
  std::string other = written;
  other[other.find("\"results\"") + 20] ^= 1;
  for (const std::string& text : {std::string(), std::string("{}"), written.substr(0, written.size() / 2), other}) {
    write("sum.json", text);
    EXPECT_THAT(judged("sum", "sum_forward", digests), Ends(5, Err(HasSubstr("sum.json")))) << text.substr(0, 40);
  }
}

TEST_F(OrderTest, SaysThatAnotherBuildDrewOtherCases) {
  const std::string digests = "--contract exceptional --digests " + in("sum.json");
  EXPECT_EQ(judged("sum", "sum_forward", digests).code, 0);
  std::string other = *store::unsealed(text_of("sum.json"));
  char& digit = other[other.find("\"inputs\"") + 20];
  digit = digit == '0' ? '1' : '0';
  write("sum.json", store::sealed(other));
  EXPECT_THAT(judged("sum", "sum_forward", digests), Ends(3, Err(HasSubstr("another build of the program drew them"))));
}

TEST_F(OrderTest, SaysNothingOfSameBitsWhereOnlyFailuresAreAskedFor) {
  const std::string digests = "--contract exceptional --quiet --digests " + in("sum.json");
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(judged("sum", "sum_forward", digests), Ends(0, Out(Not(HasSubstr("same_on")))));
}

// ------------------------------------------------------------------------------------------------------------- reports

TEST_F(OrderTest, PutsTheOrderOfAKernelIntoItsReport) {
  const std::string kernel = " --operation sum --subject " + beside(ASSAY_ORDERS) + " --terms 40 --run " + in("run");
  EXPECT_THAT(shell(beside("assay") + " probe-order --symbol sum_forward" + kernel), Ends(2, Err(HasSubstr("no run"))));
  EXPECT_EQ(judged("sum", "sum_forward", "--contract run_to_run").code, 0);
  EXPECT_EQ(shell(beside("assay") + " probe-order --symbol sum_forward" + kernel).code, 0);
  EXPECT_THAT(shell(beside("assay") + " probe-order --symbol sum_backward" + kernel),
              Ends(2, Err(HasSubstr("`assay check` judges this kernel first"))));
  EXPECT_EQ(
      shell(beside("assay") + " report " + in("run") + " --markdown " + in("run.md") + " --json " + in("all.json"))
          .code,
      0);
  EXPECT_THAT(text_of("run.md"), AllOf(HasSubstr("a chain of 40 terms"), HasSubstr("Rely on the same bits in")));
  EXPECT_THAT(text_of("all.json"), HasSubstr("\"orders\""));
  // Another run of the folder is another kernel's.
  EXPECT_EQ(judged("sum", "sum_forward", "--contract run_to_run").code, 0);
  EXPECT_EQ(text_of("run/orders.json"), "");
}

TEST_F(OrderTest, WritesNoDigestsOfAKernelThatEnds) {
  EXPECT_THAT(judged("sum", "sum_that_ends", "--digests " + in("sum.json")), Ends(4, Err(HasSubstr("no digests"))));
  EXPECT_EQ(text_of("sum.json"), "");
}

}  // namespace
}  // namespace assay::testing_program
