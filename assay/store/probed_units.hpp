#pragma once
// The document of `assay probe-device --json`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

struct ProbedUnits {
  /// A product that is not zero.
  struct Term {
    std::uint64_t place = 0;
    std::string a = {};
    std::string b = {};
  };
  /// An input on which the unit and the last remaining model differ. Numbers are hexadecimal.
  struct Example {
    std::vector<Term> terms = {};
    std::string c = {};
    std::string got = {};
    std::string predicted = {};
  };
  struct Unit {
    std::string name = {};
    std::string input = {};
    std::string result = {};
    std::uint64_t products = 0;
    bool takes_c = false;
    std::string entries = {};
    std::string order = {};
    std::optional<std::uint64_t> step = {};
    std::optional<std::uint64_t> slice = {};
    std::string rule = {};
    std::string conversion = {};
    std::optional<std::uint64_t> fraction_bits = {};
    std::string alignment = {};
    std::string rounding = {};
    std::optional<std::int64_t> least_floor = {};
    std::optional<std::int64_t> largest_floor = {};
    std::optional<bool> keeps_subnormal_elements = {};
    std::optional<bool> keeps_subnormal_results = {};
    std::string nan = {};
    std::uint64_t predicted = 0;
    std::uint64_t checked = 0;
    std::string contract = {};
    std::string trouble = {};
    std::optional<Example> example = {};
  };
  std::string device = {};
  std::uint64_t seed = 1;
  std::vector<Unit> units = {};
};

Json probed_units_document(const ProbedUnits& units);

}  // namespace assay::store
