#pragma once
// Times against size, for people.

#include <string>

#include "assay/store/bench.hpp"
#include "properties/framework/cost.hpp"

namespace assay::report {

/// "1.23 ms": three significant decimals; "–" for none.
std::string seconds_text(double seconds);

/// "the kernel took 1.20 ms, the judge 3.40 s"; empty where the kernel's calls were not timed.
std::string cost_text(const Cost& cost);

/// One line for each kernel: its sizes, the time at the largest, the growth, and the ratios to peer and limit.
std::string costs_text(const store::Bench& bench);

/// A section of the HTML report: a table with a row for each kernel, and a picture for each with its peers and limits.
/// At most eight lines in a picture. Cost: one gnuplot process.
std::string costs_html(const store::Bench& bench);

}  // namespace assay::report
