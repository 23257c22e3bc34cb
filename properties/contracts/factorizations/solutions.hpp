#pragma once
// Solutions of systems of linear equations, judged by their residuals.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "errorbounds/factorization_theorems.hpp"
#include "oracle/ball.hpp"
#include "properties/contracts/factorizations/gesv_cases.hpp"
#include "properties/contracts/rungs.hpp"

namespace assay::contracts::factorizations {

using oracle::Ball;

/// A⁻¹ in balls, by elimination with the largest pivots; nothing where a pivot may be 0. Cost: 2n³ products.
template <FloatingPoint T>
std::optional<std::vector<Ball>> inverse_of(const GesvCase<T>& c, long bits) {
  const auto n = static_cast<std::size_t>(c.n);
  std::vector<Ball> a;
  for (const T& each : c.a) a.emplace_back(value_of(each));
  std::vector<Ball> inverse(n * n);
  for (std::size_t i = 0; i < n; ++i) inverse[i + i * n] = Ball(Dyadic(1));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (abs(a[row + k * n]).lower() < abs(a[i + k * n]).lower()) row = i;
    }
    for (std::size_t j = 0; j < n && row != k; ++j) {
      swap(a[k + j * n], a[row + j * n]);
      swap(inverse[k + j * n], inverse[row + j * n]);
    }
    const Ball pivot = a[k + k * n];
    for (std::size_t j = 0; j < n; ++j) {
      a[k + j * n] = div(a[k + j * n], pivot, bits);
      inverse[k + j * n] = div(inverse[k + j * n], pivot, bits);
      if (!a[k + j * n].is_finite() || !inverse[k + j * n].is_finite()) return std::nullopt;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Ball factor = a[i + k * n];
      for (std::size_t j = 0; j < n; ++j) {
        a[i + j * n] = sub(a[i + j * n], mul(factor, a[k + j * n], bits), bits);
        inverse[i + j * n] = sub(inverse[i + j * n], mul(factor, inverse[k + j * n], bits), bits);
      }
    }
  }
  return inverse;
}

/// max|aᵢⱼ| of each column.
template <FloatingPoint T>
std::vector<Dyadic> largest_of_columns(const GesvCase<T>& c) {
  std::vector<Dyadic> largest(static_cast<std::size_t>(c.n));
  for (std::size_t at = 0; at < c.a.size(); ++at) {
    Dyadic& of = largest[at / largest.size()];
    of = std::max(of, abs(value_of(c.a[at])));
  }
  return largest;
}

/// Whether `margin`·ΣⱼV|A⁻¹|ᵢⱼ is at most 1/4 in every row, as far as it is known; larger systems are left open. With a
/// margin of 1 every right kernel has a solution (factorization.gesv.2), with one of n an inverse by two triangular
/// ones (solve.inv.4).
template <FloatingPoint T>
bool is_safe(const GesvCase<T>& c, std::int64_t margin) {
  constexpr std::int64_t most = 16;
  constexpr long bits = 256;
  if (!is_regular(c) || c.n > most) return false;
  if (c.n == 0) return true;
  const auto inverse = inverse_of(c, bits);
  if (!inverse) return false;
  const std::vector<Dyadic> largest = largest_of_columns(c);
  const Bound change = solve_change_bound(largest, format<T>);
  const auto n = static_cast<std::size_t>(c.n);
  for (std::size_t i = 0; i < n; ++i) {
    Dyadic sum;
    for (std::size_t k = 0; k < n; ++k) sum += abs((*inverse)[i + k * n]).upper();
    if (change.denominator < Dyadic(4 * margin) * sum * change.numerator) return false;
  }
  return true;
}

/// Whether every right kernel has a solution.
template <FloatingPoint T>
bool must_complete(const GesvCase<T>& c) {
  return is_safe(c, 1);
}

/// |b − Ax̂| of each equation; without a finite x̂: violated where every right kernel has one.
template <FloatingPoint T>
Judgement judge_solution(const GesvCase<T>& c, const std::vector<T>& result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (oracle::is_finite(format<T>, bits_of(result[i]))) continue;
    return must_complete(c) ? Judgement::fail(i) : says_nothing();
  }
  const std::vector<Dyadic> largest = largest_of_columns(c);
  if (!solve_bound_says_something(static_cast<std::uint64_t>(c.n), format<T>)) return says_nothing();
  std::vector<Dyadic> x;
  std::vector<Dyadic> magnitudes;
  for (const T& each : result) {
    x.push_back(value_of(each));
    magnitudes.push_back(abs(x.back()));
  }
  const Bound bound = factorization_gesv_1(largest, magnitudes, format<T>);
  Judgement worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Dyadic residual = value_of(c.b[i]);
    for (std::size_t j = 0; j < x.size(); ++j) residual -= value_of(c.a[i + j * x.size()]) * x[j];
    worst.worsen(judge_within(residual, Dyadic(), bound, i));
  }
  worst.judged = x.size();
  return worst;
}

}  // namespace assay::contracts::factorizations
