#include <gtest/gtest.h>

#include <string>

#include "catalog_property.hpp"

namespace assay {
namespace {

class WordSumProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(WordSumProperty, DrawsOnlyCasesOfItsDomain) { expect_draws_inside(*GetParam(), 3000); }

INSTANTIATE_TEST_SUITE_P(Catalog, WordSumProperty, testing::ValuesIn(properties_of({"triple.", "expansion.qd_"})),
                         test_name);

TEST(TripleWordCatalog, HasEveryKernelInTheFormatsThatHaveTheRange) {
  for (const char* kernel : {"triple.from_three", "triple.add", "triple.compare", "triple.mul_accurate",
                             "triple.mul_fast", "triple.mul_dw_accurate", "triple.mul_dw_fast", "triple.round"}) {
    EXPECT_NE(find_property(kernel), nullptr) << kernel;
    EXPECT_NE(find_property(std::string(kernel) + ".f32"), nullptr) << kernel;
  }
  for (const char* kernel : {"triple.reciprocal_accurate", "triple.reciprocal_fast", "triple.div_accurate",
                             "triple.div_fast", "triple.sqrt_accurate", "triple.sqrt_fast"}) {
    EXPECT_NE(find_property(kernel), nullptr) << kernel;
    EXPECT_EQ(find_property(std::string(kernel) + ".f32"), nullptr) << kernel;
  }
}

}  // namespace
}  // namespace assay
