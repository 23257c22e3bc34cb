// Functions of the form of cuBLAS, in a library that computes on the host. tests/device tests the real cuBLAS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "assay/doors/subject.hpp"
#include "properties/framework/operation.hpp"
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

/// The kernel of the library, whose arrays are on the host.
ForeignKernel kernel_of(const std::string& symbol, const std::string& operation, const std::string& library) {
  return doors::load({beside(library), symbol, operation, {}}).front().kernel;
}

/// Tests with the library, which fails in a given way.
class CublasForm : public ProgramTest {
 protected:
  void TearDown() override { ::unsetenv("FAKE_CUBLAS"); }

  static const ClaimTally& claim_of(const PropertyModel& property, const Tally& tally, const std::string& contract) {
    const auto& claims = property.info().claims;
    const auto at = std::ranges::find(claims, contract, &ClaimInfo::id);
    return tally.claims.at(static_cast<std::size_t>(at - claims.begin()));
  }
  /// The number of 60 cases that violate the contract.
  static std::uint64_t violations(const std::string& symbol, const std::string& operation, const std::string& contract,
                                  const std::string& format = "f64") {
    const ForeignKernel kernel = kernel_of(symbol, operation, ASSAY_CUBLAS_FORM);
    EXPECT_TRUE(doors::is_of_cublas(kernel.form));
    const auto property = find_operation(operation)->property({.format = format}, kernel);
    const Tally tally = property->run(Executor::host(), 1, {0, 1, 60}, {});
    const ClaimTally& claim = claim_of(*property, tally, contract);
    EXPECT_GT(claim.executed, 0U);
    return claim.violated;
  }
  static std::string error_of_load(const std::string& symbol, const std::string& library = ASSAY_CUBLAS_FORM) {
    try {
      kernel_of(symbol, "dot", library);
    } catch (const doors::SubjectError& error) {
      return error.what();
    }
    return "loaded";
  }
  Ended checked(const std::string& rest) const {
    return shell("env CUDA_VISIBLE_DEVICES= ASSAY_OVERWRITE=1 " + beside("assay") + " check --subject " +
                 beside(ASSAY_CUBLAS_FORM) + " --cases 60 --out " + in("run") + " " + rest);
  }
};

TEST_F(CublasForm, HasItsArgumentsInTheOrderOfCublas) {
  EXPECT_EQ(violations("cublasDdot_v2", "dot", "any_order"), 0U);
  EXPECT_EQ(violations("cublasDasum_v2", "asum", "any_order"), 0U);
  EXPECT_EQ(violations("cublasDgemm_v2", "gemm", "grade_a"), 0U);
  EXPECT_EQ(violations("cublasDgemv_v2", "gemv", "grade_a"), 0U);
  EXPECT_EQ(violations("cublasSgemm_v2", "gemm", "grade_a", "f32"), 0U);
  EXPECT_EQ(violations("cublasSgemv_v2", "gemv", "grade_a", "f32"), 0U);
}

TEST_F(CublasForm, OfBatchesHasItsStridesInTheOrderOfCublas) {
  EXPECT_EQ(violations("cublasDgemmStridedBatched", "gemm", "grade_a"), 0U);
  EXPECT_EQ(violations("cublasSgemmStridedBatched", "gemm", "grade_a", "f32"), 0U);
}

TEST_F(CublasForm, IsJudged) { EXPECT_GT(violations("cublasDdot_v2", "dot", "faithful"), 0U); }

TEST_F(CublasForm, PrefersTheNameOfTheSecondVersion) { EXPECT_EQ(violations("cublasDdot", "dot", "any_order"), 0U); }

TEST_F(CublasForm, TakesANameWithoutAVersion) { EXPECT_EQ(violations("cublasSdot", "dot", "any_order", "f32"), 0U); }

TEST_F(CublasForm, ThatReturnsAStatusThrows) {
  ::setenv("FAKE_CUBLAS", "fails", 1);
  const ForeignKernel kernel = kernel_of("cublasDdot", "dot", ASSAY_CUBLAS_FORM);
  const auto property = find_operation("dot")->property({}, kernel);
  EXPECT_THAT(
      [&] {
        property->run(Executor::host(), 1, {0, 1, 1}, {});
      },
      ::testing::ThrowsMessage<ExecutorError>("the library returned status 13"));
}

TEST_F(CublasForm, ThatGivesNoHandleIsRefused) {
  ::setenv("FAKE_CUBLAS", "create fails", 1);
  EXPECT_THAT(error_of_load("cublasDdot"), HasSubstr("cublasCreate_v2 returned status 3"));
}

TEST_F(CublasForm, ThatHasNoFunctionForHandlesIsRefused) {
  EXPECT_THAT(error_of_load("cublasDdot", ASSAY_LIBRARY), HasSubstr("it has no symbol cublasCreate_v2"));
}

TEST_F(CublasForm, ThatHasNoSuchSymbolIsRefused) {
  EXPECT_THAT(error_of_load("cublasDnrm2"), HasSubstr("it has no symbol cublasDnrm2"));
}

TEST_F(CublasForm, IsToldByItsName) {
  EXPECT_EQ(doors::form_of("cublasDdot", false), CallForm::cublas);
  EXPECT_EQ(doors::form_of("cublas_dot", false), CallForm::plain);
  EXPECT_EQ(doors::form_of("cublas_dot", true), CallForm::device);
  EXPECT_EQ(doors::form_of("cublas", true), CallForm::device);
  EXPECT_EQ(doors::blas_name("cublasDgemm_v2"), "dgemm");
  EXPECT_EQ(doors::blas_name("cublasSdot"), "sdot");
  EXPECT_EQ(doors::form_of("cublasSgemmStridedBatched", true), CallForm::cublas_batched);
  EXPECT_EQ(doors::blas_name("cublasSgemmStridedBatched"), "sgemm");
  EXPECT_EQ(doors::format_of_symbol("cublasSdot", *find_operation("dot")), "f32");
  EXPECT_EQ(doors::format_of_symbol("cublasDdot", *find_operation("dot")), "f64");
}

TEST_F(CublasForm, IsAPropertyOfADeviceAloneWithTheControlsOfEveryOther) {
  for (const Control control : all_controls) {
    const auto property = find_operation("dot")->property({.on_device = true}, {.control = control});
    EXPECT_TRUE(property->info().runs_on("cuda") && !property->info().runs_on("host"));
    const Tally tally = property->run(Executor::host(), 1, {0, 1, 60}, {});
    EXPECT_GT(claim_of(*property, tally, "any_order").violated, 0U) << name_of(control);
  }
}

TEST_F(CublasForm, RunsNowhereWithoutADevice) {
  EXPECT_THAT(checked("--operation dot --symbol cublasDdot"), Ends(77, Err(HasSubstr("nothing runs on cuda"))));
}

TEST_F(CublasForm, IsRefusedWhereItContradictsTheOtherOptions) {
  const std::pair<const char*, const char*> wishes[] = {
      {"--operation dot --symbol cublasDdot --on host", "--on host: the arrays of cublasDdot are on a device"},
      {"--operation dot --symbol ddot_ --on cuda", "--on cuda: the arrays of ddot_ are on the host"},
      {"--operation sum --symbol cublasDdot", "--symbol cublasDdot: it computes dot, not sum"},
      {"--operation dot --symbol cublasSdot_v2 --format f64", "its numbers are f32, not f64"},
      {"--operation gemm --symbol cublasSgemm --format f64", "its numbers are f32, not f64"},
      {"--operation gemm --symbol product --on cuda",
       "is not computed by device functions, but by cblas, fortran, cublas, cublas_batched"}};
  for (const auto& [wish, says] : wishes) EXPECT_THAT(checked(wish), Ends(2, Err(HasSubstr(says)))) << wish;
}

}  // namespace
}  // namespace assay::testing_program
