// The output of the check of a kernel from outside, in the terminal and in files.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/assay/subject_checks.hpp"

namespace assay::testing_program {
namespace {

using Answer = SubjectTest;

TEST_F(Answer, HasTheSmallestCounterexampleOfTheWeakestContractAlone) {
  const Ended asked = judged("dot", "--cases 300");
  EXPECT_THAT(
      asked, Out(AllOf(HasSubstr("\nasked with 300 cases, as double dot(size_t n, const double* x, const double* y)\n"),
                       HasSubstr("\nsubject.dot/pairwise on host: broken"), HasSubstr("assay replay "),
                       Not(HasSubstr("faithful on host")), Not(HasSubstr("correctly_rounded")))));
  // The lines to copy: of a report, and of one that names no folder in a folder above that of the run.
  const Ended reported = assay("report " + in("run"));
  EXPECT_THAT(reported, Out(HasSubstr(" --out " + in("run") + " --operation dot --subject " + library())));
  EXPECT_THAT(
      replay_of(reported),
      Ends(1, Out(AllOf(HasSubstr("subject.dot asked as double dot("), HasSubstr("subject.dot/pairwise: broken")))));
  std::string line = replay_line_in(reported.out);
  line.erase(line.find(" --out "), (" --out " + in("run")).size());
  EXPECT_EQ(shell("cd " + in("") + " && " + line).code, 1) << line;
}

TEST_F(Answer, PrefersACounterexampleAboutAnError) {
  EXPECT_THAT(judged("first_1024", "--no-shrink"), Out(AllOf(HasSubstr("breaks exact_grid, order_free, exceptional\n"),
                                                             HasSubstr("\nsubject.dot/exact_grid on host: broken"),
                                                             Not(HasSubstr("order_free on host: broken")))));
}

TEST_F(Answer, OfALongerRunBeginsWithTheCasesOfAShorterOne) {
  for (const char* const cases : {"--cases 60", "--cases 600", "--cases 60 --tier nightly"}) {
    EXPECT_THAT(judged("first_1024", std::string("--no-shrink --overwrite ") + cases),
                Out(HasSubstr("\nsubject.dot/exact_grid on host: broken, case 29, ")));
  }
}

TEST_F(Answer, HasTheTimeOfTheKernelBesideThatOfTheJudge) {
  const std::string file = file_with("slow.py", python("import time\ndef f(x, y):\n    time.sleep(0.005)\n"
                                                       "    return math.fsum(a * b for a, b in zip(x, y))"));
  const Ended asked = program_judged(python_command(file), "--cases 4 --no-shrink --jobs 1");
  EXPECT_THAT(asked, Out(AllOf(HasSubstr("\nthe kernel took "), HasSubstr(" ms, the judge "))));
  const auto run = nlohmann::json::parse(content(in("run/run.json")));
  const auto& cost = run.at("costs").at("subject.dot on host");
  EXPECT_GE(cost.at("kernel"), 3 * 4 * 5'000'000);  // each case is computed three times at least, in nanoseconds
  EXPECT_GT(cost.at("judge"), 0);
  EXPECT_THAT(content(in("run/summary.json")), Not(HasSubstr("cost")));  // which has the same bytes in each run
}

TEST_F(Answer, OfTheTierNightlyRefusesAKernelThatIsWrongAtLargeShapesAlone) {
  const std::string file = file_with("first.py", python("def f(x, y):\n    x, y = x[:65536], y[:65536]\n"
                                                        "    return math.fsum(a * b for a, b in zip(x, y))"));
  const std::string asked = "--contract any_order --cases 1040 --no-shrink --jobs 1";
  EXPECT_EQ(program_judged(python_command(file), asked).code, 0);
  EXPECT_THAT(program_judged(python_command(file), asked + " --overwrite --tier nightly"),
              Ends(1, Out(HasSubstr("subject.dot/any_order on host: violated"))));
}

TEST_F(Answer, OfAKernelThatIsAControlIsNotGreenAndAsksForTheSignature) {
  EXPECT_THAT(judged("zeros", "--cases 60 --no-shrink"),
              Ends(0, Out(HasSubstr("its results are those of the control zeros: is this its signature?\n"))));
  const std::string html = content(in("run/report.html"));
  const std::string first = html.substr(html.find("<header>"), html.find("<nav>") - html.find("<header>"));
  EXPECT_THAT(first,
              AllOf(HasSubstr("<h1>subject.dot keeps order_free; breaks "),
                    HasSubstr("It keeps no contract about errors."), HasSubstr(">✗<small>"),
                    Not(HasSubstr("class=good")), Not(HasSubstr("1 properties")), Not(HasSubstr("Mutation score"))));
  EXPECT_THAT(
      content(in("run/junit.xml")),
      AllOf(HasSubstr("name=\"any_order\"><skipped message=\"broken, not promised\"/>"), HasSubstr("failures=\"0\"")));
  EXPECT_THAT(content(in("run/report.md")), HasSubstr("**subject.dot on host** keeps order_free; breaks"));
}

TEST_F(Answer, CasesOfACorpusTestTheKernelThatTheyCameFrom) {
  std::filesystem::create_directory(in("corpus"));
  ASSERT_EQ(judged("dot", "--cases 40 --no-shrink --as own --update-corpus --corpus " + in("corpus")).code, 0);
  EXPECT_THAT(assay("corpus verify --corpus " + in("corpus")), Ends(0, Out(HasSubstr("each of them tests something"))));
  const std::string line = replay_line_in(assay("report " + in("run")).out);
  const std::string id = line.substr(line.find(" replay ") + 8, 16);
  EXPECT_EQ(assay("corpus add " + in("run/cases/" + id + ".json") + " --corpus " + in("other")).code, 0);
}

TEST_F(Answer, InAFileWithABlankInItsNameIsALibrary) {
  std::filesystem::copy_file(library(), folder_ / "my lib.so");
  const Ended checked = judged("dot", "--cases 60 --no-shrink --contract faithful", "'" + in("my lib.so") + "'");
  EXPECT_THAT(replay_of(checked), Ends(1, Out(HasSubstr("subject.dot/faithful: broken")))) << checked;
}

TEST_F(Answer, IsNotBlamedForLimitsOfThisProgram) {
  const auto limited = [&](const std::string& limit) {
    return shell("ulimit " + limit + "; " + beside("assay") + " check --operation dot --subject " + library() +
                 " --symbol dot --cases 10 --progress none --on host --out " + in("run"));
  };
  EXPECT_THAT(limited("-n 16"), Ends(3, Err(HasSubstr("the limit of open files is 16, and 128 are needed"))));
  EXPECT_THAT(limited("-v 100000"), Ends(3, Err(HasSubstr("the limit of memory is 100000 KiB, and 262144 are"))));
  EXPECT_EQ(limited("-f 0").code, 3);
  EXPECT_THAT(limited("-s 64"), Ends(3, Err(HasSubstr("the limit of the stack is below 256 KiB"))));
}

TEST_F(Answer, OfAProgramThatEndsInARepetitionHasCrashedAndIsNotFlaky) {
  const std::string file = file_with("dot.py", python("calls = []\ndef f(x, y):\n    calls.append(1)\n"
                                                      "    return os._exit(5) if len(calls) > 4 else math.nan"));
  EXPECT_THAT(program_judged(python_command(file), "--cases 1 --no-shrink --jobs 1"),
              Ends(4, Out(AllOf(HasSubstr("it ended with exit code 5"), Not(HasSubstr("flaky"))))));
}

TEST_F(Answer, OfAProgramDoesNotSteerTheTerminalWithItsMessages) {
  const std::string greets = "import sys\nsys.stdin.buffer.readline()\nprint('{\"protocol\": 1}', flush=True)\n";
  const auto answers = [&](const std::string& header) {
    return program_judged(
        "python3 " + file_with("says.py", greets + "sys.stdin.buffer.read(1)\nh = b'" + header +
                                              "'\nsys.stdout.buffer.write(len(h).to_bytes(4, 'little') + "
                                              "h)\nsys.stdout.buffer.flush()\n"),
        "--cases 1 --no-shrink --overwrite");
  };
  EXPECT_THAT(answers(R"({"error": "\\u001b[2J\\u0007\\u202e!"})"),
              Ends(4, Out(AllOf(HasSubstr("it says: \uFFFD[2J\uFFFD\uFFFD!"), Not(HasSubstr("\x1b"))))));
  EXPECT_THAT(answers(R"({"bytes": 8, "x": "\xff"})"), Ends(4, Out(HasSubstr("its answer is not a frame of 8 bytes"))));
}

}  // namespace
}  // namespace assay::testing_program
