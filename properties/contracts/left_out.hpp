#pragma once
// Contracts that are no rungs of a ladder: they are asked only where they are promised.

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/framework/operation.hpp"

namespace assay::contracts {

/// The contracts, of which those with these ids are no rungs. Errors: std::logic_error for an id that none has.
inline std::vector<Contract> leaving_out(std::vector<Contract> contracts, std::initializer_list<const char*> ids) {
  for (const char* const id : ids) {
    const auto at = std::ranges::find(contracts, id, &Contract::id);
    if (at == contracts.end()) throw std::logic_error(std::string("no contract ") + id);
    at->is_rung = false;
  }
  return contracts;
}

}  // namespace assay::contracts
