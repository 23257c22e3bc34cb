#pragma once
// The properties of the HTML report. For the sources of this folder.

#include <string>

#include "assay/report/html.hpp"
#include "assay/report/html_parts.hpp"

namespace assay::report::html {

/// One property, folded unless it needs attention: failures and the hardest case of its claim that is nearest to its
/// bound; in full also every claim, class, pair of traits, hardest case and picture. `figures`: HTML.
std::string property_html(const store::Summary& summary, const std::string& name, const Group& group, Detail detail,
                          const std::string& figures);

}  // namespace assay::report::html
