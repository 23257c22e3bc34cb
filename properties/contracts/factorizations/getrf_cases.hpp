#pragma once
// Cases of LU factorizations.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/factorizations/orders.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::contracts::factorizations {

using oracle::Dyadic;

/// An m × n matrix, column-major without gaps.
template <FloatingPoint T>
struct GetrfCase {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::vector<T> a;
  static constexpr auto fields() {
    return std::tuple{field("m", &GetrfCase::m), field("n", &GetrfCase::n), field("a", &GetrfCase::a)};
  }
};

template <FloatingPoint T>
std::size_t place(const GetrfCase<T>& c, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(i + j * c.m);
}

/// How many pivots there are.
template <FloatingPoint T>
std::int64_t pivots_of(const GetrfCase<T>& c) {
  return std::min(c.m, c.n);
}

template <FloatingPoint T>
bool is_regular(const GetrfCase<T>& c) {
  return all_finite(c.a);
}

/// Whether the shape fits, and no step of an elimination with |lᵢⱼ| ≤ 1 overflows: factorization.getrf.2.
template <FloatingPoint T>
bool stays_small(const GetrfCase<T>& c) {
  if (c.m < 0 || c.n < 0 || c.m > most_rows || c.n > most_rows || c.a.size() != static_cast<std::size_t>(c.m * c.n)) {
    return false;
  }
  const Dyadic largest = Dyadic::scaled(1, FloatTraits<T>::emax - 4 - pivots_of(c));
  return std::ranges::all_of(
      c.a, [&](const T& x) { return !oracle::is_finite(format<T>, bits_of(x)) || abs(value_of(x)) <= largest; });
}

/// f(i, j) gives the entries of an m × n matrix.
template <FloatingPoint T, class F>
GetrfCase<T> matrix_of(std::int64_t m, std::int64_t n, F&& f) {
  GetrfCase<T> c{m, n, {}};
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) c.a.push_back(f(i, j));
  }
  return c;
}

/// Square in half of all cases.
template <FloatingPoint T, class F>
GetrfCase<T> matrix_of_any_shape(Draw& draw, F&& f) {
  const std::int64_t m = draw_order(draw);
  const std::int64_t n = draw.coin() ? m : 1 + static_cast<std::int64_t>(draw.below(8));
  return matrix_of<T>(m, n, std::forward<F>(f));
}

/// The rows of the matrix in another order.
template <FloatingPoint T>
GetrfCase<T> shuffled_rows(Draw& draw, const GetrfCase<T>& c) {
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < c.m; ++i) {
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(draw.below(order.size() + 1)), i);
  }
  return matrix_of<T>(
      c.m, c.n, [&](std::int64_t i, std::int64_t j) { return c.a[place(c, order[static_cast<std::size_t>(i)], j)]; });
}

/// P·L·U with l = 0, ±1/4 or ±1/2, powers of two on the diagonal of U and 2⁸ times an integer from −7 to 7 above it: no
/// step of an elimination rounds. `is_singular`: L and U are 0 from some row and column on, but for the diagonal of L.
template <FloatingPoint T>
GetrfCase<T> draw_exact_product(Draw& draw, std::int64_t n, bool is_singular) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<Dyadic> l(size * size);
  std::vector<Dyadic> u(size * size);
  const std::int64_t rank = is_singular ? static_cast<std::int64_t>(draw.below(size)) : n;
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i + j * n);
      if (i == j) {
        l[at] = Dyadic(1);
        u[at] = i < rank ? Dyadic::scaled(draw.coin() ? 1 : -1, 10 + draw.between(0, 1)) : Dyadic();
      } else if (i > j) {
        l[at] = j < rank ? Dyadic::scaled(draw.between(-1, 1), -draw.between(1, 2)) : Dyadic();
      } else {
        u[at] = i < rank ? Dyadic::scaled(draw.between(-7, 7), 8) : Dyadic();
      }
    }
  }
  return shuffled_rows(draw, matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
                         Dyadic sum;
                         for (std::int64_t k = 0; k <= std::min(i, j); ++k) {
                           sum.add_mul(l[static_cast<std::size_t>(i + k * n)], u[static_cast<std::size_t>(k + j * n)]);
                         }
                         return nearest_to<T>(sum);
                       }));
}

/// The matrix without row i or column j; −1: all of them stay.
template <FloatingPoint T>
GetrfCase<T> without(const GetrfCase<T>& c, std::int64_t row, std::int64_t column) {
  GetrfCase<T> smaller{c.m - (row < 0 ? 0 : 1), c.n - (column < 0 ? 0 : 1), {}};
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.m && j != column; ++i) {
      if (i != row) smaller.a.push_back(c.a[place(c, i, j)]);
    }
  }
  return smaller;
}

template <FloatingPoint T>
std::vector<GetrfCase<T>> smaller_matrices(const GetrfCase<T>& c) {
  std::vector<GetrfCase<T>> smaller;
  for (std::int64_t k = 0; k < pivots_of(c); ++k) {
    for (std::int64_t i = 0; i <= std::min<std::int64_t>(k, 1); ++i) smaller.push_back(without(c, i == 0 ? k : 0, k));
  }
  for (std::int64_t i = 0; i < c.m; ++i) smaller.push_back(without(c, i, -1));
  for (std::int64_t j = 0; j < c.n; ++j) smaller.push_back(without(c, -1, j));
  return smaller;
}

template <FloatingPoint T>
Domain<GetrfCase<T>> getrf_domain() {
  using F = FloatTraits<T>;
  using Case = GetrfCase<T>;
  const auto any = [](int low, int high) {
    return drawn<Case>([=](Draw& draw) {
      return matrix_of_any_shape<T>(draw, [&](std::int64_t, std::int64_t) {
        return draw_number<T>(draw, Significand::any, draw.between(low, high));
      });
    });
  };
  constexpr int highest = F::emax - 4 - 65;
  return {.classes = {{"entries of one size", 4, any(-1, 1)},
                      {"exponents apart", 2, any(-12, 4)},
                      {"one sign", 1, drawn<Case>([](Draw& draw) {
                         return matrix_of_any_shape<T>(draw, [&](std::int64_t, std::int64_t) {
                           return draw_number<T>(draw, Significand::any, draw.between(-2, 1), false);
                         });
                       })},
                      {"graded rows or columns", 2, drawn<Case>([](Draw& draw) {
                         const int step = (draw.coin() ? 1 : -1) * draw.between(1, 6);
                         const bool rows = draw.coin();
                         const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(10));
                         return matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
                           return draw_number<T>(draw, Significand::any,
                                                 step * static_cast<int>(rows ? i : j) + draw.between(-1, 1));
                         });
                       })},
                      {"Hilbert's matrix, permuted", 1, drawn<Case>([](Draw& draw) {
                         const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(12));
                         return shuffled_rows(
                             draw, matrix_of<T>(n, n, [](std::int64_t i, std::int64_t j) {
                               return nearest_to<T>(oracle::Exact(oracle::quotient(Dyadic(1), Dyadic(i + j + 1))));
                             }));
                       })},
                      {"the largest growth", 1, drawn<Case>([](Draw& draw) {
                         // Wilkinson's matrix, perhaps with rounding errors: 1 on the diagonal and in the last column,
                         // −1 below.
                         const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(24));
                         const bool is_exact = draw.coin();
                         return matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
                           if (i < j && j + 1 != n) return T{};
                           const T one = compose<T>(i > j, 1, 0);
                           return is_exact || i == j ? one : stepped(one, -draw.between(0, 3));
                         });
                       })},
                      {"nearly singular", 2, drawn<Case>([](Draw& draw) {
                         const std::int64_t n = 2 + static_cast<std::int64_t>(draw.below(7));
                         Case c = matrix_of<T>(n, n, [&](std::int64_t, std::int64_t) {
                           return draw_number<T>(draw, Significand::any, draw.between(-1, 1));
                         });
                         for (std::int64_t i = 0; i < n; ++i) {
                           const Dyadic sum = value_of(c.a[place(c, i, 0)]) + value_of(c.a[place(c, i, 1)]);
                           c.a[place(c, i, n - 1)] = nearest_to<T>(sum);
                         }
                         return c;
                       })},
                      {"near overflow", 1, any(highest - 2, highest - 1)},
                      {"products in the range of underflow", 1, any(F::emin - F::precision, F::emin + 2)},
                      {"exact", 3, drawn<Case>([](Draw& draw) {
                         const std::int64_t n =
                             draw.one_in(4) ? draw_order(draw) : 1 + static_cast<std::int64_t>(draw.below(8));
                         return draw_exact_product<T>(draw, n, n != 0 && draw.one_in(4));
                       })},
                      {"NaN and infinities", 2, drawn<Case>([](Draw& draw) {
                         Case c = draw_exact_product<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8)), false);
                         for (std::uint64_t count = 1 + draw.below(2); count != 0; --count) {
                           c.a[draw.below(c.a.size())] = draw.coin() ? sum::detail::draw_nan<T>(draw)
                                                                     : sum::detail::draw_infinity<T>(draw.coin());
                         }
                         return c;
                       })}},
          .contains = stays_small<T>,
          .features = {{"pivots", 0, 64, 16, [](const Case& c) { return static_cast<double>(pivots_of(c)); }}},
          .shrink_shape = smaller_matrices<T>,
          .accepts =
              "up to 128 rows and columns; numbers, in magnitude, at most 2^(emax − 4 − min(m, n)), or NaN, or "
              "infinite"};
}

}  // namespace assay::contracts::factorizations
