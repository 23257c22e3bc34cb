#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/record.hpp"

namespace assay {

/// What model.judge() says of one claim and of the claims that every property gets. No other claim is judged: it does
/// not apply, which saves most of the time where a property has many. Requires: as model.judge(); claim below the
/// number of claims (not checked).
std::vector<CaseOutcome> judge_with_claim(const PropertyModel& model, const Executor& on, std::span<const Record> cases,
                                          std::size_t claim);

}  // namespace assay
