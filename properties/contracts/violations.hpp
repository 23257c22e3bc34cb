#pragma once

#include <cstddef>

#include "errorbounds/noted_bounds.hpp"

namespace assay::contracts {

/// So many violated numbers of a case are judged; the others would say nothing new.
inline constexpr std::size_t most_violations = 64;

/// Whether a case with so many violations is judged no further.
inline bool are_enough(std::size_t violations) {
  return violations > most_violations && !NotedBounds::are_all_wanted();
}

}  // namespace assay::contracts
