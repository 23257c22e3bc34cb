#include <gtest/gtest.h>

#include "catalog_property.hpp"
#include "properties/draws/gemm/cases.hpp"

namespace assay {
namespace {

class GemmCatalog : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(GemmCatalog, DrawsCasesOfItsDomain) { expect_draws_inside(*GetParam(), 200); }

INSTANTIATE_TEST_SUITE_P(Gemm, GemmCatalog, testing::ValuesIn(properties_of({"gemm."})), test_name);

TEST(GemmCatalogOfPairs, HasAllOfThemInTheQuickTier) {
  for (const char* name : {"gemm.gemm", "gemm.strided_batched", "gemm.superaccumulator4", "gemm.slices"})
    expect_all_pairs_in_the_quick_tier(property(name));
}

/// 2⁻¹⁰⁰ in a row that begins with 1, against 2¹⁰⁰: the product is 1.
gemm::GemmCase small_beside_large() {
  gemm::GemmCase c;
  c.m = c.n = 1;
  c.k = c.ldb = 2;
  c.a = {0x1p0, 0x1p-100};
  c.b = {0, 0x1p100};
  c.c = {0};
  return c;
}

TEST(FastModeOfGemm, IsNotOfGradeA) {
  EXPECT_EQ(judgement_of("gemm.fast", "grade_a", small_beside_large()).verdict, Verdict::violated);
}

TEST(FastModeOfGemm, KeepsItsBoundWhereGradeAIsLost) {
  EXPECT_EQ(judgement_of("gemm.fast", "error", small_beside_large()).verdict, Verdict::holds);
}

/// A product of one pair, 3·5.
gemm::GemmCase three_times_five() {
  gemm::GemmCase c;
  c.m = c.n = c.k = 1;
  c.a = {3};
  c.b = {5};
  c.c = {0};
  return c;
}

TEST(UniqueResiduesOfGemm, AreClaimedWhereTheIntegersKeepAllBits) {
  EXPECT_EQ(judgement_of("gemm.crt", "unique", three_times_five()).verdict, Verdict::holds);
}

TEST(UniqueResiduesOfGemm, AreNotClaimedWhereTheIntegersAreRounded) {
  gemm::GemmCase far_apart = small_beside_large();
  far_apart.a = {1, 0x1p-1000};
  far_apart.b = {1, 1};
  const PropertyModel& model = property("gemm.crt");
  const Record record = record_of(far_apart);
  EXPECT_FALSE(model.judge_claim(Executor::host(), {&record, 1}, claim_at(model, "unique"))[0].has_value());
}

}  // namespace
}  // namespace assay
