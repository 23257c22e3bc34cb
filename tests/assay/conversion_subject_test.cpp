// Conversions from outside on the command line: a function, a table, a program.

#include "tests/assay/program.hpp"

namespace assay::testing_program {

namespace {

class ConversionTest : public ProgramTest {
 protected:
  Ended judged(const std::string& subject, const std::string& rest = "--format f32:int8") const {
    return shell(beside("assay") + " check --operation convert --subject " + subject + " --out " + in("run") + " " +
                 rest);
  }
  Ended of_library(const std::string& rest) const {
    return judged(beside(ASSAY_CONVERSIONS), "--format f32:int8 " + rest);
  }
};

TEST_F(ConversionTest, OfAFunctionIsNamed) {
  EXPECT_THAT(of_library("--symbol to_int8"),
              Ends(0, Out(AllOf(HasSubstr("convert f32:int8: follows even.saturate.nan_zero on "),
                                HasSubstr("not away.saturate.nan_zero: 0x3f000000 = 0x1p-1 gives 0, not 1")))));
  EXPECT_THAT(content(in("run/convert.json")), HasSubstr(R"("follows": ["even.saturate.nan_zero"])"));
}

TEST_F(ConversionTest, OfATableIsNamed) {
  EXPECT_THAT(of_library(""), Ends(0, Out(HasSubstr("convert f32:int8: follows even.saturate.nan_zero on "))));
}

TEST_F(ConversionTest, OfAProgramIsNamed) {
  const std::string program = file_with("bf16.py", R"(
import sys
sys.path.insert(0, ")" ASSAY_PYTHON R"(")
import assay.subject
assay.subject.serve(convert=lambda x: [round(min(255, max(0, each))) if each == each else 0 for each in x])
)");
  EXPECT_THAT(judged("\"python3 " + program + "\"", "--format f16:uint8"),
              Ends(0, Out(HasSubstr("convert f16:uint8: follows even.saturate.nan_zero on all 65536 inputs"))));
}

TEST_F(ConversionTest, ToPairsIsNamedWithTheirOrder) {
  const std::string library = beside(ASSAY_CONVERSIONS);
  EXPECT_THAT(judged(library, "--format f32:int4x2"),
              Ends(0, Out(HasSubstr("convert f32:int4x2: follows even.saturate.nan_zero on "))));
  EXPECT_THAT(judged(library, "--format f32:int4x2 --symbol high_first --contract even.saturate.nan_zero"),
              Ends(1, Out(AllOf(HasSubstr("convert f32:int4x2: even.saturate.nan_zero is broken by "),
                                HasSubstr("follows even.saturate.nan_zero.high_first on ")))));
  const std::string program = file_with("pairs.py", R"(
import sys
sys.path.insert(0, ")" ASSAY_PYTHON R"(")
import assay.subject
assay.subject.serve(convert=lambda x: [each >> place & 15 for each in map(int, x) for place in (4, 0)])
)");
  EXPECT_THAT(judged("\"python3 " + program + "\"", "--format uint4x2:uint8"),
              Ends(0, Out(AllOf(HasSubstr("on all 16 inputs: proved"), HasSubstr(".high_first ")))));
}

TEST_F(ConversionTest, ThatBreaksItsPromiseIsAViolation) {
  EXPECT_THAT(of_library("--symbol to_int8 --contract zero.saturate.nan_zero"),
              Ends(1, Out(HasSubstr("convert f32:int8: zero.saturate.nan_zero is broken by "))));
}

TEST_F(ConversionTest, ThatCrashesIsStopped) {
  EXPECT_THAT(of_library("--symbol crashes"), Ends(4, Err(HasSubstr("it was ended by SIGABRT"))));
}

TEST_F(ConversionTest, ThatReadsBehindItsInputIsStopped) {
  EXPECT_THAT(of_library("--symbol reads_on"), Ends(4, Err(HasSubstr("it was ended by SIGSEGV"))));
}

/// Integers of 4 bits as numbers of e2m1, to nearest with ties to the even code: 0, 1, 2, 3, 4 (of 5), 6, and -8 to -1.
TEST_F(ConversionTest, OfAFileOfRunsIsNamed) {
  const std::string rows =
      "0x0 0x0\n0x1 0x2\n0x2 0x4\n0x3 0x5\n0x4 0x6\n0x6 0x7\n0x8 0xf\n0xb 0xe\n0xd 0xd\n0xe 0xc\n0xf 0xa\n";
  const std::string file = file_with("int4.runs", rows);
  EXPECT_THAT(judged(file, "--format int4:e2m1"),
              Ends(0, Out(HasSubstr("convert int4:e2m1: follows even.saturate.nan on all 16 inputs: proved for this "
                                    "list of results\n"))));
  EXPECT_THAT(content(in("run/convert.json")), HasSubstr(R"("runs": true)"));
  EXPECT_THAT(judged(file, "--format int4:e2m1 --contract away.saturate.nan"),
              Ends(1, Out(AllOf(HasSubstr("away.saturate.nan is broken by 2 of the 16 inputs tested"),
                                HasSubstr("5 gives 0x6 = 0x1p+2, not 0x7 = 0x1.8p+2")))));
}

TEST_F(ConversionTest, OfAFileOfRunsIsRefusedWithOneLine) {
  const std::string file = file_with("damaged.runs", "0x0 0x0\n0x0 0x1\n");
  EXPECT_THAT(judged(file, "--format f16:e4m3fn"),
              Ends(5, Err(HasSubstr("damaged.runs: line 2: the input is not above the one before"))));
  EXPECT_THAT(judged(in("none.runs"), "--format f16:e4m3fn"), Ends(5, Err(HasSubstr("none.runs"))));
  EXPECT_THAT(judged(file, "--format f64:e4m3fn"), Ends(2, Err(HasSubstr("every input is tested"))));
  EXPECT_THAT(judged(file, "--format f16:e4m3fn --symbol x"), Ends(2, Err(HasSubstr("--symbol: a file of runs"))));
  EXPECT_THAT(judged(file, "--format f16:e2m1x2"), Ends(2, Err(HasSubstr("--format: a file of runs has no pairs"))));
  EXPECT_THAT(judged(file, "--format f16:e4m3fn --words 8"), Ends(2, Err(HasSubstr("a file of runs has no random"))));
}

TEST_F(ConversionTest, IsRefusedWithOneLine) {
  EXPECT_THAT(of_library("--symbol nothing"), Ends(2, Err(HasSubstr("it has no symbol nothing"))));
  EXPECT_THAT(of_library("--symbol to_int8 --contract even.infinity.nan"),
              Ends(2, Err(HasSubstr("no rule 'even.infinity.nan'"))));
  EXPECT_THAT(judged(beside(ASSAY_CONVERSIONS), "--format f32:f16"),
              Ends(2, Err(HasSubstr("has no convert in f32:f16"))));
  EXPECT_THAT(judged(beside(ASSAY_CONVERSIONS), ""), Ends(2, Err(HasSubstr("source and target of the conversion"))));
}

class StochasticTest : public ConversionTest {
 protected:
  Ended of_bf16(const std::string& rest) const {
    return judged(beside(ASSAY_CONVERSIONS), "--format f32:bf16 " + rest);
  }
};

TEST_F(StochasticTest, WithGivenWordsIsNamed) {
  EXPECT_THAT(of_bf16("--symbol to_bf16 --words 16"),
              Ends(0, Out(AllOf(HasSubstr("convert f32:bf16 with words of 16 bits: follows carry.infinity.nan on "),
                                HasSubstr("carry: no bias at any of the inputs"),
                                HasSubstr("not carry.infinity.nan.reversed: 0x00000001 = 0x1p-149 with the word 0x0 "
                                          "gives 0x0000 = 0x0p+0, not 0x0001 = 0x1p-133")))));
  EXPECT_THAT(content(in("run/convert.json")), HasSubstr(R"("random_bits": 16)"));
}

TEST_F(StochasticTest, WithGivenWordsInATableIsNamed) {
  EXPECT_THAT(of_bf16("--words 16"),
              Ends(0, Out(HasSubstr("convert f32:bf16 with words of 16 bits: follows carry.infinity.nan on "))));
}

TEST_F(StochasticTest, WithGivenWordsInAProgramIsNamed) {
  const std::string program = file_with("words.py", R"(
import sys
sys.path.insert(0, ")" ASSAY_PYTHON R"(")
import assay.subject

def number(code):  # of e4m3fn; 0 for NaNs and negative numbers
    exponent, fraction = code >> 3, code & 7
    return 0 if code > 126 else fraction / 512 if exponent == 0 else (8 + fraction) * 2.0 ** (exponent - 10)

def convert(x, words):
    return [int(min(15, number(int(each)) + word / 16)) for each, word in zip(x, words)]

assay.subject.serve(convert=convert)
)");
  EXPECT_THAT(
      judged("\"python3 " + program + "\"", "--format e4m3fn:uint4 --words 4"),
      Ends(0, Out(HasSubstr("with words of 4 bits: follows carry.saturate.nan_zero on 4096 pairs of 256 inputs"))));
}

TEST_F(StochasticTest, WithFewerWordsThanClaimedIsAViolation) {
  EXPECT_THAT(of_bf16("--symbol to_bf16 --words 12 --contract carry.infinity.nan"),
              Ends(1, Out(HasSubstr("carry.infinity.nan is broken by "))));
}

TEST_F(StochasticTest, ThatReadsBehindItsWordsIsStopped) {
  EXPECT_THAT(of_bf16("--symbol reads_words_on --words 16"), Ends(4, Err(HasSubstr("it was ended by SIGSEGV"))));
}

TEST_F(StochasticTest, ThatDrawsItsWordsIsTested) {
  EXPECT_THAT(of_bf16("--symbol draws_bf16 --draws 16 --contract carry.infinity.nan"),
              Ends(0, Out(AllOf(HasSubstr("convert f32:bf16 drawing words of 16 bits: follows carry.infinity.nan on "),
                                HasSubstr("with independent words is refused with probability at most 1e-09")))));
}

TEST_F(StochasticTest, ThatUsesAWordTwiceIsAViolation) {
  EXPECT_THAT(of_bf16("--symbol draws_for_two --draws 16"), Ends(1, Out(HasSubstr("its words are not independent: "))));
}

TEST_F(StochasticTest, IsRefusedWithOneLine) {
  EXPECT_THAT(judged(beside(ASSAY_CONVERSIONS), "--format f32:int4x2 --words 4"),
              Ends(2, Err(HasSubstr("f32:int4x2: no pairs with random words"))));
  EXPECT_THAT(of_bf16("--symbol to_bf16 --words 33"), Ends(2, Err(HasSubstr("an integer from 1 to 32 is accepted"))));
  EXPECT_THAT(of_bf16("--symbol to_bf16 --words 16 --contract even.infinity.nan"),
              Ends(2, Err(HasSubstr("no rule 'even.infinity.nan' of f32:bf16 with random words"))));
  EXPECT_THAT(of_bf16("--symbol to_bf16 --words 16 --draws 16"), Ends(2, Err(HasSubstr("--words excludes --draws"))));
  EXPECT_THAT(shell(beside("assay") + " check --operation sum --words 16 --subject " + beside(ASSAY_CONVERSIONS)),
              Ends(2, Err(HasSubstr("--words: of --operation convert"))));
}

TEST_F(ConversionTest, HasItsWordsListed) {
  EXPECT_THAT(shell(beside("assay") + " contracts convert"),
              Ends(0, Out(AllOf(HasSubstr("e4m3fn"), HasSubstr("ties away from zero"), HasSubstr("overflow_nan"),
                                HasSubstr("ties to odd")))));
}

}  // namespace

}  // namespace assay::testing_program
