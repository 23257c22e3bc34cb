#pragma once
// Sparse matrices in compressed sparse rows: cases, draws, exact products.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "properties/draws/sum/cases.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::sparse {

using oracle::Dyadic;
using sum::DotCase;

inline constexpr std::int64_t most_rows = 1024;

/// Offsets and indices.
using Indices = std::vector<std::uint32_t>;

/// A in compressed sparse rows. Row r has the entries row_offsets[r] … row_offsets[r + 1] − 1.
template <FloatingPoint T>
struct SpmvCase {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Indices row_offsets, column_indices;
  std::vector<T> values, x;
  static constexpr auto fields() {
    return std::tuple{field("rows", &SpmvCase::rows),
                      field("columns", &SpmvCase::columns),
                      field("row_offsets", &SpmvCase::row_offsets),
                      field("column_indices", &SpmvCase::column_indices),
                      field("values", &SpmvCase::values),
                      field("x", &SpmvCase::x)};
  }
};

/// Each row as the factors of a dot product.
template <FloatingPoint T>
std::vector<DotCase<T>> rows_of(const SpmvCase<T>& c) {
  std::vector<DotCase<T>> rows(static_cast<std::size_t>(c.rows));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t at = c.row_offsets[r]; at < c.row_offsets[r + 1]; ++at) {
      rows[r].x.push_back(c.values[at]);
      rows[r].y.push_back(c.x[c.column_indices[at]]);
    }
  }
  return rows;
}

template <FloatingPoint T>
std::vector<Dyadic> exact_spmv(const SpmvCase<T>& c) {
  std::vector<Dyadic> exact;
  for (const DotCase<T>& row : rows_of(c)) exact.push_back(sum::exact_sums(row).sum);
  return exact;
}

/// Appends a row to the matrix.
template <FloatingPoint T>
void append_row(SpmvCase<T>& c, const std::vector<std::size_t>& columns, const std::vector<T>& values) {
  for (const std::size_t each : columns) c.column_indices.push_back(static_cast<std::uint32_t>(each));
  c.values.insert(c.values.end(), values.begin(), values.end());
  c.row_offsets.push_back(static_cast<std::uint32_t>(c.values.size()));
  ++c.rows;
}

/// Each row alone; if there is a single row, the row without one entry.
template <FloatingPoint T>
std::vector<SpmvCase<T>> smaller_matrices(const SpmvCase<T>& c) {
  std::vector<SpmvCase<T>> smaller;
  const auto without = [&](std::size_t kept_row, std::size_t left_out) {
    SpmvCase<T> other{0, c.columns, {0}, {}, {}, c.x};
    for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
      if (c.rows > 1 && r != kept_row) continue;
      std::vector<std::size_t> columns;
      std::vector<T> values;
      for (std::size_t at = c.row_offsets[r]; at < c.row_offsets[r + 1]; ++at) {
        if (at == left_out) continue;
        columns.push_back(c.column_indices[at]);
        values.push_back(c.values[at]);
      }
      append_row(other, columns, values);
    }
    return other;
  };
  if (c.rows > 1) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) smaller.push_back(without(r, c.values.size()));
  } else {
    for (std::size_t at = 0; at < c.values.size(); ++at) smaller.push_back(without(0, at));
  }
  return smaller;
}

/// Exponents of the products and of x, and whether a row cancels.
struct SpmvRange {
  int low, high;
  int x_low, x_high;
  bool cancels;
};

/// The columns of a row: none, a few, all, in ascending order.
inline std::vector<std::size_t> draw_columns(Draw& draw, std::size_t columns) {
  const std::uint64_t kind = draw.below(8);
  const std::uint64_t one_in = kind < 5 ? 1 + columns / (1 + draw.below(8)) : 1;
  std::vector<std::size_t> chosen;
  for (std::size_t j = 0; j < columns && kind != 7; ++j) {
    if (draw.below(one_in) == 0) chosen.push_back(j);
  }
  return chosen;
}

/// The values of a row. The second half of a row that cancels brings the exact sum down, entry by entry.
template <FloatingPoint T>
std::vector<T> draw_values(Draw& draw, Significand kind, const SpmvRange& range, const std::vector<T>& x) {
  constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  std::vector<T> values;
  Dyadic partial;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int product = draw.between(range.low, range.high);
    const Dyadic factor = value_of(x[i]);
    const int exponent = factor.is_zero() ? 0 : static_cast<int>(factor.exponent());
    const T fresh = draw_number<T>(draw, kind, std::max(product - exponent, least));
    const bool cancels = range.cancels && 2 * i >= x.size() && !factor.is_zero();
    values.push_back(cancels ? sum::detail::nearest<T>(oracle::quotient(-partial, factor)) : fresh);
    partial.add_mul(value_of(values.back()), factor);
  }
  return values;
}

template <FloatingPoint T>
SpmvCase<T> draw_matrix(Draw& draw, Significand kind, const SpmvRange& range) {
  static constexpr std::array<std::size_t, 6> edges{31, 32, 33, 64, 129, 300};
  const bool is_wide = draw.one_in(8);
  const std::size_t columns = is_wide ? edges[draw.below(edges.size())] : 1 + draw.below(12);
  SpmvCase<T> c{0, static_cast<std::int64_t>(columns), {0}, {}, {}, {}};
  for (std::size_t j = 0; j < columns; ++j) {
    const T number = draw_number<T>(draw, kind, draw.between(range.x_low, range.x_high));
    c.x.push_back(draw.one_in(16) ? T(0) : number);
  }
  for (std::uint64_t rows = is_wide ? 1 + draw.below(3) : draw.below(10); rows != 0; --rows) {
    const std::vector<std::size_t> chosen = draw_columns(draw, columns);
    std::vector<T> factors;
    factors.reserve(chosen.size());
    for (const std::size_t each : chosen) factors.push_back(c.x[each]);
    append_row(c, chosen, draw_values(draw, kind, range, factors));
  }
  return c;
}

/// A full row 1, u, u, … in worst order, times ones.
template <FloatingPoint T>
SpmvCase<T> draw_worst_order(Draw& draw) {
  std::vector<T> values = sum::detail::draw_worst_order_sum<T>(draw).x;
  values.resize(std::min(values.size(), static_cast<std::size_t>(most_rows)));
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < values.size(); ++j) columns.push_back(j);
  SpmvCase<T> c{0, static_cast<std::int64_t>(columns.size()), {0}, {}, {}, {}};
  c.x.assign(columns.size(), T(1));
  append_row(c, columns, values);
  return c;
}

/// Lengths, offsets and columns that belong together.
template <FloatingPoint T>
bool is_matrix(const SpmvCase<T>& c) {
  const auto entries = static_cast<std::size_t>(c.values.size());
  if (c.rows < 0 || c.rows > most_of(most_rows) || c.columns < 0 || c.columns > most_of(most_rows) ||
      std::ssize(c.values) > most_of(sum::longest_sum) || c.x.size() != static_cast<std::size_t>(c.columns) ||
      c.column_indices.size() != entries || c.row_offsets.size() != static_cast<std::size_t>(c.rows) + 1) {
    return false;
  }
  const Indices& offsets = c.row_offsets;
  const auto is_column = [&](std::uint32_t each) { return each < c.columns; };
  return offsets.front() == 0 && offsets.back() == entries && std::ranges::is_sorted(offsets) &&
         std::ranges::all_of(c.column_indices, is_column);
}

/// Whether the columns of each row ascend, none of them twice. Requires: is_matrix (not checked).
template <FloatingPoint T>
bool has_ascending_columns(const SpmvCase<T>& c) {
  const Indices& offsets = c.row_offsets;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    const auto of_row = std::span(c.column_indices).subspan(offsets[r], offsets[r + 1] - offsets[r]);
    if (std::ranges::adjacent_find(of_row, std::ranges::greater_equal()) != of_row.end()) return false;
  }
  return true;
}

/// Classes of matrices with finite entries whose products, added by magnitude, stay far below overflow, except in the
/// last class.
template <FloatingPoint T>
std::vector<InputClass<SpmvCase<T>>> regular_classes() {
  const auto from = [](Significand kind, const SpmvRange& range) {
    return drawn<SpmvCase<T>>([=](Draw& draw) { return draw_matrix<T>(draw, kind, range); });
  };
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  constexpr int below_all = F::emin - p - 2;
  return {{"dense significands", 3, from(Significand::dense, {-4, 4, -4, 4, false})},
          {"any significand, exponents within ±p", 3, from(Significand::any, {-p, p, -p, p, false})},
          {"near powers of two", 1, from(Significand::low_bits, {-1, 1, -1, 1, false})},
          {"rows that cancel", 3, from(Significand::any, {-8, 8, -8, 8, true})},
          {"1, u, u, … in worst order", 2, drawn<SpmvCase<T>>(draw_worst_order<T>), true},
          {"products in the range of underflow", 2,
           from(Significand::any, {below_all, F::emin + p, F::emin / 2, 0, false})},
          {"full range", 1, from(Significand::any, {F::emin, F::emax - 20, F::emin / 2, F::emax / 2, false})}};
}

}  // namespace assay::sparse
