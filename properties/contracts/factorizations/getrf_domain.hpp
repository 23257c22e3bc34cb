#pragma once
// The matrices that LU factorizations are asked about.

#include <algorithm>
#include <cstdint>

#include "properties/contracts/factorizations/getrf_cases.hpp"
#include "properties/contracts/factorizations/named_matrices.hpp"

namespace assay::contracts::factorizations {

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
                      {named_class, 2, drawn<Case>([](Draw& draw) { return draw_named<T>(draw); })},
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
              "up to 1024 rows and columns; numbers, in magnitude, at most 2^(emax − 4 − min(m, n)), or NaN, or "
              "infinite"};
}

}  // namespace assay::contracts::factorizations
