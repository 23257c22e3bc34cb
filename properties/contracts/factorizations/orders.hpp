#pragma once
// Orders of matrices.

#include <array>
#include <cstdint>

#include "properties/framework/draw.hpp"

namespace assay::contracts::factorizations {

inline constexpr std::int64_t most_rows = 128;

/// Mostly 1 … 8, often sizes around tiles, 0 included.
inline std::int64_t draw_order(Draw& draw) {
  static constexpr std::array<std::int64_t, 8> edges{0, 15, 16, 17, 31, 32, 33, 65};
  if (draw.one_in(12)) return edges[draw.below(edges.size())];
  return 1 + static_cast<std::int64_t>(draw.below(8));
}

}  // namespace assay::contracts::factorizations
