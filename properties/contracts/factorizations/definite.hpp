#pragma once
// Cases of Cholesky factorizations, and whether their matrices are definite.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/factorization.hpp"
#include "errorbounds/gamma.hpp"
#include "oracle/ball.hpp"
#include "properties/contracts/factorizations/orders.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/foreign.hpp"

namespace assay::contracts::factorizations {

using oracle::Ball;
using oracle::Dyadic;

/// A symmetric matrix of order n, column-major without gaps. It is given by its lower triangle, with the diagonal:
/// entries above the diagonal may be anything.
template <FloatingPoint T>
struct PotrfCase {
  std::int64_t n = 0;
  std::vector<T> a;
  static constexpr auto fields() { return std::tuple{field("n", &PotrfCase::n), field("a", &PotrfCase::a)}; }
};

/// The place of entry (i, j) in the array.
template <FloatingPoint T>
std::size_t place(const PotrfCase<T>& c, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(i + j * c.n);
}

/// f(i, j) for the lower triangle, column after column.
template <class F>
void for_each_below(std::int64_t n, F&& f) {
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) f(i, j);
  }
}

/// Whether the array has as many numbers as the matrix.
template <FloatingPoint T>
bool has_shape(const PotrfCase<T>& c) {
  return c.n >= 0 && c.n <= most_order() && c.a.size() == static_cast<std::size_t>(c.n * c.n);
}

/// Whether the lower triangle is finite.
template <FloatingPoint T>
bool is_regular(const PotrfCase<T>& c) {
  bool is_finite = true;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    is_finite = is_finite && oracle::is_finite(format<T>, bits_of(c.a[place(c, i, j)]));
  });
  return is_finite;
}

/// Whether the upper triangle mirrors the lower one.
template <FloatingPoint T>
bool is_mirrored(const PotrfCase<T>& c) {
  bool mirrors = true;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    mirrors = mirrors && bits_of(c.a[place(c, i, j)]) == bits_of(c.a[place(c, j, i)]);
  });
  return mirrors;
}

/// The pivots of A + shift·diag(A) by elimination in balls: true where all are positive, so that it is definite; false
/// where one is negative and those before it are positive, so that it has a negative leading minor; nothing where
/// balls of so many bits leave it open. Requires: a finite triangle (not checked). Cost: n³/6 products.
template <FloatingPoint T>
std::optional<bool> has_positive_pivots(const PotrfCase<T>& c, const Dyadic& shift, long bits) {
  const auto n = static_cast<std::size_t>(c.n);
  std::vector<Ball> s(n * n);
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    const Dyadic entry = value_of(c.a[place(c, i, j)]);
    s[place(c, i, j)] = i == j ? entry + shift * entry : entry;
  });
  const Ball zero;
  for (std::size_t k = 0; k < n; ++k) {
    const Ball& pivot = s[k + k * n];
    if (less(pivot, zero) == oracle::Answer::yes) return false;
    if (less(zero, pivot) != oracle::Answer::yes) return std::nullopt;
    for (std::size_t j = k + 1; j < n; ++j) {
      const Ball factor = div(s[j + k * n], pivot, bits);
      for (std::size_t i = j; i < n; ++i) {
        s[i + j * n] = sub(s[i + j * n], mul(factor, s[i + k * n], bits), bits);
      }
    }
  }
  return true;
}

/// What is known of a matrix beforehand: every right kernel completes, none does, or either may be.
enum class Definite { yes, no, open };

/// By factorization.potrf.2 and potrf.3. Requires: a finite triangle (not checked).
template <FloatingPoint T>
Definite definiteness(const PotrfCase<T>& c) {
  if (c.n == 0) return Definite::yes;
  Dyadic least = value_of(c.a.front());
  Dyadic largest(1);
  for (std::int64_t i = 0; i < c.n; ++i) {
    const Dyadic entry = value_of(c.a[place(c, i, i)]);
    if (entry <= Dyadic()) return Definite::no;
    least = std::min(least, entry);
    largest = std::max(largest, entry);
  }
  const auto n = static_cast<std::uint64_t>(c.n);
  if (unit_roundoff(format<T>.precision) * least <
      (Dyadic(2 * n) + Dyadic(4) * largest) * smallest_subnormal(format<T>)) {
    return Definite::open;
  }
  const Dyadic margin = cholesky_margin(n, format<T>);
  for (const long bits : {128L, 512L, 2048L}) {
    const std::optional<bool> below = has_positive_pivots(c, -margin, bits);
    if (below == true) return Definite::yes;
    const std::optional<bool> above = has_positive_pivots(c, margin, bits);
    if (above == false) return Definite::no;
    if (below && above) break;  // between both
  }
  return Definite::open;
}

/// The factor in balls, rounded to its midpoints: L to some 200 bits where A is definite, else zeros. It is shown
/// beside the result of a kernel, and taken for controls; no contract is judged by it.
template <FloatingPoint T>
std::vector<Dyadic> shown_factor(const PotrfCase<T>& c) {
  constexpr long bits = 256;
  std::vector<Dyadic> shown(c.a.size());
  if (!is_regular(c)) return shown;
  std::vector<Ball> l(c.a.size());
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = j; i < c.n; ++i) {
      Ball sum(value_of(c.a[place(c, i, j)]));
      for (std::int64_t k = 0; k < j; ++k) sum = sub(sum, mul(l[place(c, i, k)], l[place(c, j, k)], bits), bits);
      Ball& own = l[place(c, i, j)];
      own = i == j ? sqrt(sum, bits) : div(sum, l[place(c, j, j)], bits);
      if (!own.is_finite()) return std::vector<Dyadic>(c.a.size());
      shown[place(c, i, j)] = middle_of(own);
    }
  }
  return shown;
}

/// The matrix without row and column k.
template <FloatingPoint T>
PotrfCase<T> without(const PotrfCase<T>& c, std::int64_t k) {
  PotrfCase<T> smaller{c.n - 1, {}};
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.n && j != k; ++i) {
      if (i != k) smaller.a.push_back(c.a[place(c, i, j)]);
    }
  }
  return smaller;
}

}  // namespace assay::contracts::factorizations
