#pragma once
// Properties of the catalog by name, and helpers for tests of them. That a property keeps its claims and refutes its
// controls in the quick tier is its own ctest, <property>.host.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "properties/framework/property.hpp"

namespace assay {

/// "dw.add" as part of the name of a test: "dw_add".
inline std::string in_test_name(std::string_view property) {
  std::string name(property);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// The name of the only test that this process runs; empty if a pattern selects the tests. ctest gives each test a
/// process of its own.
inline std::string only_test() {
  const std::string filter = GTEST_FLAG_GET(filter);
  return filter.find_first_of("*?:-") == std::string::npos ? filter : "";
}

/// The sampled properties whose names start with one of the prefixes, as parameters of tests named by test_name(). A
/// process that runs a single test needs only the properties of its own prefix: building all families takes 40 ms.
inline std::vector<const PropertyModel*> properties_of(std::initializer_list<std::string_view> prefixes) {
  std::vector<const PropertyModel*> found;
  const std::string test = only_test();
  for (const std::string_view prefix : prefixes) {
    if (!test.empty() && test.find('/' + in_test_name(prefix)) == std::string::npos) continue;
    for (const auto& each : properties_of(prefix.substr(0, prefix.find('.')))) {
      const PropertyInfo& info = each->info();
      if (info.name.starts_with(prefix) && info.enumeration_size == 0) found.push_back(each.get());
    }
  }
  return found;
}

inline const PropertyModel& property(std::string_view name) {
  const PropertyModel* found = find_property(std::string(name));
  if (found == nullptr) throw std::out_of_range("no property " + std::string(name));
  return *found;
}

inline std::size_t claim_at(const PropertyModel& model, const std::string& id) {
  const auto& claims = model.info().claims;
  const auto at = std::find_if(claims.begin(), claims.end(), [&](const ClaimInfo& each) { return each.id == id; });
  if (at == claims.end()) throw std::out_of_range("no claim " + id);
  return static_cast<std::size_t>(at - claims.begin());
}

/// The judgment of a claim on one case.
inline Judgement judgement_of(const std::string& name, const std::string& claim, const Record& record) {
  const PropertyModel& model = property(name);
  return model.judge(Executor::host(), {&record, 1})[0].claims[claim_at(model, claim)].judgement;
}
template <class Case>
Judgement judgement_of(const std::string& name, const std::string& claim, const Case& c) {
  return judgement_of(name, claim, record_of(c));
}

/// The findings on the first `cases` cases of the property.
inline Tally tally_of(const PropertyModel& model, std::uint64_t cases) {
  return model.run(Executor::host(), 1, {0, 1, cases}, {});
}

/// The cases of the quick tier that are drawn for pairs of traits have every possible pair.
inline void expect_all_pairs_in_the_quick_tier(const PropertyModel& model) {
  const PropertyInfo& info = model.info();
  ASSERT_FALSE(info.traits.empty()) << info.name;
  const std::uint64_t weight = info.classes.back().weight;
  const std::uint64_t round = mixture_round(info);
  Tally tally = model.empty_tally();
  for (std::uint64_t end = round; end <= info.quick_cases; end += round) {
    tally.merge(model.run(Executor::host(), 1, {end - weight, 1, weight}, {}));
  }
  EXPECT_EQ(model.trait_pairs().missing(tally.pairs), std::vector<std::string>{}) << info.name;
  EXPECT_EQ(model.trait_pairs().contradicting(tally.pairs), std::vector<std::string>{}) << info.name;
}

inline void expect_draws_inside(const PropertyModel& model, std::uint64_t cases) {
  for (std::uint64_t i = 0; i < cases; ++i) {
    ASSERT_TRUE(model.contains(*model.make(1, i))) << i;
  }
}

/// The family has each operation for every standard set of moduli.
inline void expect_every_operation(const std::string& family, std::initializer_list<const char*> operations) {
  for (const char* operation : operations) {
    for (const char* n : {"8", "16", "32", "64", "128"}) {
      EXPECT_NE(find_property(family + "." + operation + n), nullptr) << operation << n;
    }
  }
}

/// The name of a property in the form of a test's name.
inline std::string test_name(const testing::TestParamInfo<const PropertyModel*>& info) {
  return in_test_name(info.param->info().name);
}

}  // namespace assay
