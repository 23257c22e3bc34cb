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

TEST_F(ConversionTest, IsRefusedWithOneLine) {
  EXPECT_THAT(of_library("--symbol nothing"), Ends(2, Err(HasSubstr("it has no symbol nothing"))));
  EXPECT_THAT(of_library("--symbol to_int8 --contract even.infinity.nan"),
              Ends(2, Err(HasSubstr("no rule 'even.infinity.nan'"))));
  EXPECT_THAT(judged(beside(ASSAY_CONVERSIONS), "--format f32:f16"),
              Ends(2, Err(HasSubstr("has no convert in f32:f16"))));
  EXPECT_THAT(judged(beside(ASSAY_CONVERSIONS), ""), Ends(2, Err(HasSubstr("source and target of the conversion"))));
}

TEST_F(ConversionTest, HasItsWordsListed) {
  EXPECT_THAT(shell(beside("assay") + " contracts convert"),
              Ends(0, Out(AllOf(HasSubstr("e4m3fn"), HasSubstr("ties away from zero"), HasSubstr("overflow_nan")))));
}

}  // namespace

}  // namespace assay::testing_program
