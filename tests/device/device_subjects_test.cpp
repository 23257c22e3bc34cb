// Kernels from outside whose arrays are on a device: a table, a plain function, and cuBLAS.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <utility>

#include "exec/executor.hpp"
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

class DeviceSubjects : public ProgramTest {
 protected:
  void SetUp() override {
    if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  }
  Ended judged(const std::string& library, const std::string& rest, const std::string& way = "") const {
    return shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 TABLE=" + way + " " + beside("assay") + " check --subject " +
                 library + (rest.find("--cases ") == std::string::npos ? " --cases 60" : "") +
                 " --jobs 1 --no-shrink --progress none --out " + in("run") + " " + rest);
  }
  Ended table(const std::string& rest, const std::string& way = "") const {
    return judged(beside(ASSAY_DEVICE_TABLE), "--format f64 " + rest, way);
  }
};

TEST_F(DeviceSubjects, OfATableAreJudgedInBothFormats) {
  EXPECT_THAT(judged(beside(ASSAY_DEVICE_TABLE), ""),
              Ends(0, Out(AllOf(HasSubstr("subject.dot on cuda: keeps any_order, exceptional; breaks faithful"),
                                HasSubstr("subject.dot.f32 on cuda: keeps any_order, exceptional; breaks faithful")))));
  EXPECT_THAT(content(in("run/summary.json")), HasSubstr(" device table 1.0; threads=1\""));
}

TEST_F(DeviceSubjects, OfATableForADeviceDoNotRunOnTheHost) {
  EXPECT_THAT(table("--on host"), Ends(2, Err(HasSubstr("--on host: the kernels in the table of "))));
}

TEST_F(DeviceSubjects, OfAPlainFunctionAreJudged) {
  EXPECT_THAT(judged(beside(ASSAY_DEVICE_TABLE), "--operation dot --symbol device_dot --on cuda"),
              Ends(0, Out(HasSubstr("subject.dot on cuda: keeps any_order, exceptional; breaks faithful"))));
}

TEST_F(DeviceSubjects, ThatWriteBesideTheirOutputAreToldSo) {
  for (const char* const way : {"writes_behind", "writes_in_front"}) {
    EXPECT_THAT(table("", way), Ends(1, Out(HasSubstr("subject.dot/guard_zones on cuda: violated")))) << way;
  }
  EXPECT_THAT(judged(beside(ASSAY_DEVICE_TABLE), "--operation dot --symbol device_dot --on cuda", "writes_behind"),
              Ends(1, Out(HasSubstr("subject.dot/guard_zones on cuda: violated"))));
}

TEST_F(DeviceSubjects, ThatWriteToTheirInputsAreToldSo) {
  EXPECT_THAT(table("", "changes_input"), Ends(1, Out(HasSubstr("subject.dot/inputs_unchanged on cuda: violated"))));
}

TEST_F(DeviceSubjects, ThatLeaveTheirOutputUnwrittenKeepNoBound) {
  EXPECT_EQ(table("--contract any_order", "unwritten").code, 1);
}

TEST_F(DeviceSubjects, ThatLeaveAStickyErrorCrashOnThatCaseAlone) {
  EXPECT_THAT(table("", "faults"), Ends(4, Out(AllOf(HasSubstr("subject.dot on cuda: crashed on case "),
                                                     HasSubstr("cudaErrorIllegalAddress"), HasSubstr("assay replay "),
                                                     Not(HasSubstr("were not run"))))));
}

TEST_F(DeviceSubjects, AreReplayedByTheLineThatWasPrinted) {
  const Ended checked = table("--operation dot --contract faithful");
  const std::size_t at = checked.out.rfind("assay replay ");
  ASSERT_NE(at, std::string::npos) << checked;
  EXPECT_EQ(shell(beside(checked.out.substr(at, checked.out.find('\n', at) - at))).code, 1);
}

TEST_F(DeviceSubjects, ThatFlushToZeroKeepTheMachineThatAdmitsIt) {
  const std::string small = "  class \"below the normal range\": x 1e-40 1e-37, y 1e-40 1e-37\n";
  const std::string halves = "  class \"products below it\": x 1e-20 1e-18, y 1e-20 1e-18\n";
  const auto check = [&](const std::string& symbol, const std::string& formula, const std::string& contract) {
    std::ofstream(in(symbol + ".formula")) << formula;
    return judged(beside(ASSAY_DEVICE_FLUSHED), "--formula " + in(symbol + ".formula") + " --format f32 --symbol " +
                                                    symbol + " --cases 300" + contract);
  };
  const std::string products = "products(x[n], y[n]) -> z[n]\n  z = x * y\n" + small + halves;
  for (const auto& [symbol, formula] : std::initializer_list<std::pair<std::string, std::string>>{
           {"flushed_product", products},
           {"flushed_quotient", "quotients(x[n], y[n]) -> z[n]\n  z = x / y\n" + small},
           {"flushed_exponential", "f(x[n]) -> y[n]\n  y = exp(x)\n  class \"small results\": x -103 -85\n"},
           {"flushed_sum", "f(x[r,n]) -> s[r]\n  s = sum(x, axis=n)\n  class \"small\": x -1e-38 1e-38\n"},
           {"flushed_softmax", "f(x[r,n]) -> y[r,n]\n  y = softmax(x, axis=n)\n  class \"far\": x 0 103\n"}}) {
    EXPECT_EQ(check(symbol, formula, " --contract ftz").code, 0) << symbol;
  }
  EXPECT_THAT(check("flushed_product", products, ""),
              Out(AllOf(HasSubstr("; breaks faithful, any_order"),
                        HasSubstr("not asked: ftz, which right kernels that flush subnormal numbers to zero keep: "
                                  "--contract ftz asks it"))));
}

/// The functions of cuBLAS.
class Cublas : public DeviceSubjects {
 protected:
  void SetUp() override {
    DeviceSubjects::SetUp();
    if (!IsSkipped() && ::dlopen(ASSAY_CUBLAS, RTLD_LAZY | RTLD_LOCAL) == nullptr) GTEST_SKIP() << "no " ASSAY_CUBLAS;
  }
  Ended asked(const std::string& operation, const std::string& symbol, const std::string& rest = "") const {
    return judged(ASSAY_CUBLAS, "--on cuda --operation " + operation + " --symbol " + symbol + " " + rest);
  }
};

TEST_F(Cublas, SumsKeepTheBoundOfAnyOrder) {
  EXPECT_EQ(asked("dot", "cublasDdot", "--contract any_order").code, 0);
  EXPECT_EQ(asked("asum", "cublasDasum_v2", "--contract any_order").code, 0);
}

TEST_F(Cublas, SumsAreNotRoundedOnce) {
  EXPECT_THAT(asked("dot", "cublasDdot"),
              Ends(0, Out(ContainsRegex("subject.dot on cuda: keeps .*; breaks faithful"))));
}

TEST_F(Cublas, ProductsOfMatricesKeepGradeA) {
  for (const char* const symbol :
       {"cublasDgemm", "cublasSgemm", "cublasDgemmStridedBatched", "cublasSgemmStridedBatched"}) {
    EXPECT_EQ(asked("gemm", symbol, "--contract grade_a --contract zeros --contract scaling").code, 0) << symbol;
  }
}

TEST_F(Cublas, HasALadderForEachOfItsFunctions) {
  const std::pair<const char*, const char*> functions[] = {
      {"nrm2", "cublasDnrm2"}, {"nrm2", "cublasSnrm2"}, {"asum", "cublasSasum"},   {"dot", "cublasSdot"},
      {"gemv", "cublasDgemv"}, {"gemv", "cublasSgemv"}, {"gemm", "cublasDgemm_v2"}};
  for (const auto& [operation, symbol] : functions) {
    EXPECT_THAT(asked(operation, symbol, "--cases 300"), Ends(0, Out(ContainsRegex(" on cuda: keeps [a-z]"))))
        << symbol;
  }
}

TEST_F(Cublas, IsRecordedWithItsVersionAndItsMathMode) {
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 1);
  const Ended ended = asked("dot", "cublasDdot");
  ::unsetenv("CUBLAS_WORKSPACE_CONFIG");
  ASSERT_EQ(ended.code, 0);
  EXPECT_THAT(content(in("run/summary.json")),
              ContainsRegex("\"subject subject.dot\": \"libcublas[^\"]* cublasDdot cublas [0-9]+; math_mode=0; "
                            "CUBLAS_WORKSPACE_CONFIG=:4096:8\""));
}

TEST_F(Cublas, LacksAFunctionInALine) {
  EXPECT_THAT(asked("dot", "cublasDdott"), Ends(2, Err(HasSubstr("it has no symbol cublasDdott"))));
}

}  // namespace
}  // namespace assay::testing_program
