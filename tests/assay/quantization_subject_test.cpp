// Quantizers from outside on the command line.

#include <cstdlib>

#include "tests/assay/program.hpp"

namespace assay::testing_program {

namespace {

class QuantizationTest : public ProgramTest {
 protected:
  Ended judged(const std::string& rest, const std::string& format = "f32:mxfp4") const {
    return shell(beside("assay") + " check --operation quantize --subject " + beside(ASSAY_QUANTIZERS) + " --out " +
                 in("run") + " --format " + format + " " + rest);
  }
};

TEST_F(QuantizationTest, OfAFunctionIsNamed) {
  EXPECT_THAT(judged("--symbol quantize"),
              Ends(0, Out(AllOf(HasSubstr("quantize f32:mxfp4: follows mxfp4.floor.even on all "),
                                HasSubstr("not mxfp4.round_up.even: a block with amax "),
                                HasSubstr("keeps round_trip.floor: 1/4 (quantize.round_trip.1)")))));
  EXPECT_THAT(content(in("run/quantize.json")), HasSubstr(R"("mxfp4.floor.even")"));
}

TEST_F(QuantizationTest, OfATableIsNamed) {
  EXPECT_THAT(judged(""), Ends(0, Out(HasSubstr("quantize f32:mxfp4: follows mxfp4.floor.even on all "))));
  EXPECT_THAT(judged("", "f32:mxfp4:tails"), Ends(0, Out(HasSubstr("follows mxfp4.floor.even on all "))));
  EXPECT_THAT(judged("", "f32:uint8_zero_row"), Ends(0, Out(HasSubstr("follows uint8_zero_row.divide.even on all "))));
  EXPECT_THAT(judged("--contract q4_k.stored.even", "f32:q4_k"),
              Ends(1, Out(AllOf(HasSubstr("quantize f32:q4_k: follows every rule, so the blocks show none"),
                                HasSubstr("= 1.00000*amax")))));
  EXPECT_THAT(judged("", "f32:int8_row"), Ends(2, Err(HasSubstr("has no quantize in f32:int8_row"))));
}

/// A quantizer of binary32 to int8 with a scale for each row, in Python without NumPy.
constexpr const char* by_rows = R"(
import array, math, struct, sys
sys.path.insert(0, ")" ASSAY_PYTHON R"(")
import assay.subject

def quantize(rows, columns, x):
    single = lambda y: struct.unpack("f", struct.pack("f", y))[0]
    codes, scales = array.array("b"), array.array("f")
    for row in range(rows):
        numbers = [float(each) for each in x[row * columns : (row + 1) * columns]]
        scales.append(max(map(abs, numbers)) / 127)
        ratios = [each / scales[-1] if scales[-1] else 0 for each in numbers]
        codes.extend(round(single(each)) if math.isfinite(each) else 0 for each in ratios)
    return codes, scales

assay.subject.serve(quantize=quantize)
)";

TEST_F(QuantizationTest, OfAProgramIsNamed) {
  const std::string program = file_with("rows.py", by_rows);
  const auto named = [&](const std::string& format) {
    return shell(beside("assay") + " check --operation quantize --subject \"python3 " + program + "\" --out " +
                 in("run") + " --format " + format);
  };
  EXPECT_THAT(named("f32:int8_row"),
              Ends(0, Out(HasSubstr("quantize f32:int8_row: follows int8_row.divide.even on all "))));
  EXPECT_THAT(named("f32:int8_1x128"), Ends(4, Err(HasSubstr("its answer is not a frame of "))));
}

TEST_F(QuantizationTest, WithRandomWordsIsNamed) {
  const auto follows = HasSubstr("quantize f32:mxfp4 with words of 8 bits: follows mxfp4.floor.carry on all ");
  EXPECT_THAT(judged("--symbol by_words --words 8"),
              Ends(0, Out(AllOf(follows, HasSubstr("largest bias -"), HasSubstr("keeps unbiased: ")))));
  EXPECT_THAT(content(in("run/quantize.json")), HasSubstr("\"random_bits\": 8"));
  EXPECT_THAT(judged("--words 8 --contract unbiased"),
              Ends(0, Out(AllOf(HasSubstr("with words of 8 bits: unbiased is kept"), follows))));
}

TEST_F(QuantizationTest, ThatDrawsItsWordsIsTested) {
  EXPECT_THAT(
      judged("--symbol draws --draws 8"),
      Ends(0, Out(AllOf(HasSubstr("quantize f32:mxfp4 drawing words of 8 bits: follows mxfp4.floor.carry on all "),
                        HasSubstr("(convert.draws.2)")))));
  EXPECT_THAT(content(in("run/quantize.json")), HasSubstr("\"first_kind\": 1e-09"));
  EXPECT_THAT(judged("--symbol draws_once --draws 8"), Ends(1, Out(HasSubstr("its words are not independent: "))));
  EXPECT_THAT(judged("--symbol quantize --draws 8 --contract mxfp4.floor.carry"),
              Ends(1, Out(HasSubstr("mxfp4.floor.carry is broken by "))));
}

TEST_F(QuantizationTest, ThatUsesARandomWordTwiceIsAViolation) {
  EXPECT_THAT(judged("--symbol by_words_twice --words 8"),
              Ends(1, Out(HasSubstr("an entry with the same word has two codes, beside entries with other words"))));
}

/// A quantizer of binary32 to int8 with a scale for each row and random words of 4 bits, in Python without NumPy.
constexpr const char* by_rows_and_words = R"(
import array, math, struct, sys
sys.path.insert(0, ")" ASSAY_PYTHON R"(")
import assay.subject

def quantize(rows, columns, x, words):
    single = lambda y: struct.unpack("f", struct.pack("f", y))[0]
    codes, scales = array.array("b"), array.array("f")
    for row in range(rows):
        numbers = [float(each) for each in x[row * columns : (row + 1) * columns]]
        finite = [each if math.isfinite(each) else 0 for each in numbers]
        scales.append(max(map(abs, finite)) / 127)
        for y, word in zip(finite, words[row * columns :]):
            ratio = abs(single(y / scales[-1])) if scales[-1] else 0
            code = min(127, int(ratio) + (int(16 * (ratio % 1)) + int(word) >= 16))
            codes.append(-code if y < 0 else code)
    return codes, scales

assay.subject.serve(quantize=quantize)
)";

TEST_F(QuantizationTest, OfAProgramWithRandomWordsIsNamed) {
  EXPECT_THAT(
      shell(beside("assay") + " check --operation quantize --words 4 --format f32:int8_row --subject \"python3 " +
            file_with("words.py", by_rows_and_words) + "\" --out " + in("run")),
      Ends(0, Out(HasSubstr("quantize f32:int8_row with words of 4 bits: follows int8_row.divide.carry on "))));
}

TEST_F(QuantizationTest, WithTailsIsNamedAndItsMistakeToo) {
  EXPECT_THAT(judged("--symbol quantize_rows", "f32:mxfp4:tails"),
              Ends(0, Out(HasSubstr("quantize f32:mxfp4: follows mxfp4.floor.even on all "))));
  EXPECT_THAT(judged("--symbol forgets_tails"), Ends(0, Out(HasSubstr("follows mxfp4.floor.even on all "))));
  EXPECT_THAT(judged("--symbol forgets_tails", "f32:mxfp4:tails"),
              Ends(0, Out(AllOf(HasSubstr("follows mxfp4.floor.even, but for inputs like "),
                                HasSubstr(" in a block with amax "), HasSubstr(": it gives "),
                                HasSubstr("\n  the rule is broken by ")))));
}

TEST_F(QuantizationTest, ThatBreaksItsPromiseIsAViolation) {
  EXPECT_THAT(judged("--symbol rounds_up --contract mxfp4.floor.even"),
              Ends(1, Out(HasSubstr("quantize f32:mxfp4: mxfp4.floor.even is broken by "))));
  EXPECT_THAT(judged("--contract round_trip.round_up"),
              Ends(1, Out(HasSubstr("quantize f32:mxfp4: round_trip.round_up is broken"))));
}

TEST_F(QuantizationTest, ThatKeepsItsPromiseIsNone) {
  EXPECT_THAT(judged("--symbol rounds_up --contract round_trip.round_up"),
              Ends(0, Out(HasSubstr("quantize f32:mxfp4: round_trip.round_up is kept"))));
}

TEST_F(QuantizationTest, ThatCrashesOrWritesBehindItsScalesIsStopped) {
  EXPECT_THAT(judged("--symbol ends"), Ends(4, Err(HasSubstr("it was ended by SIGABRT"))));
  EXPECT_THAT(judged("--symbol writes_on"), Ends(4, Err(HasSubstr("it was ended by SIGSEGV"))));
}

TEST_F(QuantizationTest, IsRefusedWithOneLine) {
  EXPECT_THAT(judged("--symbol nothing"), Ends(2, Err(HasSubstr("it has no symbol nothing"))));
  EXPECT_THAT(judged("--contract mxfp4.floor.carry"),
              Ends(2, Err(HasSubstr("mxfp4.floor.carry: a rule with random words; their bits are missing"))));
  EXPECT_THAT(judged("--words 8", "f32:q4_0"), Ends(2, Err(HasSubstr("q4_0 has no rules with random words; "))));
  EXPECT_THAT(judged("--contract mxfp4.floor"), Ends(2, Err(HasSubstr("no contract 'mxfp4.floor' of f32:mxfp4"))));
  EXPECT_THAT(judged("--contract idempotent", "f32:int8_row"),
              Ends(2, Err(HasSubstr("no contract 'idempotent' of f32:int8_row: its scales are not powers of two, "))));
}

TEST_F(QuantizationTest, OnADeviceNeedsADeviceAndALibraryForIt) {
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  EXPECT_THAT(judged("--on cuda --symbol quantize"), Ends(77, Err(HasSubstr(": nothing runs on cuda"))));
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_THAT(judged("--on cuda"), Ends(2, Err(HasSubstr("--on cuda: the kernels in the table of "))));
  EXPECT_THAT(
      shell(beside("assay") + " check --operation quantize --format f32:mxfp4 --on cuda --subject \"python3 x\""),
      Ends(2, Err(HasSubstr("--on cuda: a program gets no arrays of a device"))));
}

TEST_F(QuantizationTest, HasItsWordsListed) {
  EXPECT_THAT(shell(beside("assay") + " contracts quantize"),
              Ends(0, Out(AllOf(HasSubstr("mxfp6_e2m3"), HasSubstr("round_up_f32"), HasSubstr("nan_signed_max")))));
}

}  // namespace

}  // namespace assay::testing_program
