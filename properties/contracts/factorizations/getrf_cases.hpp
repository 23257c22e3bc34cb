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
  if (c.m < 0 || c.n < 0 || c.m > most_order() || c.n > most_order() ||
      c.a.size() != static_cast<std::size_t>(c.m * c.n)) {
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

}  // namespace assay::contracts::factorizations
