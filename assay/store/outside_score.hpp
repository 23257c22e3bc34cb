#pragma once
// The outside score: tests/outside/score.py writes it and `assay report` shows it.

#include <cstdint>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// score.json of score.py; outside.json in the folder of a run.
struct OutsideScore {
  struct Operation {
    std::string operation;
    std::uint64_t wrong = 0;
    std::uint64_t refused = 0;  ///< for the wrong kernels, by the contracts that their authors claim
    std::uint64_t right = 0;
    std::uint64_t accepted = 0;  ///< for the right kernels
    double seconds = 0;          ///< the median processor time to judge one kernel
  };
  std::string date;  ///< as YYYY-MM-DD
  std::vector<Operation> operations;
  Operation all;
};

/// Throws JsonError.
OutsideScore outside_score_from_json(const Json& value);

}  // namespace assay::store
