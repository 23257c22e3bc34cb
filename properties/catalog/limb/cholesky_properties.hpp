#pragma once
// Cholesky's factorization of symmetric matrices of numbers of L limbs, and the systems that it solves.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/limb_theorems.hpp"
#include "kernels/limb/cholesky.hpp"
#include "properties/catalog/limb/square_systems.hpp"
#include "properties/framework/property.hpp"

namespace assay::limb {

/// The results of a kernel: the factor, and the solution if no pivot fails.
using LimbCholesky =
    SharedFunction<CholeskyFactor(const Executor&, std::int64_t n, const FloatArray& a, std::int64_t lda)>;
using LimbCholeskySolve = SharedFunction<FloatArray(const Executor&, std::int64_t n, const FloatArray& l,
                                                    std::int64_t lda, const FloatArray& b)>;

namespace detail {

inline std::size_t in_triangle(std::int64_t n, std::int64_t i, std::int64_t j) { return LowerTriangle::place(n, i, j); }
template <class F>
void for_each_below(std::int64_t n, F&& f) {
  LowerTriangle::for_each(n, f);
}

/// The whole array of L, x, and the column that failed. If a column failed, x is zeros.
inline LimbNumbers cholesky_result(const Executor& on, const SquareSystem& c, int limbs, const LimbCholesky& factorize,
                                   const LimbCholeskySolve& solve) {
  const CholeskyFactor factor = factorize(on, c.n, matrix_of<LowerTriangle>(c, limbs), leading(c));
  LimbNumbers result{factor.lower};
  append(result.array, factor.failed == c.n
                           ? solve(on, c.n, factor.lower, leading(c), array_of({&c.b_scale, &c.b}, limbs))
                           : float_zeros(limbs, static_cast<std::size_t>(c.n)));
  append(result.array, floats_of(limbs, std::vector{static_cast<double>(factor.failed)}));
  return result;
}

/// |aᵢⱼ − Σlᵢₖlⱼₖ| for each entry of a column before the one that failed.
inline Judgement judge_factor(const SquareSystem& c, int limbs, const LimbNumbers& result) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const std::int64_t columns = failed_column(c, result);
  if (columns < 0) return Judgement::fail();
  LimbSums l(a.size());
  Judgement worst;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    if (j >= columns) return;
    const std::size_t at = in_array(c, i, j);
    if (!component_value(result, at, l[in_triangle(c.n, i, j)])) {
      worst.worsen(Judgement::fail(at));
      return;
    }
    Dyadic rest = a[in_triangle(c.n, i, j)];
    Dyadic magnitude;
    for (std::int64_t k = 0; k <= j; ++k) {
      const Dyadic product = l[in_triangle(c.n, i, k)] * l[in_triangle(c.n, j, k)];
      rest -= product;
      magnitude += abs(product);
    }
    worst.worsen(judge_within(rest, Dyadic(), limb_cholesky_1(limbs, j, magnitude), at));
  });
  worst.judged = a.size();
  return worst;
}

/// |b − Ax| for each row.
inline Judgement judge_solution(const SquareSystem& c, int limbs, const LimbNumbers& result) {
  LimbSums rest = values_of({&c.b_scale, &c.b}, limbs);
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const auto size = static_cast<std::size_t>(c.n);
  LimbSums x(size);
  LimbSums l(a.size());
  bool finite = true;
  for (std::size_t i = 0; i < size; ++i) {
    finite = finite && component_value(result, place_of_unknown(c, static_cast<std::int64_t>(i)), x[i]);
  }
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    finite = finite && component_value(result, in_array(c, i, j), l[in_triangle(c.n, i, j)]);
  });
  if (!finite) return Judgement::fail();
  LimbSums inner(size);  // |Lᵀ||x|
  LimbSums magnitude(size);
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    const auto row = static_cast<std::size_t>(i);
    const auto column = static_cast<std::size_t>(j);
    const std::size_t at = in_triangle(c.n, i, j);
    inner[column] += abs(l[at] * x[row]);
    rest[row] -= a[at] * x[column];
    if (i != j) rest[column] -= a[at] * x[row];
  });
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    magnitude[static_cast<std::size_t>(i)] += abs(l[in_triangle(c.n, i, j)]) * inner[static_cast<std::size_t>(j)];
  });
  Judgement worst;
  for (std::size_t i = 0; i < size; ++i) {
    worst.worsen(judge_within(rest[i], Dyadic(), limb_cholesky_2(limbs, c.n, magnitude[i]),
                              place_of_unknown(c, static_cast<std::int64_t>(i))));
  }
  worst.judged = size;
  return worst;
}

/// The hypotheses of limb.cholesky.3.
inline bool is_dominant(const SquareSystem& c, int limbs) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  LimbSums beside(static_cast<std::size_t>(c.n));
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    if (i == j) return;
    const Dyadic twice = abs(a[in_triangle(c.n, i, j)]).mul_2exp(1);
    beside[static_cast<std::size_t>(i)] += twice;
    beside[static_cast<std::size_t>(j)] += twice;
  });
  for (std::int64_t i = 0; i < c.n; ++i) {
    const Dyadic& diagonal = a[in_triangle(c.n, i, i)];
    if (diagonal.sign() <= 0 || diagonal < beside[static_cast<std::size_t>(i)]) return false;
  }
  return true;
}

/// The first row with a diagonal entry that is not positive; n if there is none.
inline std::int64_t first_not_positive(const SquareSystem& c, int limbs) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  std::int64_t i = 0;
  while (i < c.n && a[in_triangle(c.n, i, i)].sign() > 0) ++i;
  return i;
}

// ------------------------------------------------------------------------------------------------------- draws

/// A triangle of entries that are drawn.
inline LimbSums draw_triangle(LimbDraw& r, std::int64_t n, int most) {
  LimbSums m;
  for_each_below(n, [&](std::int64_t, std::int64_t) { m.push_back(draw_entry(r, most)); });
  return m;
}

/// MMᵀ for a triangle M with exponents within ±most; with `dependent` its last row is 0: A is singular, up to
/// roundings.
inline SquareSystem draw_gram(LimbDraw& r, int least, int most_order, int most, bool dependent) {
  const std::int64_t n = r.between(least, most_order);
  LimbSums m = draw_triangle(r, n, most);
  if (dependent && n > 0) m[in_triangle(n, n - 1, n - 1)] = Dyadic();
  return draw_case<LowerTriangle>(r, n, [&](std::int64_t i, std::int64_t j) {
    Dyadic sum;
    for (std::int64_t k = 0; k <= j; ++k) sum.add_mul(m[in_triangle(n, i, k)], m[in_triangle(n, j, k)]);
    return sum;
  });
}

/// A diagonal of at least twice the sum of the other entries of its row.
inline SquareSystem draw_dominant(LimbDraw& r, int least, int most_order) {
  const std::int64_t n = r.between(least, most_order);
  LimbSums m = draw_triangle(r, n, 3);
  LimbSums beside(static_cast<std::size_t>(n));
  for_each_below(n, [&](std::int64_t i, std::int64_t j) {
    if (i == j) return;
    beside[static_cast<std::size_t>(i)] += abs(m[in_triangle(n, i, j)]);
    beside[static_cast<std::size_t>(j)] += abs(m[in_triangle(n, i, j)]);
  });
  return draw_case<LowerTriangle>(r, n, [&](std::int64_t i, std::int64_t j) {
    const Dyadic& entry = m[in_triangle(n, i, j)];
    if (i != j) return entry;
    return Dyadic(2) * beside[static_cast<std::size_t>(i)] + abs(entry).mul_2exp(r.between(-4, 8));
  });
}

/// A dominant matrix, except for one entry of its diagonal, which is 0 or negative.
inline SquareSystem draw_not_positive(LimbDraw& r) {
  SquareSystem c = draw_dominant(r, 1, 7);
  const std::int64_t i = r.between(0, static_cast<int>(c.n) - 1);
  const std::size_t at = in_triangle(c.n, i, i);
  if (r.coin()) {
    c.a_scale[at] = -c.a_scale[at];
  } else {
    std::fill_n(c.a.begin() + static_cast<std::ptrdiff_t>(at) * r.limbs(), r.limbs(), 0U);
  }
  return c;
}

inline Domain<SquareSystem> cholesky_domain(int limbs) {
  const auto of = [limbs](auto make) {
    return drawn<SquareSystem>([=](Draw& draw) {
      LimbDraw r(limbs, draw);
      return make(r);
    });
  };
  return {
      .classes = {{"one unknown", 4, of([](LimbDraw& r) { return draw_gram(r, 1, 1, 8, false); })},
                  {"squares of triangles", 4, of([](LimbDraw& r) { return draw_gram(r, 0, 7, 2, false); })},
                  {"squares of triangles, exponents apart", 3,
                   of([](LimbDraw& r) { return draw_gram(r, 2, 7, 20, false); })},
                  {"singular but for roundings", 2, of([](LimbDraw& r) { return draw_gram(r, 1, 6, 2, true); })},
                  {"diagonally dominant", 4, of([](LimbDraw& r) { return draw_dominant(r, 0, 9); })},
                  {"Hilbert", 2, of(draw_hilbert<LowerTriangle>)},
                  {"a diagonal entry that is not positive", 3, of(draw_not_positive)},
                  {"around the lanes of an entry", 1, of([](LimbDraw& r) { return draw_dominant(r, 33, 36); })}},
      .contains = [limbs](const SquareSystem& c) { return is_system<LowerTriangle>(c, limbs); },
      .features = {{"unknowns", 0, 48, 24, [](const SquareSystem& c) { return static_cast<double>(c.n); }}},
      .shrink_shape =
          [limbs](const SquareSystem& c) { return smaller_systems<LowerTriangle>(c, static_cast<std::size_t>(limbs)); },
      .accepts = "up to 48 unknowns; a lower triangle and a right side of " + limb_list_text(limbs)};
}

}  // namespace detail

/// The promises of the factorization and the solution; every claim about x requires that no pivot failed.
inline Property<SquareSystem, LimbNumbers, LimbSums> limb_cholesky_property(std::string name, int limbs,
                                                                            LimbCholesky factorize,
                                                                            LimbCholeskySolve solve) {
  using detail::failed_column;
  return {.name = std::move(name),
          .domain = detail::cholesky_domain(limbs),
          .subject = [limbs, factorize = std::move(factorize), solve = std::move(solve)](
                         const Executor& on,
                         const SquareSystem& c) { return detail::cholesky_result(on, c, limbs, factorize, solve); },
          // The truth is a residual of 0, for each place of the array of L and for each unknown.
          .reference = [](const SquareSystem& c) { return LimbSums(detail::place_of_unknown(c, c.n) + 1); },
          .claims = {claim_spec("factor", limb_cholesky_1,
                                [limbs](const SquareSystem& c, const LimbSums&, const LimbNumbers& result) {
                                  return detail::judge_factor(c, limbs, result);
                                }),
                     claim_spec("residual", limb_cholesky_2,
                                [limbs](const SquareSystem& c, const LimbSums&, const LimbNumbers& result) {
                                  return c.n > 0 && failed_column(c, result) == c.n
                                             ? detail::judge_solution(c, limbs, result)
                                             : Judgement::pass();
                                }),
                     when(
                         "the matrix is diagonally dominant as limb.cholesky.3 requires",
                         [limbs](const SquareSystem& c) { return detail::is_dominant(c, limbs); },
                         satisfies("succeeds", limb_cholesky_3,
                                   [](const SquareSystem& c, const LimbNumbers& result) {
                                     return failed_column(c, result) == c.n;
                                   })),
                     when(
                         "a diagonal entry is not positive",
                         [limbs](const SquareSystem& c) { return detail::first_not_positive(c, limbs) < c.n; },
                         satisfies("fails", limb_cholesky_4,
                                   [limbs](const SquareSystem& c, const LimbNumbers& result) {
                                     const std::int64_t failed = failed_column(c, result);
                                     return failed >= 0 && failed <= detail::first_not_positive(c, limbs);
                                   })),
                     satisfies("untouched", limb_cholesky_5,
                               [](const SquareSystem& c, const LimbNumbers& result) {
                                 std::vector<bool> written(result.array.length);
                                 detail::for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
                                   written[detail::in_array(c, i, j)] = true;
                                 });
                                 for (std::size_t at = 0; at < detail::place_of_unknown(c, 0); ++at) {
                                   if (!written[at] && result.array.exponent[at] != nan_exponent) return false;
                                 }
                                 return true;
                               })},
          .inexact = [](const SquareSystem& c, const LimbSums&, const LimbNumbers&) { return c.n > 0; },
          .quick_cases = limbs <= 8 ? 300U : 60U};
}

}  // namespace assay::limb
