#pragma once
// Cases of the sparse product in residues, and their exact results. Numbers are lists as in
// properties/catalog/gemv/problem.hpp; a number with a NaN is poison: a number out of range, which stays out of range
// in every operation.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "oracle/dyadic.hpp"
#include "properties/catalog/gemv/wide_cases.hpp"
#include "properties/catalog/sparse/properties.hpp"

namespace assay::sparse {

/// y ← αAx + βy. A in compressed sparse rows: values and vectors have as many words for each number as the format
/// needs.
struct ResidueCase {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Indices row_offsets{0}, column_indices;
  std::int64_t planes = 0;  ///< A and x in modulus planes (1), y (2)
  std::vector<double> alpha, values, x, beta, y;
  static constexpr auto fields() {
    using C = ResidueCase;
    return std::tuple{field("rows", &C::rows),
                      field("columns", &C::columns),
                      field("row_offsets", &C::row_offsets),
                      field("column_indices", &C::column_indices),
                      field("planes", &C::planes),
                      field("alpha", &C::alpha),
                      field("values", &C::values),
                      field("x", &C::x),
                      field("beta", &C::beta),
                      field("y", &C::y)};
  }
};

namespace residues {

using gemv::MpFormat;
using gemv::detail::is_mp_zero;
using gemv::detail::is_poison;

inline constexpr std::int64_t most_entries = 4200;  ///< and columns

/// Number k of a list.
inline std::span<const double> number(const std::vector<double>& list, std::size_t k, const MpFormat& format) {
  return std::span(list).subspan(k * format.words(), format.words());
}

/// The case without numbers: its values are their own places.
inline Case pattern_of(const ResidueCase& c) {
  Case pattern{c.rows, c.columns, c.row_offsets, c.column_indices, {}, {}};
  for (std::size_t at = 0; at < c.column_indices.size(); ++at) pattern.values.push_back(static_cast<double>(at));
  for (std::int64_t j = 0; j < c.columns; ++j) pattern.x.push_back(static_cast<double>(j));
  return pattern;
}

inline bool reads_matrix(const ResidueCase& c) { return is_poison(c.alpha) || !is_mp_zero(c.alpha); }
inline bool reads_start(const ResidueCase& c) { return is_poison(c.beta) || !is_mp_zero(c.beta); }

/// Whether a number out of range is read for row r.
inline bool is_marked(const ResidueCase& c, std::size_t r, const MpFormat& format) {
  bool marked = is_poison(c.alpha) || is_poison(c.beta) || (reads_start(c) && is_poison(number(c.y, r, format)));
  for (std::size_t at = c.row_offsets[r]; reads_matrix(c) && at < c.row_offsets[r + 1]; ++at) {
    marked = marked || is_poison(number(c.values, at, format)) || is_poison(number(c.x, c.column_indices[at], format));
  }
  return marked;
}

/// α·Σ aᵢⱼxⱼ + β·yᵢ for each row; 0 for rows with a mark.
inline Truth exact_rows(const ResidueCase& c, const MpFormat& format) {
  using gemv::detail::mp_value;
  Truth truth(static_cast<std::size_t>(c.rows));
  for (std::size_t r = 0; r < truth.size(); ++r) {
    if (is_marked(c, r, format)) continue;
    for (std::size_t at = c.row_offsets[r]; reads_matrix(c) && at < c.row_offsets[r + 1]; ++at) {
      truth[r].add_mul(mp_value(number(c.values, at, format)), mp_value(number(c.x, c.column_indices[at], format)));
    }
    if (reads_matrix(c)) truth[r] *= mp_value(c.alpha);
    if (reads_start(c)) truth[r].add_mul(mp_value(c.beta), mp_value(number(c.y, r, format)));
  }
  return truth;
}

inline bool is_case(const ResidueCase& c, const MpFormat& format) {
  const std::size_t words = format.words();
  const auto is_list = [&](const std::vector<double>& list, std::size_t count) {
    if (list.size() != count * words) return false;
    for (std::size_t k = 0; k < count; ++k) {
      if (!is_poison(number(list, k, format)) && !gemv::is_mp_number(number(list, k, format), format)) return false;
    }
    return true;
  };
  const auto is_column = [&](std::uint32_t each) { return std::cmp_less(each, c.columns); };
  return c.rows >= 0 && c.rows <= most_rows && c.columns >= 0 && c.columns <= most_entries && c.planes >= 0 &&
         c.planes <= 3 && std::cmp_less_equal(c.column_indices.size(), most_entries) &&
         std::cmp_equal(c.row_offsets.size(), c.rows + 1) && c.row_offsets.front() == 0 &&
         c.row_offsets.back() == c.column_indices.size() && std::ranges::is_sorted(c.row_offsets) &&
         std::ranges::all_of(c.column_indices, is_column) && is_list(c.alpha, 1) && is_list(c.beta, 1) &&
         is_list(c.values, c.column_indices.size()) && is_list(c.x, static_cast<std::size_t>(c.columns)) &&
         is_list(c.y, static_cast<std::size_t>(c.rows));
}

// -------------------------------------------------------------------------------------------------------- draws

inline void append(std::span<const double> number, std::vector<double>& list) {
  list.insert(list.end(), number.begin(), number.end());
}

inline std::vector<double> poison(const MpFormat& format) {
  return std::vector<double>(format.words(), number_of<double>(oracle::binary64.nan()));
}

/// The product of a dense case, with the places of each row and its columns in any order, and with columns that occur
/// in no row and hold poison. Half of the zeros of A are not entries.
inline ResidueCase sparse_of(Draw& draw, const gemv::MpGemvCase& dense, const MpFormat& format) {
  const gemv::MpGemvProblem p(dense, format);
  const auto& blas = p.blas;
  ResidueCase c;
  c.alpha = dense.alpha;
  c.beta = dense.beta;
  c.planes = static_cast<std::int64_t>(draw.below(4));
  std::vector<std::size_t> column(static_cast<std::size_t>(blas.k));
  c.columns = blas.k + draw.between(0, 3);
  std::vector<std::size_t> all(static_cast<std::size_t>(c.columns));
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t i = 0; i < all.size(); ++i) std::swap(all[i], all[draw.below(i + 1)]);
  for (std::int64_t j = 0; j < c.columns; ++j) append(poison(format), c.x);
  for (std::size_t l = 0; l < column.size(); ++l) {
    column[l] = all[l];
    std::ranges::copy(blas.entry(blas.b, blas.b_at(static_cast<std::int64_t>(l), 0)),
                      c.x.begin() + static_cast<std::ptrdiff_t>(column[l] * format.words()));
  }
  for (std::int64_t i = 0; i < blas.m; ++i) {
    std::vector<std::size_t> places(column.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    for (std::size_t k = 0; k < places.size(); ++k) std::swap(places[k], places[draw.below(k + 1)]);
    for (const std::size_t l : places) {
      const auto entry = blas.entry(blas.a, blas.a_at(i, static_cast<std::int64_t>(l)));
      if (!is_poison(entry) && is_mp_zero(entry) && draw.coin()) continue;
      c.column_indices.push_back(static_cast<std::uint32_t>(column[l]));
      append(entry, c.values);
    }
    c.row_offsets.push_back(static_cast<std::uint32_t>(c.column_indices.size()));
    append(blas.entry(blas.c, blas.c_at(i, 0)), c.y);
    ++c.rows;
  }
  return c;
}

/// Numbers for a pattern: exponents within ±spread.
inline ResidueCase with_numbers(Draw& draw, const Case& pattern, const MpFormat& format, int spread) {
  using gemv::detail::MpSignificand;
  ResidueCase c;
  c.rows = pattern.rows;
  c.columns = pattern.columns;
  c.row_offsets = pattern.row_offsets;
  c.column_indices = pattern.column_indices;
  c.planes = static_cast<std::int64_t>(draw.below(4));
  c.alpha = gemv::detail::draw_mp_scalar(draw, format);
  c.beta = gemv::detail::draw_mp_scalar(draw, format);
  const MpSignificand kind = draw.coin() ? MpSignificand::full : MpSignificand::any;
  const auto append_drawn = [&](std::vector<double>& list) {
    std::vector<double> entry(format.words());
    gemv::detail::draw_mp(draw, entry, format, kind, expansion::detail::Signs::mixed, draw.between(-spread, spread));
    append(entry, list);
  };
  for (std::size_t at = 0; at < pattern.values.size(); ++at) append_drawn(c.values);
  for (std::int64_t j = 0; j < c.columns; ++j) append_drawn(c.x);
  for (std::int64_t i = 0; i < c.rows; ++i) append_drawn(c.y);
  return c;
}

/// Rows around the edges of blocks of 32, with few entries each.
inline Case draw_many_rows(Draw& draw) {
  static constexpr std::int64_t edges[] = {31, 32, 33, 63, 64, 65};
  const std::size_t columns = 1 + draw.below(40);
  Case c{0, static_cast<std::int64_t>(columns), {0}, {}, {}, std::vector<double>(columns)};
  for (std::int64_t rows = edges[draw.below(std::size(edges))]; rows != 0; --rows) {
    std::vector<std::size_t> of_row;
    for (std::uint64_t left = draw.below(4); left != 0; --left) of_row.push_back(draw.below(columns));
    append_row(c, of_row, std::vector<double>(of_row.size()));
  }
  return c;
}

/// A row with a number of entries around a multiple of 8 or of 256, the others with few.
inline Case draw_long_row(Draw& draw) {
  const std::size_t entries = (draw.coin() ? 8 * (1 + draw.below(8)) : 256) + draw.below(3) - 1;
  const std::size_t columns = 1 + draw.below(20);
  Case c{0, static_cast<std::int64_t>(columns), {0}, {}, {}, std::vector<double>(columns)};
  const std::uint64_t rows = 1 + draw.below(4);
  const std::uint64_t longest = draw.below(rows);
  for (std::uint64_t i = 0; i < rows; ++i) {
    std::vector<std::size_t> of_row(i == longest ? entries : draw.below(3));
    for (std::size_t& each : of_row) each = draw.below(columns);
    append_row(c, of_row, std::vector<double>(of_row.size()));
  }
  return c;
}

/// One number of A, x or y is out of range, or several are; seldom a scalar.
inline ResidueCase with_poison(Draw& draw, ResidueCase c, const MpFormat& format) {
  const auto put = [&](std::vector<double>& list) {
    if (list.empty()) return;
    const std::size_t k = draw.below(list.size() / format.words());
    std::ranges::copy(poison(format), list.begin() + static_cast<std::ptrdiff_t>(k * format.words()));
  };
  std::vector<double>* const lists[] = {&c.values, &c.x, &c.y};
  for (std::uint64_t left = draw.coin() ? 1 : 1 + draw.below(4); left != 0; --left) put(*lists[draw.below(3)]);
  if (draw.one_in(8)) put(draw.coin() ? c.alpha : c.beta);
  return c;
}

/// The classes of dense products, as sparse products. The dense case and everything else are drawn from separate
/// streams.
inline std::vector<InputClass<ResidueCase>> of_dense(const std::vector<InputClass<gemv::MpGemvCase>>& classes,
                                                     const MpFormat& format) {
  std::vector<InputClass<ResidueCase>> sparse;
  sparse.reserve(classes.size());
  for (const InputClass<gemv::MpGemvCase>& each : classes) {
    sparse.push_back({each.name, each.weight,
                      CaseGenerator<ResidueCase>([inner = each.generator, format](const rc::Random& random) {
                        rc::Random own = random;
                        Draw draw(own.split());
                        return sparse_of(draw, inner(own), format);
                      }),
                      each.constructed});
  }
  return sparse;
}

inline std::vector<InputClass<ResidueCase>> classes(const MpFormat& format) {
  const auto of = [format](Case (*pattern)(Draw&), int spread) {
    return drawn<ResidueCase>(
        [=](Draw& draw) { return with_numbers(draw, pattern(draw), format, draw.coin() ? 4 : spread); });
  };
  const int wide = 20 * format.moduli;
  return joined(
      joined(of_dense(gemv::mp_gemv_classes(format), format), of_dense(gemv::mp_gemv_wide_classes(format), format)),
      {{"columns more than once in a row", 4, of(draw_repeated_columns, wide)},
       {"rows around the edges of blocks", 3, of(draw_many_rows, format.bits)},
       {"rows around multiples of 8 and 256 entries", 4, of(draw_long_row, wide)},
       {"numbers out of range", 6, drawn<ResidueCase>([format, wide](Draw& draw) {
          const Case pattern = draw.coin() ? draw_repeated_columns(draw) : draw_many_rows(draw);
          return with_poison(draw, with_numbers(draw, pattern, format, wide), format);
        })}});
}

/// Smaller patterns with their numbers.
inline std::vector<ResidueCase> smaller(const ResidueCase& c, const MpFormat& format) {
  Case numbered = pattern_of(c);
  std::vector<ResidueCase> all;
  const auto take = [&](const std::vector<double>& places, const std::vector<double>& from) {
    std::vector<double> list;
    for (const double place : places) append(number(from, static_cast<std::size_t>(place), format), list);
    return list;
  };
  for (const Case& each : smaller_cases(numbered)) {
    ResidueCase other = c;
    other.rows = each.rows;
    other.columns = each.columns;
    other.row_offsets = each.row_offsets;
    other.column_indices = each.column_indices;
    other.values = take(each.values, c.values);
    other.x = take(each.x, c.x);
    // Any rows may be removed: y keeps its first numbers.
    other.y.resize(static_cast<std::size_t>(each.rows) * format.words());
    all.push_back(std::move(other));
  }
  return all;
}

inline Domain<ResidueCase> domain(const MpFormat& format) {
  return {
      .classes = classes(format),
      .contains = [format](const ResidueCase& c) { return is_case(c, format); },
      .features = {{"log2 of the entries + 1, rounded up", 0, 13, 13,
                    [](const ResidueCase& c) { return static_cast<double>(std::bit_width(c.column_indices.size())); }}},
      .shrink_shape = [format](const ResidueCase& c) { return smaller(c, format); },
      .accepts =
          "up to 1024 rows and 4200 columns and entries; columns of a row in any order, more than once, "
          "too; numbers of " +
          std::to_string(format.limbs()) + " limbs of one sign and an exponent, below 2^" +
          std::to_string(format.bits) + ", the exponent within 2^20; a NaN for a number out of range"};
}

}  // namespace residues
}  // namespace assay::sparse
