#include <gtest/gtest.h>

#include "arith/words/operands.hpp"
#include "catalog_property.hpp"

namespace assay {
namespace {

class NativePairProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(NativePairProperty, DrawsInsideItsDomain) { expect_draws_inside(*GetParam(), 1000); }

INSTANTIATE_TEST_SUITE_P(Catalog, NativePairProperty, testing::ValuesIn(properties_of({"pair."})), test_name);

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
