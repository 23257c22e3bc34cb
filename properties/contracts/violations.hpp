#pragma once

#include <cstddef>

#include "errorbounds/noted_bounds.hpp"
#include "errorbounds/verdicts_alone.hpp"

namespace assay::contracts {

/// So many violated numbers of a case are judged; the others would say nothing new.
inline constexpr std::size_t most_violations = 64;

/// Whether a case with so many violations is judged no further: the first one is enough where the verdict alone counts.
inline bool are_enough(std::size_t violations) {
  return violations > (VerdictsAlone::is_on() ? 0 : most_violations) && !NotedBounds::are_all_wanted();
}

}  // namespace assay::contracts
