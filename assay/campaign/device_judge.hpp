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
  std::chrono::milliseconds time{60000};  ///< used if `cases` is empty
  Shard shard;
  CrewSettings crew;  ///< a device has one worker
  /// Called after a second or more of work, when the row may be saved.
  std::function<void(const store::ProbeRow&)> save;
};

/// The row of a property on an executor with its cells of this shard, none of them judged: each class has its weight's
/// share of all cells, and the shards cut it into ranges. Without a number of cases only classes that are lists have an
/// end. Requires: the property has a probe.
store::ProbeRow planned_row(const DeviceJudgeSettings& settings, const PropertyModel& property,
                            const std::string& executor);

/// Judges the remaining cells of the row. Returns the Stop of a subject that gave no answer. The row does not depend on
/// jobs or on interruptions. Errors: Interrupted, with the row at that time; std::runtime_error if the harness does not
/// work.
std::optional<process::Stop> judge_cells(const DeviceJudgeSettings& settings, const PropertyModel& property,
                                         store::ProbeRow& row);

}  // namespace assay::campaign
