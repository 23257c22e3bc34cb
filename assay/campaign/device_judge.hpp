#pragma once
// Checks whose cases a probe judges where they run (docs/decisions/device_judge.md).

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "assay/campaign/campaign.hpp"
#include "assay/store/probe_rows.hpp"

namespace assay::campaign {

struct DeviceJudgeSettings {
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> cases;     ///< of the whole run, all shards together; none: until `time` is over
  std::chrono::milliseconds time{60000};  ///< where `cases` says nothing
  Shard shard;
  CrewSettings crew;  ///< a device has one worker
  /// Told after a second or more of work, when the row may be saved.
  std::function<void(const store::ProbeRow&)> save;
};

/// The row of a property on an executor with its cells of this shard, none of them judged: the cells of a class are its
/// weight's share of all, which the shards cut into ranges. Without a number of cases there is no end of cells, but for
/// classes that are lists. Requires: the property has a probe.
store::ProbeRow planned_row(const DeviceJudgeSettings& settings, const PropertyModel& property,
                            const std::string& executor);

/// Judges the cells of the row that are left. Returns the Stop of a subject that gave no answer. The row depends
/// neither on jobs nor on how often it was left off. Errors: Interrupted, with the row as it is then;
/// std::runtime_error for a harness that does not work.
std::optional<process::Stop> judge_cells(const DeviceJudgeSettings& settings, const PropertyModel& property,
                                         store::ProbeRow& row);

}  // namespace assay::campaign
