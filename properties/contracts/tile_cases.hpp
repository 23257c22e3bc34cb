#pragma once
// Long vectors: lengths around the tiles of kernels, with data on a grid, so that each term that is left out or taken
// twice shows.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/contracts/stored.hpp"
#include "properties/draws/sum/dot_cases.hpp"

namespace assay::contracts {

/// The n of the shape that a user names. Otherwise 8, 16, 32, …, `longest`, or one less or more, at most `longest`.
/// Requires: `longest` is a power of two from 8 on.
inline std::size_t draw_tile_length(Draw& draw, std::size_t longest) {
  if (const auto n = asked_length("n")) return static_cast<std::size_t>(*n);
  const std::size_t tiles = static_cast<std::size_t>(std::bit_width(longest)) - 3;
  const std::size_t tile = std::size_t{8} << draw.below(tiles);
  return std::min(longest, tile - 1 + draw.below(3));
}

/// n multiples of 2^scale whose magnitudes sum to at most 2^(bits + scale): where n leaves room for that none of them
/// is 0 or all are ones, else a few at any places.
template <FloatingPoint T>
std::vector<T> draw_on_grid(Draw& draw, std::size_t n, int bits, int scale) {
  const int room = bits - static_cast<int>(std::bit_width(n));
  std::vector<T> x(n);
  if (room < 1 || draw.one_in(4)) {
    const std::size_t most = std::size_t{1} << std::min(bits - 3, 8);
    for (std::size_t k = 1 + draw.below(most); k != 0 && n != 0; --k) {
      x[draw.below(n)] = compose<T>(draw.coin(), 1 + draw.below(7), scale);
    }
    return x;
  }
  const int width = std::min(room, FloatTraits<T>::precision);
  const bool is_constant = draw.one_in(4);
  const bool has_one_sign = draw.coin();
  for (T& each : x) {
    const std::uint64_t significand = is_constant ? 1 : std::max<std::uint64_t>(1, draw.word() >> (64 - width));
    each = compose<T>(!has_one_sign && draw.coin(), significand, scale);
  }
  return x;
}

/// Bits of the sum, and the weight of its last one: for narrow numbers also more bits than they have, which binary32
/// holds.
struct Grid {
  int bits;
  int scale;
};
template <FloatingPoint T>
Grid draw_grid(Draw& draw) {
  using F = FloatTraits<T>;
  if (is_narrow<T> && draw.coin()) return {FloatTraits<float>::precision, draw.between(-12, -9)};
  const int highest = std::min(8, F::emax - 2 - F::precision);
  return {F::precision, draw.one_in(4) ? F::emin + draw.between(0, 2) : draw.between(-8, highest)};
}

/// Terms on a grid, of lengths around tiles.
template <FloatingPoint T>
sum::SumCase<T> draw_tiled_sum(Draw& draw) {
  const std::size_t n = draw_tile_length(draw, sum::longest_sum);
  const Grid grid = draw_grid<T>(draw);
  return {draw_on_grid<T>(draw, n, grid.bits, grid.scale)};
}

/// Products on a grid.
template <FloatingPoint T>
sum::DotCase<T> draw_tiled_dot(Draw& draw) {
  sum::SumCase<T> terms = draw_tiled_sum<T>(draw);
  sum::DotCase<T> c = sum::detail::with_powers_of_two<T>(draw, std::move(terms));
  if (draw.coin()) std::swap(c.x, c.y);
  return c;
}

/// Terms of any significand and of lengths around tiles.
template <FloatingPoint T>
sum::SumCase<T> draw_long_sum(Draw& draw) {
  return sum::detail::draw_terms<T>(draw, draw_tile_length(draw, sum::longest_sum), Significand::any, -12, -6,
                                    draw.coin());
}

}  // namespace assay::contracts
