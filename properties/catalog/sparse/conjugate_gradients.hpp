#pragma once
// Conjugate gradients for known matrices: the domain, and the promises of the iteration.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/gamma.hpp"
#include "errorbounds/judge.hpp"
#include "errorbounds/sparse_theorems.hpp"
#include "kernels/sparse/conjugate_gradients.hpp"
#include "kernels/sparse/generated.hpp"
#include "oracle/exact.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::sparse {

/// Ax = b with the matrix of that kind, times 2^scale; τ = 2^−digits.
struct CgCase {
  std::int64_t kind = 0;  ///< Laplace in one and in two dimensions, arrow, I, −I
  std::int64_t scale = 0;
  std::int64_t digits = 1;
  std::int64_t most = 0;
  std::vector<double> b;
  static constexpr auto fields() {
    using C = CgCase;
    return std::tuple{field("kind", &C::kind), field("scale", &C::scale), field("digits", &C::digits),
                      field("most", &C::most), field("b", &C::b)};
  }
};

namespace cg {

using oracle::Dyadic;
using oracle::Rational;

enum Kind : std::int64_t { laplace_line, laplace_grid, arrow_head, one, minus_one, kinds };

/// Σ xᵢ².
inline Dyadic squares(std::span<const double> x) {
  Dyadic sum;
  for (const double each : x) sum.add_mul(value_of(each), value_of(each));
  return sum;
}

inline std::int64_t size_of(const CgCase& c) { return static_cast<std::int64_t>(c.b.size()); }

/// The side of a grid of n points; 0 where n is not a square.
inline std::int64_t side_of(std::int64_t n) {
  std::int64_t m = 0;
  while (m * m < n) ++m;
  return m * m == n ? m : 0;
}

inline CsrMatrix matrix_of(const CgCase& c) {
  const std::int64_t n = size_of(c);
  CsrMatrix a = c.kind == laplace_line ? laplace_1d(n) : c.kind == laplace_grid ? laplace_2d(side_of(n)) : arrow(n);
  if (c.kind == one || c.kind == minus_one) {
    a = CsrMatrix{0, n, {0}, {}, {}};
    for (std::int64_t i = 0; i < n; ++i) {
      a.append_row();
      a.append(i, c.kind == one ? 1 : -1);
    }
  }
  for (double& each : a.values) each *= compose<double>(false, 1, static_cast<int>(c.scale));
  return a;
}

inline bool is_case(const CgCase& c) {
  const std::int64_t n = size_of(c);
  const auto is_entry = [](double x) { return in_box(x, {-100, 100}); };
  return c.kind >= 0 && c.kind < kinds && c.scale >= -20 && c.scale <= 20 && c.digits >= 1 && c.digits <= 60 &&
         c.most >= 0 && c.most <= 200 && n <= 100 && (c.kind != laplace_grid || n == 0 || side_of(n) > 0) &&
         std::ranges::all_of(c.b, is_entry);
}

inline CgCase draw_case(Draw& draw, std::int64_t kind, int most_digits) {
  CgCase c;
  c.kind = kind;
  c.scale = draw.between(-8, 8);
  c.digits = draw.between(1, most_digits);
  const auto n = static_cast<std::int64_t>(draw.one_in(10) ? 30 + draw.below(30) : draw.below(10));
  const std::int64_t unknowns = kind == laplace_grid ? (n % 8) * (n % 8) : n;
  c.most = draw.one_in(4) ? static_cast<std::int64_t>(draw.below(4)) : 2 * unknowns + 5;
  for (std::int64_t i = 0; i < unknowns; ++i) {
    c.b.push_back(draw.one_in(6) ? 0.0 : draw_number<double>(draw, Significand::any, draw.between(-6, 6)));
  }
  return c;
}

inline std::vector<CgCase> smaller_cases(const CgCase& c) {
  std::vector<CgCase> smaller;
  for (std::size_t i = 0; i < c.b.size() && c.kind != laplace_grid; ++i) {
    smaller.push_back(c);
    smaller.back().b.erase(smaller.back().b.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return smaller;
}

inline Domain<CgCase> domain() {
  const auto of = [](std::int64_t kind, int most_digits) {
    return drawn<CgCase>([=](Draw& draw) { return draw_case(draw, kind, most_digits); });
  };
  return {.classes = {{"Laplace on a line", 4, of(laplace_line, 45)},
                      {"Laplace on a grid", 3, of(laplace_grid, 45)},
                      {"arrow", 2, of(arrow_head, 45)},
                      {"an aim that may not be reached", 2, of(laplace_line, 60)},
                      {"multiples of one", 2, of(one, 45)},
                      {"negative multiples of one", 1, of(minus_one, 45)}},
          .contains = is_case,
          .features = {{"unknowns", 0, 60, 20, [](const CgCase& c) { return static_cast<double>(c.b.size()); }}},
          .shrink_shape = smaller_cases,
          .accepts = "a generated matrix of up to 100 unknowns times 2^-20 to 2^20, entries of b within 2^±100 or 0"};
}

using Values = std::vector<double>;

/// x, r, the status and the iterations.
inline Values numbers_of(const CgSolution& s) {
  Values all = s.x;
  all.insert(all.end(), s.residual.begin(), s.residual.end());
  all.push_back(static_cast<double>(static_cast<int>(s.status)));
  all.push_back(static_cast<double>(s.iterations));
  return all;
}
inline std::span<const double> unknowns(const CgCase& c, const Values& y) { return std::span(y).first(c.b.size()); }
inline std::span<const double> residual(const CgCase& c, const Values& y) {
  return std::span(y).subspan(c.b.size(), c.b.size());
}
inline CgStatus status(const CgCase& c, const Values& y) {
  return static_cast<CgStatus>(static_cast<int>(y[2 * c.b.size()]));
}

/// b − Ax, exactly. Requires: finite x (not checked).
inline std::vector<Dyadic> exact_residual(const CgCase& c, std::span<const double> x) {
  const CsrMatrix a = matrix_of(c);
  std::vector<Dyadic> r;
  for (std::size_t i = 0; i < c.b.size(); ++i) {
    r.push_back(value_of(c.b[i]));
    for (auto at = static_cast<std::size_t>(a.row_offsets[i]); at < static_cast<std::size_t>(a.row_offsets[i + 1]);
         ++at) {
      r.back() -= value_of(a.values[at]) * value_of(x[static_cast<std::size_t>(a.column_indices[at])]);
    }
  }
  return r;
}

inline Judgement judge_residual(const CgCase& c, const Values& y) {
  for (std::size_t i = 0; i < c.b.size(); ++i) {
    if (!is_finite(y[i])) return Judgement::fail(i);
  }
  const std::vector<Dyadic> exact = exact_residual(c, unknowns(c, y));
  Judgement worst;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    worst.worsen(judge_rounded(bits_of(residual(c, y)[i]), exact[i], oracle::binary64, oracle::Rounding::nearest, {},
                               c.b.size() + i));
  }
  worst.judged = exact.size();
  return worst;
}

/// ‖r‖² ≤ (1 + 6u)τ²‖b‖² if the status is converged.
inline bool reaches_its_aim(const CgCase& c, const Values& y) {
  if (status(c, y) != CgStatus::converged) return true;
  const Dyadic aim = squares(c.b).mul_2exp(static_cast<long>(-2 * c.digits));
  return squares(residual(c, y)) <= aim + Dyadic(aim * Dyadic(6)).mul_2exp(-53);
}

inline bool solves_multiples_of_one(const CgCase& c, const Values& y) {
  const bool positive = c.kind == one;
  if (status(c, y) != (positive ? CgStatus::converged : CgStatus::not_positive)) return false;
  if (y[2 * c.b.size() + 1] != (positive ? 1 : 0)) return false;
  for (std::size_t i = 0; i < c.b.size(); ++i) {
    const Dyadic exact = positive ? value_of(c.b[i]).mul_2exp(static_cast<long>(-c.scale)) : Dyadic();
    if (!is_finite(y[i]) || value_of(y[i]) != exact) return false;
  }
  return true;
}

/// ‖x − x̂‖² ≤ ((n + 1)²/4)²·2⁻²ᵏ·Σ((1 + 2u)|r̂ᵢ| + η)² with the exact x of the second difference, by its inverse,
/// whose entry (i, j) is 2⁻ᵏ·min(i, j)·(n + 1 − max(i, j))/(n + 1), and the residual that was returned.
inline bool bounds_error_of_laplace(const CgCase& c, const Values& y) {
  const std::int64_t n = size_of(c);
  Rational error;
  Dyadic rest;
  for (const double each : residual(c, y)) {
    if (!is_finite(each)) return false;
    const Dyadic most =
        abs(value_of(each)) * (Dyadic(1) + Dyadic::scaled(1, -52)) + smallest_subnormal(oracle::binary64);
    rest.add_mul(most, most);
  }
  for (std::int64_t i = 1; i <= n; ++i) {
    Dyadic numerator;
    for (std::int64_t j = 1; j <= n; ++j) {
      numerator.add_mul(Dyadic(std::min(i, j) * (n + 1 - std::max(i, j))),
                        value_of(c.b[static_cast<std::size_t>(j - 1)]));
    }
    const Rational difference = Rational(numerator.mul_2exp(static_cast<long>(-c.scale))) / Rational(n + 1) -
                                Rational(value_of(y[static_cast<std::size_t>(i - 1)]));
    error += difference * difference;
  }
  const Dyadic factor = Dyadic((n + 1) * (n + 1)).mul_2exp(static_cast<long>(-2 - c.scale));
  return error <= Rational(factor * factor * rest);
}

}  // namespace cg

/// The promises of solve(executor, A, b, τ, iterations).
inline Property<CgCase, std::vector<double>> cg_property(std::string name, auto solve) {
  using cg::Values;
  return {.name = std::move(name),
          .domain = cg::domain(),
          .subject =
              [solve](const Executor& on, const CgCase& c) {
                const double tolerance = compose<double>(false, 1, static_cast<int>(-c.digits));
                return cg::numbers_of(solve(on, cg::matrix_of(c), std::span<const double>(c.b), tolerance, c.most));
              },
          .reference = [](const CgCase& c) { return std::vector<oracle::Dyadic>(2 * c.b.size() + 2); },
          .claims = {satisfies("residual", sparse_cg_1, cg::judge_residual),
                     when(
                         "‖b‖² ≥ 2⁻⁷⁰⁰",
                         [](const CgCase& c) { return cg::squares(c.b) >= oracle::Dyadic::scaled(1, -700); },
                         satisfies("reaches_its_aim", sparse_cg_2, cg::reaches_its_aim)),
                     when(
                         "A is a multiple of I, b ≠ 0, and there are iterations",
                         [](const CgCase& c) {
                           return (c.kind == cg::one || c.kind == cg::minus_one) && c.most > 0 &&
                                  !cg::squares(c.b).is_zero();
                         },
                         satisfies("multiples_of_one", sparse_cg_3, cg::solves_multiples_of_one)),
                     when(
                         "A is the second difference", [](const CgCase& c) { return c.kind == cg::laplace_line; },
                         satisfies("error_of_laplace", sparse_cg_4, cg::bounds_error_of_laplace))},
          .inexact = [](const CgCase& c, const std::vector<oracle::Dyadic>&,
                        const Values& y) { return y[2 * c.b.size() + 1] > 1; },
          .quick_cases = 300};
}

}  // namespace assay::sparse
