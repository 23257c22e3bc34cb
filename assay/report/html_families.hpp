#pragma once
// The families of the HTML report. For the sources of this folder.

#include <map>
#include <string>
#include <vector>

#include "assay/report/html_parts.hpp"
#include "assay/report/overview.hpp"

namespace assay::report::html {

/// The overview of each family and, folded, all of its claims. `figures`: those of comparisons, by family.
std::string families_html(const std::vector<Overview>& all, const std::map<std::string, Group>& groups,
                          const std::map<std::string, std::string>& figures);

}  // namespace assay::report::html
