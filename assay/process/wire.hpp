#pragma once
// What a run and its workers tell each other: one JSON document a line, numbers as integers.

#include "assay/store/json.hpp"
#include "properties/framework/model.hpp"

namespace assay::process {

store::Json to_wire(const Words& words);
Words words_from_wire(const store::Json& value);

store::Json to_wire(const Record& record);
Record record_from_wire(const store::Json& value);

store::Json to_wire(const CaseOutcome& outcome);
CaseOutcome outcome_from_wire(const store::Json& value);

store::Json to_wire(const CaseRange& range);
CaseRange range_from_wire(const store::Json& value);

}  // namespace assay::process
