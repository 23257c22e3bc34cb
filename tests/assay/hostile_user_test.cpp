// A malicious user, and one who makes every possible mistake.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using HostileUser = ProgramTest;

using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string program() { return "env -u ASSAY_CORPUS " + beside("assay-hostile"); }

/// Replaces the first `from` after `after` in a file.
void replace_in(const std::filesystem::path& path, const std::string& after, const std::string& from,
                const std::string& to) {
  std::string text = content(path);
  const std::size_t at = text.find(from, text.find(after));
  ASSERT_NE(at, std::string::npos) << path << ": " << from;
  text.replace(at, from.size(), to);
  std::ofstream(path, std::ios::binary) << text;
}

TEST_F(HostileUser, ReportsAreWrittenThroughPipesDevicesAndLinks) {
  checked("hostile.benign --cases 100");
  const std::string report = program() + " report " + in("run");
  EXPECT_THAT(shell("mkfifo pipe && (cat pipe & " + report + " --json pipe; wait) && test -p pipe"),
              Ends(0, Out(HasSubstr("\"checksum\": "))));
  EXPECT_THAT(shell("ln -s /dev/full full; " + report + " --html full; echo $?; test -L full && echo a link"),
              Out(HasSubstr("3\na link")));
  EXPECT_THAT(
      shell("touch target && ln -s target link && " + report + " --json link && test -L link && test -s target"),
      Ends(0));
  EXPECT_THAT(shell("ln -s /proc/self/fd/1 out; " + report + " --json out && test -L out"),
              Ends(0, Out(StartsWith("{"))));
}

TEST_F(HostileUser, ALinkInPlaceOfTheJournalIsNotFollowedToAFile) {
  const std::string precious = file_with("precious", "precious");
  std::filesystem::create_directory(folder_ / "run");
  std::filesystem::create_symlink(precious, folder_ / "run" / "journal.jsonl");
  EXPECT_THAT(checked("hostile.benign --overwrite"), Ends(3, Err(HasSubstr("is a link to a file"))));
  EXPECT_EQ(content(precious), "precious");
}

TEST_F(HostileUser, ADanglingLinkInPlaceOfTheJournalMakesNoFileElsewhere) {
  std::filesystem::create_directory(folder_ / "run");
  std::filesystem::create_symlink(folder_ / "elsewhere", folder_ / "run" / "journal.jsonl");
  EXPECT_THAT(checked("hostile.benign"), Ends(3, Err(HasSubstr("journal.jsonl: is a link to a file"))));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere"));
}

TEST_F(HostileUser, ALinkInPlaceOfTheFolderOfCasesIsNotFollowed) {
  std::filesystem::create_directory(folder_ / "elsewhere");
  const std::string precious = file_with("elsewhere/0123456789abcdef.json", "precious");
  checked("hostile.wrong --cases 50");
  std::filesystem::remove_all(folder_ / "run" / "cases");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder_ / "run" / "cases");
  for (const std::string command :
       {"check hostile.wrong --cases 50 --overwrite", "check hostile.wrong --cases 50 --resume",
        "check hostile.probed_wrong --cases 6400 --judge device", "hunt hostile.wrong --evaluations 2000"}) {
    EXPECT_THAT(run(command + (" --on host --out " + in("run"))), Ends(3, Err(HasSubstr("cases: is a link"))))
        << command;
    EXPECT_EQ(content(precious), "precious");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "elsewhere"), {}), 1) << command;
  }
}

TEST_F(HostileUser, NothingExecutedIsNoSuccess) {
  EXPECT_THAT(checked("hostile.vacuous --cases 20"),
              Ends(3, Err(HasSubstr("no case was judged; more cases may reach"))));
  EXPECT_THAT(run("report " + in("run")), Ends(3, Err(HasSubstr("no case was judged"))));
}

TEST_F(HostileUser, AClosedOrFullStandardErrorChangesNothing) {
  checked("hostile.benign hostile.control --cases 500", "whole");
  for (const std::string way : {"2>&-", "2>/dev/full", "<&- 2>&-"}) {
    EXPECT_EQ(shell("( " + program() + " " + check("hostile.benign hostile.control --cases 500 --overwrite", folder_) +
                    " " + way + " )")
                  .code,
              0)
        << way;
    EXPECT_EQ(summary(folder_), summary(folder_, "whole")) << way;
  }
  EXPECT_EQ(shell("( " + program() + " " + check("hostile.benign --overwrite", folder_) + " >&- )").code, 3);
}

TEST_F(HostileUser, AnotherBuildIsRefusedAtResumeAndMergeAndBothAreNamed) {
  checked("hostile.benign --cases 1000");
  EXPECT_THAT(rebuilt(check("hostile.benign --cases 1000 --resume", folder_)),
              Ends(2, Err(ContainsRegex("build assay-hostile: \"[0-9a-f]+\" there, \"[0-9a-f]+\" here"))));
  rebuilt(check("hostile.control --cases 1000", folder_, "other"));
  EXPECT_THAT(run("report " + in("run") + " " + in("other")),
              Ends(2, Err(ContainsRegex("two builds, build assay-hostile: [0-9a-f]+ and [0-9a-f]+"))));
}

TEST_F(HostileUser, AShortTimeEndsALongRunSoonAndAKillLosesLittleOfIt) {
  const std::string what = "hostile.benign --cases 1000000000000 --jobs 1 ";
  EXPECT_THAT(run("check " + what + "--time 600ms --on host --progress plain --out " + in("timed"), "timeout 20"),
              Ends(0, Out(HasSubstr(", partial")), Err(HasSubstr(" of 1000000000000 cases"))));
  const std::filesystem::path journal = folder_ / "run" / "journal.jsonl";
  run_and_kill(check(what, folder_), 0, {SIGKILL}, {journal, "\"n\":"});
  EXPECT_THAT(content(journal), HasSubstr("\"n\":"));
  EXPECT_THAT(checked(what + "--time 600ms --resume"), Ends(2, Err(HasSubstr("time: -1 there, 600 here"))));
}

TEST_F(HostileUser, AWorkerEndedFromOutsideIsReplacedAndNoCaseIsBlamed) {
  const std::string what = "hostile.benign --cases 600000 --jobs 2";
  const std::string disturbed =
      program() + " " + check(what, folder_) +
      " & p=$!; workers() { grep -ls \"^PPid:[[:space:]]*$p$\" /proc/[0-9]*/status | cut -d/ -f3; }; "
      "while [ -z \"$(workers)\" ] && kill -0 $p; do sleep 0.1; done; for s in KILL TERM SEGV ABRT XCPU; do "
      "for w in $(workers); do kill -$s $w && echo signal; done; sleep 0.1; done; wait $p";
  EXPECT_THAT(shell("( " + disturbed + " )"), Ends(0, Out(HasSubstr("signal\n"))));
  checked(what, "whole");
  EXPECT_EQ(summary(folder_), summary(folder_, "whole"));
}

TEST_F(HostileUser, AFlippedByteInAJournalOrASummaryIsDamage) {
  checked("hostile.benign --cases 100");
  for (const std::string file : {"summary.json", "journal.jsonl"}) {
    const std::string whole = content(folder_ / "run" / file);
    for (const char* const digit : {"\"seed\": 1", "\"seed\":1"}) {
      if (whole.find(digit) == std::string::npos) continue;
      replace_in(folder_ / "run" / file, "", digit, std::string(digit, std::strlen(digit) - 1) + "3");
    }
    EXPECT_THAT(file == "summary.json" ? run("report " + in("run")) : checked("hostile.benign --cases 100 --resume"),
                Ends(5, Err(AllOf(HasSubstr(file + ": "), HasSubstr("checksum")))));
    std::ofstream(folder_ / "run" / file) << whole;
  }
}

TEST_F(HostileUser, ARunIntoAFolderWithAnotherRunIsRefused) {
  checked("hostile.wrong --cases 2000");
  const std::string journal = content(folder_ / "run" / "journal.jsonl");
  EXPECT_THAT(checked("hostile.benign"),
              Ends(2, Err(HasSubstr("holds the results of another run: --resume continues it, --overwrite replaces"))));
  EXPECT_EQ(content(folder_ / "run" / "journal.jsonl"), journal);
  EXPECT_EQ(checked("hostile.benign --overwrite").code, 0);
  const std::string replaced = content(folder_ / "run" / "journal.jsonl");
  EXPECT_EQ(checked("hostile.benign --overwrite --resume").code, 0);
  EXPECT_EQ(content(folder_ / "run" / "journal.jsonl"), replaced);
}

/// The environment of a program that gets no memory after some allocations, without their number.
std::string allocations_alone() {
  return "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=" + beside(ASSAY_NO_MEMORY) + " ALLOCATIONS=";
}

bool is_one_line_of_no_memory(const std::string& text) {
  return text.starts_with("assay: the program itself ") && text.find('\n') == text.size() - 1;
}

TEST_F(HostileUser, OwnMemoryExhaustedIsExit3WithOneLineWhereverItHappens) {
  for (const int allocations : {0,    1,    10,   50,    100,   200,   400,   800,   1500,  2500,
                                4000, 6000, 8000, 10000, 12000, 15000, 20000, 30000, 50000, 80000}) {
    const Ended ended = checked("hostile.benign --cases 50 --overwrite --jobs 2", "run",
                                allocations_alone() + std::to_string(allocations));
    EXPECT_TRUE(ended.code == 0 || (ended.code == 3 && is_one_line_of_no_memory(ended.err)))
        << allocations << ": " << ended;
  }
  EXPECT_THAT(
      shell("( ulimit -f 1; " + program() + " " + check("hostile.wrong --cases 3000 --overwrite", folder_) + " )"),
      Ends(3, Err(HasSubstr("File too large; continue with --resume --out "))));
}

TEST_F(HostileUser, TheOraclesLibrariesWithoutMemoryAreExit3WithOneLineToo) {
  // About one allocation in fifty of the oracle's self-test is made by FLINT, most others by GMP.
  for (int allocations = 12000; allocations < 36000; allocations += 307) {
    const Ended ended = run("selftest --on host", allocations_alone() + std::to_string(allocations));
    ASSERT_EQ(ended.code, 3) << allocations << ": " << ended;
    ASSERT_TRUE(is_one_line_of_no_memory(ended.err)) << allocations << ": " << ended;
  }
}

TEST_F(HostileUser, WrongUseSaysWhatIsAccepted) {
  const std::string file = case_file("hostile.benign", "error");
  const std::pair<std::string, const char*> wrong[] = {
      {"check --cases 1e30", "--cases 1e30: an integer from 1 to 2^63 is accepted"},
      {"check --cases 18446744073709551615", "an integer from 1 to 2^63 is accepted"},
      {"check --time 1h30m", "--time 1h30m: a number of seconds, or one with ms, s, m or h, such as 90m, is accepted"},
      {"check --mem-limit 1Q", "--mem-limit 1Q: a number of bytes, or one with K, M, G or T"},
      {"check --jobs 0", "--jobs 0: an integer from 1 to 4096 is accepted"},
      {"chek", "no command chek; nearest: check"},
      {"shrink " + file + " --jobs 1", "shrink takes no --jobs, but --"},
      {"check --cases ''", "the value of --cases is empty"},
      {"check --time= --out x", "the value of --time is empty"},
      {"check --out ''", "the value of --out is empty"},
      {"check hostile.benign --exclude hostile.bening", "no property hostile.bening; nearest: hostile.benign"},
      {"replay " + file + " --max-file 16", "has more than 16 bytes (--max-file raises the limit)"},
  };
  for (const auto& [line, says] : wrong) {
    EXPECT_THAT(run(line + " "), Ends(line.starts_with("replay") ? 5 : 2, Err(HasSubstr(says)))) << line;
  }
  EXPECT_THAT(run("list", "ASSAY_CASES="), Ends(2, Err(HasSubstr("ASSAY_CASES is empty"))));
  EXPECT_THAT(run("check hostile.benign", "GTEST_TOTAL_SHARDS=3"), Ends(2, Err(HasSubstr("a shard needs both"))));
}

TEST_F(HostileUser, ADocumentOf300MillionZerosIsRefusedSoonInOneLineAndWithinMemory) {
#if defined(__SANITIZE_ADDRESS__)
  const std::string limits = "";  // address space is not limited under AddressSanitizer
#else
  const std::string limits = "ulimit -v 600000; ";
#endif
  std::filesystem::create_directories(folder_ / "corpus" / "hostile.benign");
  const std::string zeros = file_with("zeros.json", "");
  const std::string stored = file_with("corpus/hostile.benign/zeros.json", "");
  for (const std::string& file : {zeros, stored}) std::filesystem::resize_file(file, 300'000'000);
  for (const std::string& line :
       {"replay " + zeros + " --on host", "eval hostile.benign " + zeros + " --on host", "shrink " + zeros,
        "corpus add " + zeros + " --corpus " + in("other"), "corpus verify --corpus " + in("corpus")}) {
    const Ended ended =
        shell("( " + limits + "env -u ASSAY_CORPUS timeout 10 " + beside("assay-hostile ") + line + " )");
    EXPECT_THAT(ended, Ends(5, Err(HasSubstr("zeros.json: has more than 67108864 bytes (--max-file raises")))) << line;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << line << ": " << ended;
  }
}

TEST_F(HostileUser, AQuietSuccessPrintsNothing) {
  EXPECT_THAT(run("check hostile.benign --cases 100 --quiet --out " + in("run"), "CUDA_VISIBLE_DEVICES="),
              Ends(0, Out(IsEmpty()), Err(IsEmpty())));
}

TEST_F(HostileUser, ADryRunPrintsThePlanAndWritesNothing) {
  EXPECT_THAT(checked("hostile.benign --cases 1000 --shard 0/2 --dry-run"),
              Ends(0, Out(ContainsRegex("hostile.benign on host: 500 cases, .* s, .* MB\n1 in all, about "))));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run"));
}

TEST_F(HostileUser, AFolderInACorpusIsNamed) {
  std::filesystem::create_directories(folder_ / "corpus" / "hostile.benign" / "folder");
  EXPECT_THAT(run("corpus verify --corpus " + in("corpus")),
              Ends(5, Err(HasSubstr("hostile.benign/folder: is not a file"))));
}

TEST_F(HostileUser, AGoodCaseIsAddedBesideABadOneThatIsNamed) {
  const std::string bad = file_with("bad.json", "{");
  const std::string good = case_file("hostile.benign", "error");
  EXPECT_THAT(
      run("corpus add " + bad + " " + good + " --corpus " + in("corpus")),
      Ends(5, Out(HasSubstr(" added")), Err(AllOf(HasSubstr("bad.json: truncated"), HasSubstr("is not added")))));
}

TEST_F(HostileUser, ACaseOfAnUnknownExecutorIsRefused) {
  const std::string path = case_file("hostile.benign", "error");
  replace_in(path, "", "\"format\"", "\"executor\": \"tpu\", \"format\"");
  EXPECT_THAT(run("replay " + path), Ends(5, Err(HasSubstr("\"host\" or \"cuda\""))));
}

}  // namespace
}  // namespace assay::testing_program
