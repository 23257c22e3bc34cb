#pragma once
// Cases of systems of linear equations.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/factorizations/getrf_cases.hpp"
#include "properties/contracts/factorizations/moderate.hpp"
#include "properties/contracts/factorizations/named_matrices.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::contracts::factorizations {

/// A matrix of order n, column-major without gaps, and a right side.
template <FloatingPoint T>
struct GesvCase {
  std::int64_t n = 0;
  std::vector<T> a, b;
  static constexpr auto fields() {
    return std::tuple{field("n", &GesvCase::n), field("a", &GesvCase::a), field("b", &GesvCase::b)};
  }
};

template <FloatingPoint T>
bool is_regular(const GesvCase<T>& c) {
  return all_finite(c.a) && all_finite(c.b);
}

/// The system without unknown and equation k.
template <FloatingPoint T>
std::vector<GesvCase<T>> smaller_systems(const GesvCase<T>& c) {
  std::vector<GesvCase<T>> smaller;
  for (std::int64_t k = 0; k < c.n; ++k) {
    GesvCase<T> other{c.n - 1, without(GetrfCase<T>{c.n, c.n, c.a}, k, k).a, c.b};
    other.b.erase(other.b.begin() + k);
    smaller.push_back(std::move(other));
  }
  return smaller;
}

template <FloatingPoint T>
bool is_moderate(const GesvCase<T>& c) {
  const auto fits = [](const T& x) {
    return oracle::kind_of(format<T>, bits_of(x)) != oracle::Decoded::Kind::infinite && is_moderate_number(x);
  };
  return c.n >= 0 && c.n <= most_order() && c.a.size() == static_cast<std::size_t>(c.n * c.n) &&
         c.b.size() == static_cast<std::size_t>(c.n) && std::ranges::all_of(c.a, fits) &&
         std::ranges::all_of(c.b, fits);
}

template <FloatingPoint T>
Domain<GesvCase<T>> gesv_domain() {
  using F = FloatTraits<T>;
  using Case = GesvCase<T>;
  // A right side that A maps small numbers to, or any one.
  const auto with_right = [](Draw& draw, const GetrfCase<T>& a) {
    Case c{a.n, a.a, std::vector<T>(static_cast<std::size_t>(a.n))};
    const bool is_mapped = draw.coin();
    for (T& each : c.b) each = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
    const std::vector<T> x = c.b;
    for (std::int64_t i = 0; i < a.n && is_mapped; ++i) {
      Dyadic sum;
      for (std::int64_t j = 0; j < a.n; ++j) {
        sum.add_mul(value_of(a.a[place(a, i, j)]), value_of(x[static_cast<std::size_t>(j)]));
      }
      T& right = c.b[static_cast<std::size_t>(i)];
      right = nearest_to<T>(sum);
      if (abs(value_of(right)) < Dyadic::scaled(1, -most_moderate<T>)) right = T{};
    }
    return c;
  };
  const auto of = [with_right](auto make) {
    return drawn<Case>([with_right, make](Draw& draw) { return with_right(draw, make(draw)); });
  };
  const auto any = [of](int low, int high) {
    return of([=](Draw& draw) {
      const std::int64_t n = draw_order(draw);
      return matrix_of<T>(n, n, [&](std::int64_t, std::int64_t) {
        return draw_number<T>(draw, Significand::any, draw.between(low, high));
      });
    });
  };
  return {
      .classes = {{"entries of one size", 4, any(-1, 1)},
                  {"exponents apart", 2, any(-8, 4)},
                  {"nearly singular", 4, of([](Draw& draw) {
                     const std::int64_t n = 2 + static_cast<std::int64_t>(draw.below(6));
                     GetrfCase<T> a = matrix_of<T>(n, n, [&](std::int64_t, std::int64_t) {
                       return draw_number<T>(draw, Significand::any, draw.between(-1, 1));
                     });
                     const int off = -draw.between(1, F::precision - 4);
                     for (std::int64_t i = 0; i < n; ++i) {
                       const Dyadic other = value_of(draw_number<T>(draw, Significand::any, off));
                       const Dyadic sum =
                           value_of(a.a[place(a, i, 0)]) + (n > 2 ? value_of(a.a[place(a, i, 1)]) : Dyadic());
                       a.a[place(a, i, n - 1)] = nearest_to<T>(sum + other);
                       if (value_of(a.a[place(a, i, n - 1)]).is_zero()) a.a[place(a, i, n - 1)] = T(1);
                     }
                     return a;
                   })},
                  {"Hilbert's matrix, permuted", 1, of([](Draw& draw) {
                     const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(8));
                     return shuffled_rows(
                         draw, matrix_of<T>(n, n, [](std::int64_t i, std::int64_t j) {
                           return nearest_to<T>(oracle::Exact(oracle::quotient(Dyadic(1), Dyadic(i + j + 1))));
                         }));
                   })},
                  {"exact, or singular", 2, of([](Draw& draw) {
                     return draw_exact_product<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8)), draw.one_in(4));
                   })},
                  {"large and small", 1, of([](Draw& draw) {
                     const int scale = (draw.coin() ? 1 : -1) * (most_moderate<T> - 6);
                     const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(8));
                     return matrix_of<T>(n, n, [&](std::int64_t, std::int64_t) {
                       return draw_number<T>(draw, Significand::any, scale + draw.between(-1, 1));
                     });
                   })},
                  {named_class, 2, of([](Draw& draw) { return draw_named<T>(draw); })},
                  {"NaN", 1, of([](Draw& draw) {
                     GetrfCase<T> a = draw_exact_product<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8)), false);
                     a.a[draw.below(a.a.size())] = sum::detail::draw_nan<T>(draw);
                     return a;
                   })}},
      .contains = is_moderate<T>,
      .features = {{"unknowns", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
      .shrink_shape = smaller_systems<T>,
      .accepts = "up to 1024 unknowns; numbers that are 0, NaN or, in magnitude, within 2^±(emax/4)"};
}

}  // namespace assay::contracts::factorizations
