#pragma once
// How the blocks of a tensor are cut for the threads.

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "arith/bits/ceil_div.hpp"
#include "arith/hd.hpp"
#include "arith/quantize/elements.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize {

/// The arrays of a call on the executor.
struct Results {
  std::uint8_t* codes;
  void* scales;
  void* seconds;
  void* workspace;
};

namespace detail {

/// Numbers that one thread holds: 32 bytes.
template <class T>
inline constexpr int chunk = 32 / static_cast<int>(sizeof(T));
/// The same where a block takes more arithmetic: 64 bytes, but no more than a block of nvfp4.
template <class T, class E, Scaling scaling>
inline constexpr int block_chunk = [] {
  if (scaling == Scaling::two_level) return 16;
  const bool is_simple = scaling == Scaling::power_of_two || (scaling == Scaling::factor && !std::is_same_v<E, Nf4>);
  return is_simple ? chunk<T> : 2 * chunk<T>;
}();
/// The least of these.
inline constexpr std::size_t least_chunk = 8;

struct Shape {
  std::size_t rows, columns;
};
/// A tensor as rows that are blocks: a block that is the whole tensor is a row of all numbers.
inline Shape shape_of(const Format& format, std::size_t rows, std::size_t columns) {
  return format.rows == 0 ? Shape{1, rows * columns} : Shape{rows, columns};
}
/// The rows and columns of a block.
inline Shape block_of(const Format& format, std::size_t rows, std::size_t columns) {
  if (format.rows == 0) return {rows, columns};
  return {format.rows, format.columns == 0 ? columns : format.columns};
}
inline std::size_t blocks_of(const Format& format, std::size_t rows, std::size_t columns) {
  const Shape block = block_of(format, rows, columns);
  return rows / block.rows * (columns / block.columns);
}
/// Whether several threads of a warp share each block.
inline bool is_small(const Format& format) { return format.rows == 1 && format.columns != 0; }

/// The parts of a row, each of which a block of threads reads: one if there are rows enough for the device.
inline std::size_t parts_of(const Shape& shape, std::size_t most_parts = 1024) {
  constexpr std::size_t enough_rows = 512;
  constexpr std::size_t chunks_of_part = 2048;
  const std::size_t chunks = bits::ceil_div(shape.columns, least_chunk);
  return shape.rows >= enough_rows ? 1 : std::clamp<std::size_t>(bits::ceil_div(chunks, chunks_of_part), 1, most_parts);
}
/// The bytes that are kept between two launches: the ranges of parts, and before them, for two levels, the scale of the
/// tensor.
inline std::size_t workspace_of(const Format& format, std::size_t rows, std::size_t columns) {
  if (format.scaling == Scaling::two_level) {
    return sizeof(TensorScale) + parts_of({1, rows * columns}) * sizeof(Amax);
  }
  if (is_small(format) || format.rows > 1) return 0;
  const Shape shape = shape_of(format, rows, columns);
  const std::size_t parts = parts_of(shape);
  return parts == 1 ? 0 : shape.rows * parts * sizeof(Ends);
}

}  // namespace detail

}  // namespace assay::quantize
