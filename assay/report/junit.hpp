#pragma once

#include <string>

#include "assay/store/summary.hpp"

namespace assay::report {

/// JUnit XML: one test suite for each property and executor, one test case for each claim. Violated, flaky and
/// unrefuted claims are failures; crashes, hangs, exhausted memory and undecided claims are errors; what did not run is
/// skipped.
std::string report_junit(const store::Summary& summary);

}  // namespace assay::report
