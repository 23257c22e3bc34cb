#pragma once
// The outside score in the reports.

#include <string>

#include "assay/store/outside_score.hpp"

namespace assay::report {

/// "1430 of 1437 wrong kernels from outside refused, 671 of 671 right ones accepted (2026-11-28)".
std::string outside_line(const store::OutsideScore& score);

/// A line, and the table by operation.
std::string outside_html(const store::OutsideScore& score);
/// A heading, and the line.
std::string outside_markdown(const store::OutsideScore& score);

}  // namespace assay::report
