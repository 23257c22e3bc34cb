#pragma once
// Shapes of the multiple-precision GEMV: around the edges of blocks, and long rows.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "properties/catalog/gemv/problem.hpp"
#include "properties/framework/draw.hpp"

namespace assay::gemv::detail {

/// The rows and columns of op(A).
struct MpShape {
  std::int64_t rows, terms;
};

/// Shapes around the edges of blocks.
inline MpShape draw_mp_shape(Draw& draw, const MpFormat& format) {
  static constexpr std::array<std::int64_t, 5> edges{1, 2, 31, 32, 33};
  const auto dimension = [&]() -> std::int64_t {
    const std::uint64_t kind = draw.below(16);
    return kind == 0 ? 0 : kind < 9 ? 1 + static_cast<std::int64_t>(draw.below(4)) : edges[draw.below(edges.size())];
  };
  std::int64_t m = dimension();
  std::int64_t k = draw.one_in(8) ? 34 + static_cast<std::int64_t>(draw.below(32)) : dimension();
  while (m * k > format.most_products())
    (draw.coin() || k > format.most_products() ? k : m) = 1 + static_cast<std::int64_t>(draw.below(4));
  return {m, k};
}

/// One or two rows with 66 to `longest` terms, mostly short ones because a product over many moduli is expensive.
inline MpShape draw_mp_long_shape(Draw& draw, const MpFormat& format, std::int64_t longest) {
  if (draw.one_in(8)) return {1, longest - (draw.coin() ? 1 : 0)};
  const int most = std::max(8, static_cast<int>(std::bit_width(static_cast<unsigned>(16384 / format.moduli))));
  const int bits = draw.between(6, most - 1);
  const std::int64_t power = std::int64_t{1} << bits;
  const std::int64_t terms = draw.one_in(4)
                                 ? power + draw.between(-1, 1)
                                 : power + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(power)));
  return {draw.one_in(4) ? 2 : 1, std::clamp<std::int64_t>(terms, 66, longest)};
}

}  // namespace assay::gemv::detail
