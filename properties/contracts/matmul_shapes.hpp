#pragma once
// The sizes of the products that kernels from outside are asked.

#include <cstdint>

#include "properties/framework/draw.hpp"

namespace assay::contracts {

inline constexpr std::int64_t longest_side = std::int64_t{1} << 16;

struct MatmulShape {
  std::int64_t batch, m, n, k;
};
enum class MatmulSize { small, long_sums, panels, thin, tiles };

/// Sizes of that kind; m, n and k are multiples of `multiple`.
MatmulShape draw_shape(Draw& draw, MatmulSize size, std::int64_t multiple);

}  // namespace assay::contracts
