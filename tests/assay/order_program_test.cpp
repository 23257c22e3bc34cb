// The program on contracts about order: their names, what it prints and writes of swaps, and digests of results.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

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
              Ends(0, Out(HasSubstr("same_on: the digests of 1 kernel are in"))));
  const std::string written = text_of("sum.json");
  EXPECT_THAT(judged("sum", "sum_forward", digests), Ends(0, Out(HasSubstr("the bits of all 60 results are those"))));
  EXPECT_THAT(judged("sum", "sum_backward", digests),
              Ends(1, Out(AllOf(HasSubstr("same_on: subject.sum on host"), HasSubstr("violated: "),
                                HasSubstr(" of 60 results have other bits"), HasSubstr("the first is of case ")))));
  EXPECT_EQ(text_of("sum.json"), written);
}

TEST_F(OrderTest, RefusesDigestsOfOtherCases) {
  const std::string digests = "--digests " + in("sum.json");
  EXPECT_EQ(judged("sum", "sum_forward", digests).code, 0);
  EXPECT_THAT(judged("sum", "sum_forward", digests + " --seed 2"),
              Ends(2, Err(HasSubstr("it has 60 cases of seed 1 of subject.sum, not 60 of seed 2"))));
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

TEST_F(OrderTest, WritesNoDigestsOfAKernelThatEnds) {
  EXPECT_THAT(judged("sum", "sum_that_ends", "--digests " + in("sum.json")), Ends(4, Err(HasSubstr("no digests"))));
  EXPECT_EQ(text_of("sum.json"), "");
}

}  // namespace
}  // namespace assay::testing_program
