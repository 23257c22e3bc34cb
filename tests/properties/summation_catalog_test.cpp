#include <gtest/gtest.h>

#include "catalog_property.hpp"
#include "properties/catalog/sum/cases.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay {
namespace {

/// The verdict of a claim on one vector.
Verdict verdict_of(const std::string& name, const std::string& claim, std::vector<double> x) {
  return judgement_of(name, claim, sum::SumCase<double>{std::move(x)}).verdict;
}

TEST(DotCatalogOfPairs, HasAllOfThemInTheQuickTier) {
  for (const char* name : {"dot.dot2", "dot.dot2.f32", "dot.f32_in_f64", "dot.exact"})
    expect_all_pairs_in_the_quick_tier(property(name));
}

TEST(SummationCatalog, HasEveryKernelInBothFormats) {
  for (const char* kernel :
       {"sum.recursive", "sum.pairwise", "sum.block", "sum.kahan", "sum.neumaier", "sum.sum2", "sum.sum3", "sum.sum4",
        "sum.block_sum2", "dot.recursive", "dot.dot2", "dot.dot3", "dot.dot4", "dot.block", "dot.block_dot2"}) {
    EXPECT_NE(find_property(kernel), nullptr) << kernel;
    EXPECT_NE(find_property(std::string(kernel) + ".f32"), nullptr) << kernel;
  }
  EXPECT_NE(find_property("dot.f32_in_f64"), nullptr);
  EXPECT_NE(find_property("dot.block_f32_in_f64"), nullptr);
}

TEST(SummationCatalog, RecursiveSumAttainsItsBoundOnOneAndManyU) {
  std::vector<double> x(1000, 0x1p-53);
  x[0] = 1;
  EXPECT_GT(judgement_of("sum.recursive", "error", sum::SumCase<double>{std::move(x)}).tightness, 0.999999);
}

TEST(SummationCatalog, Sum2IsRefutedAsCorrectlyRoundedByOneUUSquared) {
  EXPECT_EQ(verdict_of("sum.sum2", "correctly_rounded", {1, 0x1p-53, 0x1p-106}), Verdict::violated);
  EXPECT_EQ(verdict_of("sum.sum2", "error", {1, 0x1p-53, 0x1p-106}), Verdict::holds);
}

TEST(SummationCatalog, KahanLosesTheSumBetweenALargePairRelativelyOnly) {
  EXPECT_EQ(verdict_of("sum.kahan", "error_relative", {1, 1e100, 1, -1e100}), Verdict::violated);
  EXPECT_EQ(verdict_of("sum.kahan", "error", {1, 1e100, 1, -1e100}), Verdict::holds);
}

TEST(SummationCatalog, NeumaierKeepsTheSumBetweenALargePair) {
  EXPECT_EQ(verdict_of("sum.neumaier", "error", {1, 1e100, 1, -1e100}), Verdict::holds);
  EXPECT_EQ(verdict_of("sum.neumaier", "bits_of_sum2", {1, 1e100, 1, -1e100}), Verdict::holds);
}

TEST(SummationCatalog, NaiveSummationIsRefutedByTheBoundOfSum2) {
  EXPECT_EQ(verdict_of("sum.recursive", "error_of_sum2", {1e16, 1, -1e16}), Verdict::violated);
}

TEST(SummationCatalog, ShrinksToVectorsInsideTheDomain) {
  const PropertyModel& model = property("dot.dot2");
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Record record = *model.make(1, i);
    for (const Record& smaller : smaller_records(model, record)) {
      ASSERT_TRUE(model.contains(smaller));
      ASSERT_LT(complexity(smaller), complexity(record));
    }
  }
}

}  // namespace
}  // namespace assay
