#pragma once

#include <cstddef>

namespace assay::contracts {

/// So many violated numbers of a case are judged; the others would say nothing new.
inline constexpr std::size_t most_violations = 64;

}  // namespace assay::contracts
