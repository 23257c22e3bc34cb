#pragma once
// Digests of the results of kernels, case by case: what `assay check --digests` writes and compares.

#include <cstdint>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The results of one kernel for the cases 0, 1, … of a seed.
struct DigestRow {
  std::string property;
  std::string executor;  ///< "host" or "cuda"
  std::string model;     ///< of the processor or the device
  std::uint64_t seed = 1;
  std::uint64_t inputs = 0;            ///< of all cases together, as BitSums::inputs has it
  std::vector<std::uint64_t> results;  ///< of each case, as BitSums::outputs has it
};

struct Digests {
  std::vector<DigestRow> rows;
};

Json digests_to_json(const Digests& digests);
/// Throws JsonError.
Digests digests_from_json(const Json& value);

}  // namespace assay::store
