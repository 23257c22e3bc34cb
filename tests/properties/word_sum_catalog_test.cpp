#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "catalog_property.hpp"
#include "probes/triple/one_way.hpp"

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

/// The words of triple.mul_fast.1 for m from the least one to 4/3 of it.
template <class T>
void expect_products_near_their_bounds(const std::string& suffix, double least) {
  constexpr std::uint64_t first = probes::triple::least_start<T>;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto c = probes::triple::one_way_operands<T>(first + first / 300 * i);
    for (const char* kernel : {"triple.mul_accurate", "triple.mul_fast"}) {
      const Judgement judged = judgement_of(kernel + suffix, "error", c);
      EXPECT_EQ(judged.verdict, Verdict::holds) << kernel << i;
      EXPECT_GT(judged.tightness, least) << kernel << i;
      EXPECT_EQ(judgement_of(kernel + suffix, "error_below", c).verdict, Verdict::violated) << kernel << i;
    }
  }
}

TEST(TripleWordCatalog, ProductsComeNearTheirBoundsWhereAllRoundingsErrOneWay) {
  expect_products_near_their_bounds<double>("", 0.99999);
  expect_products_near_their_bounds<float>(".f32", 0.98);
}

}  // namespace
}  // namespace assay
