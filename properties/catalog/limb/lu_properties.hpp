#pragma once
// LU factorization with partial pivoting of matrices of numbers of L limbs, and the systems that it solves.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/limb_theorems.hpp"
#include "kernels/limb/lu.hpp"
#include "properties/catalog/limb/square_systems.hpp"
#include "properties/framework/property.hpp"

namespace assay::limb {

/// The results of a kernel: the factor, and the solution if no pivot fails.
using LimbLu = SharedFunction<LuFactor(const Executor&, std::int64_t n, const FloatArray& a, std::int64_t lda)>;
using LimbLuSolve = SharedFunction<FloatArray(const Executor&, std::int64_t n, const FloatArray& lu, std::int64_t lda,
                                              const std::vector<std::int32_t>& pivots, const FloatArray& b)>;

namespace detail {

/// The whole array of L and U, x, the column that failed, the pivots. If a column failed, x is zeros.
inline LimbNumbers lu_result(const Executor& on, const SquareSystem& c, int limbs, const LimbLu& factorize,
                             const LimbLuSolve& solve) {
  const LuFactor factor = factorize(on, c.n, matrix_of<WholeSquare>(c, limbs), leading(c));
  LimbNumbers result{factor.lu};
  append(result.array, factor.failed == c.n
                           ? solve(on, c.n, factor.lu, leading(c), factor.pivots, array_of({&c.b_scale, &c.b}, limbs))
                           : float_zeros(limbs, static_cast<std::size_t>(c.n)));
  std::vector<double> numbers{static_cast<double>(factor.failed)};
  numbers.insert(numbers.end(), factor.pivots.begin(), factor.pivots.end());
  append(result.array, floats_of(limbs, numbers));
  return result;
}

/// The data of a result: the column that failed, and the row of A and b that became row i. No row if a pivot is
/// missing.
struct LuRows {
  std::int64_t failed;
  std::vector<std::int64_t> row;

  LuRows(const SquareSystem& c, const LimbNumbers& result)
      : failed(failed_column(c, result)), row(static_cast<std::size_t>(c.n)) {
    std::iota(row.begin(), row.end(), 0);
    Dyadic pivot;
    for (std::int64_t k = 0; k < c.n; ++k) {
      std::int64_t other = k;
      const bool is_number = component_value(result, place_of_unknown(c, c.n + 1 + k), pivot);
      while (is_number && other < c.n && pivot != Dyadic(other)) ++other;
      if (!is_number || other == c.n) {
        row.clear();
        return;
      }
      std::swap(row[static_cast<std::size_t>(k)], row[static_cast<std::size_t>(other)]);
    }
  }
  [[nodiscard]] bool are_right() const { return failed >= 0 && (failed == 0 || !row.empty()); }
  [[nodiscard]] std::int64_t operator[](std::int64_t i) const { return row[static_cast<std::size_t>(i)]; }
};

/// The entries of L (whose diagonal is 1) and U; false if one is not finite. `columns`: entries with i and j both at
/// least `columns` do not count.
struct LuEntries {
  std::int64_t n;
  LimbSums all;
  bool finite = true;

  LuEntries(const SquareSystem& c, std::int64_t columns, const LimbNumbers& result)
      : n(c.n), all(WholeSquare::size(c.n)) {
    WholeSquare::for_each(n, [&](std::int64_t i, std::int64_t j) {
      if (std::min(i, j) >= columns) return;
      finite = component_value(result, in_array(c, i, j), all[WholeSquare::place(n, i, j)]) && finite;
    });
  }
  [[nodiscard]] const Dyadic& operator()(std::int64_t i, std::int64_t j) const {
    return all[WholeSquare::place(n, i, j)];
  }
  [[nodiscard]] Dyadic lower(std::int64_t i, std::int64_t j) const { return i == j ? Dyadic(1) : (*this)(i, j); }
};

/// |(PA)ᵢⱼ − Σlᵢₜuₜⱼ| for the entries that limb.lu.1 is about.
inline Judgement judge_lu(const SquareSystem& c, int limbs, const LimbNumbers& result) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const LuRows rows(c, result);
  if (!rows.are_right()) return Judgement::fail();
  const LuEntries lu(c, rows.failed, result);
  if (!lu.finite) return Judgement::fail();
  Judgement worst;
  WholeSquare::for_each(c.n, [&](std::int64_t i, std::int64_t j) {
    const std::int64_t least = std::min(i, j);
    if (least > rows.failed || (least == rows.failed && j != rows.failed)) return;
    Dyadic rest = a[WholeSquare::place(c.n, rows[i], j)];
    Dyadic magnitude;
    for (std::int64_t t = 0; t <= least && t < rows.failed; ++t) {
      const Dyadic product = lu.lower(i, t) * lu(t, j);
      rest -= product;
      magnitude += abs(product);
    }
    worst.worsen(judge_within(rest, Dyadic(), limb_lu_1(limbs, least, magnitude), in_array(c, i, j)));
  });
  worst.judged = a.size();
  return worst;
}

/// |lᵢⱼ| ≤ 1, pivots of U that are not 0 before the column that failed, and 0 there.
inline bool has_right_pivots(const SquareSystem& c, const LimbNumbers& result) {
  const LuRows rows(c, result);
  if (!rows.are_right()) return false;
  const LuEntries lu(c, rows.failed, result);
  if (!lu.finite) return false;
  for (std::int64_t j = 0; j < rows.failed; ++j) {
    if (lu(j, j).is_zero()) return false;
    for (std::int64_t i = j + 1; i < c.n; ++i) {
      if (abs(lu(i, j)) > Dyadic(1)) return false;
    }
  }
  Dyadic pivot;
  return rows.failed == c.n ||
         (component_value(result, in_array(c, rows.failed, rows.failed), pivot) && pivot.is_zero());
}

/// |P(b − Ax)| for each row.
inline Judgement judge_lu_solution(const SquareSystem& c, int limbs, const LimbNumbers& result) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const LimbSums b = values_of({&c.b_scale, &c.b}, limbs);
  const LuRows rows(c, result);
  const LuEntries lu(c, c.n, result);
  LimbSums x(static_cast<std::size_t>(c.n));
  bool finite = rows.are_right() && lu.finite;
  for (std::size_t i = 0; i < x.size(); ++i) {
    finite = component_value(result, place_of_unknown(c, static_cast<std::int64_t>(i)), x[i]) && finite;
  }
  if (!finite) return Judgement::fail();
  LimbSums inner(x.size());  // |U||x|
  Judgement worst;
  for (std::int64_t t = 0; t < c.n; ++t) {
    for (std::int64_t j = t; j < c.n; ++j) {
      inner[static_cast<std::size_t>(t)] += abs(lu(t, j) * x[static_cast<std::size_t>(j)]);
    }
  }
  for (std::int64_t i = 0; i < c.n; ++i) {
    Dyadic rest = b[static_cast<std::size_t>(rows[i])];
    Dyadic magnitude;
    for (std::int64_t j = 0; j < c.n; ++j) {
      rest -= a[WholeSquare::place(c.n, rows[i], j)] * x[static_cast<std::size_t>(j)];
      if (j <= i) magnitude += abs(lu.lower(i, j)) * inner[static_cast<std::size_t>(j)];
    }
    worst.worsen(judge_within(rest, Dyadic(), limb_lu_3(limbs, c.n, magnitude), place_of_unknown(c, i)));
  }
  worst.judged = x.size();
  return worst;
}

/// The rows of an upper triangle without a zero on its diagonal, in the order of that triangle; empty for other
/// matrices.
inline std::vector<std::int64_t> rows_of_triangle(const SquareSystem& c, const LimbSums& a) {
  std::vector<std::int64_t> left(static_cast<std::size_t>(c.n));
  std::iota(left.begin(), left.end(), 0);
  for (std::int64_t j = 0; j < c.n; ++j) {
    const auto begin = left.begin() + j;
    const auto is_set = [&](std::int64_t i) { return !a[WholeSquare::place(c.n, i, j)].is_zero(); };
    if (std::count_if(begin, left.end(), is_set) != 1) return {};
    std::swap(*begin, *std::find_if(begin, left.end(), is_set));
  }
  return left;
}

inline bool is_exact_triangle(const SquareSystem& c, int limbs, const LimbNumbers& result) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const std::vector<std::int64_t> rows = rows_of_triangle(c, a);
  const LuEntries lu(c, c.n, result);
  bool right = failed_column(c, result) == c.n && lu.finite;
  WholeSquare::for_each(c.n, [&](std::int64_t i, std::int64_t j) {
    const Dyadic& entry = a[WholeSquare::place(c.n, rows[static_cast<std::size_t>(i)], j)];
    right = right && (i > j ? lu(i, j).is_zero() : lu(i, j) == entry);
  });
  return right;
}

// ------------------------------------------------------------------------------------------------------- draws

/// Entries with exponents within ±most.
inline SquareSystem draw_square(LimbDraw& r, int least, int most_order, int most) {
  return draw_case<WholeSquare>(r, r.between(least, most_order),
                                [&](std::int64_t, std::int64_t) { return draw_entry(r, most); });
}

/// Integers within ±3: pivots of one magnitude, and singular matrices.
inline SquareSystem draw_small_integers(LimbDraw& r) {
  return draw_case<WholeSquare>(r, r.between(1, 6),
                                [&](std::int64_t, std::int64_t) { return Dyadic(r.between(-3, 3)); });
}

/// An upper triangle with its rows in any order.
inline SquareSystem draw_permuted_triangle(LimbDraw& r) {
  const std::int64_t n = r.between(1, 8);
  std::vector<std::int64_t> row(static_cast<std::size_t>(n));
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < row.size(); ++i) std::swap(row[i], row[r.draw().below(i + 1)]);
  return draw_case<WholeSquare>(r, n, [&](std::int64_t i, std::int64_t j) {
    return row[static_cast<std::size_t>(i)] > j ? Dyadic() : draw_entry(r, 8);
  });
}

/// A matrix whose last row equals the first one, or is 0: singular.
inline SquareSystem draw_singular(LimbDraw& r) {
  const std::int64_t n = r.between(1, 6);
  const bool zero = n == 1 || r.coin();
  return draw_case<WholeSquare>(r, n, [&, first = Dyadic()](std::int64_t i, std::int64_t j) mutable {
    static_cast<void>(j);
    if (i == n - 1) return zero ? Dyadic() : first;
    Dyadic entry = draw_entry(r, 4);
    if (i == 0) first = entry;
    return entry;
  });
}

inline Domain<SquareSystem> lu_domain(int limbs) {
  const auto of = [limbs](auto make) {
    return drawn<SquareSystem>([=](Draw& draw) {
      LimbDraw r(limbs, draw);
      return make(r);
    });
  };
  return {
      .classes = {{"one and two unknowns", 4, of([](LimbDraw& r) { return draw_square(r, 1, 2, 8); })},
                  {"any entries", 4, of([](LimbDraw& r) { return draw_square(r, 0, 9, 2); })},
                  {"any entries, exponents apart", 3, of([](LimbDraw& r) { return draw_square(r, 2, 7, 30); })},
                  {"small integers", 3, of(draw_small_integers)},
                  {"triangles with their rows in any order", 3, of(draw_permuted_triangle)},
                  {"singular", 2, of(draw_singular)},
                  {"Hilbert", 2, of(draw_hilbert<WholeSquare>)},
                  {"around the lanes of an entry", 1, of([](LimbDraw& r) { return draw_square(r, 33, 35, 2); })}},
      .contains = [limbs](const SquareSystem& c) { return is_system<WholeSquare>(c, limbs); },
      .features = {{"unknowns", 0, 48, 24, [](const SquareSystem& c) { return static_cast<double>(c.n); }}},
      .shrink_shape =
          [limbs](const SquareSystem& c) { return smaller_systems<WholeSquare>(c, static_cast<std::size_t>(limbs)); },
      .accepts = "up to 48 unknowns; a matrix and a right side of " + limb_list_text(limbs)};
}

}  // namespace detail

/// The promises of the factorization and the solution; every claim about x requires that no pivot failed.
inline Property<SquareSystem, LimbNumbers, LimbSums> limb_lu_property(std::string name, int limbs, LimbLu factorize,
                                                                      LimbLuSolve solve) {
  using detail::failed_column;
  return {.name = std::move(name),
          .domain = detail::lu_domain(limbs),
          .subject = [limbs, factorize = std::move(factorize), solve = std::move(solve)](
                         const Executor& on,
                         const SquareSystem& c) { return detail::lu_result(on, c, limbs, factorize, solve); },
          // The truth is a residual of 0, for each place of the array of L and U and for each unknown.
          .reference = [](const SquareSystem& c) { return LimbSums(detail::place_of_unknown(c, 2 * c.n) + 1); },
          .claims = {claim_spec("factor", limb_lu_1,
                                [limbs](const SquareSystem& c, const LimbSums&, const LimbNumbers& result) {
                                  return detail::judge_lu(c, limbs, result);
                                }),
                     satisfies("pivots", limb_lu_2, detail::has_right_pivots),
                     claim_spec("residual", limb_lu_3,
                                [limbs](const SquareSystem& c, const LimbSums&, const LimbNumbers& result) {
                                  return c.n > 0 && failed_column(c, result) == c.n
                                             ? detail::judge_lu_solution(c, limbs, result)
                                             : Judgement::pass();
                                }),
                     when(
                         "the matrix is as limb.lu.4 requires",
                         [limbs](const SquareSystem& c) {
                           const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
                           return std::cmp_equal(detail::rows_of_triangle(c, a).size(), c.n);
                         },
                         satisfies("permuted_triangles", limb_lu_4,
                                   [limbs](const SquareSystem& c, const LimbNumbers& result) {
                                     return detail::is_exact_triangle(c, limbs, result);
                                   })),
                     satisfies("untouched", limb_lu_5,
                               [](const SquareSystem& c, const LimbNumbers& result) {
                                 for (std::int64_t j = 0; j < c.n; ++j) {
                                   for (std::int64_t i = c.n; i < detail::leading(c); ++i) {
                                     if (result.array.exponent[detail::in_array(c, i, j)] != nan_exponent) return false;
                                   }
                                 }
                                 return true;
                               })},
          .inexact = [](const SquareSystem& c, const LimbSums&, const LimbNumbers&) { return c.n > 0; },
          .quick_cases = limbs <= 8 ? 300U : 60U};
}

}  // namespace assay::limb
