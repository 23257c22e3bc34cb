#pragma once
// Cases of triangular systems from outside, and what NaN, infinities and zeros on the diagonal become.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/contracts/tile_cases.hpp"
#include "properties/draws/triangular/systems.hpp"

namespace assay::contracts::triangular_systems {

using oracle::Dyadic;
using oracle::Exact;
using triangular::TrsvCase;
using triangular::TrsvRange;

/// Whether what is read is finite, with a diagonal without zeros.
template <FloatingPoint T>
bool is_regular(const TrsvCase<T>& c) {
  return triangular::is_system(c);
}

/// The system with 0 in the place of what is read and no number, and 1 for such places on the diagonal and zeros there.
/// Requires: as many numbers as the shape has (not checked).
template <FloatingPoint T>
TrsvCase<T> finite_part_of(TrsvCase<T> c) {
  const auto is_finite = [](const T& x) { return oracle::is_finite(format<T>, bits_of(x)); };
  c.x = finite_part(std::move(c.x));
  for (std::int64_t i = 0; i < c.n; ++i) {
    const triangular::Beside columns = triangular::beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      T& entry = c.a[triangular::place(c, i, j)];
      if (!is_finite(entry)) entry = T{};
    }
    if (c.unit != 0) continue;
    T& entry = c.a[triangular::place(c, i, i)];
    if (!is_finite(entry) || value_of(entry).is_zero()) entry = T(1);
  }
  return c;
}

/// Whether the arrays have as many numbers as the shape.
template <FloatingPoint T>
bool has_shape(const TrsvCase<T>& c) {
  return c.n >= 0 && c.n <= triangular::most_unknowns && c.lda >= std::max<std::int64_t>(1, c.n) &&
         c.lda <= 2 * triangular::most_unknowns && c.a.size() == static_cast<std::size_t>(c.lda * c.n) &&
         c.x.size() == static_cast<std::size_t>(c.n);
}

template <FloatingPoint T>
std::vector<Exact> exact_finite_trsv(const TrsvCase<T>& c) {
  return triangular::exact_trsv(is_regular(c) ? c : finite_part_of(c));
}

/// Which unknowns come without a rounding, in any order of the additions: contract.exact_grid.2. `truth`: the solution.
template <FloatingPoint T>
std::vector<bool> exact_unknowns(const TrsvCase<T>& c, const std::vector<Exact>& truth) {
  std::vector<bool> is_exact(c.x.size());
  std::vector<T> x(c.x.size());
  for (std::int64_t step = 0; step < c.n; ++step) {
    const std::int64_t i = triangular::unknown(c, step);
    const auto at = static_cast<std::size_t>(i);
    Terms terms;
    terms.add(c.x[at]);
    bool all_exact = true;
    const triangular::Beside columns = triangular::beside(c, i);
    for (std::int64_t j = columns.first; all_exact && j < columns.last; ++j) {
      all_exact = is_exact[static_cast<std::size_t>(j)];
      terms.add(c.a[triangular::place(c, i, j)], x[static_cast<std::size_t>(j)]);
    }
    const Dyadic own = abs(triangular::diagonal(c, i));
    const bool is_power = own == Dyadic::scaled(1, own.exponent()) && own.exponent() <= -FloatTraits<T>::emin &&
                          own.exponent() >= -FloatTraits<T>::emax;
    if (!all_exact || !is_power || !terms.is_exact_in(format<T>)) continue;
    x[at] = nearest_to<T>(truth[at]);
    const Dyadic value = abs(value_of(x[at]));
    is_exact[at] = value.is_zero() || value >= Dyadic::scaled(1, FloatTraits<T>::emin);
  }
  return is_exact;
}

/// What each unknown becomes: by the operations of a substitution in the format, which do not round.
template <FloatingPoint T>
Due due_of_system(const TrsvCase<T>& c) {
  std::vector<T> x = c.x;
  for (std::int64_t step = 0; step < c.n; ++step) {
    const std::int64_t i = triangular::unknown(c, step);
    T& own = x[static_cast<std::size_t>(i)];
    const triangular::Beside columns = triangular::beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      own = own - c.a[triangular::place(c, i, j)] * x[static_cast<std::size_t>(j)];
    }
    if (c.unit == 0) own = own / c.a[triangular::place(c, i, i)];
  }
  Due due;
  for (const T& each : x) due.push_back(sum::special_term(format<T>, bits_of(each)));
  return due;
}

/// n unknowns: small integers, the diagonal ±1 or ±2, and a right side with small integers as the solution, some of
/// them 0: no step rounds.
template <FloatingPoint T>
TrsvCase<T> draw_exact_system(Draw& draw, std::int64_t n) {
  TrsvCase<T> c = triangular::draw_triangle<T>(draw, n, {0, 0, 0, 0, 0, 0});
  const auto integer = [&](std::uint64_t most) { return compose<T>(draw.coin(), draw.below(most + 1), 0); };
  std::vector<T> solution;
  for (std::int64_t i = 0; i < n; ++i) solution.push_back(integer(3));
  for (std::int64_t i = 0; i < n; ++i) {
    const triangular::Beside columns = triangular::beside(c, i);
    if (c.unit == 0) c.a[triangular::place(c, i, i)] = compose<T>(draw.coin(), 1 + draw.below(2), 0);
    Dyadic right = triangular::diagonal(c, i) * value_of(solution[static_cast<std::size_t>(i)]);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      T& entry = c.a[triangular::place(c, i, j)];
      entry = integer(3);
      right.add_mul(value_of(entry), value_of(solution[static_cast<std::size_t>(j)]));
    }
    c.x.push_back(nearest_to<T>(right));
  }
  return c;
}

/// An exact system with one to three numbers replaced by NaN, an infinity or, on the diagonal, 0; zeros meet them.
template <FloatingPoint T>
TrsvCase<T> draw_exceptional_system(Draw& draw) {
  TrsvCase<T> c = draw_exact_system<T>(draw, 1 + static_cast<std::int64_t>(draw.below(draw.one_in(8) ? 40 : 6)));
  const auto special = [&] {
    return draw.coin() ? sum::detail::draw_nan<T>(draw) : sum::detail::draw_infinity<T>(draw.coin());
  };
  for (std::uint64_t count = 1 + draw.below(3); count != 0; --count) {
    const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.n)));
    const triangular::Beside columns = triangular::beside(c, i);
    const auto beside = static_cast<std::uint64_t>(columns.last - columns.first);
    const std::uint64_t where = draw.below(4);
    if (where == 0) {
      c.x[static_cast<std::size_t>(i)] = special();
    } else if (where == 1 && c.unit == 0) {
      c.a[triangular::place(c, i, i)] = draw.coin() ? compose<T>(draw.coin(), 0, 0) : special();
    } else if (beside != 0) {
      c.a[triangular::place(c, i, columns.first + static_cast<std::int64_t>(draw.below(beside)))] = special();
    }
  }
  if (draw.coin()) std::ranges::fill_n(c.x.begin(), c.n / 2 + 1, T{});
  return c;
}

template <FloatingPoint T>
Domain<TrsvCase<T>> trsv_domain() {
  using F = FloatTraits<T>;
  using Case = TrsvCase<T>;
  const auto system = [](const TrsvRange& range) {
    return drawn<Case>([=](Draw& draw) { return triangular::kept_small(triangular::draw_system<T>(draw, range)); });
  };
  const auto cancelling = [](const TrsvRange& range) {
    return drawn<Case>(
        [=](Draw& draw) { return triangular::kept_small(triangular::draw_cancelling_system<T>(draw, range)); });
  };
  constexpr int low = F::emin + F::precision;
  constexpr int least = F::emin - F::precision + 1;
  return {.classes = {{"entries of one size", 3, system({-1, 1, -1, 1, -2, 2})},
                      {"small beside the diagonal", 3, system({-8, -2, -1, 1, -2, 2})},
                      {"exponents apart", 2, system({-12, 2, -8, 4, -8, 8})},
                      {"the subtractions cancel", 3, cancelling({-2, 2, -2, 2, -2, 2})},
                      {"solutions in the range of underflow", 2, system({-4, 0, 0, 4, low - 40, low})},
                      {"a subnormal diagonal", 1, system({least, least + 4, least, F::emin, least, F::emin})},
                      {"exact, around tiles", 2, drawn<Case>([](Draw& draw) {
                         constexpr auto longest = static_cast<std::size_t>(triangular::most_unknowns);
                         const std::size_t n = draw.one_in(3) ? draw_tile_length(draw, longest) : 1 + draw.below(12);
                         return draw_exact_system<T>(draw, static_cast<std::int64_t>(n));
                       })},
                      {"NaN, infinities, zeros on the diagonal", 2, drawn<Case>(draw_exceptional_system<T>)}},
          .contains =
              [](const Case& c) {
                if (triangular::is_system(c)) return triangular::stays_small(c);
                if (!has_shape(c)) return false;
                const Case numbers = finite_part_of(c);
                if (!triangular::is_system(numbers)) return false;
                const std::vector<bool> is_exact = exact_unknowns(numbers, triangular::exact_trsv(numbers));
                return std::ranges::all_of(is_exact, [](bool each) { return each; });
              },
          .features = {{"unknowns", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
          .shrink_shape = triangular::smaller_systems<T>,
          .accepts =
              "up to 128 unknowns; finite numbers in the triangle and x, no zero on the diagonal, no step near to "
              "overflow; or NaN, infinities and zeros on the diagonal in a system that is solved without rounding"};
}

}  // namespace assay::contracts::triangular_systems
