#pragma once
// The score of systematic mutants in the reports.

#include <string>

#include "assay/store/systematic.hpp"

namespace assay::report {

/// "3700 of 3803 mutants tried, 99.1 % of those not proved equivalent killed".
std::string systematic_line(const store::Systematic& table);

/// A line and the table by family; `with_left`: also the list of the surviving mutants.
std::string systematic_html(const store::Systematic& table, bool with_left);
/// A line.
std::string systematic_markdown(const store::Systematic& table);

}  // namespace assay::report
