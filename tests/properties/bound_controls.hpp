#pragma once

#include <string>
#include <vector>

namespace assay {

/// Controls of the judge: for every form of a bound, an error that is exactly the bound, which must hold with tightness
/// 1, and one that is a unit larger, which must be violated. A bound that is rounded anywhere, for example in double,
/// fails one of the two. A line for each control that fails; empty if there is none.
std::vector<std::string> bound_controls();

}  // namespace assay
