#pragma once
// The result of `assay hunt`: hunt.json in the folder of a hunt.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The inputs nearest to the bound of one claim, or to one named term of it, on one executor.
struct HuntRow {
  std::string property;
  std::string claim;
  std::string term;      ///< empty: the bound as a whole
  std::string executor;  ///< "host" or "cuda"
  std::string ratio;     ///< error/bound as the oracle has it, decimal: the shortest that gives its double; or "inf"
  /// For a claim of correct rounding: ⌊log₂⌋ of the distance of the exact value to the nearest boundary of rounding, in
  /// ulps.
  std::optional<std::int64_t> boundary;
  std::uint64_t evaluations = 0;
  std::uint64_t undecided = 0;  ///< of these, cases for which the judge could not tell whether the claim holds
  double seconds = 0;
  CaseFile hardest;
};

struct HuntRows {
  std::uint64_t seed = 1;
  bool blind = false;
  std::map<std::string, std::string> provenance;  ///< as Summary::provenance
  std::vector<HuntRow> rows;
};

Json hunt_to_json(const HuntRows& hunt);
/// Throws JsonError.
HuntRows hunt_from_json(const Json& value);

}  // namespace assay::store
