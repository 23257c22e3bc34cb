#pragma once
// Matrices of the literature: their inverses, their singular values or their growth are known.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/contracts/factorizations/getrf_cases.hpp"
#include "properties/contracts/factorizations/moderate.hpp"

namespace assay::contracts::factorizations {

enum class Named { frank, kahan, wilkinson, vandermonde, integer_inverse, orthogonal_times_diagonal, condition };
inline constexpr std::array all_named{Named::frank,       Named::kahan,           Named::wilkinson,
                                      Named::vandermonde, Named::integer_inverse, Named::orthogonal_times_diagonal,
                                      Named::condition};

/// The number nearest to p/q, or 0 for a very small one.
template <FloatingPoint T>
T moderate_quotient(const Dyadic& p, const Dyadic& q) {
  return moderate_nearest_to<T>(value_of(nearest_to<T>(oracle::Exact(oracle::quotient(p, q)))));
}

/// Frank's matrix: upper Hessenberg, determinant 1, and entries n − max(i, j), i and j from 0.
/// Source: Frank, Computing eigenvalues of complex matrices by determinant evaluation and by methods of Danilewski and
/// Wielandt, J. SIAM 6(4), 1958.
template <FloatingPoint T>
GetrfCase<T> frank_matrix(std::int64_t n) {
  return matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
    return i <= j + 1 ? nearest_to<T>(Dyadic(n - std::max(i, j))) : T{};
  });
}

/// Kahan's matrix: upper triangular, row i is sⁱ·(0 … 0, 1, −c … −c) with s = p/r and c = q/r, p² + q² = r².
/// Source: Kahan, Numerical linear algebra, Canadian Math. Bulletin 9(6), 1966.
template <FloatingPoint T>
GetrfCase<T> kahan_matrix(std::int64_t n, std::array<std::int64_t, 3> p_q_r) {
  const auto [p, q, r] = p_q_r;
  return matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
    if (i > j) return T{};
    Dyadic above = i == j ? Dyadic(r) : Dyadic(-q);
    Dyadic below(r);
    for (std::int64_t k = 0; k < i; ++k) {
      above = above * Dyadic(p);
      below = below * Dyadic(r);
    }
    return moderate_quotient<T>(above, below);
  });
}

/// p, q and r of the matrices that are drawn.
inline constexpr std::array<std::array<std::int64_t, 3>, 4> kahan_sides{
    {{4, 3, 5}, {12, 5, 13}, {15, 8, 17}, {24, 7, 25}}};

/// Wilkinson's tridiagonal matrix: |i − (n − 1)/2| on the diagonal, 1 beside it.
/// Source: Wilkinson, The Algebraic Eigenvalue Problem, 1965, §5.45.
template <FloatingPoint T>
GetrfCase<T> wilkinson_matrix(std::int64_t n) {
  return matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
    if (i == j) return nearest_to<T>(abs(Dyadic::scaled(2 * i - n + 1, -1)));
    return i == j + 1 || j == i + 1 ? T(1) : T{};
  });
}

/// Powers 0 … n − 1 of m numbers, multiples of 1/4 from −2 to 2. Up to 17 of them are different.
template <FloatingPoint T>
GetrfCase<T> draw_vandermonde(Draw& draw, std::int64_t m, std::int64_t n) {
  std::vector<Dyadic> powers(static_cast<std::size_t>(m), Dyadic(1));
  std::vector<Dyadic> points;
  const int first = draw.between(-8, 8);
  for (std::int64_t i = 0; i < m; ++i) points.push_back(Dyadic::scaled((first + 8 + i) % 17 - 8, -2));
  return matrix_of<T>(m, n, [&](std::int64_t i, std::int64_t) {
    Dyadic& power = powers[static_cast<std::size_t>(i)];
    const T entry = moderate_nearest_to<T>(power);
    power = power * points[static_cast<std::size_t>(i)];
    return entry;
  });
}

/// L·U with small integers and ones on both diagonals, its rows in any order: the inverse has integers, too.
template <FloatingPoint T>
GetrfCase<T> draw_integer_inverse(Draw& draw, std::int64_t n) {
  std::vector<std::int64_t> l;
  for (std::int64_t k = 0; k < n * n; ++k) l.push_back(draw.between(-2, 2));
  const auto at = [&](std::int64_t i, std::int64_t j) { return i == j ? 1 : l[static_cast<std::size_t>(i + j * n)]; };
  return shuffled_rows(draw, matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
                         std::int64_t sum = 0;
                         for (std::int64_t k = 0; k <= std::min(i, j); ++k) sum += at(i, k) * at(k, j);
                         return nearest_to<T>(Dyadic(sum));
                       }));
}

/// A reflector I − 2vvᵀ/vᵀv by a vector of small integers: its entries times vᵀv.
struct IntegerReflector {
  std::vector<std::int64_t> v;
  std::int64_t squares = 0;
  IntegerReflector(Draw& draw, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      v.push_back(draw.between(1, 3) * (draw.coin() ? 1 : -1));
      squares += v.back() * v.back();
    }
  }
  [[nodiscard]] Dyadic operator()(std::int64_t i, std::int64_t j) const {
    return Dyadic((i == j ? squares : 0) - 2 * v[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(j)]);
  }
};

/// Reflector times diag(2^−⌊bits·k/(n − 1)⌋), k = 0 … n − 1, entry by entry rounded to nearest; with `is_turned` times
/// another reflector. The condition number is 2^bits but for these roundings.
template <FloatingPoint T>
GetrfCase<T> draw_with_condition(Draw& draw, std::int64_t n, int bits, bool is_turned) {
  const IntegerReflector left(draw, n);
  const IntegerReflector right(draw, n);
  const auto value = [&](std::int64_t k) {
    return Dyadic::scaled(1, n == 1 ? 0 : -static_cast<long>(bits * k / (n - 1)));
  };
  return matrix_of<T>(n, n, [&](std::int64_t i, std::int64_t j) {
    if (!is_turned) return moderate_quotient<T>(left(i, j) * value(j), Dyadic(left.squares));
    Dyadic sum;
    for (std::int64_t k = 0; k < n; ++k) sum += left(i, k) * value(k) * right(k, j);
    return moderate_quotient<T>(sum, Dyadic(left.squares * right.squares));
  });
}

/// A matrix of that kind, of order 1 … 12.
template <FloatingPoint T>
GetrfCase<T> draw_named(Draw& draw, Named kind) {
  const auto n = 1 + static_cast<std::int64_t>(draw.below(12));
  switch (kind) {
    case Named::frank:
      return frank_matrix<T>(n);
    case Named::kahan:
      return kahan_matrix<T>(n, kahan_sides[draw.below(kahan_sides.size())]);
    case Named::wilkinson:
      return wilkinson_matrix<T>(n);
    case Named::vandermonde:
      return draw_vandermonde<T>(draw, n, n);
    case Named::integer_inverse:
      return draw_integer_inverse<T>(draw, n);
    case Named::orthogonal_times_diagonal:
      return draw_with_condition<T>(draw, n, draw.between(0, FloatTraits<T>::precision), false);
    case Named::condition:
      break;
  }
  return draw_with_condition<T>(draw, n, draw.between(0, FloatTraits<T>::precision + 4), true);
}

/// One of all kinds.
template <FloatingPoint T>
GetrfCase<T> draw_named(Draw& draw) {
  return draw_named<T>(draw, all_named[draw.below(all_named.size())]);
}

/// The name of the class of these matrices.
inline constexpr const char* named_class = "Frank, Kahan, Wilkinson, Vandermonde, known inverses and conditions";

}  // namespace assay::contracts::factorizations
