#pragma once

#include <optional>
#include <string>

#include "assay/store/outside_score.hpp"
#include "assay/store/summary.hpp"
#include "assay/store/systematic.hpp"

namespace assay::report {

/// Markdown for release notes and for a workflow's summary page: counts of verdicts, the claims that need attention,
/// one row for each claim with a numeric bound, the scores of systematic mutants and of kernels from outside if they
/// exist.
std::string report_markdown(const store::Summary& summary, const std::optional<store::Systematic>& systematic = {},
                            const std::optional<store::OutsideScore>& outside = {});

}  // namespace assay::report
