#pragma once
// Sparse matrices with entries that are known: for tests, examples and benchmarks.

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "kernels/sparse/matrices.hpp"
#include "kernels/sum/generated_terms.hpp"

namespace assay::sparse {

/// −1, 2, −1 in each row: the second difference on n points, with zeros at both ends. Truth: times (0, 1, 4, …, (n −
/// 1)²), −2 in every row but the first and the last.
inline CsrMatrix laplace_1d(std::int64_t n) {
  CsrMatrix a{0, n, {0}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    a.append_row();
    if (i > 0) a.append(i - 1, -1);
    a.append(i, 2);
    if (i + 1 < n) a.append(i + 1, -1);
  }
  return a;
}

/// 4 on the diagonal and −1 for each neighbor on a grid of m × m points, numbered row by row.
/// Truth: times ones, 4 minus the number of neighbors.
inline CsrMatrix laplace_2d(std::int64_t m) {
  CsrMatrix a{0, m * m, {0}, {}, {}};
  for (std::int64_t i = 0; i < m * m; ++i) {
    a.append_row();
    if (i >= m) a.append(i - m, -1);
    if (i % m > 0) a.append(i - 1, -1);
    a.append(i, 4);
    if (i % m + 1 < m) a.append(i + 1, -1);
    if (i + m < m * m) a.append(i + m, -1);
  }
  return a;
}

/// A full first row and column and a diagonal: 1 in the first row and column, n on the diagonal below.
/// Truth: times ones, n in row 0 and n + 1 in the others.
inline CsrMatrix arrow(std::int64_t n) {
  CsrMatrix a{0, n, {0}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    a.append_row();
    for (std::int64_t j = 0; i == 0 && j < n; ++j) a.append(j, 1);
    if (i > 0) {
      a.append(0, 1);
      a.append(i, static_cast<double>(n));
    }
  }
  return a;
}

/// Entries sum::generated_number(seed, 0), (seed, 1), … for |i − j| ≤ beside, row by row.
inline CsrMatrix random_band(std::int64_t n, std::int64_t beside, std::uint64_t seed) {
  CsrMatrix a{0, n, {0}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    a.append_row();
    for (std::int64_t j = std::max<std::int64_t>(0, i - beside); j <= std::min(n - 1, i + beside); ++j) {
      a.append(j, sum::generated_number(seed, a.values.size()));
    }
  }
  return a;
}

/// m/(i + j + 1) with m = lcm(1, …, 2n − 1): the Hilbert matrix times an integer, in integers below 2⁵³.
/// Requires: n ≤ 20 (not checked). Truth: its inverse is that of the Hilbert matrix, of integers, divided by m.
inline CsrMatrix hilbert_integers(std::int64_t n) {
  std::int64_t multiple = 1;
  for (std::int64_t k = 2; k < 2 * n; ++k) multiple = std::lcm(multiple, k);
  CsrMatrix a{0, n, {0}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    a.append_row();
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t entry = multiple / (i + j + 1);
      a.append(j, static_cast<double>(entry));
    }
  }
  return a;
}

}  // namespace assay::sparse
