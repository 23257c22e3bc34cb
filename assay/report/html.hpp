#pragma once

#include <optional>
#include <string>

#include "assay/store/summary.hpp"
#include "assay/store/systematic.hpp"

namespace assay::report {

/// One offline HTML file: verdicts with rigor, bound and source; worst cases; distributions of error/bound; controls;
/// mutants; the score of systematic mutants where there is one; provenance. The same bytes for the same summary and the
/// same gnuplot; without gnuplot the tables remain and the report says so. Cost: one gnuplot process for all plots.
std::string report_html(const store::Summary& summary, const std::optional<store::Systematic>& systematic = {});

}  // namespace assay::report
