// The ledger, comparisons and tables by the program.
#include <fstream>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

/// Commands about runs, with a ledger in the test's folder.
class CompareTest : public ProgramTest {
 protected:
  Ended with_ledger(const std::string& arguments) const { return run(arguments, "ASSAY_LEDGER=" + in("l.sqlite")); }
  Ended compared(const std::string& a, const std::string& b, const std::string& rest = "") const {
    return with_ledger("compare " + in(a) + " " + in(b) + " " + rest);
  }
};
using Compare = CompareTest;
using LedgerCommand = CompareTest;
using ReportCommand = CompareTest;

TEST_F(Compare, OfRunsWithOtherJobsTellsNoChange) {
  checked("hostile.benign hostile.wrong --cases 3000 --jobs 1", "one");
  checked("hostile.benign hostile.wrong --cases 3000 --jobs 2 --isolate none", "two");
  const Ended ended = compared("one", "two/summary.json", "--strict");
  EXPECT_THAT(
      ended,
      Ends(0, Out(HasSubstr("\n0 changes, 12 claims of 2 properties compared, including those that Assay adds\n"))));
  EXPECT_THAT(ended, Out(Not(HasSubstr("other inputs"))));
}

TEST_F(Compare, OfOtherSeedsComparesNoNumbers) {
  checked("hostile.benign --cases 100", "one");
  checked("hostile.benign --cases 100 --seed 2", "two");
  EXPECT_THAT(compared("one", "two", "--strict"),
              Ends(0, Out(HasSubstr("other facts of the runs:\n  seed: 1 -> 2\n")),
                   Out(HasSubstr("tightness and bits are not compared:\n  hostile.benign on host\n"))));
}

TEST_F(Compare, OfAnotherPropertyIsNoSuccess) {
  checked("hostile.benign --cases 100", "one");
  checked("hostile.control --cases 100", "two");
  EXPECT_THAT(compared("one", "two"),
              Ends(3, Out(HasSubstr("only in the first run:\n  worse    hostile.benign on host")),
                   Err(HasSubstr("no property and no time"))));
}

TEST_F(Compare, WritesADocument) {
  checked("hostile.benign --cases 100", "one");
  const Ended ended = compared("one", "one", "--json -");
  EXPECT_THAT(ended, Ends(0, Out(::testing::StartsWith("{\n  \"schema\": 1,"))));
  EXPECT_THAT(ended, Out(HasSubstr("\"worse\": false")));
}

TEST_F(Compare, WritesAPage) {
  checked("hostile.benign --cases 100", "one");
  checked("hostile.control --cases 100", "two");
  EXPECT_THAT(compared("one", "two", "--html -"),
              Ends(3, Out(HasSubstr("<h2>only in the first run</h2>")), Out(Not(HasSubstr("only in the first run:")))));
}

TEST_F(ReportCommand, ComparesWithTheNewestEntryOfAnotherRun) {
  checked("hostile.benign --cases 100", "one");
  checked("hostile.benign hostile.control --cases 100", "two");
  EXPECT_THAT(with_ledger("report " + in("one") + " --html -"),
              Ends(0, Out(HasSubstr("<p>No ledger to compare with")), Err(HasSubstr("assay: no ledger "))));
  with_ledger("ledger add " + in("one"));
  EXPECT_THAT(with_ledger("report " + in("one") + " --html -"),
              Ends(0, Out(HasSubstr("<p>The ledger has no entry of another run.")), Err("")));
  with_ledger("ledger add " + in("two"));
  EXPECT_THAT(with_ledger("report " + in("two") + " --html -"), Ends(0, Out(HasSubstr("<p>Since entry 1 of "))));
}

TEST_F(ReportCommand, WritesAllWithFull) {
  checked("hostile.benign --cases 100", "one");
  EXPECT_THAT(with_ledger("report " + in("one") + " --html -"), Out(Not(HasSubstr("<h4>Classes drawn</h4>"))));
  EXPECT_THAT(with_ledger("report " + in("one") + " --full --html -"), Out(HasSubstr("<h4>Classes drawn</h4>")));
}

TEST_F(Compare, OfAFolderWithoutARunIsAnErrorOfUse) {
  EXPECT_THAT(compared("nothing", "nothing"), Ends(2, Err(HasSubstr("no run in "))));
}

TEST_F(LedgerCommand, KeepsRunsAndShardsAndComparesThem) {
  checked("hostile.benign --cases 1000", "whole");
  checked("hostile.benign --cases 1000 --shard 0/2", "a");
  checked("hostile.benign --cases 1000 --shard 1/2", "b");
  EXPECT_THAT(with_ledger("ledger add " + in("whole")), Ends(0, Out("entry 1 added\n")));
  EXPECT_THAT(with_ledger("ledger add " + in("whole")), Ends(0, Out("entry 1 is this run: nothing was added\n")));
  EXPECT_THAT(with_ledger("ledger add " + in("a") + " " + in("b")), Ends(0, Out("entry 2 added\n")));
  EXPECT_THAT(with_ledger("ledger list"),
              Ends(0, Out(ContainsRegex("^entry 1: 20[0-9-]+ [0-9:]+, [0-9.]+, commit [^\n]* claims, [0-9.e+]+ cases a "
                                        "second\nentry 2: [^\n]*\n$"))));
  EXPECT_THAT(
      with_ledger("ledger show last"),
      Ends(0, Out(ContainsRegex("hostile.benign  host  sampled  1000 cases  bits [0-9a-f]+\n    error  holds"))));
  EXPECT_THAT(with_ledger("compare 1 last --strict"), Ends(0, Out(HasSubstr("\n0 changes, 6 claims"))));
}

TEST_F(LedgerCommand, NamesWhatIsNotThere) {
  EXPECT_THAT(with_ledger("ledger show 1"), Ends(2, Err(HasSubstr("`assay ledger add DIR` creates one"))));
  checked("hostile.benign --cases 100", "one");
  with_ledger("ledger add " + in("one"));
  EXPECT_THAT(with_ledger("ledger show 7"), Ends(2, Err(HasSubstr("l.sqlite has no entry 7"))));
  EXPECT_THAT(with_ledger("compare last 0"), Ends(2, Err(HasSubstr("has no entry 0"))));
}

TEST_F(LedgerCommand, OfAFileThatIsNoLedgerIsDamage) {
  checked("hostile.benign --cases 100", "one");
  file_with("l.sqlite", std::string(1000, 'x'));
  EXPECT_THAT(with_ledger("ledger add " + in("one")), Ends(5, Err(HasSubstr("l.sqlite: file is not a database"))));
  EXPECT_THAT(with_ledger("ledger list --ledger " + in("none")), Ends(0, Out("")));
}

TEST_F(ReportCommand, WritesTablesOfTheClaimsThatAreChosen) {
  checked("hostile.benign hostile.control --cases 100");
  const Ended csv = run("report " + in("run") + " --only 'hostile.b*/error' --csv -");
  EXPECT_THAT(csv, Ends(0, Out(HasSubstr("\nhostile.benign,error,,host,"))));
  EXPECT_THAT(csv, Out(AllOf(Not(HasSubstr("control")), Not(HasSubstr("same_bits")))));
  EXPECT_THAT(run("report " + in("run") + " --latex -"),
              Ends(0, Out(HasSubstr("\\texttt{hostile.\\allowbreak control/"))));
}

TEST_F(ReportCommand, RefusesAChoiceOfNothing) {
  checked("hostile.benign --cases 100");
  EXPECT_THAT(run("report " + in("run") + " --csv - --only hostile.benin"),
              Ends(2, Err(HasSubstr("--only hostile.benin: these runs have no such property or claim"))));
  EXPECT_THAT(run("report " + in("run") + " --only hostile.benign"),
              Ends(2, Err(HasSubstr("--only selects properties for"))));
}

}  // namespace
}  // namespace assay::testing_program
