#pragma once
// The output of `assay tolerance --json`.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The errors that a formula allows its machines, for one case of nearly normal numbers.
struct Tolerances {
  struct Axis {
    std::string name = {};
    std::uint64_t length = 0;
  };
  /// Bounds are infinite if no entry has a bound.
  struct Machine {
    std::string name = {};
    std::string description = {};
    double largest = 0;
    double median = 0;
    double relative = 0;
    std::uint64_t at = 0;
    std::uint64_t entries = 0;
    std::uint64_t silent = 0;
    std::uint64_t blind = 0;
  };
  std::string formula = {};
  std::string format = {};
  std::uint64_t seed = 1;
  std::vector<Axis> axes = {};
  std::vector<Machine> machines = {};
  Json graph = Json::object();
};

Json tolerances_document(const Tolerances& tolerances);

}  // namespace assay::store
