#pragma once
// The messages between a run and its workers: one JSON document on each line, numbers as integers. Long texts, such as
// the bit patterns of an array, follow the document, where they need no escapes and are not parsed.

#include "assay/store/json.hpp"
#include "properties/framework/climb.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/probe_run.hpp"

namespace assay::process {

/// The descriptors of a worker: its channel, and the file by which workers take turns on a device.
inline constexpr int worker_descriptor = 3;
inline constexpr int turn_descriptor = 4;

/// A document as a line. Of an object with the only member "@" it makes no line that can be read.
std::string line_of(store::Json value);
/// The document of a line. Throws JsonError.
store::Json document_of(const std::string& line);

/// For Words, Record, CaseOutcome, CaseRange, ClimbGoal, ClimbState and ProbeTally.
template <class T>
store::Json to_wire(const T& value);
/// Throws JsonError.
template <class T>
T from_wire(const store::Json& value);

}  // namespace assay::process
