#pragma once
// Cases of input classes, and whether they lie in their domain.

#include <gtest/gtest.h>
#include <algorithm>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/framework/property.hpp"
#include "tests/tier.hpp"

namespace assay {

/// Cases 0 … count − 1 of one class.
template <class Case>
std::vector<Case> draw(const InputClass<Case>& input_class, std::uint64_t count) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) {
    cases.push_back(input_class.generator(random_for(7, input_class.name, i)));
  }
  return cases;
}

template <class Case>
const InputClass<Case>& class_named(const Domain<Case>& domain, const std::string& name) {
  for (const auto& each : domain.classes) {
    if (each.name == name) return each;
  }
  throw std::out_of_range("no class " + name);
}

/// The domain contains the first `count` cases of each of its classes, or, outside of the nightly form, a quarter of
/// them but at least 20.
template <class Case>
void expect_inside(const Domain<Case>& domain, std::uint64_t count = 200) {
  for (const auto& input_class : domain.classes) {
    for (const Case& each :
         draw(input_class, test::of_tier(std::min(count, std::max<std::uint64_t>(count / 4, 20)), count))) {
      ASSERT_TRUE(domain.contains(each)) << domain.accepts << ": " << input_class.name;
    }
  }
}

/// The cases of the rows of the domain's traits lie in it and have every pair of values that is possible; neither they
/// nor `count` cases of each class have an impossible pair.
template <class Case>
void expect_all_pairs(const Domain<Case>& domain, std::uint64_t count = 20) {
  ASSERT_TRUE(domain.traits);
  const Traits<Case>& traits = *domain.traits;
  const TraitPairs pairs({traits.all.begin(), traits.all.end()}, traits.impossible);
  const auto see = [&](const Case& c, std::string& seen) {
    TraitRow values;
    for (const Trait<Case>& each : traits.all) values.push_back(each.of(c));
    pairs.see(values, seen);
  };
  std::string seen = pairs.none();
  const std::vector<TraitRow> rows = pairs.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Draw random(random_for(7, "pairs of traits", i));
    const Case c = traits.draw(random, rows[i]);
    EXPECT_TRUE(domain.contains(c)) << domain.accepts << ": row " << i;
    see(c, seen);
  }
  EXPECT_EQ(pairs.missing(seen), std::vector<std::string>{});
  for (const InputClass<Case>& each : domain.classes) {
    for (const Case& c : draw(each, count)) see(c, seen);
  }
  EXPECT_EQ(pairs.contradicting(seen), std::vector<std::string>{});
}

}  // namespace assay
