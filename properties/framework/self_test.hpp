#pragma once

#include <string>
#include <vector>

namespace assay {

/// The framework tested with subjects, references and generators that are wrong in a known way: judging, batching,
/// drawing, tallying and fencing must notice each. Returns the faults that went unnoticed, one sentence each; empty if
/// there are none. Cost: some milliseconds. Every run starts with it.
std::vector<std::string> framework_self_test();

}  // namespace assay
