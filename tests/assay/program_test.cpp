#include <gmock/gmock.h>

#include <fstream>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Program, ExitsWith0WhereEveryClaimHolds) {
  const Folder folder;
  EXPECT_EQ(run(check("hostile.benign hostile.control", folder)).code, 0);
}

TEST(Program, ExitsWith1WhereAClaimIsViolated) {
  const Folder folder;
  const Ended ended = run(check("hostile.wrong", folder));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("source Higham 2002, section 2.2"));
  EXPECT_THAT(ended.out, ContainsRegex("error  [+-][0-9.]+ ulp, [0-9.e+]+ of the bound"));
}

TEST(Program, ExitsWith3WhereAClaimIsUndecided) {
  const Folder folder;
  EXPECT_EQ(run(check("hostile.undecided", folder)).code, 3);
}

TEST(Program, ExitsWith1InTheNightlyTierWhereAControlIsNotRefuted) {
  const Folder folder;
  EXPECT_EQ(run(check("hostile.true_control", folder)).code, 0);
  EXPECT_EQ(run(check("hostile.true_control --tier nightly --cases 10000", folder)).code, 1);
}

TEST(Program, TheLastLineReplaysTheFailure) {
  const Folder folder;
  const Ended ended = run(check("hostile.wrong", folder));
  const Ended again = replay_of(ended, folder);
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.out, HasSubstr("(the recorded bits)"));
  EXPECT_THAT(again.out, ContainsRegex("error  [+-][0-9.]+ ulp, [0-9.e+]+ of the bound"));
}

TEST(Program, ARefutedControlReplaysAsExpected) {
  const Folder folder;
  const Ended ended = run(check("hostile.control", folder));
  const Ended again = replay_of(ended, folder);
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("violated, as expected"));
}

TEST(Program, JobsIsolationAndRepetitionChangeNoByte) {
  const Folder folder;
  const std::string what = "hostile.benign hostile.control hostile.wrong --cases 20000 ";
  run(check(what + "--jobs 1", folder, "one"));
  run(check(what + "--jobs 2", folder, "two"));
  run(check(what + "--jobs 2", folder, "again"));
  run(check(what + "--isolate none", folder, "none"));
  EXPECT_THAT(summary(folder, "one"), HasSubstr("hostile.wrong"));
  EXPECT_EQ(summary(folder, "one"), summary(folder, "two"));
  EXPECT_EQ(summary(folder, "two"), summary(folder, "again"));
  EXPECT_EQ(summary(folder, "one"), summary(folder, "none"));
}

TEST(Program, AWorkerForEachCaseChangesNoByte) {
  const Folder folder;
  run(check("hostile.benign --cases 60", folder, "property"));
  run(check("hostile.benign --cases 60 --isolate case", folder, "case"));
  EXPECT_THAT(summary(folder, "case"), HasSubstr("hostile.benign"));
  EXPECT_EQ(summary(folder, "property"), summary(folder, "case"));
}

TEST(Program, ThreeShardsMergeToTheWhole) {
  const Folder folder;
  const std::string what = "hostile.benign hostile.control hostile.wrong --cases 10001 ";
  run(check(what, folder, "whole"));
  std::string folders;
  for (const char* shard : {"0", "1", "2"}) {
    run(check(what + "--shard " + shard + "/3", folder, shard));
    folders += " " + (folder / shard).string();
  }
  const Ended merged = run("report" + folders + " --json " + (folder / "merged.json").string());
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_EQ(content(folder / "merged.json"), summary(folder, "whole"));
}

TEST(Program, AnUnknownPropertyIsRefusedWithTheNearestNames) {
  const Ended ended = run("check hostile.bening");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("no property hostile.bening; nearest: hostile.benign"));
}

TEST(Program, AnUnknownClaimIsRefused) {
  const Ended ended = run("check hostile.benign/eror");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("hostile.benign/error"));
}

TEST(Program, UsageErrorsExitWith2) {
  for (const char* line : {"check --shard 3/2", "check --shard x", "check --no-such-option", "", "no-such-command",
                           "check --seed -1", "check --tier slow", "check --cases 0", "check --jobs 0",
                           "check --timeout-case soon", "replay ffffffffffffffff", "report /nonexistent"}) {
    const Ended ended = run(line);
    EXPECT_EQ(ended.code, 2) << line;
    EXPECT_THAT(ended.err, Not(IsEmpty())) << line;
  }
}

TEST(Program, ACaseOutsideItsDomainExitsWith2) {
  const Folder folder;
  const std::string path = (folder / "outside.json").string();
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.benign", "claim": "error", "format": "binary64",
    "case": {"a": "0x1p+1", "b": "0x1p+0"}, "expected": "holds", "why": "seed"})";
  const Ended ended = run("replay " + path + " --on host");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("outside the domain of hostile.benign, which accepts 1 <= a, b < 2"));
}

TEST(Program, ADamagedCaseFileExitsWith5) {
  const Folder folder;
  const std::string path = (folder / "damaged.json").string();
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.ben)";
  EXPECT_EQ(run("replay " + path + " --on host").code, 5);
}

TEST(Program, AHandWrittenCaseIsReplayedAndEvaluated) {
  const Folder folder;
  const std::string path = (folder / "case.json").string();
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.benign", "claim": "error", "format": "binary64",
    "case": {"a": "0x1.8p+0", "b": "0x1p+0"}, "expected": "holds", "why": "seed"})";
  EXPECT_EQ(run("replay " + path + " --on host").code, 0);
  const Ended evaluated = run("eval hostile.benign " + path + " --on host");
  EXPECT_EQ(evaluated.code, 0);
  EXPECT_THAT(evaluated.out, StartsWith("{"));
  EXPECT_THAT(evaluated.out, HasSubstr("0x1.4p+1"));
}

TEST(Program, ShrinkMakesAFailingCaseSmaller) {
  const Folder folder;
  const std::string path = (folder / "case.json").string();
  std::ofstream(path) << R"({"schema": 1, "property": "hostile.wrong", "claim": "error", "format": "binary64",
    "case": {"a": "0x1.123456789abcdp+0", "b": "0x1.fedcba9876544p+0"}, "expected": "holds", "why": "seed"})";
  const Ended ended = run("shrink " + path + " --on host --out " + (folder / "run").string());
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("no single step smaller still fails"));
  EXPECT_THAT(ended.out, HasSubstr("a = 0x1.0000000000001p+0"));
}

TEST(Program, ListPrintsOneDocument) {
  const Ended ended = run("list hostile.benign --json");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, StartsWith("{"));
  EXPECT_THAT(ended.out, HasSubstr("\"tier\": \"quick\""));
  EXPECT_THAT(ended.out, HasSubstr("\"id\": \"error\""));
  EXPECT_THAT(ended.err, IsEmpty());
}

TEST(Program, NothingRunsOnAMissingDevice) {
  const Folder folder;
  const std::string out = " --out " + (folder / "run").string();
  const Ended without = run("check hostile.benign --on cuda" + out, "CUDA_VISIBLE_DEVICES=");
  EXPECT_EQ(without.code, 77);
  EXPECT_THAT(without.err, HasSubstr("nothing runs on cuda"));
  const Ended all = run("check hostile.benign --on all" + out, "CUDA_VISIBLE_DEVICES=");
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.err, HasSubstr("nothing runs on cuda"));
  EXPECT_EQ(run("check hostile.benign --on all --fail-on-skip" + out, "CUDA_VISIBLE_DEVICES=").code, 3);
}

TEST(Program, OptionsHaveEnvironmentTwinsAndUnknownOnesAreWarnedOf) {
  const Folder folder;
  const Ended ended = run(check("hostile.benign", folder), "ASSAY_SEED=7 ASSAY_SEEED=8");
  EXPECT_THAT(ended.err, HasSubstr("seed 7"));
  EXPECT_THAT(ended.err, HasSubstr("ASSAY_SEEED is no setting"));
}

TEST(Program, SettingsOfTheBuildAreNoSurprise) {
  const Ended ended = run("list hostile.benign", "ASSAY_CUDA=OFF ASSAY_WERROR=ON");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, IsEmpty());
}

TEST(Program, TestShardsOfGoogleTestAreTaken) {
  const Folder folder;
  const Ended ended =
      run(check("hostile.benign", folder),
          "GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=4 GTEST_SHARD_STATUS_FILE=" + (folder / "status").string());
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr("shard 1/4"));
  EXPECT_TRUE(std::filesystem::exists(folder / "status"));
}

TEST(Program, AFailureStoredInTheCorpusIsMetFirst) {
  const Folder folder;
  const std::string corpus = " --corpus " + (folder / "corpus").string();
  run(check("hostile.wrong --update-corpus" + corpus, folder));
  const Ended ended = run(check("hostile.wrong --cases 1" + corpus, folder));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("is not as expected"));
}

TEST(Program, DoctorAndVersionNameTheLibraries) {
  EXPECT_THAT(run("doctor").out, HasSubstr("library MPFR"));
  EXPECT_THAT(run("doctor").out, ContainsRegex("library GMP +[0-9]+[.][0-9]"));
  const Ended version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, HasSubstr("commit"));
}

}  // namespace
}  // namespace assay::testing_program
