#pragma once
// The messages between a run and its workers: one JSON document on each line, numbers as integers.

#include "assay/store/json.hpp"
#include "properties/framework/climb.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/probe_run.hpp"

namespace assay::process {

/// The descriptors of a worker: its channel, and the file by which workers take turns on a device.
inline constexpr int worker_descriptor = 3;
inline constexpr int turn_descriptor = 4;

/// A document as a line.
std::string line_of(const store::Json& value);

/// For Words, Record, CaseOutcome, CaseRange, ClimbGoal, ClimbState and ProbeTally.
template <class T>
store::Json to_wire(const T& value);
/// Throws JsonError.
template <class T>
T from_wire(const store::Json& value);

}  // namespace assay::process
