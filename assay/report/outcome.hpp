#pragma once
// What a summary means for the exit code, be it of one run or merged from several.

#include <string>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report {

/// Whether the summary has every case that the run of this property was to have, all shards together.
bool is_whole(const store::PropertySummary& property);

/// The gravest exit code of the verdicts. A negative control that was not refuted counts outside the quick tier, from
/// the property's quick number of cases on; a claim without a verdict counts where the property is whole.
int exit_code(const store::Summary& summary);

/// The reasons for exit code 3 that no verdict shows, one line each: counts of cases that do not add up; and, where a
/// property is whole and all its claims were asked for, its inadequacies and the claims that judged no case. A property
/// that this program does not know has no inadequacies.
std::vector<std::string> shortcomings(const store::Summary& summary);

}  // namespace assay::report
