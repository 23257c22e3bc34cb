#pragma once
// Orders of matrices.

#include <algorithm>
#include <array>
#include <cstdint>

#include "properties/framework/any_size.hpp"
#include "properties/framework/draw.hpp"

namespace assay::contracts::factorizations {

inline constexpr std::int64_t most_rows = 128;    ///< of a drawn matrix, as columns
inline constexpr std::int64_t most_given = 1024;  ///< of a matrix from elsewhere: its case is not drawn

/// The most rows and columns that a domain accepts.
inline std::int64_t most_order() { return std::min(most_of(most_rows), most_given); }

/// Mostly 1 … 8, often sizes around tiles, 0 included.
inline std::int64_t draw_order(Draw& draw) {
  static constexpr std::array<std::int64_t, 8> edges{0, 15, 16, 17, 31, 32, 33, 65};
  if (draw.one_in(12)) return edges[draw.below(edges.size())];
  return 1 + static_cast<std::int64_t>(draw.below(8));
}

}  // namespace assay::contracts::factorizations
