// Kernels from outside that come as a function of a shared library.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "assay/store/corpus.hpp"
#include "tests/assay/subject_checks.hpp"

namespace assay::testing_program {
namespace {

using Ladder = SubjectTest;

TEST_F(Ladder, OfARecursiveDotProductBreaksWhatNeedsCompensation) {
  EXPECT_THAT(judged("dot", "--cases 300 --no-shrink"),
              Ends(0, Out(HasSubstr("subject.dot on host: keeps any_order, exceptional; breaks "
                                    "faithful, wide_any_order, compensated, pairwise, order_free"))));
}

TEST_F(Ladder, OfACompensatedDotProductKeepsItsBound) {
  EXPECT_THAT(judged("dot2", "--cases 300 --no-shrink"),
              Ends(0, Out(HasSubstr("subject.dot on host: keeps compensated, pairwise; breaks "
                                    "faithful"))));
}

TEST_F(Ladder, NamesTheControlsThatAContractWithoutABoundAdmits) {
  EXPECT_THAT(judged("dot", "--cases 300 --no-shrink"),
              Out(AllOf(HasSubstr("every contract about an error refuses 6 controls"),
                        HasSubstr("order_free would also accept zeros, ones, a NaN"))));
}

TEST_F(Ladder, TellsWhichClaimsBrokeOnTheSameCase) {
  EXPECT_THAT(judged("dot", "--cases 60 --no-shrink -v"),
              Out(ContainsRegex("subject.dot/correctly_rounded on host: broken, [^\n]*\n  the same case fails "
                                "[a-z_, ]*compensated")));
}

TEST_F(Ladder, ShowsBothResultsOfTermsInAnotherOrder) {
  EXPECT_THAT(
      judged("dot", "--cases 60 --no-shrink -v"),
      Out(ContainsRegex(
          "exact +[^ ]*; not of these inputs: of (the terms -?0x[^ ]* · -?0x[^;]*|[0-9]+ terms) it is -?0x1[^ ]*, "
          "with terms [0-9]+ and [0-9]+ in each other's place -?0x1")));
}

TEST_F(Ladder, OfANormTellsWhetherItMindsTheRange) {
  const std::string norm = "check --operation nrm2 --subject " + library() +
                           " --cases 2000 --no-shrink --progress none --on host --out " + in("run") + " --symbol ";
  EXPECT_THAT(assay(norm + "nrm2"),
              Ends(0, Out(HasSubstr("subject.nrm2 on host: keeps any_order, exceptional; breaks wide_any_order, "
                                    "running_maximum, order_free"))));
  EXPECT_THAT(
      assay(norm + "nrm2_scaled"),
      Ends(0, Out(HasSubstr("subject.nrm2 on host: keeps any_order, any_range, exceptional; breaks faithful"))));
}

TEST_F(Ladder, OfSeveralKernelsIsOneReport) {
  for (const std::string name : {"dot", "dot2"}) {
    const std::string check =
        "check --operation dot --subject " + library() + " --symbol " + name + " --as own_" + name;
    EXPECT_EQ(assay(check + " --cases 100 --no-shrink --progress none --on host --out " + in(name)).code, 0);
  }
  EXPECT_EQ(assay("report " + in("dot") + " " + in("dot2") + " --json " + in("both.json")).code, 0);
  EXPECT_THAT(content(in("both.json")),
              AllOf(HasSubstr("\"own_dot.dot\""), HasSubstr("\"own_dot2.dot\""), HasSubstr("\"broken\"")));
}

TEST_F(Ladder, IsAskedAgainWithTheCasesOfACorpus) {
  const std::string check = "--corpus " + in("corpus") + " --cases 40 --as own ";
  std::filesystem::create_directory(in("corpus"));
  EXPECT_EQ(judged("dot", check + "--update-corpus").code, 0);
  EXPECT_THAT(judged("dot", "--corpus " + in("corpus") + " --as own --cases 1 --no-shrink -v"),
              Ends(0, Out(AllOf(HasSubstr("breaks it, too"), HasSubstr("own.dot on host: keeps any_order; breaks")))));
}

TEST_F(Ladder, DoesNotCountASavedCaseThatIsKeptAgainstItsWord) {
  std::filesystem::create_directory(in("corpus"));
  EXPECT_EQ(judged("dot2", "--cases 100 --no-shrink --as own --update-corpus --corpus " + in("corpus")).code, 0);
  const auto saved = store::Corpus(in("corpus")).read().entries;
  const auto kept = std::find_if(saved.begin(), saved.end(), [](const store::Corpus::Entry& entry) {
    return entry.file.claim == "compensated" && entry.file.expected == "holds";
  });
  ASSERT_NE(kept, saved.end());
  store::CaseFile changed = kept->file;
  changed.expected = "violated";
  store::Corpus(in("changed")).add(changed);
  EXPECT_THAT(
      judged("dot2", "--cases 1 --no-shrink -v --as own --corpus " + in("changed")),
      Ends(0, Out(AllOf(HasSubstr("own.dot/compensated"), Not(HasSubstr("own.dot/compensated on host: broken"))))));
}

TEST_F(Ladder, OfTwoKernelsByOneNameIsRefused) {
  for (const std::string name : {"dot", "dot2"}) {
    const std::string shard = name == "dot" ? "0/2" : "1/2";
    assay("check --operation dot --subject " + library() + " --symbol " + name + " --cases 100 --no-shrink --shard " +
          shard + " --progress none --on host --out " + in(name));
  }
  EXPECT_THAT(assay("report " + in("dot") + " " + in("dot2")),
              Ends(2, Err(HasSubstr("runs of two kernels by one name, subject subject.dot: "))));
}

using Contracts = SubjectTest;

TEST_F(Contracts, ThatAreKeptAreASuccess) {
  EXPECT_EQ(judged("dot", "--cases 300 --no-shrink --contract any_order").code, 0);
}

TEST_F(Contracts, ThatAreBrokenAreAFailure) {
  EXPECT_EQ(judged("dot", "--cases 300 --no-shrink --contract faithful").code, 1);
}

TEST_F(Contracts, AreListedWithTheirTheorems) {
  EXPECT_THAT(assay("contracts dot"),
              Ends(0, Out(AllOf(HasSubstr("T cblas_f(int n, const T* x, int incx"),
                                HasSubstr("dot/any_order: |d̂ − d| ≤ γ_{h+1}Σ|xy|"), HasSubstr("dot.tree.1")))));
}

TEST_F(Contracts, AreListedAsOneDocument) {
  EXPECT_THAT(assay("contracts --json"), Ends(0, Out(AllOf(HasSubstr("\"operations\""), HasSubstr("\"asum\"")))));
}

using Forms = SubjectTest;

TEST_F(Forms, OfCblasAndFortranAreCalledByTheirSymbols) {
  for (const char* const symbol : {"cblas_ddot", "ddot_"}) {
    EXPECT_THAT(judged(symbol, "--cases 300 --no-shrink"),
                Ends(0, Out(HasSubstr("subject.dot on host: keeps any_order, exceptional; breaks"))))
        << symbol;
  }
}

TEST_F(Forms, OfBlasTellTheFormat) {
  EXPECT_THAT(judged("cblas_sdot", "--cases 300 --no-shrink"),
              Ends(0, Out(HasSubstr("subject.dot.f32 on host: keeps any_order, exceptional; breaks"))));
}

/// A wrong function that passes a typical tolerance.
class Wrong : public SubjectTest, public testing::WithParamInterface<std::string> {};

TEST_P(Wrong, BreaksEveryContractAboutAnError) {
  for (const char* const contract : {"correctly_rounded", "faithful", "compensated", "pairwise", "any_order"}) {
    EXPECT_EQ(judged(GetParam(), std::string("--cases 300 --no-shrink --contract ") + contract).code, 1) << contract;
  }
}

INSTANTIATE_TEST_SUITE_P(Library, Wrong,
                         testing::Values("zeros", "constant", "first_product", "without_last", "nan_at_64"),
                         [](const auto& each) { return each.param; });

using Claims = SubjectTest;

TEST_F(Claims, OfEveryKernelAreAskedOfAKernelFromOutside) {
  EXPECT_THAT(judged("drifting", "--cases 300 --no-shrink"),
              Ends(1, Out(ContainsRegex("subject.dot/same_bits on host: violated[^\n]*\n( [^\n]*\n)*  other  "
                                        "-?0x[^ ]* in repetition [1-3]\n"))));
  EXPECT_THAT(judged("reads_in_front", "--cases 60 --no-shrink"),
              Ends(1, Out(HasSubstr("subject.dot/same_bits on host: violated"))));
  EXPECT_THAT(judged("rounds_up", "--cases 300 --no-shrink"),
              Ends(1, Out(HasSubstr("subject.dot/environment on host: violated, case 0, reproduced 3 of 3 times"))));
#if defined(__SSE2__)
  for (const std::string each : {"narrows_x87", "leaves_a_number_on_the_x87"}) {
    EXPECT_THAT(judged(each, "--cases 20 --no-shrink"),
                Ends(1, Out(HasSubstr("subject.dot/environment on host: violated"))))
        << each;
  }
#endif
  EXPECT_THAT(judged("changes_input", "--cases 300 --no-shrink"),
              Ends(1, Out(HasSubstr("subject.dot/inputs_unchanged on host: violated"))));
  EXPECT_THAT(judged("changes_input", "--cases 60"),
              Out(HasSubstr("x[0] was 0x0p+0 before the call, 0x1.8p+1 after it")));
  EXPECT_THAT(judged("writes_in_front", "--cases 300 --no-shrink"),
              Ends(1, Out(HasSubstr("subject.dot/guard_zones on host: violated"))));
}

/// A function that does not return for vectors of 33 numbers, and the message about it.
struct Stopped {
  const char* symbol;
  const char* says;
  const char* limits = "--timeout-case 20s";
  friend std::ostream& operator<<(std::ostream& to, const Stopped& stopped) { return to << stopped.symbol; }
};
class Stop : public SubjectTest, public testing::WithParamInterface<Stopped> {};

TEST_P(Stop, EndsAWorkerAndNotTheJudge) {
  const Ended ended =
      judged(GetParam().symbol, std::string("--cases 60 --no-shrink --mem-limit 400M ") + GetParam().limits);
  EXPECT_THAT(ended, Ends(4, Out(HasSubstr(GetParam().says))));
}

INSTANTIATE_TEST_SUITE_P(Library, Stop,
                         testing::Values(Stopped{"crashes", "ended by SIGSEGV"},
                                         Stopped{"hangs", "gave no answer", "--timeout-case 200ms"},
                                         Stopped{"exits", "ended with exit code 0"}, Stopped{"grows", "out of memory"},
                                         Stopped{"reads_behind", "ended by SIGSEGV"}, Stopped{"throws", "not 33"}),
                         [](const auto& each) { return std::string(each.param.symbol); });

TEST_F(SubjectTest, ThatPrintsDoesNotDisturbTheAnswer) {
  EXPECT_THAT(judged("prints", "--cases 300 --no-shrink"),
              Ends(0, Out(AllOf(HasSubstr("keeps any_order"), Not(HasSubstr("computing"))))));
}

TEST_F(SubjectTest, IsReplayedFromItsCase) {
  const Ended checked = judged("dot", "--cases 300 --contract faithful");
  const std::string words = " replay ";
  const std::size_t at = checked.out.rfind(words);
  ASSERT_NE(at, std::string::npos) << checked;
  const std::string id = checked.out.substr(at + words.size(), 16);
  const std::string of_run = " --on host --out " + in("run");
  const std::string subject = " --operation dot --subject " + library() + " --symbol ";
  EXPECT_EQ(assay("replay " + id + of_run + subject + "dot").code, 1);
  EXPECT_THAT(assay("replay " + id + of_run),
              Ends(2, Err(AllOf(HasSubstr("no property subject.dot"), HasSubstr("needs --operation and --subject")))));
}

TEST_F(SubjectTest, IsEvaluatedOnACaseByItsId) {
  const std::string id = replay_line_in(judged("dot", "--cases 60 --no-shrink --contract faithful").out);
  const std::size_t at = id.find(" replay ") + 8;
  EXPECT_THAT(assay("eval subject.dot " + id.substr(at, 16) + " --on host --out " + in("run") +
                    " --operation dot --symbol dot --subject " + library()),
              Ends(0, Out(HasSubstr("\"property\": \"subject.dot\""))));
}

using Lines = SubjectTest;

TEST_F(Lines, OfEveryReportNameTheKernel) {
  ASSERT_EQ(judged("dot", "--cases 100 --no-shrink --as own --contract faithful").code, 1);
  for (const char* const file : {"run/report.md", "run/report.html", "run/junit.xml"}) {
    EXPECT_THAT(content(in(file)), ContainsRegex("assay replay [0-9a-f]+ --operation dot --subject " ASSAY_LIBRARY
                                                 " --symbol dot --format f64 --as own"))
        << file;
  }
}

TEST_F(Lines, OfAReportAreRunInTheFolderOfTheKernel) {
  ASSERT_EQ(judged("dot", "--cases 100 --no-shrink --contract faithful").code, 1);
  const std::string line = replay_line_in(content(in("run/junit.xml")));
  EXPECT_EQ(shell("cd " + beside("") + " && ./" + line + " --on host --out " + in("run")).code, 1) << line;
}

TEST_F(Lines, OfReportsDoNotDependOnTheFolderOfTheKernel) {
  for (const std::string folder : {"a", "b"}) {
    std::filesystem::create_directory(folder_ / folder);
    std::filesystem::copy_file(library(), folder_ / folder / "dot.so");
    assay("check --operation dot --subject " + in(folder + "/dot.so") +
          " --cases 100 --no-shrink --progress none --on host --out " + in(folder));
  }
  for (const std::string file : {"report.md", "report.html", "summary.json"}) {
    EXPECT_EQ(content(in("a/" + file)), content(in("b/" + file))) << file;
  }
}

TEST_F(Lines, NameTheProgramAsItWasCalled) {
  const std::string program = in("my checks");
  std::filesystem::create_symlink(beside("assay"), program);
  const Ended checked = shell("'" + program + "' check --operation dot --subject " + library() +
                              " --cases 100 --no-shrink --contract faithful --progress none --on host --out run");
  EXPECT_THAT(checked.out, HasSubstr("\n'" + program + "' replay "));
}

TEST_F(Lines, OfReportsNameTheProgramWithoutItsFolder) {
  const std::string program = in("my_checks");
  std::filesystem::create_symlink(beside("assay"), program);
  shell(program + " check --operation dot --subject " + library() +
        " --cases 100 --no-shrink --progress none --on host --out " + in("run"));
  EXPECT_THAT(content(in("run/report.html")), HasSubstr("<code>my_checks replay "));
}

TEST_F(SubjectTest, OfAnotherBuildDoesNotResumeARun) {
  ASSERT_EQ(judged("dot", "--cases 300 --no-shrink").code, 0);
  const std::string other = in("other.so");
  std::filesystem::copy_file(library(), other);
  std::ofstream(other, std::ios::app) << ' ';
  EXPECT_EQ(judged("dot", "--cases 300 --no-shrink --resume").code, 0);
  EXPECT_THAT(judged("dot", "--cases 300 --no-shrink --resume", other),
              Ends(2, Err(HasSubstr("other settings (provenance/subject subject.dot: "))));
}

TEST_F(SubjectTest, ThatCannotBeUsedIsOneLine) {
  const std::string text = file_with("text.so", "no library");
  struct Mistake {
    std::string line;
    std::string says;
  };
  const std::string dot = "check --on host --operation dot --out " + in("run") + " ";
  const Mistake mistakes[] = {
      {dot + "--subject /nonexistent.so", "/nonexistent.so: "},
      {dot + "--subject " + text, "text.so: "},
      {dot + "--subject " + beside(ASSAY_LIBRARY_THAT_ENDS), "ended the process that loaded it (exit code 7)"},
      {dot + "--subject " + library() + " --symbol dott", "it has no symbol dott"},
      {dot + "--subject " + library() + " --symbol number", "number is data, not a function"},
      {dot + "--subject " + library() + " --format s8", "--format s8: dot has f64, f32, f16, bf16"},
      {dot + "--subject " + library() + " --contract faithfull", "no contract faithfull; nearest: faithful"},
      {dot + "--subject " + library() + " --isolate none", "--isolate none"},
      {dot + "--subject " + library() + " dw.add", "takes --contract instead of names"},
      {dot + "--subject " + library() + " --tier giant", "judges results of more than 2^31 numbers where they lie"},
      {dot + "--subject " + library() + " --as dw", "--as dw: use letters"},
      {dot + "--subject " + library() + " --as a.b", "--as a.b: use letters"},
      {"check --on host --contract faithful", "--contract: needs --subject"},
      {"check --on host --operation dot", "--operation: needs --subject"},
      {dot + "--subject " + library() + " --symbol cblas_dasum", "--symbol cblas_dasum: it computes asum, not dot"},
      {dot + "--subject " + library() + " --symbol cblas_sdot --format f64", "its numbers are f32, not f64"},
      {dot + "--subject " + library() + " --contract rounded", "no contract rounded; accepted: correctly_rounded"},
      {"check --on host --operation gemm --subject " + library(), "gemm is not computed by plain functions"},
      {"check --on host --subject " + library(), "--subject: needs --operation"},
      {"check --on host --operation dott --subject " + library(), "no operation dott; nearest: dot; accepted: acos, "},
      {"contracts dott", "no operation dott; nearest: dot"},
  };
  for (const Mistake& mistake : mistakes) {
    const Ended ended = assay(mistake.line);
    EXPECT_THAT(ended, Ends(2, Err(HasSubstr(mistake.says)))) << mistake.line;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_THAT(ended.out, ::testing::IsEmpty()) << mistake.line;
  }
}

using Program = SubjectTest;

TEST_F(Program, IsJudgedAsALibraryIs) {
  const std::string file = file_with("dot.py", python("def f(x, y): return sum(a * b for a, b in zip(x, y))"));
  EXPECT_THAT(program_judged(python_command(file), "--cases 300 --no-shrink"),
              Ends(0, Out(HasSubstr("keeps any_order, exceptional; breaks faithful"))));
}

TEST_F(Program, OfASparseMatrixGetsItsIndicesAsIntegers) {
  const std::string file = file_with("spmv.py", R"(from assay.subject import serve
def spmv(rows, columns, offsets, indices, values, x):
    return [sum((values[at] * x[indices[at]] for at in range(offsets[r], offsets[r + 1])), 0.0) for r in range(rows)]
serve(spmv=spmv)
)");
  EXPECT_THAT(assay("check --operation spmv --subject '" + python_command(file) +
                    "' --cases 60 --no-shrink --progress none --on host --out " + in("run")),
              Ends(0, Out(HasSubstr("subject.spmv on host: keeps any_order, exceptional; breaks faithful"))));
}

/// A client of the protocol that is compiled here.
struct Client {
  const char* compiler;
  const char* source;
  friend std::ostream& operator<<(std::ostream& to, const Client& client) { return to << client.source; }
};
class Compiled : public SubjectTest, public testing::WithParamInterface<Client> {};

TEST_P(Compiled, IsJudgedAsALibraryIs) {
  const std::string compiler = GetParam().compiler;
  if (shell("command -v " + compiler).code != 0) GTEST_SKIP() << "no " << compiler;
  ASSERT_EQ(shell(compiler + " -O2 " ASSAY_EXAMPLES "/" + GetParam().source + " -o " + in("dot")).code, 0);
  EXPECT_THAT(program_judged(in("dot"), "--cases 300 --no-shrink"),
              Ends(0, Out(HasSubstr("keeps any_order, exceptional; breaks faithful"))));
  EXPECT_THAT(program_judged(in("dot"), "--format f32"), Ends(2, Err(HasSubstr("it says: only dot in f64"))));
}

INSTANTIATE_TEST_SUITE_P(Program, Compiled,
                         testing::Values(Client{"cc", "dot.c"}, Client{"gfortran", "dot.f90"},
                                         Client{"gccgo", "dot.go"}),
                         [](const auto& each) { return std::string(each.param.compiler); });

TEST_F(Program, ThatRoundsOnceKeepsTheStrongestContract) {
  const std::string exact = R"(from fractions import Fraction
def f(x, y):
    exact = sum((Fraction(a) * Fraction(b) for a, b in zip(x, y)), Fraction(0))
    return exact.numerator / exact.denominator)";
  EXPECT_THAT(
      program_judged(python_command(file_with("dot.py", python(exact))), "--cases 300"),
      Ends(0, Out(HasSubstr("subject.dot on host: keeps correctly_rounded, order_free; breaks exceptional\n"))));
}

TEST_F(Program, OfMatricesGetsWholeArrays) {
  const std::string file = file_with("gemm.py", R"(import itertools
from assay.subject import serve
def gemm(ta, tb, m, n, k, lda, ldb, ldc, batch, sa, sb, sc, alpha, a, b, beta, c):
    result = list(c)
    for p, i, j in itertools.product(range(batch), range(m), range(n)):
        total = 0.0
        if alpha != 0:
            for l in range(k):
                of_a = p * sa + (l + i * lda if ta else i + l * lda)
                of_b = p * sb + (j + l * ldb if tb else l + j * ldb)
                total += a[of_a] * b[of_b]
        at = p * sc + i + j * ldc
        old = beta * c[at] if beta != 0 else 0.0
        result[at] = alpha * total + old if alpha != 0 and k > 0 else old
    return result
serve(gemm=gemm)
)");
  EXPECT_THAT(assay("check --operation gemm --subject '" + python_command(file) +
                    "' --cases 60 --progress none --on host --no-shrink --out " + in("run")),
              Ends(0, Out(HasSubstr("subject.gemm on host: keeps grade_a, scaling, exceptional, untouched, not_read; "
                                    "breaks rounded"))));
}

TEST_F(Program, AnswersArraysOfNumbersOf16Bits) {
  const std::string file = file_with("axpy.py", R"(from assay.subject import serve
from fractions import Fraction
def axpy(alpha, x, y):
    return [float(Fraction(float(alpha)) * Fraction(float(a)) + Fraction(float(b))) for a, b in zip(x, y)]
serve(axpy=axpy)
)");
  EXPECT_THAT(assay("check --operation axpy --format f16 --subject '" + python_command(file) +
                    "' --cases 60 --progress none --on host --no-shrink --out " + in("run")),
              Ends(0, Out(HasSubstr("subject.axpy.f16 on host: keeps correctly_rounded; breaks fma"))));
}

TEST_F(Program, ThatEndsHangsOrRaisesEndsAWorkerAndNotTheJudge) {
  const std::pair<const char*, const char*> programs[] = {
      {"def f(x, y): return os.kill(os.getpid(), signal.SIGSEGV) if len(x) == 33 else 0.0", "it was ended by SIGSEGV"},
      {"def f(x, y): return os._exit(5) if len(x) == 33 else 0.0", "it ended with exit code 5"},
      {"def f(x, y): return time.sleep(100) if len(x) == 33 else 0.0", "gave no answer in"},
      {"def f(x, y): return 1 // 0 if len(x) == 33 else 0.0", "ZeroDivisionError"}};
  for (const auto& [function, says] : programs) {
    const std::string file = file_with("dot.py", python(function));
    EXPECT_THAT(program_judged(python_command(file), "--cases 60 --no-shrink --timeout-case 500ms"),
                Ends(4, Out(HasSubstr(says))));
  }
}

TEST_F(Program, ThatWritesGarbageIsToldSo) {
  const std::string greets =
      "import sys\nsys.stdin.buffer.readline()\nprint('{\"protocol\": 1}\\ngarbage', flush=True)\n";
  const std::string file = file_with("garbage.py", greets + "sys.stdin.buffer.read()\n");
  EXPECT_THAT(program_judged("python3 " + file, "--cases 1 --no-shrink"),
              Ends(4, Out(HasSubstr("its answer is not a frame: it begins with \"garb\""))));
}

TEST_F(Program, InAFolderWithABlankIsReplayedByTheLineThatWasPrinted) {
  std::filesystem::create_directory(folder_ / "a b");
  const std::string file = file_with("a b/dot.py", python("def f(x, y): return sum(a * b for a, b in zip(x, y))"));
  const std::string command = "env PYTHONPATH=" ASSAY_PYTHON " python3 \"" + file + "\"";
  const Ended checked = program_judged(command, "--cases 60 --no-shrink --contract faithful");
  EXPECT_EQ(replay_of(checked).code, 1) << checked;
}

TEST_F(Program, ThatCannotBeUsedIsOneLine) {
  const std::pair<std::string, std::string> programs[] = {
      {"/nonexistent program", "it was not found, or is not executable"},
      {"true", "it ended with exit code 0"},
      {"echo hello", "its first line is not an answer of protocol 1: hello"},
      {R"(echo "{\"protocol\": \"one\"}")", "its first line is not an answer of protocol 1: "},
      {"python3 a.py; rm b", "not a command line"},
      {python_command(file_with("sum.py", "from assay.subject import serve\nserve(sum=sum)\n")),
       "it says: no dot in f64 here"}};
  for (const auto& [command, says] : programs) {
    EXPECT_THAT(program_judged(command), Ends(2, Err(HasSubstr(says)))) << command;
  }
  EXPECT_THAT(program_judged("true", "--symbol dot"), Ends(2, Err(HasSubstr("--symbol: a command has no symbols"))));
}

TEST_F(Program, ThatWasChangedDoesNotResumeARun) {
  const std::string zero = python("def f(x, y): return 0.0");
  const std::string command = python_command(file_with("dot.py", zero));
  ASSERT_EQ(program_judged(command, "--cases 300 --no-shrink").code, 0);
  EXPECT_EQ(program_judged(command, "--cases 300 --no-shrink --resume").code, 0);
  file_with("dot.py", zero + "# changed\n");
  EXPECT_THAT(program_judged(command, "--cases 300 --no-shrink --resume"),
              Ends(2, Err(HasSubstr("provenance/subject subject.dot"))));
}

using Comparison = SubjectTest;

TEST_F(Comparison, OfAKernelAndTheSameWithOneOperationChangedFails) {
  const auto asked = [&](const std::string& symbol) {
    return assay("check --operation dot --as mine --subject " + library() + " --symbol " + symbol +
                 " --cases 60 --no-shrink --progress none --on host --out " + in(symbol));
  };
  EXPECT_EQ(asked("dot2").code, 0);
  EXPECT_EQ(asked("dot2_changed").code, 0);
  const Ended compared = assay("compare " + in("dot2") + " " + in("dot2_changed") + " --strict");
  EXPECT_THAT(compared, Ends(1, Out(HasSubstr("worse    mine.dot/compensated on host: holds -> broken\n"))));
  EXPECT_THAT(compared, Out(ContainsRegex("bits that changed on the same inputs:\n  worse    mine.dot on host: ")));
  EXPECT_EQ(assay("compare " + in("dot2") + " " + in("dot2_changed")).code, 0);
  EXPECT_EQ(assay("compare " + in("dot2") + " " + in("dot2") + " --strict").code, 0);
}

}  // namespace
}  // namespace assay::testing_program
