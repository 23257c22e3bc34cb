#pragma once

#include <string_view>

namespace assay {

/// Whether a name is family.kernel, possibly with more parts, each made of letters, digits, _ and -. Such a name is
/// valid in patterns, paths and reports.
bool is_property_name(std::string_view name);

}  // namespace assay
