#include <gtest/gtest.h>

#include <limits>

#include "catalog_property.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay {
namespace {

constexpr double u = 0x1p-53;

Verdict verdict_of(const std::string& name, const std::string& claim, std::vector<double> x) {
  return judgement_of(name, claim, sum::Ordered<sum::SumCase<double>>{{std::move(x)}, 0}).verdict;
}

/// The words of the result.
std::vector<double> words_of_sum(const std::string& name, std::vector<double> x) {
  const Record record = record_of(sum::Ordered<sum::SumCase<double>>{{std::move(x)}, 0});
  const std::vector<Words> results = property(name).evaluate(Executor::host(), {&record, 1});
  std::vector<double> words;
  for (const std::uint64_t bits : results[0].bits) {
    words.push_back(number_of<double>(bits));
  }
  return words;
}

TEST(AccurateSumCatalog, HasTheAlgorithmsInBothFormats) {
  for (const char* kernel :
       {"sum.acc_sum", "sum.acc_sum_k", "sum.acc_sign", "sum.near_sum", "sum.fast_acc_sum", "sum.prec_sum"}) {
    EXPECT_NE(find_property(kernel), nullptr) << kernel;
    EXPECT_NE(find_property(std::string(kernel) + ".f32"), nullptr) << kernel;
  }
}

TEST(AccurateSumCatalog, HasAccumulatorsAndExactForms) {
  for (const char* kernel : {"sum.superaccumulator", "sum.exact", "dot.exact", "dot.superaccumulator", "dot.fpe3",
                             "dot.fpe4", "dot.fpe6", "dot.fpe8"}) {
    EXPECT_NE(find_property(kernel), nullptr) << kernel;
  }
}

TEST(AccurateSumCatalog, NearSumDecidesATieByWhatIsFarBelow) {
  EXPECT_EQ(words_of_sum("sum.near_sum", {1, u, u * u})[0], 1 + 2 * u);
  EXPECT_EQ(words_of_sum("sum.near_sum", {1, u, -u * u})[0], 1);
  EXPECT_EQ(verdict_of("sum.near_sum", "nearest", {1, u, u * u}), Verdict::holds);
}

TEST(AccurateSumCatalog, ExactSumRoundsInEveryDirection) {
  const std::vector<double> words = words_of_sum("sum.exact", {-1, -u, -0x1p-1074});
  EXPECT_EQ(words, (std::vector<double>{-1 - 2 * u, -1, -1 - 2 * u, -1, -1 - 2 * u}));
}

TEST(AccurateSumCatalog, AccumulatorsTakePartialSumsThatOverflow) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(words_of_sum("sum.superaccumulator", {largest, largest, -largest})[0], largest);
  EXPECT_EQ(verdict_of("sum.superaccumulator", "nearest", {largest, largest}), Verdict::holds);
}

TEST(AccurateSumCatalog, MinusZerosAloneSumToMinusZero) {
  EXPECT_TRUE(signbit(words_of_sum("sum.exact", {-0.0, -0.0})[0]));
  EXPECT_FALSE(signbit(words_of_sum("sum.exact", {-0.0, 0.0})[0]));
  EXPECT_EQ(verdict_of("sum.exact", "nearest", {-0.0, -0.0}), Verdict::holds);
}

TEST(AccurateSumCatalog, AccSumIsRefutedAsRoundedToNearest) {
  EXPECT_EQ(verdict_of("sum.acc_sum", "nearest", {1 + 2 * u, u - 0x1p-105}), Verdict::violated);
  EXPECT_EQ(verdict_of("sum.acc_sum", "faithful", {1 + 2 * u, u - 0x1p-105}), Verdict::holds);
}

TEST(AccurateSumCatalog, PrecSumIsRefutedAsFaithfulWhereTheSumCancels) {
  const std::vector<double> x{0x1.7d4e4eb32b5d7p+0, -0x1.7d4e4eb32b5d7p+0, 0x1p-108};
  EXPECT_EQ(verdict_of("sum.prec_sum", "faithful", x), Verdict::violated);
  EXPECT_EQ(verdict_of("sum.prec_sum", "error", x), Verdict::holds);
}

TEST(AccurateSumCatalog, ShrinksToCasesInsideTheDomain) {
  const PropertyModel& model = property("sum.near_sum.f32");
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Record record = *model.make(1, i);
    if (complexity(record).numbers > 500) continue;
    for (const Record& smaller : smaller_records(model, record)) {
      ASSERT_TRUE(model.contains(smaller));
      ASSERT_LT(complexity(smaller), complexity(record));
    }
  }
}

}  // namespace
}  // namespace assay
