#pragma once

#include <string>
#include <vector>

namespace assay {

/// The framework against subjects, references and generators that are wrong in a known way: judging, batching, drawing,
/// tallying and fencing must notice each. Returns what went unnoticed, a sentence each; empty if all is well.
/// Cost: some milliseconds. Every run starts with it.
std::vector<std::string> framework_self_test();

}  // namespace assay
