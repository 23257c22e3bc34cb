// Programs that use lines of text: `--text`.
#include <algorithm>
#include <string>
#include <utility>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

class TextLines : public ProgramTest {
 protected:
  /// The check of a program.
  Ended judged(const std::string& command, const std::string& rest, const std::string& operation = "dot") const {
    return shell("env -u ASSAY_CORPUS " + beside("assay") + " check --operation " + operation + " --subject '" +
                 command + "' --progress none --on host --no-shrink --out " + in("run") + " " + rest);
  }
  /// A program of Python that answers each line by `answer`, an expression of the dictionary `c` of its fields' texts;
  /// number(text) and numbers(text) read them.
  std::string python(const std::string& answer) const {
    return "python3 " + file_with("kernel.py", R"(import math, os, sys
def number(text): return float.fromhex(text)
def numbers(text): return [number(each) for each in text.split(",") if each]
sys.stdin.readline()
print('{"protocol": 1, "text": true}', flush=True)
for line in sys.stdin:
    c = dict(field.split("=") for field in line.split())
    print()" + answer + R"(, flush=True)
)");
  }
};

TEST_F(TextLines, OfDotProductsAreAnsweredInAwk) {
  if (shell("command -v gawk").code != 0) GTEST_SKIP() << "no gawk";
  const std::string command = "gawk -f " ASSAY_EXAMPLES "/dot.awk";
  EXPECT_THAT(judged(command, "--text --cases 100"),
              Ends(0, Out(AllOf(HasSubstr("keeps any_order"), HasSubstr("; breaks faithful")))));
  EXPECT_THAT(judged(command, "--text --format f32"), Ends(2, Err(HasSubstr("it says: only dot in f64"))));
}

TEST_F(TextLines, CarryEveryBitOfANumber) {
  const std::string exact =
      python("float((math.fsum if all(map(math.isfinite, numbers(c['x']))) else sum)(numbers(c['x']))).hex()");
  EXPECT_THAT(judged(exact, "--text --cases 100", "sum"), Ends(0, Out(HasSubstr("keeps correctly_rounded"))));
}

TEST_F(TextLines, CarryScalarsListsAndArraysOfResults) {
  const std::string axpy =
      python("' '.join((number(c['alpha']) * p + q).hex() for p, q in zip(numbers(c['x']), numbers(c['y'])))");
  EXPECT_THAT(judged(axpy, "--text --cases 100", "axpy"), Ends(0, Out(HasSubstr("subject.axpy on host: keeps "))));
}

TEST_F(TextLines, CarryIntegers) {
  const std::string matmul = python(
      "' '.join(str(sum(a[(p * m + i) * k + l] * b[(p * k + l) * n + j] for l in range(k)))"
      " for batch, m, n, k in [[int(c[s]) for s in ('batch', 'm', 'n', 'k')]]"
      " for a, b in [[[int(each) for each in c[s].split(',') if each] for s in 'ab']]"
      " for p in range(batch) for i in range(m) for j in range(n))");
  EXPECT_THAT(judged(matmul, "--text --cases 8 --format s8:s32", "matmul"),
              Ends(0, Out(HasSubstr("subject.matmul.s8_s32 on host: keeps exact"))));
}

/// A shell program that does this for each line.
std::string shell_program(const std::string& answer) {
  return "read -r greeting; echo '{\"protocol\": 1, \"text\": true}'; while read -r line; do " + answer + "; done\n";
}

TEST_F(TextLines, ThatAreNoAnswerAreToldWithWhatIsAccepted) {
  const std::pair<const char*, const char*> answers[] = {
      {"echo abc",
       "line 1 of its answers: 'abc' is no binary64 number; accepted are 0x1.8p+3, 12, 1.2e1, inf, -inf and nan"},
      {"echo 0x1.00000000000001p+0", "'0x1.00000000000001p+0' is no binary64 number"},
      {"echo 1 2", "line 1 of its answers: 2 numbers instead of 1"},
      {"echo", "line 1 of its answers: 0 numbers instead of 1"},
      {"while :; do printf 1111111111; done", "a line of its answers has more than "},
      {"echo error: out of luck", "it says: out of luck"},
      {"exit 5", "it ended with exit code 5"}};
  for (const auto& [answer, says] : answers) {
    const std::string program = "sh " + file_with("kernel.sh", shell_program(answer));
    EXPECT_THAT(judged(program, "--text --cases 1 --overwrite"), Ends(4, Out(HasSubstr(says)))) << answer;
  }
}

TEST_F(TextLines, AndFramesAreNotTakenForEachOther) {
  EXPECT_THAT(judged(python("'0'"), ""), Ends(2, Err(HasSubstr("it writes text lines, which need --text"))));
  EXPECT_THAT(judged(R"(echo "{\"protocol\": 1}")", "--text"), Ends(2, Err(HasSubstr("it uses frames, not text"))));
  EXPECT_THAT(judged("libm.so.6", "--text"), Ends(2, Err(HasSubstr("--text: lines are for a program"))));
  EXPECT_THAT(shell(beside("assay") + " check --text"), Ends(2, Err(HasSubstr("--text: needs --subject"))));
}

TEST_F(TextLines, AreReplayedByTheLineThatWasPrinted) {
  const Ended checked = judged(python("sum(p * q for p, q in zip(numbers(c['x']), numbers(c['y'])))"),
                               "--text --cases 60 --contract faithful");
  EXPECT_THAT(checked, Ends(1, Out(HasSubstr(" --text "))));
  EXPECT_THAT(replay_of(checked), Ends(1, Out(HasSubstr("(the recorded bits)"))));
}

TEST_F(TextLines, OfAProgramThatEndsBeforeItIsGreetedAreRead) {
  EXPECT_THAT(shell("env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=" + beside(ASSAY_LATE_GREETING) + " " +
                    beside("assay") + " check --operation dot --subject 'echo hello' --on host"),
              Ends(2, Err(HasSubstr("its first line is not an answer of protocol 1: hello"))));
}

}  // namespace
}  // namespace assay::testing_program
