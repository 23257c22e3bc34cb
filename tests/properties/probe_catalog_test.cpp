#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/probe_run.hpp"
#include "tests/properties/catalog_property.hpp"
#include "tests/tier.hpp"

namespace assay {

namespace {

/// The properties with a probe, as parameters. A process that runs a single test needs only the properties of its own
/// family.
std::vector<std::string> with_probe() {
  std::vector<std::string> found;
  const std::string test = only_test();
  if (!test.empty() && test.find("/ProbeOfCatalog.") == std::string::npos) return found;
  const std::string parameter = test.substr(test.rfind('/') + 1);
  const auto family = properties_of(parameter.substr(0, parameter.find('_')));
  for (const auto& each : family.empty() ? properties() : family) {
    if (each->probe() != nullptr) found.push_back(each->info().name);
  }
  return found;
}

/// The parameter is the name of the property.
class ProbeOfCatalog : public testing::TestWithParam<std::string> {
 protected:
  const PropertyModel& property_ = *find_property(GetParam());
};

/// The i-th of some numbers of cases of a class: i, or a random place of a list.
std::uint64_t number_of_case(const Probed::InputClass& of, std::uint64_t i) {
  return of.size == 0 ? i : bits::SplitMix64::mixed(i) % of.size;
}

TEST_P(ProbeOfCatalog, DrawsInputsOfThePropertysDomainInEveryClass) {
  const Probed& probe = *property_.probe();
  const std::uint64_t draws = test::of_tier(20000, 100000);
  for (std::uint64_t i = 0; i < draws; ++i) {
    const std::size_t k = i % probe.classes.size();
    ASSERT_TRUE(property_.contains(probe.make(1, k, number_of_case(probe.classes[k], i))))
        << probe.classes[k].name << ", case " << i;
  }
}

TEST_P(ProbeOfCatalog, SaysOfEveryCaseWhatTheOracleSays) {
  const Probed& probe = *property_.probe();
  const auto& claims = property_.info().claims;
  const auto claim = static_cast<std::size_t>(
      std::find_if(claims.begin(), claims.end(), [&](const ClaimInfo& each) { return each.id == probe.claim; }) -
      claims.begin());
  ASSERT_LT(claim, claims.size());
  std::size_t asked = 0;
  for (std::size_t k = 0; k < probe.classes.size(); ++k) {
    std::vector<Record> cases;
    const std::uint64_t count = probe.classes[k].size == 0 ? test::of_tier(300, 9000) : 20000;
    for (std::uint64_t number = 0; number < count; ++number)
      cases.push_back(probe.make(1, k, number_of_case(probe.classes[k], number)));
    const auto judgements = property_.judge_claim(Executor::host(), cases, claim);
    asked += cases.size();
    for (std::uint64_t number = 0; number < cases.size(); ++number) {
      const double exact = judgements[number]->tightness;
      const double bound = probe.ratio(1, k, number_of_case(probe.classes[k], number));
      ASSERT_LE(exact, bound * (1 + 0x1p-39) + 0x1p-1000) << probe.classes[k].name << ", case " << number;
      ASSERT_GE(exact, bound * (1 - 0x1p-30) - 0x1p-30) << probe.classes[k].name << ", case " << number;
    }
    // The implied claims are tested on fewer cases, since some of them are slow.
    constexpr std::size_t most = 60;
    const std::span<const Record> some = std::span<const Record>(cases).first(std::min(most, cases.size()));
    for (const std::string& id : probe.implied) {
      const auto implied =
          std::find_if(claims.begin(), claims.end(), [&](const ClaimInfo& each) { return each.id == id; });
      ASSERT_NE(implied, claims.end()) << id;
      for (const auto& each :
           property_.judge_claim(Executor::host(), some, static_cast<std::size_t>(implied - claims.begin()))) {
        ASSERT_EQ(each->verdict, Verdict::holds) << id;
      }
    }
  }
  RecordProperty("cases", std::to_string(asked));  // shown by --gtest_output
}

INSTANTIATE_TEST_SUITE_P(Catalog, ProbeOfCatalog, testing::ValuesIn(with_probe()),
                         [](const auto& each) { return in_test_name(each.param); });

}  // namespace
}  // namespace assay
