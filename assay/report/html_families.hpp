#pragma once
// The families of the HTML report. Used by the sources of this folder only.

#include <map>
#include <string>
#include <vector>

#include "assay/report/html.hpp"
#include "assay/report/html_figures.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/overview.hpp"

namespace assay::report::html {

/// A section a family: operations side by side where they differ; each bound with its theorem, the tightness by format,
/// number of terms and term, and the largest error known; pictures; the promises without a number, folded.
std::string families_html(const store::Summary& summary, const std::vector<Overview>& all,
                          const std::map<std::string, Group>& groups, const std::vector<store::HuntRow>& hunted,
                          const Figures& figures);

}  // namespace assay::report::html
