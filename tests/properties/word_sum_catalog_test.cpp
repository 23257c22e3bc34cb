#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "properties/adequacy.hpp"
#include "properties/property.hpp"
#include "properties/word_sum_cases.hpp"

namespace assay {
namespace {

constexpr std::uint64_t cases = 60000;

std::vector<const PropertyModel*> word_sum_properties() {
  std::vector<const PropertyModel*> found;
  for (const auto& each : properties()) {
    const std::string& name = each->info().name;
    if ((name.starts_with("triple.") || name.starts_with("expansion.qd_")) && each->info().enumeration_size == 0) {
      found.push_back(each.get());
    }
  }
  return found;
}

class WordSumProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(WordSumProperty, KeepsItsClaimsAndRefutesItsControls) {
  const PropertyModel& model = *GetParam();
  const Tally tally = model.run(Executor::host(), 1, {0, 1, cases}, {});
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const ClaimInfo& claim = model.info().claims[i];
    EXPECT_EQ(tally.claims[i].violated != 0, claim.expected_refuted) << claim.id;
    EXPECT_EQ(tally.claims[i].undecided, 0u) << claim.id;
    EXPECT_GT(tally.claims[i].executed, 0u) << claim.id;
  }
  EXPECT_EQ(inadequacies(model, tally, 1), std::vector<std::string>{});
}

TEST_P(WordSumProperty, DrawsOnlyCasesOfItsDomain) {
  const PropertyModel& model = *GetParam();
  for (std::uint64_t i = 0; i < 3000; ++i) {
    ASSERT_TRUE(model.contains(*model.make(1, i))) << i;
  }
}

std::string test_name(const testing::TestParamInfo<const PropertyModel*>& info) {
  std::string name = info.param->info().name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, WordSumProperty, testing::ValuesIn(word_sum_properties()), test_name);

/// The tightness of a claim on one case.
template <class Case>
double tightness_of(const std::string& name, const std::string& claim, const Case& c) {
  const PropertyModel& model = *find_property(name);
  const auto& claims = model.info().claims;
  const auto at = std::find_if(claims.begin(), claims.end(), [&](const ClaimInfo& each) { return each.id == claim; });
  const Record record = record_of(c);
  const CaseOutcome outcome = model.judge(Executor::host(), {&record, 1})[0];
  return outcome.claims[static_cast<std::size_t>(at - claims.begin())].judgement.tightness;
}

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
