#pragma once

#include <string_view>

namespace assay {

/// Whether a name is family.kernel, perhaps with more parts, each of letters, digits, _ and -. It may then stand in
/// patterns, paths and reports.
bool is_property_name(std::string_view name);

}  // namespace assay
