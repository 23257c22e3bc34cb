#pragma once

#include <optional>
#include <string>

#include "assay/store/summary.hpp"
#include "assay/store/systematic.hpp"

namespace assay::report {

/// Markdown for release notes and for a workflow's summary page: counts of verdicts, what needs attention, one row for
/// each claim with a numeric bound, the score of systematic mutants where there is one.
std::string report_markdown(const store::Summary& summary, const std::optional<store::Systematic>& systematic = {});

}  // namespace assay::report
