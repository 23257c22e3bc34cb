#pragma once
// Tensors and the rules by which they are quantized, and the numbers of codes.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/quantize/quantize.hpp"
#include "oracle/quantization.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::quantize {

/// The oracle's rules of a block format by a number that packs their choices.
using RuleTable = std::map<std::int64_t, oracle::QuantizationRule>;

/// `format` is a place in oracle::block_formats(), `rule` a key of rules_of(format); x lies row by row.
template <class T>
struct TensorCase {
  int format = 0;
  std::int64_t rule = 0;
  std::int64_t rows = 0, columns = 0;
  std::vector<T> x;
  static constexpr auto fields() {
    using C = TensorCase;
    return std::tuple{field("format", &C::format), field("rule", &C::rule), field("rows", &C::rows),
                      field("columns", &C::columns), field("x", &C::x)};
  }
};

/// Codes, each in a number of its own, in the order of the entries; scales and seconds as patterns.
struct CodesCase {
  int format = 0;
  int high_half_first = 0;
  std::int64_t rows = 0, columns = 0;
  std::vector<std::uint32_t> codes, scales, seconds;
  static constexpr auto fields() {
    using C = CodesCase;
    return std::tuple{field("format", &C::format),  field("high_half_first", &C::high_half_first),
                      field("rows", &C::rows),      field("columns", &C::columns),
                      field("codes", &C::codes),    field("scales", &C::scales),
                      field("seconds", &C::seconds)};
  }
};

const oracle::BlockFormat& oracle_format(int format);
/// Requires: has_kernel(format) (not checked).
const Format& kernel_format(int format);
/// Whether that is the place of a format with kernels.
bool has_kernel(int format);
/// The rules that finite numbers distinguish, and of these each with the scale 1 for blocks of zeros, if it exists.
const RuleTable& rules_of(int format);
/// The same rule for the kernel.
Rule kernel_rule(const oracle::QuantizationRule& rule);

/// The number of the byte that has the code of entry i, and the place of its lowest bit there.
std::pair<std::size_t, int> place_of_code(const oracle::BlockFormat& format, std::size_t i, bool is_high_half_first);

/// Block of the entry in that row and column.
std::size_t block_of(const oracle::BlockFormat& format, std::size_t rows, std::size_t columns, std::size_t row,
                     std::size_t column);

/// The smaller tensors of whole blocks, for shrinking: half of the rows or columns.
template <class T>
std::vector<TensorCase<T>> smaller_tensors(const TensorCase<T>& c) {
  const oracle::BlockFormat& format = oracle_format(c.format);
  const auto unit_rows = static_cast<std::int64_t>(std::max<std::size_t>(format.rows, 1));
  const auto unit_columns = static_cast<std::int64_t>(std::max<std::size_t>(format.columns, 1));
  std::vector<TensorCase<T>> all;
  const auto part = [&](std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
    TensorCase<T> less{c.format, c.rule, rows, columns, {}};
    for (std::int64_t i = row; i < row + rows; ++i) {
      const auto from = c.x.begin() + i * c.columns + column;
      less.x.insert(less.x.end(), from, from + columns);
    }
    all.push_back(std::move(less));
  };
  const auto half_of = [](std::int64_t count, std::int64_t unit) { return (count / unit + 1) / 2 * unit; };
  if (const std::int64_t rows = half_of(c.rows, unit_rows); rows < c.rows) {
    part(0, rows, 0, c.columns);
    part(c.rows - rows, rows, 0, c.columns);
  }
  if (const std::int64_t columns = half_of(c.columns, unit_columns); columns < c.columns) {
    part(0, c.rows, 0, columns);
    part(0, c.rows, c.columns - columns, columns);
  }
  return all;
}

}  // namespace assay::quantize
