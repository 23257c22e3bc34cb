#pragma once
// Blocks of numbers, and their results from a quantizer.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/quantization.hpp"

namespace assay::quantizations {

/// A block of a tensor, row by row, with its scale and codes. In a tensor with several blocks, each block has the
/// tensor's T. A tail is a shorter block, the last one of its row.
struct Block {
  std::vector<std::uint64_t> patterns;
  std::vector<oracle::Number> numbers;
  oracle::Number amax;         ///< the largest finite magnitude
  oracle::Number tensor_amax;  ///< the largest finite magnitude of the whole tensor
  bool has_nan = false;
  bool has_infinity = false;
  std::uint64_t scale = 0;
  std::uint64_t second = 0;
  std::vector<std::uint8_t> codes;
  std::vector<std::uint32_t> words;  ///< a random word for each entry, if the quantizer takes such

  [[nodiscard]] bool is_finite() const { return !has_nan && !has_infinity; }
};

/// The blocks of a tensor in the order of its rows. Each row ends in a tail of the same length, or no row does.
using Group = std::vector<Block>;

/// The number of entries in a block, for formats whose block is a row or a tensor: those of the tensors used here.
struct Shape {
  std::size_t rows;
  std::size_t columns;
  [[nodiscard]] std::size_t size() const { return rows * columns; }
};
constexpr Shape shape_of(const oracle::BlockFormat& format) {
  return {format.rows != 0      ? format.rows
          : format.columns == 0 ? std::size_t{3}
                                : std::size_t{1},
          format.columns != 0 ? format.columns : std::size_t{67}};
}

/// The number of blocks in a row that ends in a tail; 0 if no row does. A row has at most one block before its tail.
inline std::size_t blocks_with_tail(const oracle::BlockFormat& format, const Group& group) {
  const auto is_tail = [&](const Block& block) { return block.patterns.size() < shape_of(format).size(); };
  if (is_tail(group[0])) return 1;
  return group.size() > 1 && is_tail(group[1]) ? 2 : 0;
}

}  // namespace assay::quantizations
