#pragma once

#include <vector>

#include "errorbounds/theorem.hpp"

namespace assay {

/// Records that a claim cites the theorem. Errors: std::logic_error if another theorem with other words has its id.
void cite(const TheoremWords& theorem);

/// The theorems that the program's claims cite, once each, in the order of their ids.
std::vector<TheoremWords> cited_theorems();

}  // namespace assay
