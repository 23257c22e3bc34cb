#pragma once

#include <span>
#include <string>
#include <vector>

namespace assay {

/// The names nearest to one that does not exist, nearest first: at most three, none farther than half its length.
std::vector<std::string> nearest(const std::string& name, std::span<const std::string> names);

}  // namespace assay
