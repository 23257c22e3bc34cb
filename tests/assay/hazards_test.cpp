#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <random>

#include "tests/assay/program.hpp"
#include "tests/tier.hpp"

namespace assay::testing_program {
namespace {

using Hazards = ProgramTest;

using ::testing::Not;

TEST_F(Hazards, ACrashOnOneInputInTenThousandIsFoundAndSaved) {
  EXPECT_THAT(
      checked("hostile.crash --cases 60000"),
      Ends(4, Out(ContainsRegex("crashed on case [0-9]+: ended by SIGSEGV")), Out(HasSubstr("assay-hostile replay "))));
  EXPECT_THAT(summary(folder_), HasSubstr("\"verdict\": \"crashed\""));
}

TEST_F(Hazards, ASavedCrashCrashesAgainInReplay) {
  const Ended ended = checked("hostile.crash --cases 60000");
  EXPECT_THAT(replay_of(ended), Ends(4, Out(HasSubstr("crashed: ended by SIGSEGV"))));
}

TEST_F(Hazards, CrashesAreTheSameForAnyJobsAndIsolation) {
  checked("hostile.crash --cases 40000 --jobs 1", "one");
  checked("hostile.crash --cases 40000 --jobs 3", "three");
  EXPECT_EQ(summary(folder_, "one"), summary(folder_, "three"));
  EXPECT_THAT(summary(folder_, "one"), HasSubstr("crashed"));
}

TEST_F(Hazards, ThreeShardsOfACrashingSubjectMergeToTheWhole) {
  checked("hostile.crash --cases 60000", "whole");
  EXPECT_EQ(merged_from_three_shards("hostile.crash --cases 60000").code, 4);
  EXPECT_THAT(summary(folder_, "whole"), ContainsRegex("; [2-8] such cases"));
  EXPECT_EQ(content(folder_ / "merged.json"), summary(folder_, "whole"));
}

TEST_F(Hazards, ANanOrAnInfinityInPlaceOfAFiniteNumberIsAViolation) {
  EXPECT_THAT(checked("hostile.not_a_number --cases 500"),
              Ends(1, Out(AllOf(HasSubstr("/error on host: violated"), HasSubstr("  got    nan:0x8000000000007\n"),
                                HasSubstr("  error  inf of the bound")))));
  EXPECT_THAT(checked("hostile.infinite --cases 500", "infinite"),
              Ends(1, Out(AllOf(HasSubstr("/error on host: violated"), HasSubstr("  got    -inf\n"),
                                HasSubstr("  error  inf of the bound")))));
}

TEST_F(Hazards, AFullDiskUnderTheJournalIsExit3) {
  std::filesystem::create_directory(folder_ / "run");
  std::filesystem::create_symlink("/dev/full", folder_ / "run" / "journal.jsonl");
  EXPECT_THAT(checked("hostile.benign"), Ends(3, Err(HasSubstr("No space left on device"))));
}

TEST_F(Hazards, AFolderThatCannotBeWrittenIsExit3) {
  EXPECT_THAT(run("check hostile.benign --on host --out /proc/nothing"), Ends(3, Err(HasSubstr("/proc/nothing"))));
}

TEST_F(Hazards, AnOutputThatIsNoFolderIsNamed) {
  std::filesystem::create_symlink("nowhere", in("dangling"));
  for (const std::string& out : {std::string("/dev/null"), in("dangling")}) {
    EXPECT_THAT(run("check hostile.benign --on host --out " + out),
                Ends(3, Err(HasSubstr(out + ": it is not a folder\n"))));
  }
}

/// Kills with SIGKILL at random moments, three or ten; then the run continues to its end.
void run_with_kills(const std::string& arguments, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < test::of_tier(3, 10); ++i) {
    run_and_kill(arguments + (i == 0 ? "" : " --resume"), static_cast<int>(random() % 300), {SIGKILL});
  }
  run(arguments + " --resume");
}

void expect_same_reports(const std::filesystem::path& a, const std::filesystem::path& b) {
  for (const char* file : {"summary.json", "report.html", "report.md", "junit.xml"}) {
    EXPECT_THAT(content(a / file), Not(::testing::IsEmpty())) << file;
    EXPECT_EQ(content(a / file), content(b / file)) << file;
  }
}

const char* const to_be_killed = "hostile.benign hostile.control hostile.crash hostile.wrong --cases 60000 ";

TEST_F(Hazards, KilledAtRandomMomentsTheReportsAreTheSame) {
  checked(std::string(to_be_killed) + "--jobs 2", "whole");
  for (const char* jobs : {"1", "2"}) {
    run_with_kills(check(std::string(to_be_killed) + "--jobs " + jobs, folder_, jobs), 20);
    expect_same_reports(folder_ / "whole", folder_ / jobs);
  }
}

TEST_F(Hazards, AShardKilledAtRandomMomentsMergesToTheSame) {
  const std::string what = "hostile.benign hostile.control hostile.wrong --cases 60000 ";
  checked(what, "whole");
  run_with_kills(check(what + "--shard 0/2", folder_, "first"), 21);
  checked(what + "--shard 1/2", "second");
  std::filesystem::create_directory(folder_ / "merged");
  const std::string to = in("merged");
  run("report " + in("first") + " " + in("second") + " --json " + to + "/summary.json --html " + to +
      "/report.html --markdown " + to + "/report.md --junit " + to + "/junit.xml");
  expect_same_reports(folder_ / "whole", folder_ / "merged");
}

TEST_F(Hazards, ATornLastLineIsDroppedOnResume) {
  checked("hostile.benign");
  const std::string whole = summary(folder_);
  const std::filesystem::path journal = folder_ / "run" / "journal.jsonl";
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 100);
  EXPECT_THAT(checked("hostile.benign --resume"), Ends(0));
  EXPECT_EQ(summary(folder_), whole);
}

TEST_F(Hazards, AResumeWithOtherSettingsIsRefused) {
  checked("hostile.benign");
  EXPECT_THAT(checked("hostile.benign --seed 2 --resume"),
              Ends(2, Err(HasSubstr("other settings (seed: 1 there, 2 here)"))));
  checked("hostile.benign --cases 50", "cases");
  EXPECT_THAT(checked("hostile.benign --cases 40 --resume", "cases"),
              Ends(2, Err(HasSubstr("other settings (plan/hostile.benign on host/cases: 50 there, 40 here)"))));
}

TEST_F(Hazards, InterruptionSavesAndSaysHowToGoOn) {
  for (const auto& [signal, code] : {std::pair{SIGTERM, 143}, std::pair{SIGINT, 130}}) {
    const std::string out = "run" + std::to_string(code);
    const std::filesystem::path journal = folder_ / out / "journal.jsonl";
    EXPECT_EQ(run_and_kill(check("hostile.hang --cases 1000 --timeout-case 60s", folder_, out), 500, {signal},
                           {journal, "hostile.hang"}),
              code);
    EXPECT_THAT(content(journal), HasSubstr("hostile.hang"));
  }
}

TEST_F(Hazards, ASecondInterruptionEndsAProgramThatHangsInItsOwnProcess) {
  const auto ended = [&](const std::string& out, std::initializer_list<int> signals) {
    return run_and_kill(check("hostile.hang --cases 1000 --isolate none", folder_, out), 500, signals,
                        {folder_ / out / "journal.jsonl", "hostile.hang"});
  };
  EXPECT_EQ(ended("one", {SIGINT, SIGKILL}), 137);
  EXPECT_EQ(ended("two", {SIGINT, SIGINT, SIGKILL}), 130);
  EXPECT_EQ(ended("three", {SIGTERM, SIGTERM, SIGKILL}), 143);
}

TEST_F(Hazards, ADamagedCorpusEntryIsNamedAndTheRunGoesOn) {
  std::filesystem::create_directories(folder_ / "corpus" / "hostile.benign");
  std::ofstream(folder_ / "corpus" / "hostile.benign" / "0123456789abcdef.json") << "{\"schema\": 1";
  EXPECT_THAT(checked("hostile.benign --corpus " + in("corpus")), Ends(5, Err(HasSubstr("0123456789abcdef.json"))));
  EXPECT_THAT(summary(folder_), HasSubstr("\"verdict\": \"holds\""));
}

TEST_F(Hazards, TheGermanLocaleChangesNoByte) {
  const locale_t locale = ::newlocale(LC_ALL_MASK, "de_DE.UTF-8", nullptr);
  ASSERT_NE(locale, nullptr) << "the locale de_DE.UTF-8 is missing";
  ::freelocale(locale);
  checked("hostile.benign hostile.wrong", "plain", "LC_ALL=C");
  const Ended german = checked("hostile.benign hostile.wrong", "german", "LC_ALL=de_DE.UTF-8");
  EXPECT_EQ(german.code, 1);
  expect_same_reports(folder_ / "plain", folder_ / "german");
}

TEST_F(Hazards, WorkersEndWithTheirParent) {
  run_and_kill(check("hostile.hang --cases 1000 --timeout-case 60s", folder_), 500, {SIGKILL});
  const std::string look =
      "sleep 0.2; for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" = '" + beside("assay-hostile") +
      "' ] && grep -qz '^worker$' $p/cmdline && grep -q 'PPid:\t1$' $p/status && echo $p; done 2>/dev/null; true";
  const Ended ended = shell(look);
  ASSERT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "");
}

}  // namespace
}  // namespace assay::testing_program
