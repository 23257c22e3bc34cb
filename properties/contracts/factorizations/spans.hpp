#pragma once
// Norms of columns, and whether they are far from dependent.

#include <cstddef>
#include <utility>
#include <vector>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"

namespace assay::contracts::factorizations {

/// An upper bound of √(sum of the squares), 2⁻⁶⁰ of it too large at most.
inline oracle::Dyadic root_above(const oracle::Dyadic& squares) {
  constexpr long bits = 64;
  return squares.is_zero() ? squares : oracle::sqrt(oracle::Ball(squares), bits).upper();
}

/// Σ|aᵢ|² of `rows` numbers from `first` on.
inline oracle::Dyadic squares_of(const std::vector<oracle::Dyadic>& a, std::size_t first, std::size_t rows) {
  oracle::Dyadic sum;
  for (std::size_t i = first; i < first + rows; ++i) sum.add_mul(a[i], a[i]);
  return sum;
}

/// Whether BᵀB − shift·I is positive definite, B the first `columns` columns of `a`; false also where balls of 512 bits
/// leave it open. Cost: columns³/6 products.
inline bool is_independent_by(const std::vector<oracle::Dyadic>& a, std::size_t rows, std::size_t columns,
                              const oracle::Dyadic& shift) {
  constexpr long bits = 512;
  std::vector<oracle::Ball> s(columns * columns);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = j; i < columns; ++i) {
      oracle::Dyadic sum = i == j ? -shift : oracle::Dyadic();
      for (std::size_t k = 0; k < rows; ++k) sum.add_mul(a[k + i * rows], a[k + j * rows]);
      s[i + j * columns] = oracle::Ball(sum);
    }
  }
  for (std::size_t k = 0; k < columns; ++k) {
    const oracle::Ball& pivot = s[k + k * columns];
    if (less(oracle::Ball(), pivot) != oracle::Answer::yes) return false;
    for (std::size_t j = k + 1; j < columns; ++j) {
      const oracle::Ball factor = div(s[j + k * columns], pivot, bits);
      for (std::size_t i = j; i < columns; ++i) {
        s[i + j * columns] = sub(s[i + j * columns], mul(factor, s[i + k * columns], bits), bits);
      }
    }
  }
  return true;
}

}  // namespace assay::contracts::factorizations
