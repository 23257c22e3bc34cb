// Products of matrices in mixed formats that come from outside.
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::AllOf;
using ::testing::Not;

class MatmulTest : public ProgramTest {
 protected:
  /// The check of a function of the library; `rest`: further options.
  Ended judged(const std::string& symbol, const std::string& format, const std::string& rest = "--cases 120") const {
    return shell("env -u ASSAY_CORPUS " + beside("assay") + " check --operation matmul --subject " +
                 beside(ASSAY_PRODUCTS) + " --symbol " + symbol + " --format " + format + " --no-shrink " +
                 "--progress none --on host --out " + in("run") + " " + rest);
  }
};

using Ladder = MatmulTest;

TEST_F(Ladder, OfAPlainLoopKeepsTheBoundOfAnyOrder) {
  EXPECT_THAT(judged("product_f32", "f32"),
              Ends(0, Out(HasSubstr("subject.matmul.f32 on host: keeps inner_product, zeros, exceptional, alone; "
                                    "breaks faithful\n"))));
}

TEST_F(Ladder, OfSumsInBinary64IsNotRoundedCorrectlyWhereTermsCancel) {
  EXPECT_THAT(judged("product_in_f64", "f32"),
              Ends(0, Out(HasSubstr("keeps inner_product, zeros, exceptional, alone; breaks faithful\n"))));
}

TEST_F(Ladder, OfFactorsThatAreCutBreaksTheBound) {
  EXPECT_THAT(judged("product_cut", "f32"), Ends(0, Out(HasSubstr("breaks faithful, inner_product\n"))));
}

TEST_F(Ladder, OfAProductThatLeavesOutTheRestOfTheBatchBreaksTheBound) {
  EXPECT_THAT(judged("product_of_first", "f32"), Ends(0, Out(HasSubstr("breaks faithful, inner_product"))));
}

TEST_F(Ladder, RefusesEveryControlInEveryFormat) {
  for (const std::string format :
       {"f64", "f32", "bf16", "bf16:f32", "f16", "f16:f32", "e4m3:f32", "e4m3:bf16", "e5m2:f32", "s8:s32"}) {
    EXPECT_THAT(judged("product_none", format, "--cases 1"), Out(HasSubstr("refuses 7 controls"))) << format;
  }
}

using Exceptional = MatmulTest;

TEST_F(Exceptional, ProductsOfZeroAreMissedWhereZerosAreLeftOut) {
  EXPECT_THAT(judged("product_without_zeros", "f32"), Ends(0, Out(HasSubstr("breaks faithful, exceptional\n"))));
}

using Integers = MatmulTest;

TEST_F(Integers, AreExactInSumsOf32Bits) {
  EXPECT_THAT(judged("product_s8", "s8:s32"),
              Ends(0, Out(HasSubstr("subject.matmul.s8_s32 on host: keeps exact, alone\n"))));
}

TEST_F(Integers, AreNotExactInSumsOf24Bits) {
  EXPECT_THAT(judged("product_s8_in_f32", "s8:s32"), Ends(0, Out(HasSubstr("keeps alone; breaks exact\n"))));
}

using Formats = MatmulTest;

TEST_F(Formats, WithoutAContractAreNamed) {
  EXPECT_THAT(judged("product_s8", "s8:s32", "--contract faithful"),
              Ends(2, Err(HasSubstr("--contract faithful: matmul has it not in s8:s32; there are: exact, alone"))));
}

TEST_F(Formats, OfAProgramAreInputsAndResults) {
  const std::string program = "env PYTHONPATH=" ASSAY_PYTHON
                              " python3 -c \"from assay.subject import serve; "
                              "serve(matmul=lambda batch, m, n, k, a, b: [sum(a[(p*m+i)*k+l]*b[(p*k+l)*n+j] for l in "
                              "range(k)) for p in range(batch) for i in range(m) for j in range(n)])\"";
  EXPECT_THAT(shell("env -u ASSAY_CORPUS " + beside("assay") + " check --operation matmul --format s8:s32 --cases 20 " +
                    "--subject '" + program + "' --no-shrink --progress none --on host --out " + in("run")),
              Ends(0, Out(HasSubstr("subject.matmul.s8_s32 on host: keeps exact, alone\n"))));
}

}  // namespace
}  // namespace assay::testing_program
