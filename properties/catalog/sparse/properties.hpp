#pragma once
// Products of sparse matrices and vectors that are rounded once: the domain, and the promises.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/judge.hpp"
#include "errorbounds/sparse_theorems.hpp"
#include "kernels/sparse/generated.hpp"
#include "kernels/sparse/spmv.hpp"
#include "properties/catalog/sum/exact_dot_cases.hpp"
#include "properties/draws/sparse/matrices.hpp"
#include "properties/draws/sum/special_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::sparse {

using Case = SpmvCase<double>;
using Row = DotCase<double>;

inline constexpr std::pair<Rounding, oracle::Rounding> directions[] = {{Rounding::rn, oracle::Rounding::nearest},
                                                                       {Rounding::ru, oracle::Rounding::up},
                                                                       {Rounding::rd, oracle::Rounding::down},
                                                                       {Rounding::rz, oracle::Rounding::zero}};

inline CsrMatrix csr_of(const Case& c) {
  CsrMatrix a{c.rows, c.columns, {c.row_offsets.begin(), c.row_offsets.end()}, {}, c.values};
  for (const std::uint32_t each : c.column_indices) a.column_indices.push_back(static_cast<std::int32_t>(each));
  return a;
}

inline Case case_of(const CsrMatrix& a, std::vector<double> x) {
  Case c{a.rows, a.columns, {}, {}, a.values, std::move(x)};
  for (const std::int64_t each : a.row_offsets) c.row_offsets.push_back(static_cast<std::uint32_t>(each));
  for (const std::int32_t each : a.column_indices) c.column_indices.push_back(static_cast<std::uint32_t>(each));
  return c;
}

// -------------------------------------------------------------------------------------------------------- draws

/// A matrix with these rows; each row has its own columns, in any order.
inline Case matrix_of(Draw& draw, const std::vector<Row>& rows) {
  Case c{0, 0, {0}, {}, {}, {}};
  for (const Row& row : rows) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < row.x.size(); ++i) columns.push_back(c.x.size() + i);
    for (std::size_t i = 0; i < row.x.size(); ++i) std::swap(columns[i], columns[draw.below(i + 1)]);
    c.x.resize(c.x.size() + row.x.size());
    for (std::size_t i = 0; i < row.x.size(); ++i) c.x[columns[i]] = row.y[i];
    append_row(c, columns, row.x);
  }
  c.columns = static_cast<std::int64_t>(c.x.size());
  return c;
}

/// Some rows drawn by `make(draw)`, with empty rows among them.
template <class Make>
Case draw_rows(Draw& draw, Make make) {
  std::vector<Row> rows;
  std::size_t entries = 0;
  for (std::uint64_t left = 1 + draw.below(4); left != 0; --left) {
    if (draw.one_in(6)) rows.emplace_back();
    Row row = make(draw);
    const std::size_t most = std::min<std::size_t>(row.x.size(), 200);
    row.x.resize(most);
    row.y.resize(most);
    entries += most;
    if (entries <= static_cast<std::size_t>(most_rows)) rows.push_back(std::move(row));
  }
  return matrix_of(draw, rows);
}

inline double draw_entry(Draw& draw) { return draw_number<double>(draw, Significand::any, draw.between(-60, 60)); }

/// One row has every column, and the others have none.
inline Case draw_dense_row(Draw& draw) {
  const std::uint64_t rows = 1 + draw.below(70);
  const std::uint64_t dense = draw.below(rows);
  const std::uint64_t entries = draw.below(400);
  Case c{0, static_cast<std::int64_t>(entries), {0}, {}, {}, {}};
  std::vector<std::size_t> columns;
  std::vector<double> values;
  for (std::size_t j = 0; j < entries; ++j) {
    columns.push_back(j);
    values.push_back(draw_entry(draw));
    c.x.push_back(draw_entry(draw));
  }
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (i == dense) {
      append_row(c, columns, values);
    } else {
      append_row(c, {}, {});
    }
  }
  return c;
}

/// Columns in any order, some of them more than once in a row.
inline Case draw_repeated_columns(Draw& draw) {
  Case c{0, 1 + draw.between(0, 7), {0}, {}, {}, {}};
  for (std::int64_t j = 0; j < c.columns; ++j) c.x.push_back(draw_entry(draw));
  for (std::uint64_t rows = 1 + draw.below(5); rows != 0; --rows) {
    std::vector<std::size_t> columns;
    std::vector<double> values;
    for (std::uint64_t left = draw.below(24); left != 0; --left) {
      columns.push_back(draw.below(c.x.size()));
      values.push_back(draw_entry(draw));
    }
    append_row(c, columns, values);
  }
  return c;
}

/// Laplace, arrow, band, Hilbert.
inline Case draw_generated(Draw& draw) {
  const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(40));
  const CsrMatrix a = [&] {
    switch (draw.below(5)) {
      case 0:
        return laplace_1d(n);
      case 1:
        return laplace_2d(1 + n % 8);
      case 2:
        return arrow(n);
      case 3:
        return random_band(n, draw.between(0, 4), draw.word());
      default:
        return hilbert_integers(1 + n % 20);
    }
  }();
  std::vector<double> x;
  for (std::int64_t j = 0; j < a.columns; ++j) x.push_back(draw_entry(draw));
  return case_of(a, std::move(x));
}

/// One or several factors of an entry are infinite or NaN.
inline Case draw_special_matrix(Draw& draw) {
  const auto special = [&] {
    return draw.one_in(3) ? sum::detail::draw_nan<double>(draw) : sum::detail::draw_infinity<double>(draw.coin());
  };
  Case c = draw_matrix<double>(draw, Significand::any, {-8, 8, -8, 8, false});
  for (std::uint64_t left = 1 + draw.below(3); left != 0; --left) {
    std::vector<double>& factors = draw.coin() && !c.values.empty() ? c.values : c.x;
    factors[draw.below(factors.size())] = special();
  }
  if (draw.coin()) c.x[draw.below(c.x.size())] = draw.coin() ? 0.0 : -0.0;
  return c;
}

/// Rows whose products cancel, except for parts that are far below, for each of 8 lanes: numbers that cancel in pairs
/// of lanes, others 60 binades below, one number for each lane 60 below these, and below its last place some numbers
/// that three words lose.
inline Case draw_lost_products(Draw& draw) {
  constexpr std::size_t lanes = 8;
  const std::size_t lost = 1 + draw.below(4);
  const std::size_t columns = (3 + lost) * lanes;
  Case c{0, static_cast<std::int64_t>(columns), {0}, {}, {}, {}};
  std::vector<std::size_t> all;
  for (std::size_t j = 0; j < columns; ++j) {
    c.x.push_back(compose<double>(false, 1, draw.between(-8, 8)));
    all.push_back(j);
  }
  for (std::uint64_t rows = draw.one_in(4) ? 9 + draw.below(8) : 1 + draw.below(3); rows != 0; --rows) {
    std::vector<double> values;
    double before = 0;
    const auto append = [&](double product) { values.push_back(product / c.x[values.size()]); };
    const auto fresh = [&](int exponent) { return draw_number<double>(draw, Significand::any, exponent); };
    for (const int exponent : {0, -60}) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        before = lane % 2 == 0 ? fresh(exponent) : -before;
        append(before);
      }
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) append(fresh(-120));
    const bool minus = draw.coin();
    for (std::size_t k = 0; k < lost * lanes; ++k) {
      append(draw_number<double>(draw, Significand::any, -120 - 54 - static_cast<int>(draw.below(4)), minus));
    }
    append_row(c, all, values);
  }
  return c;
}

inline std::vector<InputClass<Case>> exact_classes() {
  const auto rows = [](auto make) { return drawn<Case>([make](Draw& draw) { return draw_rows(draw, make); }); };
  return {
      {"one full row, the others empty", 2, drawn<Case>(draw_dense_row)},
      {"columns more than once in a row", 2, drawn<Case>(draw_repeated_columns)},
      {"Laplace, arrow, band, Hilbert", 2, drawn<Case>(draw_generated)},
      {"rows: tie of either parity, tie ± tiny, hidden by cancellation", 4, rows([](Draw& draw) {
         return sum::detail::with_powers_of_two<double>(draw, sum::detail::draw_hidden_tie<double>(draw));
       })},
      {"rows: tie beside a product below the lowest place", 2, rows(sum::detail::draw_tie_beside_tiny_product<double>)},
      {"rows: products below the lowest place", 2, rows(sum::detail::draw_tiny_products<double>)},
      {"rows: products beyond the largest number", 2, rows(sum::detail::draw_high_products<double>)},
      {"rows: products of zero", 2, rows(sum::detail::draw_zero_products<double>)},
      {"rows: products that three words lose", 2, drawn<Case>(draw_lost_products)},
      {"factors infinite or NaN", 3, drawn<Case>(draw_special_matrix)}};
}

/// The matrix without the rows and the entries that are not kept, and without the columns that then have no entry.
template <class KeepRow, class KeepEntry>
Case kept(const Case& c, KeepRow keep_row, KeepEntry keep_entry) {
  std::vector<std::size_t> renumbered(c.x.size(), c.x.size());
  Case smaller{0, 0, {0}, {}, {}, {}};
  for (std::size_t r = 0; r + 1 < c.row_offsets.size(); ++r) {
    if (!keep_row(r)) continue;
    std::vector<std::size_t> columns;
    std::vector<double> values;
    for (std::size_t at = c.row_offsets[r]; at < c.row_offsets[r + 1]; ++at) {
      if (!keep_entry(at)) continue;
      std::size_t& column = renumbered[c.column_indices[at]];
      if (column == c.x.size()) {
        column = smaller.x.size();
        smaller.x.push_back(c.x[c.column_indices[at]]);
      }
      columns.push_back(column);
      values.push_back(c.values[at]);
    }
    append_row(smaller, columns, values);
  }
  smaller.columns = static_cast<std::int64_t>(smaller.x.size());
  return smaller;
}

/// Without columns that have no entry; then without half of the rows or a row, half of the entries or an entry.
inline std::vector<Case> smaller_cases(const Case& c) {
  const auto all = [](std::size_t) { return true; };
  const auto rows = static_cast<std::size_t>(c.rows);
  const std::size_t entries = c.values.size();
  std::vector<Case> smaller;
  if (Case used = kept(c, all, all); used.x.size() < c.x.size()) smaller.push_back(std::move(used));
  for (const bool upper : {false, true}) {
    if (rows > 1)
      smaller.push_back(kept(
          c, [&](std::size_t r) { return (r < rows / 2) != upper; }, all));
    if (entries > 1) smaller.push_back(kept(c, all, [&](std::size_t at) { return (at < entries / 2) != upper; }));
  }
  constexpr std::size_t most_single_steps = 64;
  for (std::size_t i = 0; i < rows && rows <= most_single_steps; ++i) {
    smaller.push_back(kept(
        c, [&](std::size_t r) { return r != i; }, all));
  }
  for (std::size_t i = 0; i < entries && entries <= most_single_steps; ++i) {
    smaller.push_back(kept(c, all, [&](std::size_t at) { return at != i; }));
  }
  return smaller;
}

inline Domain<Case> exact_domain() {
  return {.classes = joined(regular_classes<double>(), exact_classes()),
          .contains = [](const Case& c) { return is_matrix(c); },
          .features = {{"log2 of the entries + 1, rounded up", 0, 14, 14,
                        [](const Case& c) { return static_cast<double>(std::bit_width(c.values.size())); }}},
          .shrink_shape = smaller_cases,
          .accepts =
              "up to 1024 rows and columns and 8192 entries; columns of a row in any order, more than once, too; "
              "any numbers, infinities and NaN among them"};
}

// ------------------------------------------------------------------------------------------------------- claims

using Values = std::vector<double>;
using Truth = std::vector<Dyadic>;

/// y for each direction, one after the other. `product(on, c, to)` computes y.
template <class Product>
Subject<Case, Values> in_every_direction(Product product) {
  return [product](const Executor& on, const Case& c) {
    Values all;
    for (const auto& [to, direction] : directions) {
      const Values y = product(on, c, to);
      all.insert(all.end(), y.begin(), y.end());
    }
    return all;
  };
}

/// judge(row, r, ŷᵣ, direction) for each row with a special value, or for each one without.
template <class Judge>
Judgement of_rows(const Case& c, const Values& result, bool special, Judge judge) {
  const std::vector<Row> rows = rows_of(c);
  Judgement worst;
  for (std::size_t i = 0; i < std::size(directions) * rows.size(); ++i) {
    const std::size_t r = i % rows.size();
    if ((sum::special_sum(rows[r]) != 0) != special) continue;
    worst.worsen(judge(rows[r], r, result[i], directions[i / rows.size()].second));
  }
  worst.judged = result.size();
  return worst;
}

/// The promises of a product that is rounded once; `product(on, c, to)` computes y.
template <class Product>
Property<Case, Values, Truth> exact_property(std::string name, Product product) {
  return {.name = std::move(name),
          .domain = exact_domain(),
          .subject = in_every_direction(product),
          .reference =
              [](const Case& c) {
                Truth truth;
                for (const Row& row : rows_of(c)) {
                  truth.push_back(sum::special_sum(row) == 0 ? sum::exact_sums(row).sum : Dyadic());
                }
                return truth;
              },
          .claims = {claim_spec("rounded", sparse_spmv_1,
                                [](const Case& c, const Truth& truth, const Values& y) {
                                  return of_rows(
                                      c, y, false,
                                      [&](const Row& row, std::size_t r, double got, oracle::Rounding direction) {
                                        return judge_rounded(bits_of(got), truth[r], oracle::binary64, direction,
                                                             {.negative_zero = sum::sums_to_negative_zero(row)}, r);
                                      });
                                }),
                     when(
                         "a factor of an entry is infinite or NaN",
                         [](const Case& c) {
                           return std::ranges::any_of(rows_of(c),
                                                      [](const Row& row) { return sum::special_sum(row) != 0; });
                         },
                         satisfies("special_values", sparse_spmv_2,
                                   [](const Case& c, const Values& y) {
                                     return of_rows(
                                         c, y, true, [](const Row& row, std::size_t r, double got, oracle::Rounding) {
                                           const std::uint64_t want = sum::special_sum(row);
                                           return Judgement::of(
                                               bits_of(got) == want || (is_nan(got) && is_nan(number_of<double>(want))),
                                               r);
                                         });
                                   }))},
          .inexact =
              [](const Case& c, const Truth& truth, const Values& y) {
                return of_rows(c, y, false, [&](const Row&, std::size_t r, double got, oracle::Rounding) {
                         return Judgement::of(is_finite(got) && value_of(got) == truth[r], r);
                       }).verdict != Verdict::holds;
              },
          .quick_cases = 1000};
}

inline Property<Case, Values, Truth> csr_property(std::string name, auto spmv) {
  return exact_property(std::move(name), [spmv](const Executor& on, const Case& c, Rounding to) {
    return spmv(on, csr_of(c), std::span<const double>(c.x), to);
  });
}

/// Values of places without an entry are NaN.
inline Property<Case, Values, Truth> ellpack_property(std::string name, auto spmv) {
  return exact_property(std::move(name), [spmv](const Executor& on, const Case& c, Rounding to) {
    const EllpackMatrix a = ellpack_of(csr_of(c), number_of<double>(oracle::binary64.nan()));
    return spmv(on, a, std::span<const double>(c.x), to);
  });
}

}  // namespace assay::sparse
