#pragma once
// The pictures of the HTML report. Used by the sources of this folder only.

#include <map>
#include <string>
#include <vector>

#include "assay/report/html.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/overview.hpp"

namespace assay::report::html {

/// The pictures that gnuplot drew, as HTML.
struct Figures {
  bool drawn = true;  ///< false: gnuplot is missing or failed
  std::map<std::string, std::string> of_family;
  std::map<std::string, std::string> of_property;  ///< from a full report
  std::size_t left_out = 0;                        ///< pictures of properties that would make the page heavy
};
Figures figures_html(const std::vector<Overview>& families, const std::map<std::string, Group>& groups, Detail detail);

/// Signed errors in ulps, a histogram for each operation of the family that has errors; the others are named.
std::string signed_errors_html(const Overview& overview, const std::map<std::string, Group>& groups);

}  // namespace assay::report::html
