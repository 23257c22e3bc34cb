#pragma once
// The score of systematic mutants in the reports.

#include <string>

#include "assay/store/systematic.hpp"

namespace assay::report {

/// "3700 of 3803 mutants tried, 99.1 % of those not proved equivalent killed".
std::string systematic_line(const store::Systematic& table);

/// A line, the table by family and the list of what is left.
std::string systematic_html(const store::Systematic& table);
std::string systematic_markdown(const store::Systematic& table);

}  // namespace assay::report
