#pragma once
// The properties of the HTML report. Used by the sources of this folder only.

#include <string>
#include <utility>
#include <vector>

#include "assay/report/html.hpp"
#include "assay/report/html_parts.hpp"

namespace assay::report::html {

/// One property, folded unless it needs attention: failures and the hardest case of its claim that is nearest to its
/// bound; in full also every claim, class, pair of traits, hardest case and picture. `figures`: HTML.
std::string property_html(const store::Summary& summary, const std::string& name, const Group& group, Detail detail,
                          const std::string& figures);

/// Properties by name.
using Properties = std::vector<std::pair<std::string, Group>>;

/// The properties of one operation in a brief report, also folded: all failures that need attention, one failure of
/// each other claim, the hardest case of the property that is nearest to its bound, and a line for each property with
/// the ids of its other cases.
std::string operation_html(const store::Summary& summary, const std::string& operation, const Properties& properties);

}  // namespace assay::report::html
