// Element-wise operations of kernels from outside: functions of one number, error-free transforms, double words.

#include "tests/assay/program.hpp"
#include "tests/tier.hpp"

namespace assay::testing_program {
namespace {

/// Checks of the library of element-wise functions.
class ScalarsTest : public ProgramTest {
 protected:
  /// The check of `symbol`, a function that computes `operation`.
  Ended judged(const std::string& operation, const std::string& symbol, const std::string& rest = "") const {
    return judged_of(beside(ASSAY_SCALARS), operation, symbol, rest);
  }
  Ended judged_of(const std::string& library, const std::string& operation, const std::string& symbol,
                  const std::string& rest = "") const {
    return shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 " + beside("assay") + " check --operation " + operation +
                 " --subject " + library + " --symbol " + symbol + " --progress none --no-shrink --on host --out " +
                 in("run") + " " + rest);
  }
};

using Functions = ScalarsTest;

TEST_F(Functions, OfTheSystemThatIeee754DefinesAreCorrectlyRounded) {
  for (const std::string symbol : {"sqrtf", "sqrt"}) {
    EXPECT_THAT(judged_of("libm.so.6", "sqrt", symbol),
                Ends(0, Out(HasSubstr("keeps correctly_rounded, special_values\n"))))
        << symbol;
  }
}

TEST_F(Functions, AreCalledAsTheirNamesInCTell) {
  EXPECT_THAT(judged("exp", "expf"), Ends(0, Out(HasSubstr("subject.exp.f32 on host: keeps "))));
  EXPECT_THAT(judged("sqrt", "cr_sqrtf"), Ends(0, Out(HasSubstr("subject.sqrt.f32 on host: keeps correctly_rounded"))));
}

TEST_F(Functions, OfHalfPrecisionAreCalledAsTheirNamesInCTell) {
#if defined(__FLT16_MANT_DIG__)
  EXPECT_THAT(judged("sqrt", "cr_sqrtf16"),
              Ends(0, Out(HasSubstr("subject.sqrt.f16 on host: keeps correctly_rounded"))));
#else
  GTEST_SKIP() << "the compiler has no _Float16";
#endif
}

TEST_F(Functions, OfArraysAreCalledByAnyOtherName) {
  EXPECT_THAT(judged("exp", "exp_f32", "--format f32 --contract faithful --contract special_values").code, 0);
}

TEST_F(Functions, OfSixteenBitsAreAskedForEveryInput) {
  for (const std::string format : {"f16", "bf16"}) {
    EXPECT_THAT(judged("exp", "exp_" + format, "-v --format " + format),
                Ends(0, Out(::testing::AllOf(ContainsRegex("subject.exp." + format +
                                                           "/special_values +host  holds +65536 cases .*exhaustive"),
                                             HasSubstr("keeps correctly_rounded, special_values\n"),
                                             HasSubstr("every contract about an error refuses 7 controls")))))
        << format;
  }
}

TEST_F(Functions, OfThirtyTwoBitsAreAskedForEveryInputInShards) {
  EXPECT_THAT(judged("exp", "exp_f32", "--format f32 --tier exhaustive --shard 5/2097152 --contract faithful"),
              Ends(0, Out(::testing::AllOf(ContainsRegex(" 1554 cases .*exhaustive, 494 outside its preconditions"),
                                           HasSubstr("keeps faithful\n")))));
}

TEST_F(Functions, OneStepBesideTheValueKeepTwoUlps) {
  EXPECT_THAT(judged("exp", "exp_next", "--format f32"),
              Ends(0, Out(HasSubstr("keeps ulp_2, steps_1, special_values, monotone; breaks ulp_1\n"))));
}

TEST_F(Functions, ThatFlushSubnormalNumbersKeepABoundThatAllowsIt) {
  EXPECT_THAT(judged("exp", "exp_flushes", "--format f32"),
              Out(HasSubstr("keeps ulp_2_ftz, special_values, monotone; breaks ulp_64, steps_64")));
}

TEST_F(Functions, BreakTheSpecialValuesAlone) {
  for (const std::string symbol : {"exp_saturates", "exp_of_nan_is_zero"}) {
    EXPECT_THAT(judged("exp", symbol, "--format f32"),
                Out(HasSubstr("keeps correctly_rounded; breaks special_values\n")))
        << symbol;
  }
}

TEST_F(Functions, ThatAreFaithfulMayFallWhereTheyShouldGrow) {
  EXPECT_THAT(judged("exp", "exp_steps", "--format f32 --cases 40000"),
              Out(HasSubstr("keeps faithful, special_values; breaks monotone\n")));
}

TEST_F(Functions, ThatTreatTheSignsDifferentlyAreNotOdd) {
  EXPECT_THAT(judged("sin", "sin_one_sided", "--format f32"),
              Out(HasSubstr("keeps ulp_2, steps_1, special_values; breaks ulp_1, odd\n")));
}

TEST_F(Functions, ThatLeaveAnOutputUnwrittenBreakEveryContractAboutAnError) {
  EXPECT_THAT(judged("exp", "exp_without_last", "--format f32"),
              Ends(1, Out(HasSubstr("breaks steps_64, ulp_64_ftz"))));
}

TEST_F(Functions, ThatComputeWholeTilesAloneBreakEveryContractAboutAnError) {
  EXPECT_THAT(judged("exp", "exp_in_whole_tiles", "--format f32 --cases 2048"),
              Ends(1, Out(HasSubstr("breaks steps_64, ulp_64_ftz"))));
}

TEST_F(Functions, OfAnotherFormatThanTheNameTellsAreRefused) {
  EXPECT_THAT(judged("exp", "expf", "--format f64"),
              Ends(2, Err(HasSubstr("--symbol expf: its numbers are f32, not f64"))));
}

using ErrorFree = ScalarsTest;

TEST_F(ErrorFree, SumsAndProductsKeepTheirErrorInEveryFormat) {
  for (const std::string format : {"f64", "f32", "f16", "bf16"}) {
    EXPECT_THAT(judged("two_sum", "two_sum_" + format, "--format " + format),
                Ends(0, Out(::testing::AllOf(HasSubstr(" on host: keeps error_free\n"),
                                             HasSubstr("every contract about an error refuses 7 controls")))))
        << format;
  }
  for (const std::string format : {"f64", "bf16"}) {
    EXPECT_THAT(judged("two_prod", "two_prod_" + format, "--format " + format),
                Ends(0, Out(::testing::AllOf(HasSubstr(" on host: keeps error_free\n"),
                                             HasSubstr("every contract about an error refuses 7 controls")))))
        << format;
  }
}

TEST_F(ErrorFree, ProductsBySplitsKeepTheirErrorOfModerateNumbersAlone) {
  EXPECT_THAT(judged("two_prod", "two_prod_dekker"),
              Out(HasSubstr("keeps error_free_moderate, rounded_product; breaks faithful\n")));
}

TEST_F(ErrorFree, SumsOfThreeOperationsKeepTheErrorOfOrderedOperandsAlone) {
  EXPECT_THAT(judged("two_sum", "two_sum_fast"), Out(HasSubstr("keeps ordered, rounded_sum; breaks faithful\n")));
}

TEST_F(ErrorFree, SumsThatLoseTheErrorAreRoundedSums) {
  EXPECT_THAT(judged("two_sum", "two_sum_without_error"),
              Out(HasSubstr("keeps rounded_sum; breaks faithful, ordered\n")));
}

TEST_F(ErrorFree, SumsThatReturnTheirOperandsBreakEveryContract) {
  EXPECT_THAT(judged("two_sum", "two_sum_copies"),
              Out(HasSubstr("keeps none; breaks faithful, ordered, rounded_sum\n")));
}

TEST_F(ErrorFree, SumsOfSixteenBitsAreAskedForEveryPairInShards) {
  EXPECT_THAT(judged("two_sum", "two_sum_bf16", "--format bf16 --tier exhaustive --shard 5/2097152"),
              Ends(0, Out(HasSubstr("keeps error_free\n"))));
}

using TwoNumbers = ScalarsTest;

TEST_F(TwoNumbers, OfTheLibraryAreExact) {
  for (const std::string symbol : {"copysign_f32", "nextafter_f64", "nextafter_f16"}) {
    const std::size_t at = symbol.find('_');
    EXPECT_THAT(judged(symbol.substr(0, at), symbol, "--cases 300 --format " + symbol.substr(at + 1)),
                Ends(0, Out(HasSubstr("keeps exact\n"))))
        << symbol;
  }
}

/// Shard y of 2^16 has the pairs of every x and this y.
TEST_F(TwoNumbers, OfSixteenBitsAreAskedForEveryFirstNumberAndSpecialSecondOnes) {
  const auto judge_at = [this](const std::string& operation, const std::string& format, int y) {
    return judged(operation, operation + "_" + format,
                  "--format " + format + " --tier exhaustive --shard " + std::to_string(y) + "/65536");
  };
  EXPECT_THAT(judge_at("nextafter", "f16", 0x8000), Ends(0, Out(HasSubstr("keeps exact\n"))));
  if (!test::of_tier(false, true)) return;
  // +0, ±η, ±1, ±Ω, ±∞ and NaN.
  for (const int y : {0, 1, 0x8001, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00}) {
    EXPECT_THAT(judge_at("nextafter", "f16", y), Ends(0, Out(HasSubstr("keeps exact\n")))) << y;
    EXPECT_THAT(judge_at("copysign", "f16", y), Ends(0, Out(HasSubstr("keeps exact")))) << y;
  }
  for (const int y : {0, 0x8000, 1, 0x8001, 0x3f80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0}) {
    EXPECT_THAT(judge_at("nextafter", "bf16", y), Ends(0, Out(HasSubstr("keeps exact\n")))) << y;
  }
}

TEST_F(TwoNumbers, WithoutTheSignOfAZeroOrOfANaNKeepTheWeakerContract) {
  EXPECT_THAT(judged("copysign", "copysign_without_nan", "--cases 800 --format f32"),
              Out(HasSubstr("keeps numbers; breaks exact\n")));
  EXPECT_THAT(judged("nextafter", "nextafter_without_negative_zero", "--cases 800 --format f32"),
              Out(HasSubstr("keeps any_zero; breaks exact\n")));
}

TEST_F(TwoNumbers, WithAMistakeAreRefused) {
  EXPECT_THAT(judged("copysign", "copysign_by_comparison", "--cases 800 --format f32"), Out(HasSubstr("keeps none")));
  EXPECT_THAT(judged("nextafter", "nextafter_through_double", "--cases 800 --format f32"),
              Out(HasSubstr("keeps none")));
  EXPECT_THAT(judged("nextafter", "nextafter_of_normal_numbers", "--cases 800 --format f32"),
              Out(HasSubstr("keeps none")));
}

using DoubleWords = ScalarsTest;

TEST_F(DoubleWords, KeepTheBoundsOfTheirAlgorithms) {
  struct Algorithm {
    const char* operation;
    const char* symbol;
    const char* format;
    const char* ladder;
  };
  const Algorithm algorithms[] = {
      {"dw_add", "accurate_add", "f64", "keeps accurate, sloppy, normalised; breaks correctly_rounded\n"},
      {"dw_add", "sloppy_add", "f32", "keeps sloppy, normalised; breaks accurate\n"},
      {"dw_mul", "mul1", "f64", "keeps mul1, normalised; breaks mul3\n"},
      {"dw_div", "div2", "f32", "keeps div3, normalised; breaks correctly_rounded\n"},
      {"dw_sqrt", "dw_sqrt", "f64", "keeps sqrt, normalised; breaks correctly_rounded\n"}};
  for (const auto& [operation, symbol, format, ladder] : algorithms) {
    EXPECT_THAT(judged(operation, symbol, std::string("--format ") + format),
                Ends(0, Out(::testing::AllOf(HasSubstr(ladder),
                                             HasSubstr("every contract about an error refuses 7 controls")))))
        << symbol;
  }
}

TEST_F(DoubleWords, WithoutLowWordsBreakEveryBound) {
  EXPECT_THAT(judged("dw_add", "add_high_words"),
              Out(HasSubstr("keeps normalised; breaks accurate, sloppy_same_sign\n")));
}

TEST_F(DoubleWords, GoToAProgramAsTwoNumbersEachAndComeBackSo) {
  const std::string file = file_with("add.py", R"(from assay.subject import serve
from fractions import Fraction
def nearest(x): return x.numerator / x.denominator
def dw_add(x, y):
    exact = Fraction(x[0]) + Fraction(x[1]) + Fraction(y[0]) + Fraction(y[1])
    return nearest(exact), nearest(exact - Fraction(nearest(exact)))
serve(dw_add=dw_add)
)");
  EXPECT_THAT(shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 PYTHONPATH=" ASSAY_PYTHON " " + beside("assay") +
                    " check --operation dw_add --subject 'python3 " + file +
                    "' --cases 300 --progress none --no-shrink "
                    "--on host --out " +
                    in("run")),
              Ends(0, Out(HasSubstr("subject.dw_add on host: keeps correctly_rounded; breaks normalised\n"))));
}

TEST_F(DoubleWords, WithTheirWordsExchangedAreNotNormalised) {
  EXPECT_THAT(judged("dw_add", "add_not_normalised"),
              Out(HasSubstr("keeps accurate, sloppy; breaks correctly_rounded, normalised\n")));
}

}  // namespace
}  // namespace assay::testing_program
