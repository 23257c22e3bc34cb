#pragma once
// Runs properties on many cases, in worker processes, and gathers the findings.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/campaign/crew.hpp"
#include "assay/store/corpus.hpp"
#include "assay/store/summary.hpp"

namespace assay::campaign {

struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

/// The number of cases of a run that belong to a shard.
constexpr std::uint64_t share_of(const Shard& shard, std::uint64_t cases) {
  return cases / shard.count + (shard.index < cases % shard.count ? 1 : 0);
}

/// One property on one executor, and the number of its cases in the whole run (all shards together).
struct Planned {
  const PropertyModel* property = nullptr;
  std::string executor;
  std::uint64_t requested = 0;
  std::vector<bool> claims;  ///< which claims are reported, in the order of PropertyInfo::claims; empty: all
};

struct CampaignSettings {
  std::uint64_t seed = 1;
  std::string tier = "quick";
  Shard shard;
  std::filesystem::path out = "assay-out";
  bool resume = false;
  std::optional<std::filesystem::path> corpus;
  CrewSettings crew;
  std::uint64_t shrink_steps = 10000;
  bool shrink = true;
  /// Some cases are large: they have a user's shapes, or those of the tier nightly. So shrinking also ends once its
  /// candidates have numbers_for() numbers in total, and a hardest case with many numbers is not kept.
  bool has_large_shapes = false;
  std::optional<std::chrono::milliseconds> time;  ///< for each property and executor
  std::map<std::string, std::string> provenance;
  /// Called to report progress: the property's position, its cases done and planned. Called by several threads, one at
  /// a time.
  std::function<void(std::size_t item, std::uint64_t done, std::uint64_t planned)> progress;
};

struct CampaignResult {
  store::Summary summary;
  std::vector<std::string> lines;          ///< messages for standard error: one sentence each
  std::vector<std::string> disagreements;  ///< about two machines that ran the same chunk: one sentence each
  bool damaged = false;                    ///< a corpus file could not be read
  int interrupted = 0;                     ///< the signal; the summary is empty then
};

/// Runs the plan. Corpus cases come first (shard 0 alone), then the cases of the shard; then, for each claim, the
/// failing case with the smallest number is repeated and shrunk, and the hardest is kept. The summary does not depend
/// on jobs, isolation, resumption or time of day. Errors: OutputError, DamagedFile, OtherSettings; std::runtime_error
/// for a harness that does not work.
CampaignResult run_campaign(const CampaignSettings& settings, std::span<const Planned> plan);

/// The evidence of an outcome about one claim.
store::CaseFile::Evidence evidence_of(const CaseOutcome& outcome, std::size_t claim);

/// If `witness` refutes the negative control `claim` on this executor with another error/bound than it stores: both, in
/// words. An error/bound is computed exactly and rounded once, so a stored one keeps its bits for ever. A library that
/// only runs on a device may give other results on another device: nothing is compared there.
std::optional<std::string> other_ratio(const PropertyInfo& info, std::size_t claim, const store::CaseFile& witness,
                                       const ClaimOutcome& outcome, const std::string& executor);

}  // namespace assay::campaign
