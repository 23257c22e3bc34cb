// `assay probe-device --subject`: a program or a library that computes matmul.

#include <algorithm>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

const std::string loop = R"(def entry(x, y):
    s = 0.0
    for l in range(len(x)): s += x[l] * y[l]
    return s)";

class ProbeDevice : public ProgramTest {
 protected:
  /// Probes a program of Python whose function entry(x, y) computes one entry of D.
  Ended probed(const std::string& entry, const std::string& options) const {
    const std::string text = R"(from assay.subject import serve
import math, os
)" + entry + R"(
def matmul(batch, m, n, k, a, b):
    return [entry(a[i * k:(i + 1) * k], b[j::n]) for i in range(m) for j in range(n)]
serve(matmul=matmul)
)";
    return shell(beside("assay") + " probe-device --rows 2 --products 8 " + options +
                 " --subject 'env PYTHONPATH=" ASSAY_PYTHON " python3 -W ignore " + file_with("product.py", text) +
                 "'");
  }
};

TEST_F(ProbeDevice, FindsALoopInBinary64) {
  EXPECT_THAT(
      probed(loop, "--format f64"),
      Ends(0, Out(::testing::AllOf(HasSubstr("8 steps of 1 product\n"),
                                   HasSubstr("products rounded to nearest, sums rounded to nearest"),
                                   HasSubstr("4096 of 4096 products bit for bit"), HasSubstr("inner_product")))));
}

TEST_F(ProbeDevice, FindsPairs) {
  const std::string pairs = R"(def entry(x, y):
    p = [x[l] * y[l] for l in range(len(x))]
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7])))";
  EXPECT_THAT(probed(pairs, "--format f64"), Ends(0, Out(HasSubstr("4 slices of 2: one step of 2 products"))));
}

TEST_F(ProbeDevice, ShowsTheInputWhereNoModelFits) {
  const std::string sorted = R"(def entry(x, y):
    return sum(sorted((x[l] * y[l] for l in range(len(x))), key=abs)))";
  EXPECT_THAT(
      probed(sorted, "--format f64"),
      Ends(0, Out(::testing::AllOf(HasSubstr("no model of the family fits"), HasSubstr("example     c = 0x0p+0 + ")))));
}

TEST_F(ProbeDevice, FindsExactIntegers) {
  EXPECT_THAT(probed("def entry(x, y):\n    return sum(int(p) * int(q) for p, q in zip(x, y))", "--format s8:s32"),
              Ends(0, Out(::testing::AllOf(HasSubstr("exact modulo 2^32"), HasSubstr("contract    exact")))));
}

TEST_F(ProbeDevice, AsJsonPrintsNothingElse) {
  const Ended ended = probed(loop, "--format f64 --json");
  EXPECT_THAT(ended, Ends(0, Err(::testing::IsEmpty()), Out(HasSubstr("\"rule\": \"multiply_add\""))));
  EXPECT_EQ(ended.out.front(), '{');
}

/// Probes a function of the library of units.
Ended probed_function(const std::string& symbol, const std::string& options, const std::string& library = ASSAY_UNITS) {
  return shell(beside("assay") + " probe-device --rows 2 --products 32 --subject " + beside(library) + " --symbol " +
               symbol + " " + options);
}

TEST_F(ProbeDevice, FindsTheModelOfALibrary) {
  EXPECT_THAT(probed_function("hopper_bf16", "--format bf16:f32"),
              Ends(0, Out(::testing::AllOf(HasSubstr("assay_hostile_units.so hopper_bf16 2x2x32: bf16 to f32"),
                                           HasSubstr("4096 of 4096 products bit for bit"),
                                           HasSubstr("contract    tensor_core_hopper")))));
  EXPECT_THAT(probed_function("volta_f16", "--format f16:f32"), Ends(0, Out(HasSubstr("contract    tensor_core\n"))));
}

TEST_F(ProbeDevice, FindsExactIntegersOfALibrary) {
  EXPECT_THAT(probed_function("product_s8", "--format s8:s32", ASSAY_PRODUCTS),
              Ends(0, Out(HasSubstr("exact modulo 2^32"))));
}

TEST_F(ProbeDevice, OfALibraryThatCannotBeAskedIsOneLine) {
  const std::pair<Ended, const char*> mistakes[] = {
      {probed_function("no_such", ""), "it has no symbol no_such"},
      {probed_function("hopper_bf16", "--text"), "--text: lines are for a program"},
      {shell(beside("assay") + " probe-device --on host"), "--on host: needs --subject"},
      {shell(beside("assay") + " probe-device --symbol f"), "--symbol: needs --subject"}};
  for (const auto& [ended, says] : mistakes) {
    EXPECT_THAT(ended, Ends(2, Err(HasSubstr(says))));
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
}

TEST_F(ProbeDevice, OfAProgramThatEndsIsOneLine) {
  const Ended ended = probed("def entry(x, y):\n    os._exit(3)", "--format f64");
  EXPECT_THAT(ended, Ends(4, Err(HasSubstr("it ended with exit code 3"))));
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1);
}

TEST_F(ProbeDevice, RefusesAFormatWhoseResultsItDoesNotKnow) {
  EXPECT_THAT(probed(loop, "--format bf16"), Ends(2, Err(HasSubstr("--format bf16: probe-device knows f64, f32"))));
}

}  // namespace
}  // namespace assay::testing_program
