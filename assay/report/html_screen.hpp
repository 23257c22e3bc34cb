#pragma once
// The first screen of the HTML report. Used by the sources of this folder only.

#include <string>
#include <vector>

#include "assay/report/html.hpp"
#include "assay/report/overview.hpp"

namespace assay::report::html {

/// The verdict; how many claims are proved, sampled and refuted; families against formats; the claims nearest to their
/// bounds; the mutation score; what changed.
std::string screen_html(const store::Summary& summary, const std::vector<Overview>& families, const Beside& beside);

/// The claims that need attention, at most `most` of them, each with the command to copy.
std::string attention_html(const store::Summary& summary, std::size_t most);

}  // namespace assay::report::html
