#include <gmock/gmock.h>

#include <fstream>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using Program = ProgramTest;

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Program, ExitsWith0WhereEveryClaimHolds) { EXPECT_EQ(checked("hostile.benign hostile.control").code, 0); }

TEST_F(Program, ExitsWith3WhereAClaimIsUndecided) { EXPECT_EQ(checked("hostile.undecided").code, 3); }

TEST_F(Program, ExitsWith1InTheNightlyTierWhereAControlIsNotRefuted) {
  EXPECT_EQ(checked("hostile.true_control").code, 0);
  EXPECT_EQ(checked("hostile.true_control --tier nightly --cases 10000", "nightly").code, 1);
}

TEST_F(Program, TheNightlyTierHasTenTimesAndTheExhaustiveOneAHundredTimesTheCasesOfTheQuickOne) {
  for (const auto& [tier, cases] : {std::pair{"quick", "10000"}, {"nightly", "100000"}, {"exhaustive", "1000000"}}) {
    EXPECT_THAT(checked(std::string{"hostile.benign --dry-run --tier "} + tier),
                Ends(0, Out(HasSubstr(std::string{"hostile.benign on host: "} + cases + " cases,"))));
  }
}

TEST_F(Program, WithNumbersThereAreFewerCasesTheLargerTheyAreButAtLeast200) {
  for (const auto& [numbers, cases] : {std::pair{"1", "200"}, {"6000", "3000"}, {"1000000", "10000"}}) {
    EXPECT_THAT(checked(std::string{"hostile.benign --dry-run --numbers "} + numbers),
                Ends(0, Out(HasSubstr(std::string{"hostile.benign on host: "} + cases + " cases,"))));
  }
}

TEST_F(Program, WithNumbersAPropertyWithANegativeControlKeepsItsCases) {
  EXPECT_THAT(checked("hostile.control --dry-run --numbers 1"),
              Ends(0, Out(HasSubstr("hostile.control on host: 10000 cases,"))));
}

TEST_F(Program, TheLastLineReplaysTheFailure) {
  const Ended ended = checked("hostile.wrong");
  EXPECT_THAT(replay_of(ended), Ends(1, Out(HasSubstr("(the recorded bits)")),
                                     Out(ContainsRegex("error  [+-][0-9.]+ ulp, [0-9.e+]+ of the bound"))));
}

TEST_F(Program, ARefutedControlReplaysAsExpected) {
  const Ended ended = checked("hostile.control");
  EXPECT_THAT(replay_of(ended), Ends(0, Out(HasSubstr("violated, as expected"))));
}

TEST_F(Program, JobsIsolationAndRepetitionChangeNoByte) {
  const std::string what = "hostile.benign hostile.control hostile.wrong --cases 20000 ";
  checked(what + "--jobs 1", "one");
  checked(what + "--jobs 2", "two");
  checked(what + "--jobs 2", "again");
  checked(what + "--isolate none", "none");
  checked(what + "--isolate worker --jobs 2", "worker");
  EXPECT_THAT(summary(folder_, "one"), HasSubstr("hostile.wrong"));
  EXPECT_EQ(summary(folder_, "one"), summary(folder_, "two"));
  EXPECT_EQ(summary(folder_, "two"), summary(folder_, "again"));
  EXPECT_EQ(summary(folder_, "one"), summary(folder_, "none"));
  EXPECT_EQ(summary(folder_, "one"), summary(folder_, "worker"));
}

TEST_F(Program, AWorkerGoesOnToTheNextPropertyOnlyWhereThatIsAsked) {
  const std::string what = "hostile.first_here hostile.first_here_too --cases 100 --jobs 1 ";
  EXPECT_EQ(checked(what, "property").code, 0);
  EXPECT_EQ(checked(what + "--isolate worker", "worker").code, 1);
}

TEST_F(Program, AWorkerThatFailedIsReplaced) {
  const std::string what = "hostile.always_crash hostile.benign hostile.throws --cases 20000 --jobs 1 ";
  checked(what, "property");
  checked(what + "--isolate worker", "worker");
  EXPECT_THAT(summary(folder_, "worker"), HasSubstr("hostile.benign"));
  EXPECT_EQ(summary(folder_, "property"), summary(folder_, "worker"));
}

TEST_F(Program, AWorkerForEachCaseChangesNoByte) {
  checked("hostile.benign --cases 60", "property");
  checked("hostile.benign --cases 60 --isolate case", "case");
  EXPECT_THAT(summary(folder_, "case"), HasSubstr("hostile.benign"));
  EXPECT_EQ(summary(folder_, "property"), summary(folder_, "case"));
}

TEST_F(Program, ThreeShardsMergeToTheWhole) {
  const std::string what = "hostile.benign hostile.control hostile.wrong --cases 10001";
  checked(what, "whole");
  const Ended merged = merged_from_three_shards(what);
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_EQ(content(folder_ / "merged.json"), summary(folder_, "whole"));
}

TEST_F(Program, AnUnknownPropertyIsRefusedWithTheNearestNames) {
  EXPECT_THAT(run("check hostile.bening"),
              Ends(2, Err(HasSubstr("no property hostile.bening; nearest: hostile.benign"))));
}

TEST_F(Program, AnUnknownClaimIsRefused) {
  EXPECT_THAT(run("check hostile.benign/eror"), Ends(2, Err(HasSubstr("hostile.benign/error"))));
}

TEST_F(Program, UsageErrorsExitWith2) {
  for (const char* line : {"check --shard 3/2", "check --shard x", "check --no-such-option", "", "no-such-command",
                           "check --seed -1", "check --tier slow", "check --cases 0", "check --jobs 0",
                           "check --timeout-case soon", "replay ffffffffffffffff", "report /nonexistent"}) {
    const Ended ended = run(line);
    EXPECT_EQ(ended.code, 2) << line;
    EXPECT_THAT(ended.err, Not(IsEmpty())) << line;
  }
}

TEST_F(Program, ACaseOutsideItsDomainExitsWith2) {
  const std::string path = in("outside.json");
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.benign", "claim": "error", "format": "binary64",
    "case": {"a": "0x1p+1", "b": "0x1p+0"}, "expected": "holds", "why": "seed"})";
  EXPECT_THAT(run("replay " + path + " --on host"),
              Ends(2, Err(HasSubstr("outside the domain of hostile.benign, which accepts 1 <= a, b < 2"))));
}

TEST_F(Program, ADamagedCaseFileExitsWith5) {
  const std::string path = in("damaged.json");
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.ben)";
  EXPECT_EQ(run("replay " + path + " --on host").code, 5);
}

TEST_F(Program, AHandWrittenCaseIsReplayedAndEvaluated) {
  const std::string path = in("case.json");
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.benign", "claim": "error", "format": "binary64",
    "case": {"a": "0x1.8p+0", "b": "0x1p+0"}, "expected": "holds", "why": "seed"})";
  EXPECT_EQ(run("replay " + path + " --on host").code, 0);
  EXPECT_THAT(run("eval hostile.benign " + path + " --on host"),
              Ends(0, Out(StartsWith("{")), Out(HasSubstr("0x1.4p+1"))));
}

TEST_F(Program, ShrinkMakesAFailingCaseSmaller) {
  const std::string path = in("case.json");
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.wrong", "claim": "error", "format": "binary64",
    "case": {"a": "0x1.123456789abcdp+0", "b": "0x1.fedcba9876544p+0"}, "expected": "holds", "why": "seed"})";
  EXPECT_THAT(run("shrink " + path + " --on host --out " + in("run")),
              Ends(1, Out(HasSubstr("no case one step smaller fails")), Out(HasSubstr("a = 0x1.0000000000001p+0"))));
}

TEST_F(Program, ANewProjectIsToldToLeaveItsNightlyTestsOut) {
  EXPECT_THAT(run("new " + in("fresh")), Ends(0, Out(HasSubstr("/build -LE nightly\n"))));
}

TEST_F(Program, ListPrintsOneDocument) {
  EXPECT_THAT(run("list hostile.benign --json"), Ends(0, Out(StartsWith("{")), Out(HasSubstr("\"tier\": \"quick\"")),
                                                      Out(HasSubstr("\"id\": \"error\"")), Err(IsEmpty())));
}

TEST_F(Program, NothingRunsOnAMissingDevice) {
  const std::string out = " --overwrite --out " + in("run");
  EXPECT_THAT(run("check hostile.benign --on cuda" + out, "CUDA_VISIBLE_DEVICES="),
              Ends(77, Err(HasSubstr("nothing runs on cuda"))));
  const Ended all = run("check hostile.benign --on all" + out, "CUDA_VISIBLE_DEVICES=");
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.err, HasSubstr("nothing runs on cuda"));
  EXPECT_EQ(run("check hostile.benign --on all --fail-on-skip" + out, "CUDA_VISIBLE_DEVICES=").code, 3);
}

TEST_F(Program, OptionsHaveEnvironmentTwinsAndUnknownOnesAreWarnedOf) {
  const Ended ended = checked("hostile.benign", "run", "ASSAY_SEED=7 ASSAY_SEEED=8");
  EXPECT_THAT(ended.err, HasSubstr("seed 7"));
  EXPECT_THAT(ended.err, HasSubstr("ASSAY_SEEED is not a setting"));
}

TEST_F(Program, AnOptionOutranksItsVariable) {
  EXPECT_EQ(checked("hostile.benign --cases 100", "run", "ASSAY_OUT=" + in("other")).code, 0);
  EXPECT_FALSE(std::filesystem::exists(in("other")));
  EXPECT_THAT(summary(folder_), HasSubstr("hostile.benign"));
}

TEST_F(Program, SettingsOfTheBuildAreNoSurprise) {
  EXPECT_THAT(run("list hostile.benign", "ASSAY_CUDA=OFF ASSAY_WERROR=ON"), Ends(0, Err(IsEmpty())));
}

TEST_F(Program, TestShardsOfGoogleTestAreTaken) {
  EXPECT_THAT(checked("hostile.benign", "run",
                      "GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=4 GTEST_SHARD_STATUS_FILE=" + in("status")),
              Ends(0, Err(HasSubstr("shard 1/4"))));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "status"));
}

TEST_F(Program, AFailureStoredInTheCorpusIsMetFirst) {
  const std::string corpus = " --corpus " + in("corpus");
  checked("hostile.wrong --update-corpus" + corpus);
  EXPECT_THAT(checked("hostile.wrong --cases 1" + corpus, "met"), Ends(1, Out(HasSubstr("is not as expected"))));
}

TEST_F(Program, LargestKnownErrorsHaveCaseAndDay) {
  const std::string corpus = " --corpus " + in("corpus");
  ASSERT_EQ(checked("hostile.benign --update-corpus" + corpus, "first").code, 0);
  ASSERT_EQ(checked("hostile.benign --cases 100" + corpus, "second").code, 0);
  ASSERT_EQ(run("report " + in("second") + " --known " + in("known.json")).code, 0);
  const std::string known = content(folder_ / "known.json");
  EXPECT_THAT(known, ContainsRegex("\"from\": \"corpus\",[^}]*\"case\": \"[0-9a-f]+\",[^}]*\"date\": \"20[0-9-]+\""));
  EXPECT_THAT(known, ContainsRegex("\"from\": \"run\",[^}]*\"case\": \"[0-9a-f]+\",[^}]*\"date\": \"20[0-9-]+\""));
  EXPECT_THAT(content(folder_ / "first" / "summary.json"), Not(HasSubstr("\"date\"")));
}

TEST_F(Program, AWitnessThatRefutesByAnotherRatioThanItsOwnExitsWith3) {
  const std::string corpus = " --corpus " + in("corpus");
  ASSERT_EQ(checked("hostile.control --update-corpus" + corpus).code, 0);
  ASSERT_EQ(checked("hostile.control" + corpus, "again").code, 0);
  for (const auto& each : std::filesystem::directory_iterator(folder_ / "corpus" / "hostile.control")) {
    std::string text = content(each.path());
    const std::size_t ratio = text.find("\"ratio\": ");
    ASSERT_NE(ratio, std::string::npos) << text;
    text.replace(ratio + 9, text.find_first_of(",\n", ratio) - ratio - 9, "2.5");
    text.erase(text.find_last_of(','), text.find_last_of('}') - text.find_last_of(',') - 1);  // the old checksum
    std::filesystem::remove(each.path());
    ASSERT_EQ(run("corpus add " + file_with("other.json", text) + corpus).code, 0);
  }
  const char* const stores = "times its bound, and stores 2.5";
  EXPECT_THAT(checked("hostile.control" + corpus, "edited"),
              Ends(3, Err(ContainsRegex("hostile.control/error on host: corpus case [0-9a-f]+ refutes the control by")),
                   Err(HasSubstr(stores))));
  EXPECT_EQ(run("report " + in("edited")).code, 3);
  EXPECT_THAT(run("replay " + in("other.json") + " --on host"), Ends(3, Out(HasSubstr(stores))));
}

TEST_F(Program, AWitnessWithoutARatioIsNamedByCorpusVerify) {
  const std::string corpus = " --corpus " + in("corpus");
  const std::string path = file_with("case.json", R"({"schema": 1, "property": "hostile.control", "claim": "error",
    "format": "binary64", "case": {"a": "0x1.0000000000001p+0", "b": "0x1p+0"}, "expected": "violated", "why": "seed"})");
  ASSERT_EQ(run("corpus add " + path + corpus).code, 0);
  EXPECT_THAT(run("corpus verify" + corpus), Ends(5, Err(HasSubstr("stores no ratio to compare"))));
}

TEST_F(Program, DoctorAndVersionNameTheLibraries) {
  EXPECT_THAT(run("doctor").out, HasSubstr("library MPFR"));
  EXPECT_THAT(run("doctor").out, ContainsRegex("library GMP +[0-9]+[.][0-9]"));
  EXPECT_THAT(run("--version"), Ends(0, Out(HasSubstr("commit"))));
}

}  // namespace
}  // namespace assay::testing_program
