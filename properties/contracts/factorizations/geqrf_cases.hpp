#pragma once
// Cases of QR factorizations: matrices of moderate numbers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/contracts/factorizations/getrf_cases.hpp"
#include "properties/contracts/factorizations/moderate.hpp"
#include "properties/contracts/factorizations/named_matrices.hpp"

namespace assay::contracts::factorizations {

/// Columns that are nearly dependent: each but the first is the one before it, and 2^−off of another vector.
template <FloatingPoint T>
GetrfCase<T> draw_nearly_dependent(Draw& draw, std::int64_t m, std::int64_t n) {
  GetrfCase<T> c = matrix_of<T>(
      m, n, [&](std::int64_t, std::int64_t) { return draw_number<T>(draw, Significand::any, draw.between(-1, 1)); });
  const int off = draw.between(1, FloatTraits<T>::precision - 4);
  for (std::int64_t j = 1; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      Dyadic other = value_of(c.a[place(c, i, j)]);
      c.a[place(c, i, j)] = moderate_nearest_to<T>(value_of(c.a[place(c, i, j - 1)]) + other.mul_2exp(-off));
    }
  }
  return c;
}

template <FloatingPoint T>
Domain<GetrfCase<T>> geqrf_domain() {
  using F = FloatTraits<T>;
  using Case = GetrfCase<T>;
  const auto any = [](int low, int high) {
    return drawn<Case>([=](Draw& draw) {
      return matrix_of_any_shape<T>(draw, [&](std::int64_t, std::int64_t) {
        return draw_number<T>(draw, Significand::any, draw.between(low, high));
      });
    });
  };
  // Up to 8 columns, and up to 8 rows more.
  const auto tall = [](Draw& draw, auto make) {
    const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(8));
    return make(n + static_cast<std::int64_t>(draw.below(9)), n);
  };
  return {
      .classes = {{"entries of one size", 3, any(-1, 1)},
                  {"exponents apart", 2, any(-8, 8)},
                  {"columns nearly dependent", 4, drawn<Case>([tall](Draw& draw) {
                     return tall(draw,
                                 [&](std::int64_t m, std::int64_t n) { return draw_nearly_dependent<T>(draw, m, n); });
                   })},
                  {"ones above a small diagonal", 2, drawn<Case>([](Draw& draw) {
                     const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(8));
                     const int small = -draw.between(1, F::precision - 2);
                     return matrix_of<T>(n + 1, n, [&](std::int64_t i, std::int64_t j) {
                       return i == 0 ? T(1) : i == j + 1 ? compose<T>(draw.coin(), 1, small) : T{};
                     });
                   })},
                  {"graded", 1, drawn<Case>([tall](Draw& draw) {
                     const int step = draw.between(-3, 3);
                     const bool rows = draw.coin();
                     return tall(draw, [&](std::int64_t m, std::int64_t n) {
                       return matrix_of<T>(m, n, [&](std::int64_t i, std::int64_t j) {
                         return draw_number<T>(draw, Significand::any,
                                               std::clamp(step * static_cast<int>(rows ? i : j), 1 - most_moderate<T>,
                                                          most_moderate<T> - 1));
                       });
                     });
                   })},
                  {"Hilbert's matrix", 1, drawn<Case>([](Draw& draw) {
                     const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(12));
                     return shuffled_rows(
                         draw, matrix_of<T>(n, n, [](std::int64_t i, std::int64_t j) {
                           return nearest_to<T>(oracle::Exact(oracle::quotient(Dyadic(1), Dyadic(i + j + 1))));
                         }));
                   })},
                  {"columns that are equal or 0", 1, drawn<Case>([tall](Draw& draw) {
                     return tall(draw, [&](std::int64_t m, std::int64_t n) {
                       Case c = matrix_of<T>(m, n, [&](std::int64_t, std::int64_t) {
                         return draw_number<T>(draw, Significand::any, draw.between(-1, 1));
                       });
                       const auto j = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(n)));
                       const bool is_zero = draw.coin();
                       for (std::int64_t i = 0; i < m; ++i) {
                         c.a[place(c, i, j)] = is_zero ? T{} : c.a[place(c, i, 0)];
                       }
                       return c;
                     });
                   })},
                  {"large and small", 1, drawn<Case>([](Draw& draw) {
                     const int scale = (draw.coin() ? 1 : -1) * (most_moderate<T> - 2);
                     return matrix_of_any_shape<T>(draw, [&](std::int64_t, std::int64_t) {
                       return draw_number<T>(draw, Significand::any, scale + draw.between(-1, 1));
                     });
                   })},
                  {named_class, 2, drawn<Case>([](Draw& draw) { return draw_named<T>(draw); })},
                  {"NaN and infinities", 2, drawn<Case>([tall](Draw& draw) {
                     return tall(draw, [&](std::int64_t m, std::int64_t n) {
                       Case c = matrix_of<T>(m, n, [&](std::int64_t, std::int64_t) {
                         return draw_number<T>(draw, Significand::any, draw.between(-1, 1));
                       });
                       c.a[draw.below(c.a.size())] =
                           draw.coin() ? sum::detail::draw_nan<T>(draw) : sum::detail::draw_infinity<T>(draw.coin());
                       return c;
                     });
                   })}},
      .contains =
          [](const Case& c) {
            return c.m >= 0 && c.n >= 0 && c.m <= most_order() && c.n <= most_order() &&
                   c.a.size() == static_cast<std::size_t>(c.m * c.n) && std::ranges::all_of(c.a, is_moderate_number<T>);
          },
      .features = {{"columns", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
      .shrink_shape = smaller_matrices<T>,
      .accepts = "up to 1024 rows and columns; numbers that are 0, NaN, infinite or, in magnitude, within 2^±(emax/4)"};
}

}  // namespace assay::contracts::factorizations
