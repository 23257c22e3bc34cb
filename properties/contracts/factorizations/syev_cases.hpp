#pragma once
// Cases of symmetric eigenvalue problems.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/contracts/factorizations/geqrf_cases.hpp"
#include "properties/contracts/factorizations/square_cases.hpp"

namespace assay::contracts::factorizations {

/// A symmetric matrix whose lower triangle is f(i, j), i ≥ j, rounded; numbers that are too small for the domain are 0.
template <FloatingPoint T, class F>
SquareCase<T> symmetric_of(std::int64_t n, F&& f) {
  SquareCase<T> c{n, std::vector<T>(static_cast<std::size_t>(n * n))};
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) {
      const T entry = moderate_nearest_to<T>(f(i, j));
      c.a[static_cast<std::size_t>(i + j * n)] = c.a[static_cast<std::size_t>(j + i * n)] = entry;
    }
  }
  return c;
}

template <FloatingPoint T>
bool is_symmetric(const SquareCase<T>& c) {
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < j; ++i) {
      const T& above = c.a[static_cast<std::size_t>(i + j * c.n)];
      if (bits_of(above) != bits_of(c.a[static_cast<std::size_t>(j + i * c.n)])) return false;
    }
  }
  return true;
}

/// Σ weight(k)·q_kq_kᵀ with q_k the columns of a reflector by a vector of small integers: eigenvalues near the weights.
template <FloatingPoint T, class F>
SquareCase<T> draw_spectrum(Draw& draw, std::int64_t n, F&& weight) {
  const IntegerReflector q(draw, n);
  std::vector<Dyadic> weights;
  for (std::int64_t k = 0; k < n; ++k) weights.push_back(weight(k));
  return symmetric_of<T>(n, [&](std::int64_t i, std::int64_t j) {
    Dyadic sum;
    for (std::int64_t k = 0; k < n; ++k) sum += weights[static_cast<std::size_t>(k)] * q(i, k) * q(j, k);
    const T rounded = nearest_to<T>(oracle::Exact(oracle::quotient(sum, Dyadic(q.squares * q.squares))));
    return value_of(rounded);
  });
}

template <FloatingPoint T>
Domain<SquareCase<T>> syev_domain() {
  using F = FloatTraits<T>;
  using Case = SquareCase<T>;
  const auto few = [](Draw& draw) { return 1 + static_cast<std::int64_t>(draw.below(8)); };
  const auto number = [](Draw& draw, int low, int high) {
    return value_of(draw_number<T>(draw, Significand::any, draw.between(low, high)));
  };
  const auto any = [number](int low, int high) {
    return drawn<Case>([=](Draw& draw) {
      const std::int64_t n = draw_order(draw);
      return symmetric_of<T>(n, [&](std::int64_t, std::int64_t) { return number(draw, low, high); });
    });
  };
  return {.classes = {{"entries of one size", 3, any(-1, 1)},
                      {"exponents apart", 2, any(-8, 8)},
                      {"multiple eigenvalues", 2, drawn<Case>([few](Draw& draw) {
                         const std::int64_t different = 1 + static_cast<std::int64_t>(draw.below(3));
                         return draw_spectrum<T>(draw, few(draw),
                                                 [&](std::int64_t k) { return Dyadic(k % different - 1); });
                       })},
                      {"clustered eigenvalues", 2, drawn<Case>([few](Draw& draw) {
                         const int off = -draw.between(4, F::precision - 2);
                         return draw_spectrum<T>(draw, few(draw),
                                                 [&](std::int64_t k) { return Dyadic(1) + Dyadic::scaled(k, off); });
                       })},
                      {"eigenvalues of many sizes", 2, drawn<Case>([few](Draw& draw) {
                         const int step = draw.between(1, 4);
                         return draw_spectrum<T>(draw, few(draw), [&](std::int64_t k) {
                           return Dyadic::scaled(draw.coin() ? 1 : -1, -step * static_cast<int>(k));
                         });
                       })},
                      {"pairs that nearly agree", 1, drawn<Case>([](Draw& draw) {
                         const auto half = static_cast<std::int64_t>(draw.below(8));
                         return symmetric_of<T>(2 * half + 1, [&](std::int64_t i, std::int64_t j) {
                           return i == j ? Dyadic(i < half ? half - i : i - half) : Dyadic(i == j + 1 ? 1 : 0);
                         });
                       })},
                      {"graded", 1, drawn<Case>([few, number](Draw& draw) {
                         const int step = draw.between(-3, 3);
                         return symmetric_of<T>(few(draw), [&](std::int64_t i, std::int64_t j) {
                           Dyadic entry = number(draw, -1, 1);
                           return entry.mul_2exp(step * static_cast<long>(i + j));
                         });
                       })},
                      {"diagonal, or nearly", 1, drawn<Case>([few, number](Draw& draw) {
                         const bool is_diagonal = draw.coin();
                         const int off = -draw.between(2, F::precision + 4);
                         return symmetric_of<T>(few(draw), [&](std::int64_t i, std::int64_t j) {
                           if (i == j) return number(draw, -1, 1);
                           return is_diagonal ? Dyadic() : number(draw, off - 1, off);
                         });
                       })},
                      {"large and small", 1, drawn<Case>([few, number](Draw& draw) {
                         const int scale = (draw.coin() ? 1 : -1) * (most_moderate<T> - 2);
                         return symmetric_of<T>(
                             few(draw), [&](std::int64_t, std::int64_t) { return number(draw, scale - 1, scale + 1); });
                       })},
                      {"NaN and infinities", 1, drawn<Case>([few, number](Draw& draw) {
                         Case c = symmetric_of<T>(few(draw),
                                                  [&](std::int64_t, std::int64_t) { return number(draw, -1, 1); });
                         const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.n)));
                         const auto j = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.n)));
                         const T other =
                             draw.coin() ? sum::detail::draw_nan<T>(draw) : sum::detail::draw_infinity<T>(draw.coin());
                         c.a[static_cast<std::size_t>(i + j * c.n)] = c.a[static_cast<std::size_t>(j + i * c.n)] =
                             other;
                         return c;
                       })}},
          .contains =
              [](const Case& c) {
                return has_shape(c) && is_symmetric(c) && std::ranges::all_of(c.a, is_moderate_number<T>);
              },
          .features = {{"order", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
          .shrink_shape = smaller_squares<T>,
          .accepts =
              "symmetric matrices of order up to 1024; numbers that are 0, NaN, infinite or, in magnitude, within "
              "2^±(emax/4)"};
}

}  // namespace assay::contracts::factorizations
