#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "catalog_property.hpp"
#include "properties/draws/sum/cases.hpp"
#include "tests/properties/smaller_cases.hpp"
#include "tests/tier.hpp"

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

/// How near 1 + u + u + u + u comes to the bound of the sum of terms, and of the product with ones.
template <class T>
void expect_near_its_bound(const std::string& suffix) {
  const T one = compose<T>(false, 1, 0);
  std::vector<T> x(5, compose<T>(false, 1, -FloatTraits<T>::precision));
  x[0] = one;
  const std::vector<T> ones(x.size(), one);
  EXPECT_GT(judgement_of("sum.recursive" + suffix, "error", sum::SumCase<T>{x}).tightness, 0.97) << suffix;
  EXPECT_GT(judgement_of("dot.recursive" + suffix, "error", sum::DotCase<T>{x, ones}).tightness, 0.7) << suffix;
}

TEST(SummationCatalog, BoundsHaveTheUnitRoundoffOfTheirFormat) {
  expect_near_its_bound<double>("");
  expect_near_its_bound<float>(".f32");
  expect_near_its_bound<binary16>(".f16");
  expect_near_its_bound<bfloat16>(".bf16");
}

TEST(SummationCatalog, Sum2IsRefutedAsCorrectlyRoundedByOneUUSquared) {
  EXPECT_EQ(verdict_of("sum.sum2", "correctly_rounded", {1, 0x1p-53, 0x1p-106}), Verdict::violated);
  EXPECT_EQ(verdict_of("sum.sum2", "error", {1, 0x1p-53, 0x1p-106}), Verdict::holds);
}

/// The terms of sum.sum2.3 for n = 2^k + 1.
std::vector<double> one_way_errors(int k) { return sum::detail::one_way_errors<double>(k, 0, false, 1).x; }

TEST(SummationCatalog, Sum2ComesNearItsSharpBoundWhereAllErrorsHaveOneSign) {
  for (const auto& [k, least] : {std::pair{8, 0.98}, {10, 0.995}}) {
    for (const char* name : {"sum.sum2", "sum.neumaier"}) {
      const Judgement judged = judgement_of(name, "error_sharp", sum::SumCase<double>{one_way_errors(k)});
      EXPECT_EQ(judged.verdict, Verdict::holds) << name;
      EXPECT_GT(judged.tightness, least) << name;
      EXPECT_GT(judged.terms[1].value, least) << name;
    }
  }
}

TEST(SummationCatalog, ThreeTenthsOfNSquaredAreRefutedForSum2) {
  EXPECT_EQ(verdict_of("sum.sum2", "error_below_sharp", one_way_errors(8)), Verdict::violated);
  EXPECT_EQ(verdict_of("sum.sum2", "error_below_sharp", {1, 0x1p-53, 0x1p-106}), Verdict::holds);
}

// 1, 1024 times u, 1023 small numbers times 1024u, −1 − 1024u.
TEST(SummationCatalog, Sum3ComesToAnEighthOfItsSharpSecondTerm) {
  const Judgement judged = judgement_of(
      "sum.sum3", "error_sharp", sum::SumCase<double>{sum::detail::one_way_errors_of_errors<double>(10, 0, false)});
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_GT(judged.terms[1].value, 0.124);
}

TEST(SummationCatalog, Dot2ComesNearItsSharpBoundForManyProducts) {
  const std::vector<double> x = one_way_errors(10);
  const sum::DotCase<double> c{x, std::vector<double>(x.size(), 1)};
  const Judgement judged = judgement_of("dot.dot2", "error_sharp", c);
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_GT(judged.tightness, 0.97);
  EXPECT_EQ(judgement_of("dot.dot2", "error_below_sharp", c).verdict, Verdict::violated);
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
  for (std::uint64_t i = 0; i < test::of_tier<std::uint64_t>(4, 20); ++i) {
    const Record record = *model.make(1, i);
    for (const Record& smaller : smaller_records(model, record)) {
      ASSERT_TRUE(model.contains(smaller));
      ASSERT_LT(complexity(smaller), complexity(record));
    }
  }
}

}  // namespace
}  // namespace assay
