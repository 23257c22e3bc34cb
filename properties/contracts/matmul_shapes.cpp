#include "properties/contracts/matmul_shapes.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "properties/framework/shapes.hpp"

namespace assay::contracts {

namespace {

/// Sides at the edges of tiles.
constexpr std::array<std::int64_t, 26> edges{5,   7,   9,   31,  32,  33,   63,   64,   65,   127,  128,  129,  255,
                                             256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097};

MatmulShape draw_small_shape(Draw& draw) {
  constexpr std::array<std::int64_t, 10> sides{1, 1, 2, 3, 4, 8, 15, 16, 17, 33};
  constexpr std::array<std::int64_t, 24> depths{1,  2,  3,  4,  5,  8,   9,   15,  16,  17,  31,  32,
                                                33, 63, 64, 65, 96, 127, 128, 129, 192, 256, 257, 512};
  MatmulShape shape{1, sides[draw.below(sides.size())], sides[draw.below(sides.size())],
                    depths[draw.below(depths.size())]};
  if (draw.one_in(5)) shape.batch = draw.one_in(3) ? draw.between(4, 9) : draw.between(2, 3);
  if (shape.batch > 3) shape.k = std::min<std::int64_t>(shape.k, 33);
  if (draw.one_in(40)) (draw.coin() ? shape.m : draw.coin() ? shape.n : shape.k) = 0;
  return shape;
}

/// One dimension at the edge of a tile, rarely the longest of all; the others small. Where all are multiples of 16, the
/// longest is a product of 2²⁴ terms: it is rarer, and so are the longer edges.
MatmulShape draw_thin_shape(Draw& draw, std::int64_t multiple) {
  const auto side = [&] { return 1 + static_cast<std::int64_t>(draw.below(3)); };
  MatmulShape shape{draw.one_in(6) ? 2 : 1, side(), side(), 1 + static_cast<std::int64_t>(draw.below(5))};
  const bool is_any = multiple == 1 || draw.one_in(4);
  const std::int64_t edge = draw.one_in(multiple == 1 ? 40 : 400)
                                ? longest_side - draw.between(0, 1)
                                : edges[draw.below(is_any ? edges.size() : edges.size() - 8)];
  const std::uint64_t which = draw.below(8);
  if (which == 7) {
    shape.batch = std::min<std::int64_t>(edge, 257);
  } else {
    (which < 2 ? shape.m : which < 4 ? shape.n : shape.k) = edge;
  }
  return shape;
}

/// Several tiles of rows and of columns, and few terms.
MatmulShape draw_tiled_shape(Draw& draw) {
  constexpr std::array<std::int64_t, 5> depths{1, 2, 3, 16, 33};
  const auto side = [&] { return edges[draw.below(12)]; };
  return {draw.one_in(6) ? 2 : 1, side(), side(), depths[draw.below(depths.size())]};
}

/// Several tiles of 64 in one or two dimensions, up to 4 in all, with several products where there are few; at times as
/// many tiles in all three, and rarely the largest product of all: a kernel of one loop takes as long for it as for a
/// thousand small ones.
MatmulShape draw_panels(Draw& draw) {
  const auto tiles = [&] { return 64 * static_cast<std::int64_t>(draw.between(1, 3)); };
  MatmulShape shape{1, tiles(), tiles(), 64};
  if (draw.one_in(50)) {
    shape = {1, 512, 512, 64};
  } else if (draw.one_in(8)) {
    shape.k = tiles();
  } else if (shape.m * shape.n > 4 * 64 * 64) {
    (draw.coin() ? shape.m : shape.n) = 64;
  } else if (shape.m * shape.n <= 2 * 64 * 64) {
    shape.batch = draw.between(1, 2);
  }
  if (const std::uint64_t which = draw.below(3); which != 0) std::swap(shape.k, which == 1 ? shape.m : shape.n);
  return shape;
}

/// The dimensions that a shape names, with small lengths for the others. Empty if the shape names none.
std::optional<MatmulShape> asked_shape(Draw& draw) {
  const std::optional<std::int64_t> batch = asked_length("batch");
  const std::optional<std::int64_t> m = asked_length("m");
  const std::optional<std::int64_t> n = asked_length("n");
  const std::optional<std::int64_t> k = asked_length("k");
  if (!batch && !m && !n && !k) return std::nullopt;
  const auto or_small = [&](const std::optional<std::int64_t>& asked) { return asked ? *asked : draw.between(1, 5); };
  MatmulShape shape{batch.value_or(1), or_small(m), 1, 1};
  shape.n = or_small(n);
  shape.k = or_small(k);
  return shape;
}

}  // namespace

MatmulShape draw_shape(Draw& draw, MatmulSize size, std::int64_t multiple) {
  if (const std::optional<MatmulShape> asked = asked_shape(draw)) return *asked;
  MatmulShape shape{1, 16, 16, 16};
  switch (size) {
    case MatmulSize::small:
      shape = draw_small_shape(draw);
      break;
    case MatmulSize::long_sums:
      shape = {1, draw.coin() ? 1 : 16, draw.coin() ? 1 : 16,
               (std::int64_t{512} << draw.below(5)) + draw.between(-1, 1)};
      break;
    case MatmulSize::panels:
      shape = draw_panels(draw);
      break;
    case MatmulSize::thin:
      shape = draw_thin_shape(draw, multiple);
      break;
    case MatmulSize::tiles:
      shape = draw_tiled_shape(draw);
      break;
  }
  for (std::int64_t* each : {&shape.m, &shape.n, &shape.k}) *each = (*each + multiple - 1) / multiple * multiple;
  return shape;
}

}  // namespace assay::contracts
