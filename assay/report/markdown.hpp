#pragma once

#include <string>

#include "assay/store/summary.hpp"

namespace assay::report {

/// Markdown for release notes and for a workflow's summary page: counts of verdicts, what needs attention, one row for
/// each claim with a numeric bound.
std::string report_markdown(const store::Summary& summary);

}  // namespace assay::report
