#pragma once
// Tests which matrices the sparse products refuse.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/sparse_theorems.hpp"
#include "kernels/sparse/spmv.hpp"
#include "properties/catalog/refused.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::sparse {

/// A matrix of ones given by its numbers, in both formats; a word is the pattern of a signed number.
struct SparseArguments {
  std::int64_t rows = 0, columns = 0, width = 0, values = 0, x = 0;
  std::vector<std::uint32_t> row_offsets, column_indices;
  static constexpr auto fields() {
    using C = SparseArguments;
    return std::tuple{field("rows", &C::rows),
                      field("columns", &C::columns),
                      field("width", &C::width),
                      field("values", &C::values),
                      field("x", &C::x),
                      field("row_offsets", &C::row_offsets),
                      field("column_indices", &C::column_indices)};
  }
};

namespace detail {

inline constexpr std::int64_t most_arguments = 64;

inline std::vector<std::int32_t> as_signed(const std::vector<std::uint32_t>& words) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(words.size());
  for (const std::uint32_t each : words) numbers.push_back(static_cast<std::int32_t>(each));
  return numbers;
}

inline bool has_shape(const SparseArguments& c) {
  return c.rows >= 0 && c.columns >= 0 && c.x == c.columns && std::cmp_equal(c.column_indices.size(), c.values);
}

/// A matrix without a column below `least` or beyond the last one.
inline bool has_columns(const SparseArguments& c, std::int64_t least) {
  for (const std::int32_t each : as_signed(c.column_indices)) {
    if (each < least || each >= c.columns) return false;
  }
  return true;
}

inline bool is_refused_csr(const SparseArguments& c) {
  const std::vector<std::int32_t> offsets = as_signed(c.row_offsets);
  if (!has_shape(c) || !has_columns(c, 0) || !std::cmp_equal(offsets.size(), c.rows + 1)) return true;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1]) return true;
  }
  return offsets.front() != 0 || offsets.back() != c.values;
}

inline bool is_refused_ellpack(const SparseArguments& c) {
  return !has_shape(c) || !has_columns(c, -1) || c.width < 0 || c.values != c.rows * c.width;
}

/// A matrix that is not refused.
inline SparseArguments draw_right(Draw& draw, bool ellpack) {
  SparseArguments c;
  c.rows = draw.between(0, 5);
  c.columns = c.x = draw.between(1, 5);
  c.width = draw.between(0, 3);
  c.row_offsets.push_back(0);
  for (std::int64_t i = 0; i < c.rows; ++i) {
    const std::int64_t entries = ellpack ? c.width : draw.between(0, 3);
    for (std::int64_t k = 0; k < entries; ++k) {
      const bool empty = ellpack && draw.one_in(4);
      c.column_indices.push_back(empty ? ~std::uint32_t{0}
                                       : static_cast<std::uint32_t>(draw.between(0, static_cast<int>(c.columns) - 1)));
    }
    c.row_offsets.push_back(static_cast<std::uint32_t>(c.column_indices.size()));
  }
  c.values = static_cast<std::int64_t>(c.column_indices.size());
  return c;
}

/// One of the numbers of a list, if it has one, becomes one more or less.
inline void step_one(Draw& draw, std::vector<std::uint32_t>& list) {
  if (list.empty()) return;
  std::uint32_t& each = list[draw.below(list.size())];
  each = draw.coin() ? each + 1 : each - 1;
}

/// One number next to the right one: a column, an offset, a length, the shape.
inline SparseArguments draw_beside(Draw& draw, bool ellpack) {
  SparseArguments c = draw_right(draw, ellpack);
  const std::int64_t step = draw.coin() ? 1 : -1;
  switch (draw.below(8)) {
    case 0:
      c.rows += step;
      break;
    case 1:
      c.columns += step;
      break;
    case 2:
      c.width = draw.one_in(3) ? -1 : c.width + step;
      break;
    case 3:
      c.values = std::max<std::int64_t>(0, c.values + step);
      break;
    case 4:
      c.x += step;
      break;
    case 5:
      step_one(draw, c.row_offsets);
      break;
    case 6:
      step_one(draw, c.column_indices);
      break;
    default:
      if (!c.column_indices.empty()) {
        c.column_indices[draw.below(c.column_indices.size())] =
            static_cast<std::uint32_t>(draw.coin() ? c.columns : draw.between(-2, -1));
      }
  }
  return c;
}

}  // namespace detail

/// The property that a product of that format refuses the arguments of sparse.arguments.1; product(on, c) calls it.
template <class Product>
auto arguments_property(std::string name, bool ellpack, Product product) {
  return refusals<SparseArguments>(
      std::move(name),
      {.classes = {{"right", 1, drawn<SparseArguments>([=](Draw& draw) { return detail::draw_right(draw, ellpack); })},
                   {"one number beside the right one", 6,
                    drawn<SparseArguments>([=](Draw& draw) { return detail::draw_beside(draw, ellpack); })}},
       .contains =
           [](const SparseArguments& c) {
             const auto is_small = [](std::int64_t each) { return std::abs(each) <= detail::most_arguments; };
             return is_small(c.rows) && is_small(c.columns) && is_small(c.width) && is_small(c.values) &&
                    c.values >= 0 && is_small(c.x) && c.x >= 0 &&
                    c.column_indices.size() <= static_cast<std::size_t>(detail::most_arguments) &&
                    c.row_offsets.size() <= static_cast<std::size_t>(detail::most_arguments);
           },
       .accepts = "numbers of up to 64 in magnitude, lists of up to 64 words"},
      product, ellpack ? detail::is_refused_ellpack : detail::is_refused_csr, sparse_arguments_1, 400);
}

inline auto csr_arguments_property(std::string name, auto spmv) {
  return arguments_property(std::move(name), false, [spmv](const Executor& on, const SparseArguments& c) {
    CsrMatrix a{c.rows, c.columns, {}, detail::as_signed(c.column_indices), {}};
    for (const std::int32_t each : detail::as_signed(c.row_offsets)) a.row_offsets.push_back(each);
    a.values.assign(static_cast<std::size_t>(c.values), 1.0);
    spmv(on, a, std::span<const double>(std::vector<double>(static_cast<std::size_t>(c.x), 1.0)), Rounding::rn);
  });
}

inline auto ellpack_arguments_property(std::string name, auto spmv) {
  return arguments_property(std::move(name), true, [spmv](const Executor& on, const SparseArguments& c) {
    const EllpackMatrix a{c.rows, c.columns, c.width, detail::as_signed(c.column_indices),
                          std::vector<double>(static_cast<std::size_t>(c.values), 1.0)};
    spmv(on, a, std::span<const double>(std::vector<double>(static_cast<std::size_t>(c.x), 1.0)), Rounding::rn);
  });
}

}  // namespace assay::sparse
