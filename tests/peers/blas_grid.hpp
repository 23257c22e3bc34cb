#pragma once
// Vectors and matrices on small grids, as in the test suites of BLAS libraries: every length, stride and scalar, and a
// special value in each place.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/blas/arguments.hpp"

namespace assay::reference {

using Numbers = std::vector<double>;

inline constexpr double grid_infinity = std::numeric_limits<double>::infinity();
inline constexpr double grid_nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double specials[] = {grid_nan,
                                      grid_infinity,
                                      -grid_infinity,
                                      -0.0,
                                      std::numeric_limits<double>::denorm_min(),
                                      -std::numeric_limits<double>::max()};
inline constexpr double scalars[] = {0, 1, 0.7, -1, grid_nan, grid_infinity};
inline constexpr std::int64_t strides[] = {1, 2, -1, -2};
inline constexpr std::int64_t most_entries = 9;

/// The place in memory of entry i of a vector with the given number of entries.
inline std::size_t place(std::int64_t i, std::int64_t entries, std::int64_t stride) {
  return static_cast<std::size_t>(stride > 0 ? i * stride : (i - entries + 1) * stride);
}

/// A vector in memory: NaN between the entries.
inline Numbers strided(const Numbers& entries, std::int64_t stride, std::size_t words = 1) {
  const auto n = static_cast<std::int64_t>(entries.size());
  const std::int64_t step = stride < 0 ? -stride : stride;
  Numbers memory(n == 0 ? 0 : static_cast<std::size_t>((n - 1) * step + 1) * words, grid_nan);
  for (std::int64_t i = 0; i < n; ++i) {
    double* const entry = memory.data() + place(i, n, stride) * words;
    entry[0] = entries[static_cast<std::size_t>(i)];
    for (std::size_t w = 1; w < words; ++w) entry[w] = 0;
  }
  return memory;
}

/// The entries of rows × columns, column by column, in memory with the leading dimension: NaN below the columns.
inline Numbers laid(const Numbers& entries, std::int64_t rows, std::int64_t leading, std::size_t words = 1) {
  const std::size_t columns = rows == 0 ? 0 : entries.size() / static_cast<std::size_t>(rows);
  Numbers memory(columns * static_cast<std::size_t>(leading) * words, grid_nan);
  for (std::size_t at = 0; at < entries.size(); ++at) {
    const std::size_t i = at % static_cast<std::size_t>(rows);
    const std::size_t j = at / static_cast<std::size_t>(rows);
    double* const entry = memory.data() + (i + j * static_cast<std::size_t>(leading)) * words;
    entry[0] = entries[at];
    for (std::size_t w = 1; w < words; ++w) entry[w] = 0;
  }
  return memory;
}

/// Numbers whose sums round: multiples of 1/3 of either sign, none of them 0.
inline Numbers thirds(std::int64_t count, std::int64_t seed) {
  Numbers x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i) + seed;
    x[i] = static_cast<double>(k * 29 % 37 + 1) / (k % 2 == 0 ? 3.0 : -3.0);
  }
  return x;
}

/// Numbers whose products and sums are exact: multiples of 1/4 below 4.
inline Numbers quarters(std::int64_t count, std::int64_t seed) {
  Numbers x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>((static_cast<std::int64_t>(i) + seed) * 29 % 31 - 15) / 4;
  }
  return x;
}

/// Both NaN, or the same number with the same sign.
inline bool same_number(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

/// The first place in which two arrays differ, or their size.
inline std::size_t first_difference(const Numbers& a, const Numbers& b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && same_number(a[at], b[at])) ++at;
  return a.size() == b.size() || at < std::min(a.size(), b.size()) ? at : std::min(a.size(), b.size());
}

}  // namespace assay::reference
