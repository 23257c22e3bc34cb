// Kernels from outside that compute matrix products with α, β and C: their ladders, and the controls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assay/doors/subject.hpp"
#include "exec/executor.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/operation.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 1;

/// A function of a library, what it computes, and the format.
struct Kernel {
  const char* library;
  const char* operation;
  const char* symbol;
  const char* format;
};

std::unique_ptr<PropertyModel> property_of(const Kernel& kernel) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  doors::Subject subject{folder / kernel.library, kernel.symbol, kernel.operation, {}};
  subject.question.format = kernel.format;
  return find_operation(kernel.operation)->property(subject.question, doors::load(subject).front().kernel);
}

Tally judged(const PropertyModel& property, std::uint64_t cases) {
  return property.run(Executor::host(), seed, {0, 1, cases}, [](const CaseRange&) {});
}

/// The tally of a contract; empty if the format does not have it.
const ClaimTally* tally_of(const PropertyModel& property, const Tally& tally, const std::string& contract) {
  const auto& claims = property.info().claims;
  const auto at = std::ranges::find(claims, contract, &ClaimInfo::id);
  return at == claims.end() ? nullptr : &tally.claims.at(static_cast<std::size_t>(at - claims.begin()));
}

std::string listed(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& each : ids) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// "keeps grade_a; breaks rounded"
std::string ladder_of(const Kernel& kernel, const PropertyModel& property, const Tally& tally) {
  const Operation& operation = *find_operation(kernel.operation);
  std::vector<std::optional<bool>> kept(operation.contracts.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const ClaimTally* const claim = tally_of(property, tally, operation.contracts[i].id);
    if (claim != nullptr && claim->executed != 0) kept[i] = claim->violated == 0;
  }
  const Ladder found = assay::ladder_of(operation, kept);
  return "keeps " + listed(found.kept) + "; breaks " + listed(found.broken);
}

std::string ladder(const Kernel& kernel, std::uint64_t cases) {
  const auto property = property_of(kernel);
  return ladder_of(kernel, *property, judged(*property, cases));
}

std::string ladder_of_blas(const char* operation, const char* symbol) {
  return ladder({ASSAY_PRODUCTS, operation, symbol, "f32"}, 300);
}
std::string ladder_of_epilogue(const char* symbol) {
  return ladder({ASSAY_PRODUCTS, "matmul_epilogue", symbol, "f32"}, 200);
}
std::string ladder_of_unit(const char* symbol, const char* format, std::uint64_t cases) {
  return ladder({ASSAY_UNITS, "matmul_epilogue", symbol, format}, cases);
}

constexpr const char* of_hopper =
    "keeps inner_product, tensor_core_hopper, zeros, exceptional, batch_invariant, not_read; breaks faithful";

TEST(BlasInBinary32, IsHeldToTheBoundsOfBinary32) {
  for (const char* const symbol : {"cblas_sgemm", "sgemm_"}) {
    EXPECT_EQ(ladder_of_blas("gemm", symbol),
              "keeps grade_a, scaling, exceptional, untouched, not_read; breaks rounded")
        << symbol;
  }
  for (const char* const symbol : {"cblas_sgemv", "sgemv_"}) {
    EXPECT_EQ(ladder_of_blas("gemv", symbol),
              "keeps grade_a, scaling, exceptional, untouched, not_read; breaks rounded")
        << symbol;
  }
}

TEST(BlasInBinary32, IsNotRoundedCorrectlyBySumsOfBinary64WhereTermsCancel) {
  EXPECT_EQ(ladder_of_blas("gemm", "double_sgemm_"),
            "keeps grade_a, scaling, exceptional, untouched, not_read; breaks rounded");
}

TEST(FunctionsOfOneProduct, AreAskedWithoutBatches) {
  EXPECT_THAT(property_of({ASSAY_PRODUCTS, "gemm", "sgemm_", "f32"})->info().accepts,
              ::testing::HasSubstr("one in a batch"));
  EXPECT_THAT(find_operation("gemm")->property({}, {})->info().accepts, ::testing::HasSubstr("1 to 9 in a batch"));
}

TEST(CasesOfGemv, AreExplainedInItsOwnNames) {
  for (const ClaimInfo& each : find_operation("gemv")->property({}, {})->info().claims) {
    if (find_operation("gemv")->find(each.id) == nullptr) continue;
    EXPECT_THAT(each.statement, ::testing::HasSubstr("names x as b, with incx = ldb")) << each.id;
  }
}

/// Every contract about an error refuses every control in at most 60 cases.
void expect_refused(const char* name, const std::string& format) {
  const Operation& operation = *find_operation(name);
  EXPECT_THAT(operation.controls(), ::testing::Contains(Control::last_product));
  for (const Control control : operation.controls()) {
    const auto property = operation.property({.format = format}, {.control = control});
    Tally tally = property->empty_tally();
    const auto passes = [&](const Contract& each) {
      return each.is_about_error && each.is_of(format) && tally_of(*property, tally, each.id)->violated == 0;
    };
    for (std::uint64_t k = 0; k < 60 && std::ranges::any_of(operation.contracts, passes); k += 4) {
      tally.merge(property->run(Executor::host(), seed, {k, 1, 4}, [](const CaseRange&) {}));
    }
    for (const Contract& each : operation.contracts) {
      EXPECT_FALSE(passes(each)) << name << " " << format << ": " << name_of(control) << " passes " << each.id;
    }
  }
}

TEST(IntegersOfAProduct, ThatAreNoNumbersAreRefusedWhereBothPathsOfTheOracleJudge) {
  const auto property = find_operation("matmul")->property({.format = "s8:s32"}, {.control = Control::nan});
  const Tally tally = judged(*property, 1000);  // one in a thousand is judged by both paths
  EXPECT_GT(tally_of(*property, tally, "exact")->violated, 900U);
}

TEST(Batches, WhoseLastProductIsThatOfTheFirstAreRefused) {
  for (const std::string format : {"f64", "f32"}) {
    const auto property = find_operation("gemm")->property({.format = format}, {.control = Control::last_product});
    const Tally tally = judged(*property, 200);
    for (const std::string contract : {"rounded", "grade_a", "grade_b", "grade_c", "one_sign"}) {
      EXPECT_GT(tally_of(*property, tally, contract)->violated, 0U) << contract;
    }
  }
}

std::string ladder_of_matmul(const char* symbol, const char* format, std::uint64_t cases) {
  return ladder({ASSAY_PRODUCTS, "matmul", symbol, format}, cases);
}

/// Whether one of this many cases breaks the contract. Cases after the first such case are not run.
bool breaks(const Kernel& kernel, const std::string& contract, std::uint64_t cases = 1000) {
  const auto property = property_of(kernel);
  constexpr std::uint64_t at_a_time = 20;
  for (std::uint64_t first = 0; first < cases; first += at_a_time) {
    const Tally tally = property->run(Executor::host(), seed, {first, 1, at_a_time}, [](const CaseRange&) {});
    if (tally_of(*property, tally, contract)->violated > 0) return true;
  }
  return false;
}
bool matmul_breaks(const char* symbol, const char* format, const std::string& contract, std::uint64_t cases = 1000) {
  return breaks({ASSAY_PRODUCTS, "matmul", symbol, format}, contract, cases);
}

TEST(Alone, IsAskedOfEveryRowColumnAndProduct) {
  for (const char* const symbol : {"product_of_rows", "product_of_tail", "product_of_columns", "product_of_later"}) {
    EXPECT_TRUE(matmul_breaks(symbol, "f32", "batch_invariant")) << symbol;
  }
}

TEST(Batches, WithoutTheirLaterProductsAreRefused) { EXPECT_TRUE(matmul_breaks("product_of_four", "f32", "tf32_ftz")); }

TEST(Shapes, WithoutTheirLaterRowsAreRefused) { EXPECT_TRUE(matmul_breaks("product_of_128_rows", "f32", "tf32_ftz")); }

TEST(Grid, RefusesZerosWhereTheBoundIsMoreThanTheSumOfTheMagnitudes) {
  EXPECT_TRUE(matmul_breaks("product_of_180_terms", "bf16", "reduced_any_split"));
  EXPECT_TRUE(matmul_breaks("product_of_180_terms", "bf16", "exact_grid"));
}

TEST(Grid, RefusesAVectorProductThatLeavesOutATerm) {
  const Kernel kernel{ASSAY_PRODUCTS, "gemv", "sgemv_without_last_", "f32"};
  EXPECT_TRUE(breaks(kernel, "grade_c"));
  EXPECT_TRUE(breaks(kernel, "exact_grid"));
}

TEST(SparseProductsWithScalars, AreHeldToTheBoundsOfDenseOnes) {
  EXPECT_EQ(ladder({ASSAY_PRODUCTS, "csrmv", "csrmv", "f64"}, 300),
            "keeps grade_a, scaling, exceptional, untouched, not_read; breaks rounded");
}

TEST(SparseProductsWithScalars, ThatMultiplyYByABetaOfZeroAreRefused) {
  EXPECT_TRUE(breaks({ASSAY_PRODUCTS, "csrmv", "csrmv_that_keeps_nan", "f64"}, "not_read", 300));
}

TEST(SparseProductsWithScalars, ThatLeaveRowsWithoutEntriesAreRefused) {
  EXPECT_TRUE(breaks({ASSAY_PRODUCTS, "csrmv", "csrmv_without_empty_rows", "f64"}, "grade_c", 300));
}

TEST(FlushToZero, KeepsARungOfItsOwn) {
  EXPECT_EQ(ladder_of_matmul("product_flushed", "f32", 300),
            "keeps inner_product_ftz, zeros, exceptional, batch_invariant; breaks faithful, tf32");
  EXPECT_EQ(ladder_of_epilogue("epilogue_flushed"),
            "keeps inner_product_ftz, zeros, exceptional, batch_invariant, not_read; breaks faithful, from_c_tf32");
}

TEST(Wide, AccumulatorsThatAreRoundedOnceMoreKeepARungOfTheirOwn) {
  const Kernel kernel{ASSAY_PRODUCTS, "matmul", "product_wide", "f64"};
  EXPECT_TRUE(breaks(kernel, "inner_product"));
  EXPECT_FALSE(breaks(kernel, "wide_inner_product", 200));
  EXPECT_FALSE(breaks({ASSAY_PRODUCTS, "gemv", "dgemv_wide_", "f64"}, "wide_grade_a", 200));
}

TEST(Overflow, OfASumInBinary16IsRefusedWhereTheResultIsFinite) {
  EXPECT_TRUE(matmul_breaks("product_f16_that_overflows", "f16", "inner_product"));
  EXPECT_FALSE(matmul_breaks("product_f16_that_overflows", "f16", "finite", 60));
}

TEST(Overflow, OfTheResultAloneIsRight) {
  EXPECT_EQ(
      ladder_of_matmul("product_f16", "f16", 150),
      "keeps inner_product, tensor_core_hopper, f16_accumulate, zeros, exceptional, batch_invariant; breaks faithful");
}

TEST(Integers, ThatAreExactAreNoReasonToDoubtARun) {
  const auto property = property_of({ASSAY_PRODUCTS, "matmul", "product_s8", "s8:s32"});
  EXPECT_GT(total(judged(*property, 20)).inexact, 10U);
}

TEST(FunctionsWithoutTransposes, AreAskedAsAnOperationOfTheirOwn) {
  EXPECT_EQ(ladder_of_blas("gemv_n", "sgemv_plain_"),
            "keeps grade_a, scaling, exceptional, untouched, not_read; breaks rounded");
}

TEST(Controls, OfProductsAreRefused) {
  expect_refused("gemm", "f32");
  expect_refused("matmul_epilogue", "bf16:f32");
  expect_refused("matmul_epilogue", "f16");
}

TEST(Epilogue, OfAPlainLoopKeepsTheBoundOfAnyOrder) {
  EXPECT_EQ(ladder_of_epilogue("epilogue_f32"),
            "keeps inner_product, tf32_hopper, zeros, exceptional, batch_invariant, not_read; breaks faithful");
}

TEST(Epilogue, ThatReadsWhatIsMultipliedByZeroIsToldApart) {
  EXPECT_EQ(ladder_of_epilogue("epilogue_that_reads_all"),
            "keeps inner_product, tf32_hopper, zeros, exceptional, batch_invariant; breaks faithful, not_read");
}

TEST(Epilogue, ThatTakesBetaForOneBreaksTheBounds) {
  EXPECT_EQ(ladder_of_epilogue("epilogue_without_beta"),
            "keeps finite, zeros, exceptional, batch_invariant, not_read; breaks exact_grid");
}

TEST(Epilogue, ThatBeginsItsSumsWithCKeepsARungOfItsOwn) {
  EXPECT_EQ(ladder_of_epilogue("epilogue_from_c"),
            "keeps from_c_inner_product, zeros, exceptional, batch_invariant, not_read; breaks faithful, tf32_ftz");
}

TEST(Epilogue, OfMatrixUnitsStandsWhereTheirArithmeticPutsIt) {
  EXPECT_EQ(ladder_of_unit("hopper_bf16_fused", "bf16:f32", 53), of_hopper);
  EXPECT_EQ(ladder_of_unit("hopper_bf16_scaled_stored", "bf16", 40), of_hopper);
  EXPECT_EQ(ladder_of_unit("hopper_bf16_stored_first", "bf16", 40),
            "keeps reduced_split_k, zeros, exceptional, batch_invariant, not_read; breaks faithful, inner_product_ftz, "
            "from_c_split_k");
}

TEST(Epilogue, OfTwoRoundingsReachesItsBound) {
  const Kernel kernel{ASSAY_UNITS, "matmul_epilogue", "hopper_bf16_scaled", "bf16:f32"};
  const auto property = property_of(kernel);
  const Tally tally = judged(*property, 53);
  EXPECT_EQ(ladder_of(kernel, *property, tally), of_hopper);
  EXPECT_GT(tally_of(*property, tally, "tensor_core_hopper")->worst.ratio, 0.99);
}

}  // namespace
}  // namespace assay
