#pragma once
// The result of a check whose cases a device judges: probes.json in the folder of the run.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"
#include "properties/framework/probe_run.hpp"

namespace assay::store {

/// A probe on one executor.
struct ProbeRow {
  /// Cells of one class: first … first + count − 1 belong to this run, of which `done` are judged.
  struct Class {
    std::string name;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t done = 0;
  };
  std::string property;
  std::string claim;
  std::string statement;
  std::string executor;  ///< "host" or "cuda"
  std::uint64_t cell = 0;
  std::vector<Class> classes;
  ProbeTally tally;
  double seconds = 0;
  std::optional<CaseFile> hardest;  ///< the case with the largest ratio
  std::optional<CaseFile> failure;  ///< the first violated case, shrunk
};

struct ProbeRows {
  std::uint64_t seed = 1;
  std::uint64_t cases = 0;  ///< cases of each property over all shards; 0: as many as the time allows
  std::string shard;
  std::map<std::string, std::string> provenance;  ///< as Summary::provenance
  std::vector<ProbeRow> rows;
};

Json probes_to_json(const ProbeRows& probes);
/// Throws JsonError.
ProbeRows probes_from_json(const Json& value);

}  // namespace assay::store
