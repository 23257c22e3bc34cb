// Products of matrices in mixed formats that come from outside.
#include "tests/assay/program.hpp"
#include "tests/tier.hpp"

namespace assay::testing_program {
namespace {

class MatmulTest : public ProgramTest {
 protected:
  /// The check of a function of the library; `rest`: further options.
  Ended judged(const std::string& symbol, const std::string& format, const std::string& rest = "--cases 120",
               const std::string& library = ASSAY_PRODUCTS) const {
    return shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 " + beside("assay") + " check --operation matmul --subject " +
                 beside(library) + " --symbol " + symbol + " --format " + format + " --no-shrink " +
                 "--progress none --on host --out " + in("run") + " " + rest);
  }
};

using Ladder = MatmulTest;

TEST_F(Ladder, OfAPlainLoopKeepsTheBoundOfAnyOrder) {
  EXPECT_THAT(
      judged("product_f32", "f32"),
      Ends(0, Out(HasSubstr(
                  "subject.matmul.f32 on host: keeps inner_product, tf32_hopper, zeros, exceptional, batch_invariant; "
                  "breaks faithful\n"))));
}

TEST_F(Ladder, OfSumsInBinary64IsNotRoundedCorrectlyWhereTermsCancel) {
  EXPECT_THAT(
      judged("product_in_f64", "f32"),
      Ends(0,
           Out(HasSubstr("keeps inner_product, tf32_hopper, zeros, exceptional, batch_invariant; breaks faithful\n"))));
}

TEST_F(Ladder, OfFactorsThatAreCutBreaksTheBound) {
  EXPECT_THAT(judged("product_cut", "f32"), Ends(0, Out(HasSubstr("breaks faithful, inner_product_ftz\n"))));
}

TEST_F(Ladder, OfAProductThatLeavesOutTheRestOfTheBatchBreaksTheBound) {
  EXPECT_THAT(judged("product_of_first", "f32"),
              Ends(0, Out(HasSubstr("breaks exact_grid, exceptional, batch_invariant\n"))));
}

TEST_F(Ladder, RefusesEveryControl) {
  const std::vector<std::string> all{"f64",     "f32",      "bf16",      "bf16:f32", "f16",
                                     "f16:f32", "e4m3:f32", "e4m3:bf16", "e5m2:f32", "s8:s32"};
  for (const std::string& format : test::of_tier<std::vector<std::string>>({"f32", "bf16:f32", "s8:s32"}, all)) {
    EXPECT_THAT(judged("product_none", format, "--cases 1"), Out(HasSubstr("refuses 8 controls"))) << format;
  }
}

/// A function of the library of units, its format, and its ladder.
struct OfUnit {
  const char* symbol;
  const char* format;
  const char* ladder;
  const char* cases = "100";
};
class MatrixUnits : public MatmulTest, public ::testing::WithParamInterface<OfUnit> {};

TEST_P(MatrixUnits, StandWhereTheirArithmeticPutsThem) {
  EXPECT_THAT(judged(GetParam().symbol, GetParam().format,
                     "--cases " + std::string(GetParam().cases) + " --timeout-case 60s", ASSAY_UNITS),
              Ends(0, Out(HasSubstr(GetParam().ladder))));
}
INSTANTIATE_TEST_SUITE_P(
    , MatrixUnits,
    ::testing::Values(
        OfUnit{"hopper_bf16", "bf16:f32",
               "keeps inner_product, tensor_core_hopper, zeros, exceptional, batch_invariant; breaks "
               "faithful\n"},
        OfUnit{"ampere_bf16", "bf16:f32",
               "keeps inner_product_ftz, tensor_core_ampere, zeros, exceptional, batch_invariant; breaks "
               "faithful, inner_product, tensor_core_hopper\n"},
        OfUnit{"volta_f16", "f16:f32",
               "keeps tensor_core, zeros, exceptional, batch_invariant; breaks faithful, inner_product, "
               "tensor_core_ampere\n"},
        OfUnit{"hopper_f16_stored", "f16",
               "keeps inner_product, tensor_core_hopper, f16_accumulate, zeros, "
               "exceptional, batch_invariant; breaks faithful\n"},
        OfUnit{"hopper_f16_accumulated", "f16",
               "keeps reduced_any_split, f16_accumulate, zeros, exceptional, batch_invariant; breaks faithful, "
               "reduced_split_k\n"},
        OfUnit{"hopper_tf32_truncated", "f32",
               "keeps tf32_hopper, zeros, exceptional, batch_invariant; breaks faithful, "
               "inner_product_ftz\n"},
        OfUnit{"hopper_e4m3_raw", "e4m3:f32",
               "keeps fp8_raw, zeros, exceptional; breaks faithful, inner_product, "
               "tensor_core, fp8_promoted\n",
               "200"},
        OfUnit{"hopper_e4m3_promoted", "e4m3:f32",
               "keeps fp8_promoted, fp8_raw, zeros, exceptional; breaks faithful, "
               "inner_product, tensor_core\n"}),
    [](const ::testing::TestParamInfo<OfUnit>& of) { return std::string(of.param.symbol); });

using Exceptional = MatmulTest;

TEST_F(Exceptional, ProductsOfZeroAreMissedWhereZerosAreLeftOut) {
  EXPECT_THAT(judged("product_without_zeros", "f32"), Ends(0, Out(HasSubstr("breaks faithful, exceptional\n"))));
}

using Integers = MatmulTest;

TEST_F(Integers, AreExactInSumsOf32Bits) {
  EXPECT_THAT(judged("product_s8", "s8:s32"),
              Ends(0, Out(HasSubstr("subject.matmul.s8_s32 on host: keeps exact, batch_invariant\n"))));
}

TEST_F(Integers, AreNotExactInSumsOf24Bits) {
  EXPECT_THAT(judged("product_s8_in_f32", "s8:s32"), Ends(0, Out(HasSubstr("keeps batch_invariant; breaks exact\n"))));
}

using Formats = MatmulTest;

TEST_F(Formats, WithoutAContractAreNamed) {
  EXPECT_THAT(
      judged("product_s8", "s8:s32", "--contract faithful"),
      Ends(
          2,
          Err(HasSubstr(
              "--contract faithful: matmul does not have this contract in s8:s32; accepted: exact, batch_invariant"))));
}

TEST_F(Formats, OfAProgramAreInputsAndResults) {
  const std::string program =
      "env PYTHONPATH=" ASSAY_PYTHON
      " python3 -c \"from assay.subject import serve; serve(matmul=lambda batch, m, n, k, a, b: "
      "[sum(int(a[(p*m+i)*k+l]) * "
      "int(b[(p*k+l)*n+j]) for l in range(k)) for p in range(batch) for i in range(m) for j in range(n)])\"";
  EXPECT_THAT(shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 " + beside("assay") +
                    " check --operation matmul --format s8:s32 --cases 8 " + "--subject '" + program +
                    "' --no-shrink --progress none --on host --out " + in("run")),
              Ends(0, Out(HasSubstr("subject.matmul.s8_s32 on host: keeps exact, batch_invariant\n"))));
}

TEST_F(Formats, OfAProgramAreToldByFieldWhereThereAreSeveral) {
  const std::string file = file_with("epilogue.py", R"(from assay.subject import serve
def epilogue(batch, m, n, k, alpha, a, b, beta, c):
    result = []
    for p in range(batch):
        for i in range(m):
            for j in range(n):
                row, column = a[(p * m + i) * k :][:k], b[p * k * n + j :: n][:k]
                s = sum(float(x) * float(y) for x, y in zip(row, column)) if alpha else 0.0
                start = float(beta) * float(c[(p * m + i) * n + j]) if beta else 0.0
                result.append((float(alpha) * s if alpha else 0.0) + start)
    return result
serve(matmul_epilogue=epilogue)
)");
  EXPECT_THAT(
      shell("env -u ASSAY_CORPUS PYTHONPATH=" ASSAY_PYTHON " " + beside("assay") +
            " check --operation matmul_epilogue --format f16:f32 --contract inner_product --cases 12 --subject " +
            "'python3 " + file + "' --no-shrink --progress none --on host --out " + in("run")),
      Ends(0, Out(HasSubstr("holds"))));
}

/// Tests with a program whose function of matrices is `function`, a lambda of Python.
class Program : public MatmulTest {
 protected:
  Ended judged_program(const std::string& text) const {
    return shell("env -u ASSAY_CORPUS PYTHONPATH=" ASSAY_PYTHON " " + beside("assay") +
                 " check --operation matmul --format s8:s32 --cases 16 --subject 'python3 " +
                 file_with("product.py", text) + "' --jobs 1 --no-shrink --progress none --on host --out " + in("run"));
  }
};

constexpr const char* product_of_integers = R"(import os
import assay.subject as subject
def product(batch, m, n, k, a, b):
    return [sum(int(a[(p * m + i) * k + l]) * int(b[(p * k + l) * n + j]) for l in range(k))
            for p in range(batch) for i in range(m) for j in range(n)]
)";

TEST_F(Program, GetsSeveralCasesInAFrame) {
  const std::string log = in("frames");
  EXPECT_THAT(judged_program(std::string(product_of_integers) + R"(of_frame = subject._cases
def logged(header, raw, code):
    with open(")" + log + R"(", "a") as file:
        print(header["cases"], file=file)
    return of_frame(header, raw, code)
subject._cases = logged
subject.serve(matmul=product)
)"),
              Ends(0, Out(HasSubstr("subject.matmul.s8_s32 on host: keeps exact, batch_invariant\n"))));
  EXPECT_THAT(shell("cat " + log), Out(HasSubstr("16\n")));
}

TEST_F(Program, ThatEndsInAFrameLosesTheCasesAloneAtWhichItEnds) {
  EXPECT_THAT(judged_program(std::string(product_of_integers) + R"(def ending(batch, m, n, k, a, b):
    if k > 100:
        os._exit(3)
    return product(batch, m, n, k, a, b)
subject.serve(matmul=ending)
)"),
              Ends(4, Out(AllOf(HasSubstr("ended with exit code 3"), Not(HasSubstr("breaks"))))));
}

}  // namespace
}  // namespace assay::testing_program
