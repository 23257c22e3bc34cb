#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <random>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Hazards, ACrashOnOneInputInTenThousandIsFoundAndSaved) {
  const Folder folder;
  const Ended ended = run(check("hostile.crash --cases 60000", folder), "");
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, ContainsRegex("crashed on case [0-9]+: ended by SIGSEGV"));
  EXPECT_THAT(ended.out, HasSubstr("assay replay "));
  EXPECT_THAT(summary(folder), HasSubstr("\"verdict\": \"crashed\""));
}

TEST(Hazards, ASavedCrashCrashesAgainInReplay) {
  const Folder folder;
  const Ended ended = run(check("hostile.crash --cases 60000", folder), "");
  const Ended again = replay_of(ended, folder);
  EXPECT_EQ(again.code, 4);
  EXPECT_THAT(again.out, HasSubstr("crashed: ended by SIGSEGV"));
}

TEST(Hazards, ASubjectThatNeverReturnsIsEnded) {
  const Folder folder;
  const Ended ended = run(check("hostile.hang --cases 1000 --timeout-case 200ms --shrink-steps 20", folder));
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, ContainsRegex("hung on case [0-9]+: gave no answer in 200 ms"));
}

TEST(Hazards, ASubjectThatAllocatesWithoutEndIsToldFromACrash) {
  const Folder folder;
  const Ended ended = run(check("hostile.memory --cases 10000 --mem-limit 512M --no-shrink", folder));
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, ContainsRegex("out of memory on case [0-9]+"));
}

TEST(Hazards, AnExceptionIsACrashWithItsWords) {
  const Folder folder;
  const Ended ended = run(check("hostile.throws", folder));
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, HasSubstr("threw: no sum today"));
}

TEST(Hazards, EightOffendersEndAPropertyAndTheRestIsSaidNotToHaveRun) {
  const Folder folder;
  const Ended ended = run(check("hostile.always_crash hostile.benign", folder));
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, HasSubstr("8 such cases; the remaining cases were not run"));
  EXPECT_THAT(ended.out, HasSubstr("hostile.benign"));
}

TEST(Hazards, CrashesAreTheSameForAnyJobsAndIsolation) {
  const Folder folder;
  run(check("hostile.crash --cases 40000 --jobs 1", folder, "one"));
  run(check("hostile.crash --cases 40000 --jobs 3", folder, "three"));
  EXPECT_EQ(summary(folder, "one"), summary(folder, "three"));
  EXPECT_THAT(summary(folder, "one"), HasSubstr("crashed"));
}

TEST(Hazards, ThreeShardsOfACrashingSubjectMergeToTheWhole) {
  const Folder folder;
  run(check("hostile.crash --cases 60000", folder, "whole"));
  std::string folders;
  for (const char* shard : {"0", "1", "2"}) {
    run(check(std::string("hostile.crash --cases 60000 --shard ") + shard + "/3", folder, shard));
    folders += " " + (folder / shard).string();
  }
  EXPECT_EQ(run("report" + folders + " --json " + (folder / "merged.json").string()).code, 4);
  EXPECT_THAT(summary(folder, "whole"), ContainsRegex("; [2-8] such cases"));
  EXPECT_EQ(content(folder / "merged.json"), summary(folder, "whole"));
}

TEST(Hazards, RoundingUpwardsAndFlushingAreAViolatedClaim) {
  const Folder folder;
  const Ended ended = run(check("hostile.environment/environment", folder));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("hostile.environment/environment on host: violated"));
}

TEST(Hazards, ASubjectThatSwitchesTheLocaleIsCaught) {
  const Folder folder;
  const Ended ended = run(check("hostile.locale/environment", folder));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("hostile.locale/environment on host: violated"));
}

TEST(Hazards, AFlakySubjectHasAVerdictOfItsOwn) {
  const Folder folder;
  const Ended ended = run(check("hostile.flaky", folder));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("hostile.flaky/error on host: flaky"));
  EXPECT_THAT(ended.out, HasSubstr("hostile.flaky/same_bits on host: violated"));
}

TEST(Hazards, AClaimThatJudgesNothingIsNoSuccess) {
  const Folder folder;
  const Ended ended = run(check("hostile.vacuous", folder));
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("hostile.vacuous/error on host: no case was judged"));
}

TEST(Hazards, AFullDiskUnderTheJournalIsExit3) {
  const Folder folder;
  std::filesystem::create_directory(folder / "run");
  std::filesystem::create_symlink("/dev/full", folder / "run" / "journal.jsonl");
  const Ended ended = run(check("hostile.benign", folder));
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("No space left on device"));
}

TEST(Hazards, AFolderThatCannotBeWrittenIsExit3) {
  const Folder folder;
  const Ended ended = run("check hostile.benign --on host --out /proc/nothing");
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("/proc/nothing"));
}

/// Ten kills with SIGKILL at random moments, then the run to its end.
void run_with_ten_kills(const std::string& arguments, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < 10; ++i) {
    run_and_kill(arguments + (i == 0 ? "" : " --resume"), static_cast<int>(random() % 300), SIGKILL);
  }
  run(arguments + " --resume");
}

void expect_same_reports(const std::filesystem::path& a, const std::filesystem::path& b) {
  for (const char* file : {"summary.json", "report.html", "report.md", "junit.xml"}) {
    EXPECT_THAT(content(a / file), Not(::testing::IsEmpty())) << file;
    EXPECT_EQ(content(a / file), content(b / file)) << file;
  }
}

const char* const to_be_killed = "hostile.benign hostile.control hostile.crash hostile.wrong --cases 150000 ";

TEST(Hazards, KilledAtTenRandomMomentsTheReportsAreTheSame) {
  const Folder folder;
  run(check(std::string(to_be_killed) + "--jobs 2", folder, "whole"));
  for (const char* jobs : {"1", "2"}) {
    run_with_ten_kills(check(std::string(to_be_killed) + "--jobs " + jobs, folder, jobs), 20);
    expect_same_reports(folder / "whole", folder / jobs);
  }
}

TEST(Hazards, AShardKilledAtTenRandomMomentsMergesToTheSame) {
  const Folder folder;
  const std::string what = "hostile.benign hostile.control hostile.wrong --cases 150000 ";
  run(check(what, folder, "whole"));
  run_with_ten_kills(check(what + "--shard 0/2", folder, "first"), 21);
  run(check(what + "--shard 1/2", folder, "second"));
  std::filesystem::create_directory(folder / "merged");
  const std::string to = (folder / "merged").string();
  run("report " + (folder / "first").string() + " " + (folder / "second").string() + " --json " + to +
      "/summary.json --html " + to + "/report.html --markdown " + to + "/report.md --junit " + to + "/junit.xml");
  expect_same_reports(folder / "whole", folder / "merged");
}

TEST(Hazards, ATornLastLineIsDroppedOnResume) {
  const Folder folder;
  run(check("hostile.benign", folder));
  const std::string whole = summary(folder);
  const std::filesystem::path journal = folder / "run" / "journal.jsonl";
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 100);
  const Ended ended = run(check("hostile.benign --resume", folder));
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(summary(folder), whole);
}

TEST(Hazards, AResumeWithOtherSettingsIsRefused) {
  const Folder folder;
  run(check("hostile.benign", folder));
  const Ended ended = run(check("hostile.benign --seed 2 --resume", folder));
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("other settings"));
}

TEST(Hazards, InterruptionSavesAndSaysHowToGoOn) {
  const Folder folder;
  EXPECT_EQ(run_and_kill(check("hostile.hang --cases 1000 --timeout-case 60s", folder), 500, SIGTERM), 143);
  EXPECT_EQ(run_and_kill(check("hostile.hang --cases 1000 --timeout-case 60s", folder), 500, SIGINT), 130);
  EXPECT_THAT(content(folder / "run" / "journal.jsonl"), HasSubstr("hostile.hang"));
}

TEST(Hazards, ADamagedCorpusEntryIsNamedAndTheRunGoesOn) {
  const Folder folder;
  std::filesystem::create_directories(folder / "corpus" / "hostile.benign");
  std::ofstream(folder / "corpus" / "hostile.benign" / "0123456789abcdef.json") << "{\"schema\": 1";
  const Ended ended = run(check("hostile.benign --corpus " + (folder / "corpus").string(), folder));
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.err, HasSubstr("0123456789abcdef.json"));
  EXPECT_THAT(summary(folder), HasSubstr("\"verdict\": \"holds\""));
}

TEST(Hazards, TheGermanLocaleChangesNoByte) {
  const Folder folder;
  const locale_t locale = ::newlocale(LC_ALL_MASK, "de_DE.UTF-8", nullptr);
  ASSERT_NE(locale, nullptr) << "the locale de_DE.UTF-8 is missing";
  ::freelocale(locale);
  run(check("hostile.benign hostile.wrong", folder, "plain"), "LC_ALL=C");
  const Ended german = run(check("hostile.benign hostile.wrong", folder, "german"), "LC_ALL=de_DE.UTF-8");
  EXPECT_EQ(german.code, 1);
  expect_same_reports(folder / "plain", folder / "german");
}

TEST(Hazards, WorkersEndWithTheirParent) {
  const Folder folder;
  run_and_kill(check("hostile.hang --cases 1000 --timeout-case 60s", folder), 500, SIGKILL);
  const std::string look =
      "sleep 0.2; for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" = '" +
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "assay-hostile").string() +
      "' ] && grep -qz '^worker$' $p/cmdline && grep -q 'PPid:\t1$' $p/status && echo $p; done 2>/dev/null; true";
  const Ended ended = shell(look);
  ASSERT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "");
}

}  // namespace
}  // namespace assay::testing_program
