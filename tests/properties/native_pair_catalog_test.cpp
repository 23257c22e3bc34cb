#include <gtest/gtest.h>

#include <algorithm>

#include "arith/operands.hpp"
#include "properties/adequacy.hpp"
#include "properties/property.hpp"

namespace assay {
namespace {

std::vector<const PropertyModel*> pair_properties() {
  std::vector<const PropertyModel*> found;
  for (const auto& each : properties()) {
    if (each->info().name.starts_with("pair.")) found.push_back(each.get());
  }
  return found;
}

/// The judgement of a claim on one case.
template <class Case>
Judgement judgement_of(const std::string& name, const std::string& claim, const Case& c) {
  const PropertyModel* model = find_property(name);
  if (model == nullptr) throw std::out_of_range("no property " + name);
  const auto& claims = model->info().claims;
  const auto at = std::find_if(claims.begin(), claims.end(), [&](const ClaimInfo& each) { return each.id == claim; });
  if (at == claims.end()) throw std::out_of_range("no claim " + claim);
  const Record record = record_of(c);
  return model->judge(Executor::host(), {&record, 1})[0]
      .claims[static_cast<std::size_t>(at - claims.begin())]
      .judgement;
}

class NativePairProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(NativePairProperty, KeepsItsClaimsAndRefutesItsControlsInTheQuickTier) {
  const PropertyModel& model = *GetParam();
  const Tally tally = model.run(Executor::host(), 1, {0, 1, model.info().quick_cases}, {});
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const ClaimInfo& claim = model.info().claims[i];
    EXPECT_EQ(tally.claims[i].violated != 0, claim.expected_refuted) << claim.id;
    EXPECT_EQ(tally.claims[i].undecided, 0u) << claim.id;
    EXPECT_GT(tally.claims[i].executed, 0u) << claim.id;
  }
  EXPECT_EQ(inadequacies(model, tally, 1), std::vector<std::string>{});
}

TEST_P(NativePairProperty, DrawsInsideItsDomain) {
  const PropertyModel& model = *GetParam();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(model.contains(*model.make(1, i))) << i;
  }
}

std::string test_name(const testing::TestParamInfo<const PropertyModel*>& info) {
  std::string name = info.param->info().name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, NativePairProperty, testing::ValuesIn(pair_properties()), test_name);

TEST(NativePairCatalog, HasEveryOperationInBothFormats) {
  for (const char* operation :
       {"pair.normalize", "pair.add", "pair.native_mul_fma", "pair.native_mul_split", "pair.native_mul_mask",
        "pair.mul_fma", "pair.mul_split", "pair.mul_mask", "pair.good_mul_fma", "pair.good_mul_split",
        "pair.good_mul_mask", "pair.mul_fma_underflow", "pair.native_mul_split_overflow"}) {
    EXPECT_NE(find_property(operation), nullptr) << operation;
    EXPECT_NE(find_property(std::string(operation) + ".f32"), nullptr) << operation;
  }
}

TEST(NativePairCatalog, ProductBySplitNearlyAttainsItsBound) {
  const DwDw<float> c{{0x1.01902ap+0f, 0x1.fffffep-25f}, {0x1.049026p+0f, 0x1.fffffap-25f}};
  EXPECT_GT(judgement_of("pair.mul_split.f32", "error", c).tightness, 0.97);
  EXPECT_EQ(judgement_of("pair.mul_split.f32", "error_by_fma", c).verdict, Verdict::violated);
  EXPECT_EQ(judgement_of("pair.mul_fma.f32", "error", c).verdict, Verdict::holds);
}

TEST(NativePairCatalog, TwelveBitMaskNearlyAttainsItsBound) {
  const Pair<float> c{2049.0f * 0x1p12f + 4095.0f, 2049.0f * 0x1p12f + 4094.0f};
  EXPECT_GT(judgement_of("pair.native_mul_mask.f32", "error", c).tightness, 0.997);
}

TEST(NativePairCatalog, SumOfCancellingPairsLosesEverything) {
  const DwDw<float> c{{1 + 0x1p-23f, 0x1p-24f - 0x1p-48f}, {-1 - 0x1p-22f, 0x1p-24f}};
  EXPECT_EQ(judgement_of("pair.add.f32", "error", c).verdict, Verdict::violated);
  EXPECT_EQ(judgement_of("pair.add.f32", "error_absolute", c).verdict, Verdict::holds);
}

TEST(NativePairCatalog, ConversionAttainsItsBound) {
  EXPECT_GT(judgement_of("pair.from_double.f32", "error", Single<double>{1 + 0x1p-25 + 0x1p-49}).tightness, 0.999);
}

}  // namespace
}  // namespace assay
