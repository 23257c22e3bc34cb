#pragma once
// Cases of input classes, and whether they lie in their domain.

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/framework/property.hpp"

namespace assay {

/// Cases 0 … count − 1 of one class.
template <class Case>
std::vector<Case> draw(const InputClass<Case>& input_class, std::uint64_t count) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) {
    cases.push_back(input_class.generator(random_for(7, input_class.name, i), 0).value());
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

/// The domain contains the first `count` cases of each of its classes.
template <class Case>
void expect_inside(const Domain<Case>& domain, std::uint64_t count = 200) {
  for (const auto& input_class : domain.classes) {
    for (const Case& each : draw(input_class, count)) {
      ASSERT_TRUE(domain.contains(each)) << domain.accepts << ": " << input_class.name;
    }
  }
}

}  // namespace assay
