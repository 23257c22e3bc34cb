#include <gtest/gtest.h>

#include <algorithm>

#include "properties/adequacy.hpp"
#include "properties/property.hpp"
#include "properties/summation_cases.hpp"

namespace assay {
namespace {

constexpr std::uint64_t cases = 1000;

std::vector<const PropertyModel*> summation_properties() {
  std::vector<const PropertyModel*> found;
  for (const auto& each : properties()) {
    const std::string& name = each->info().name;
    if (name.starts_with("sum.") || name.starts_with("dot.")) {
      found.push_back(each.get());
    }
  }
  return found;
}

const PropertyModel& property(const std::string& name) {
  const PropertyModel* found = find_property(name);
  if (found == nullptr) throw std::out_of_range("no property " + name);
  return *found;
}

std::size_t claim_at(const PropertyModel& model, const std::string& id) {
  const auto& claims = model.info().claims;
  const auto at = std::find_if(claims.begin(), claims.end(), [&](const ClaimInfo& each) { return each.id == id; });
  if (at == claims.end()) throw std::out_of_range("no claim " + id);
  return static_cast<std::size_t>(at - claims.begin());
}

/// The verdict of a claim on one vector.
Verdict verdict_of(const std::string& name, const std::string& claim, std::vector<double> x) {
  const PropertyModel& model = property(name);
  const Record record = record_of(SumCase<double>{std::move(x)});
  return model.judge(Executor::host(), {&record, 1})[0].claims[claim_at(model, claim)].judgement.verdict;
}

class SummationProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(SummationProperty, KeepsItsClaimsAndRefutesItsControlsInTheQuickTier) {
  const PropertyModel& model = *GetParam();
  ASSERT_EQ(model.info().quick_cases, cases);
  const Tally tally = model.run(Executor::host(), 1, {0, 1, cases}, {});
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const ClaimInfo& claim = model.info().claims[i];
    EXPECT_EQ(tally.claims[i].violated != 0, claim.expected_refuted) << claim.id;
    EXPECT_EQ(tally.claims[i].undecided, 0u) << claim.id;
    EXPECT_GT(tally.claims[i].executed, 0u) << claim.id;
  }
}

TEST_P(SummationProperty, IsAdequate) {
  const PropertyModel& model = *GetParam();
  const Tally tally = model.run(Executor::host(), 1, {0, 1, cases}, {});
  EXPECT_EQ(inadequacies(model, tally, 1), std::vector<std::string>{});
}

std::string test_name(const testing::TestParamInfo<const PropertyModel*>& info) {
  std::string name = info.param->info().name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, SummationProperty, testing::ValuesIn(summation_properties()), test_name);

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
  const PropertyModel& model = property("sum.recursive");
  std::vector<double> x(1000, 0x1p-53);
  x[0] = 1;
  const Record record = record_of(SumCase<double>{std::move(x)});
  const auto outcome = model.judge(Executor::host(), {&record, 1})[0];
  EXPECT_GT(outcome.claims[claim_at(model, "error")].judgement.tightness, 0.999999);
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
    for (const Record& smaller : model.shrink(record)) {
      ASSERT_TRUE(model.contains(smaller));
      ASSERT_LT(complexity(smaller), complexity(record));
    }
  }
}

}  // namespace
}  // namespace assay
