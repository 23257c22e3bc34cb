#pragma once

#include <string>

#include "assay/store/summary.hpp"

namespace assay::report {

/// One offline HTML file: verdicts with rigor, bound and source; worst cases; distributions of error/bound; controls;
/// mutants; provenance. The same bytes for the same summary and the same gnuplot; without gnuplot the tables remain and
/// the report says so. Cost: one gnuplot process for all plots.
std::string report_html(const store::Summary& summary);

}  // namespace assay::report
