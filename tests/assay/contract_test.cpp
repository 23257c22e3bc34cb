// The command line, line by line: options, exit codes, one clear line for each mistake.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

using Contract = ProgramTest;

/// The long options that a text of help lists.
std::set<std::string> options_in(const std::string& help) {
  std::set<std::string> found;
  for (std::size_t at = help.find("--"); at != std::string::npos; at = help.find("--", at)) {
    const std::size_t end = help.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
    const bool begins_a_word = at == 0 || help[at - 1] == ' ' || help[at - 1] == ',';
    if (begins_a_word) {
      found.insert(help.substr(at + 2, end - at - 2));
    }
    at = end;
  }
  return found;
}

TEST_F(Contract, EveryCommandHasTheOptionsOfItsTableAndNoOther) {
  const std::set<std::string> all{"help", "version", "progress", "color", "quiet", "verbose", "max-file"};
  const std::map<std::string, std::set<std::string>> own{
      {"list", {"exclude", "json"}},
      {"check",
       {"exclude",   "tier",          "cases",        "numbers", "time",    "seed",         "on",        "jobs",
        "shard",     "out",           "resume",       "corpus",  "isolate", "timeout-case", "mem-limit", "shrink-steps",
        "no-shrink", "update-corpus", "fail-on-skip", "judge",   "subject", "symbol",       "operation", "format",
        "as",        "contract",      "overwrite",    "dry-run", "text",    "mpi",          "label",     "formula",
        "shape",     "words",         "draws",        "digests", "case"}},
      {"tolerance", {"shape", "data", "format", "machine", "seed", "derivation", "json", "longest", "within"}},
      {"contracts", {"json"}},
      {"hunt", {"exclude",      "json",      "time",         "evaluations", "start",  "claim",         "seed",
                "on",           "jobs",      "out",          "resume",      "corpus", "update-corpus", "isolate",
                "timeout-case", "mem-limit", "shrink-steps", "no-shrink",   "judge",  "mpi",           "overwrite"}},
      {"replay",
       {"on", "out", "corpus", "timeout-case", "mem-limit", "subject", "symbol", "operation", "format", "as", "text",
        "formula", "shape", "json"}},
      {"explain",
       {"on", "out", "corpus", "timeout-case", "mem-limit", "subject", "symbol", "operation", "format", "as", "text",
        "formula", "shape", "json"}},
      {"eval",
       {"on", "out", "corpus", "timeout-case", "mem-limit", "subject", "symbol", "operation", "format", "as", "text",
        "formula", "shape"}},
      {"shrink",
       {"on", "out", "corpus", "timeout-case", "mem-limit", "shrink-steps", "no-shrink", "subject", "symbol",
        "operation", "format", "as", "text", "formula", "shape"}},
      {"report",
       {"html", "markdown", "junit", "json", "latex", "csv", "bibtex", "known", "plots", "only", "full", "ledger",
        "bench"}},
      {"compare", {"html", "json", "ledger", "slower", "strict"}},
      {"ledger add", {"ledger", "label"}},
      {"ledger list", {"ledger", "json"}},
      {"ledger show", {"ledger", "json"}},
      {"corpus list", {"corpus"}},
      {"corpus verify", {"corpus"}},
      {"corpus add", {"corpus"}},
      {"corpus merge", {"corpus"}},
      {"selftest", {"mutants", "json", "on"}},
      {"bench", {"exclude", "time", "most-memory", "json", "on"}},
      {"doctor", {}},
      {"new", {}},
      {"probe-device",
       {"subject", "symbol", "text", "format", "seed", "json", "rows", "products", "on", "timeout-case", "mem-limit"}},
      {"probe-order",
       {"operation", "subject", "symbol", "text", "format", "seed", "json", "terms", "rows", "with", "svg", "on", "run",
        "timeout-case", "mem-limit"}},
  };
  for (const auto& [command, options] : own) {
    std::set<std::string> expected = options;
    expected.insert(all.begin(), all.end());
    const Ended help = run(command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_EQ(options_in(help.out), expected) << command;
  }
}

TEST_F(Contract, EveryMistakeHasItsExitCodeAndOneLine) {
  const std::string outside = case_file("hostile.benign", "error", R"("a": "0x1p+1", "b": "0x1p+0")", "outside.json");
  const std::string unknown_claim =
      case_file("hostile.benign", "errror", R"("a": "0x1p+0", "b": "0x1p+0")", "claim.json");
  const std::string device_case =
      case_file("hostile.device_only", "error", R"("a": "0x1p+0", "b": "0x1p+0")", "device.json");
  const std::string schema = file_with("schema.json", R"({"schema": 99})");
  struct Mistake {
    std::string line;
    int code;
    std::string says;
  };
  const Mistake mistakes[] = {
      {"check hostile.bening", 2, "no property hostile.bening; nearest: hostile.benign"},
      {"check --shard 3/2", 2, "--shard 3/2: must be i/n with 0 <= i < n"},
      {"check --no-such-option", 2, "--no-such-option"},
      {"check --tier slow", 2, "slow"},
      {"check hostile.benign --corpus /nonexistent", 2, "no such folder"},
      {"check hostile.benign --corpus /dev/null", 2, "--corpus /dev/null: it is not a folder"},
      {"check hostile.benign --shrink-steps -1", 2, "an integer from 0 to 2^64 - 1 is accepted"},
      {"check hostile.benign --time 1x", 2, "a number of seconds, or one with ms, s, m or h"},
      {"ledger", 2, "ledger takes a command: add, list, show"},
      {"corpus", 2, "corpus takes a command: list, verify, add, merge"},
      {"corpus verify --corpus /nonexistent", 2, "no such folder"},
      {"replay " + outside + " --on host", 2, "outside the domain of hostile.benign"},
      {"replay " + unknown_claim + " --on host", 2, "hostile.benign has no claim errror"},
      {"replay " + schema + " --on host", 5, "schema 99 is unknown"},
      {"eval hostile.wrong " + outside + " --on host", 2, "a case of hostile.benign, not of hostile.wrong"},
      {"eval hostile.bening " + outside + " --on host", 2, "nearest: hostile.benign"},
      {"check hostile.benign --on cuda", 77, "nothing runs on cuda"},
      {"check hostile.device_only --on host", 77, "nothing to run"},
      {"eval hostile.device_only " + device_case + " --on host", 77, "hostile.device_only: nothing to run"},
      {"shrink " + device_case + " --on host", 77, "hostile.device_only: nothing to run"},
      {"replay " + outside + " --on cuda", 77, "nothing runs on cuda"},
      {"selftest --on cuda", 77, "nothing runs on cuda"},
      {"new Kernel", 2,
       "new Kernel: the last part must be a name in C++: lower-case letters, digits and single underscores"},
      {"new double", 2, "new double: the last part must be a name in C++"},
      {"new /tmp", 2, "new /tmp: it exists already; choose another name"},
      {"probe-device", 77, "--subject probes a kernel from outside"},
      {"probe-device --products 1", 2, "--products 1: an integer from 2 to 4096 is accepted"},
      {"probe-order", 2, "probe-order: needs --subject"},
      {"probe-order --terms 1", 2, "--terms 1: an integer from 2 to 16777216 is accepted"},
      {"probe-device --subject ./lib.so", 2, "this program judges no kernels from outside"},
  };
  for (const Mistake& mistake : mistakes) {
    const Ended ended = run(mistake.line, "CUDA_VISIBLE_DEVICES=");
    EXPECT_EQ(ended.code, mistake.code) << mistake.line;
    EXPECT_THAT(ended.err, HasSubstr(mistake.says)) << mistake.line;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_THAT(ended.out, IsEmpty()) << mistake.line;
  }
}

TEST_F(Contract, ReplayingNothingIsASkip) {
  const std::string file = case_file("hostile.device_only", "error", R"("a": "0x1p+0", "b": "0x1p+0")", "device.json");
  EXPECT_THAT(run("replay " + file + " --on host"), Ends(77, Err(HasSubstr("nothing to run"))));
}

TEST_F(Contract, ReportRefusesASummaryOfAnotherSchema) {
  std::filesystem::create_directory(folder_ / "run");
  file_with("run/summary.json", R"({"schema": 99})");
  EXPECT_EQ(run("report " + in("run")).code, 5);
}

TEST_F(Contract, ReportExitsAsTheMergedVerdictsSay) {
  checked("hostile.benign", "good");
  checked("hostile.undecided", "undecided");
  checked("hostile.crash --cases 60000 --no-shrink", "crash");
  const auto report = [&](const std::string& name) { return run("report " + in(name)).code; };
  EXPECT_EQ(report("good"), 0);
  EXPECT_EQ(report("undecided"), 3);
  EXPECT_EQ(report("crash"), 4);
}

TEST_F(Contract, MergedShardsAreHeldToTheAdequacyOfTheWhole) {
  const std::string what = "hostile.vacuous --cases 1000";
  EXPECT_EQ(checked(what + " --shard 0/2", "a").code, 0);
  EXPECT_EQ(checked(what + " --shard 1/2", "b").code, 0);
  const std::string one = in("a");
  EXPECT_THAT(run("report " + one),
              Ends(0, Err(HasSubstr("hostile.vacuous on host: 500 of 1000 cases are missing from these runs"))));
  EXPECT_THAT(run("report " + one + " " + in("b")),
              Ends(3, Err(HasSubstr("hostile.vacuous/error on host: no case was judged"))));
}

TEST_F(Contract, MergedShardsOfANightlyRunAreHeldToTheirControls) {
  const std::string what = "hostile.true_control --tier nightly --cases 10000";
  checked(what + " --shard 0/2", "a");
  checked(what + " --shard 1/2", "b");
  EXPECT_EQ(run("report " + in("a") + " " + in("b")).code, 1);
}

TEST_F(Contract, ARunEndedByTimeIsPartial) {
  EXPECT_THAT(checked("hostile.benign --cases 3000000 --time 1ms --jobs 1"), Ends(0, Out(HasSubstr(", partial"))));
  EXPECT_THAT(summary(folder_), HasSubstr("\"partial\": true"));
}

TEST_F(Contract, JsonOfReportHasATwinOfItsOwn) {
  checked("hostile.benign");
  const std::string file = in("merged.json");
  EXPECT_EQ(run("report " + in("run"), "ASSAY_REPORT_JSON=" + file).code, 0);
  EXPECT_EQ(content(file), summary(folder_));
  const Ended list = run("list hostile.benign", "ASSAY_JSON=1 ASSAY_REPORT_JSON=" + file);
  EXPECT_THAT(list.out, ::testing::StartsWith("{"));
  EXPECT_THAT(list.err, IsEmpty());
}

TEST_F(Contract, EntriesOfARenamedClaimAreNamedByCorpusVerify) {
  const std::string corpus = " --corpus " + in("corpus");
  const std::string path = case_file("hostile.benign", "error");
  ASSERT_EQ(run("corpus add " + path + corpus).code, 0);
  EXPECT_EQ(run("corpus verify" + corpus).code, 0);
  // Renames the claim in the stored entry to eror, with a new checksum.
  const std::filesystem::path entry =
      std::filesystem::directory_iterator(folder_ / "corpus" / "hostile.benign")->path();
  std::string text = content(entry);
  text.replace(text.find("\"error\""), 7, "\"eror\"");
  std::ofstream(entry) << text;
  const std::string complaint = run("corpus verify" + corpus).err;
  const std::size_t right = complaint.find("the content has \"");
  const std::size_t wrong = text.find("\"checksum\": \"");
  ASSERT_NE(right, std::string::npos) << complaint;
  ASSERT_NE(wrong, std::string::npos) << text;
  text.replace(wrong + 13, 16, complaint.substr(right + 17, 16));
  std::ofstream(entry) << text;
  EXPECT_THAT(run("corpus verify" + corpus), Ends(5, Err(HasSubstr("tests nothing: no claim hostile.benign/eror"))));
  EXPECT_THAT(checked("hostile.benign" + corpus).err, HasSubstr("tests nothing: no claim eror"));
  EXPECT_THAT(run("corpus add " + entry.string() + corpus), Ends(2, Err(HasSubstr("has no claim eror"))));
}

TEST_F(Contract, CorpusListsAddsAndMerges) {
  const std::string one = " --corpus " + in("one");
  const std::string two = " --corpus " + in("two");
  const std::string path = case_file("hostile.benign", "error");
  EXPECT_THAT(run("corpus add " + path + one).out, HasSubstr(" added"));
  EXPECT_THAT(run("corpus add " + path + one).out, HasSubstr(" present"));
  EXPECT_THAT(run("corpus list" + one).out, HasSubstr("hostile.benign/error  seed  holds"));
  EXPECT_THAT(run("corpus merge " + in("one") + two).out, HasSubstr("1 added, 0 present"));
  EXPECT_THAT(run("corpus list" + two).out, HasSubstr("hostile.benign/error  seed  holds"));
  EXPECT_EQ(run("corpus merge /nonexistent" + two).code, 2);
}

TEST_F(Contract, HandWrittenCasesKeepEveryBit) {
  const struct {
    const char* text;
    const char* bits;
  } rows[] = {
      {"0x0p+0", "0000000000000000"},
      {"-0x0p+0", "8000000000000000"},
      {"0x1p-1074", "0000000000000001"},
      {"-0x0.fffffffffffffp-1022", "800fffffffffffff"},
      {"inf", "7ff0000000000000"},
      {"-inf", "fff0000000000000"},
      {"nan:0x7ff8000000000000", "7ff8000000000000"},
      {"nan:0x7ff8000000abcdef", "7ff8000000abcdef"},
      {"nan:0x7ff0000000000001", "7ff0000000000001"},
      {"-nan:0x7ff8000000000123", "fff8000000000123"},
  };
  for (const auto& row : rows) {
    const std::string path = case_file("hostile.copy", "bits", std::string(R"("a": ")") + row.text + "\"");
    const Ended replayed = run("replay " + path + " --on host");
    EXPECT_EQ(replayed.code, 0) << row.text << replayed.out << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr(std::string("[0x") + row.bits + "]")) << row.text;
    const Ended evaluated = run("eval hostile.copy " + path + " --on host");
    EXPECT_EQ(evaluated.code, 0) << row.text;
    EXPECT_THAT(evaluated.out, HasSubstr(row.bits)) << row.text;
  }
}

TEST_F(Contract, SelftestWithoutTheProgramOfMutantsIsASkip) {
  std::filesystem::copy_file(beside("assay-hostile"), folder_ / "alone");
  // In a bundle the libraries lie next to the programs' folder, not next to the copy's.
  EXPECT_THAT(shell("LD_LIBRARY_PATH=" + beside("../lib") + " " + in("alone") + " selftest --mutants --on host"),
              Ends(77, Err(HasSubstr("the program assay-mutants is not in the folder of this one")),
                   Out(HasSubstr("all tests pass"))));
}

TEST_F(Contract, StandardOutputThatIsFullIsExit3) {
  EXPECT_EQ(shell(beside("assay-hostile") + " list >/dev/full").code, 3);
}

TEST_F(Contract, AFullDiskUnderTheReportsLosesNothing) {
  const std::string what = "hostile.benign hostile.wrong";
  checked(what, "whole");
  const Ended full =
      checked(what, "full", "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=" + beside(ASSAY_FULL_DISK));
  EXPECT_EQ(full.code, 3);
  EXPECT_THAT(full.err, HasSubstr("cannot be written: No space left on device"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "full" / "summary.json"));
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder_ / "full")) {
    EXPECT_THAT(each.path().string(), Not(::testing::EndsWith(".tmp")));
  }
  // The journal was written first: nothing runs again.
  const std::string journal = content(folder_ / "full" / "journal.jsonl");
  EXPECT_EQ(run(check(what, folder_, "full") + " --resume").code, 1);
  EXPECT_EQ(content(folder_ / "full" / "journal.jsonl"), journal);
  for (const char* file : {"summary.json", "report.html", "report.md", "junit.xml"}) {
    EXPECT_EQ(content(folder_ / "full" / file), content(folder_ / "whole" / file)) << file;
  }
}

TEST_F(Contract, AMemoryLimitBelowWhatAWorkerNeedsIsExit3) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "address space is not limited under AddressSanitizer";
#endif
  EXPECT_THAT(checked("hostile.benign --mem-limit 1M --jobs 1"),
              Ends(3, Err(HasSubstr("more than its memory limit of 1048576"))));
}

TEST_F(Contract, ContractionOfTheSameSourceIsRefuted) {
  EXPECT_EQ(checked("hostile.squares").code, 0);
  if (run("list hostile.squares_contracted").code != 0) {
    GTEST_SKIP() << "the compiler has no -mfma";
  }
  if (!__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this processor has no FMA";
  }
  EXPECT_THAT(checked("hostile.squares_contracted", "contracted"),
              Ends(1, Out(HasSubstr("hostile.squares_contracted/rounded_each on host: violated"))));
}

TEST_F(Contract, AnUndecidedCaseIsNoPassInReplay) {
  const std::string path = case_file("hostile.undecided", "error");
  EXPECT_THAT(run("replay " + path + " --on host"), Ends(3, Out(HasSubstr("hostile.undecided/error: undecided"))));
}

}  // namespace
}  // namespace assay::testing_program
