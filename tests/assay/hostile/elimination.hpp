#pragma once
// Elimination in some ways, right and wrong, for the libraries of factorizations and of systems.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace hostile {

/// A column-major matrix.
template <class T>
struct Matrix {
  T* data;
  std::size_t ld;
  T& operator()(std::size_t i, std::size_t j) const { return data[i + j * ld]; }
  Matrix from(std::size_t i, std::size_t j) const { return {data + i + j * ld, ld}; }
};

/// How an elimination goes, and what it does wrong.
enum class Way { quotients, reciprocals, fused };
enum class Slip {
  none,
  no_pivots,
  threshold,
  signed_pivots,
  left_rows,
  entry,
  row,
  narrow,
  multiplier,
  status,
  first_is_one
};

/// The row from k on with the largest number in column k; with `threshold` row k where it has a quarter of that.
template <class T>
std::size_t largest_row(std::size_t m, Matrix<T> a, std::size_t k, Slip slip) {
  std::size_t row = k;
  for (std::size_t i = k + 1; i < m && slip != Slip::no_pivots; ++i) {
    if (slip == Slip::signed_pivots ? a(i, k) > a(row, k) : std::fabs(a(i, k)) > std::fabs(a(row, k))) row = i;
  }
  return slip == Slip::threshold && std::fabs(a(k, k)) >= std::fabs(a(row, k)) / 4 ? k : row;
}

template <class T>
int eliminate(std::size_t m, std::size_t n, Matrix<T> a, int* pivots, Way way = Way::quotients,
              Slip slip = Slip::none) {
  int status = 0;
  for (std::size_t k = 0; k < std::min(m, n); ++k) {
    const std::size_t row = largest_row(m, a, k, slip);
    pivots[k] = static_cast<int>(row) + (slip == Slip::first_is_one ? 1 : 0);
    for (std::size_t j = slip == Slip::left_rows ? k : 0; j < n && row != k; ++j) std::swap(a(k, j), a(row, j));
    if (a(k, k) == 0) {
      if (status == 0 && slip != Slip::status) status = static_cast<int>(k + 1);
      continue;
    }
    const T reciprocal = 1 / a(k, k);
    const bool multiplies = way == Way::reciprocals && std::fabs(a(k, k)) >= std::numeric_limits<T>::min();
    for (std::size_t i = k + 1; i < m; ++i) {
      if (slip == Slip::multiplier && k != 0 && i + 1 == m) continue;
      a(i, k) = multiplies ? a(i, k) * reciprocal : a(i, k) / a(k, k);
      if (slip == Slip::narrow) a(i, k) = static_cast<T>(static_cast<float>(a(i, k)));
    }
    for (std::size_t j = k + 1; j < n; ++j) {
      for (std::size_t i = k + 1; i < m; ++i) {
        if (slip == Slip::entry && k == 0 && i + 1 == m && j + 1 == n) continue;
        if (slip == Slip::row && k != 0 && i + 1 == m) continue;
        a(i, j) = way == Way::fused ? std::fma(-a(i, k), a(k, j), a(i, j)) : a(i, j) - a(i, k) * a(k, j);
      }
    }
  }
  return status;
}

/// Column by column: each is made of the columns before it, its sums in the type Sum.
template <class T, class Sum = T>
int eliminate_by_columns(std::size_t m, std::size_t n, Matrix<T> a, int* pivots) {
  int status = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < std::min(j, std::min(m, n)); ++k)
      std::swap(a(k, j), a(static_cast<std::size_t>(pivots[k]), j));
    for (std::size_t i = 0; i < m; ++i) {
      Sum sum = 0;
      for (std::size_t k = std::min(i, j); k-- > 0;) sum += static_cast<Sum>(a(i, k)) * static_cast<Sum>(a(k, j));
      a(i, j) = static_cast<T>(static_cast<Sum>(a(i, j)) - sum);
    }
    if (j >= m) continue;
    const std::size_t row = largest_row(m, a, j, Slip::none);
    pivots[j] = static_cast<int>(row);
    for (std::size_t k = 0; k <= j && row != j; ++k) std::swap(a(j, k), a(row, k));
    if (a(j, j) == 0) {
      if (status == 0) status = static_cast<int>(j + 1);
      continue;
    }
    for (std::size_t i = j + 1; i < m; ++i) a(i, j) /= a(j, j);
  }
  return status;
}

/// x ← A⁻¹x by the factors in `lu`, row by row, or column by column.
template <class T>
void substitute(std::size_t n, Matrix<T> lu, const int* pivots, T* x, bool by_columns) {
  for (std::size_t k = 0; k < n && pivots != nullptr; ++k) std::swap(x[k], x[static_cast<std::size_t>(pivots[k])]);
  for (std::size_t step = 0; step < 2 * n; ++step) {
    const bool is_upper = step >= n;
    const std::size_t i = is_upper ? 2 * n - 1 - step : step;
    if (is_upper && by_columns) x[i] /= lu(i, i);
    for (std::size_t j = is_upper ? i + 1 : 0; !by_columns && j < (is_upper ? n : i); ++j) x[i] -= lu(i, j) * x[j];
    for (std::size_t j = is_upper ? 0 : i + 1; by_columns && j < (is_upper ? i : n); ++j) x[j] -= lu(j, i) * x[i];
    if (is_upper && !by_columns) x[i] /= lu(i, i);
  }
}

template <class T>
int solve(std::size_t n, Matrix<T> a, T* b, bool by_columns = false, Way way = Way::quotients, Slip slip = Slip::none) {
  std::vector<int> pivots(n);
  const int status = eliminate(n, n, a, pivots.data(), way, slip);
  if (status == 0) substitute(n, a, pivots.data(), b, by_columns);
  return status;
}

}  // namespace hostile
