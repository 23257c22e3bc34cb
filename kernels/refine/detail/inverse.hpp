#pragma once
// Approximate inverses in binary64: the kernels, and the launches of one inversion. Nothing is promised of the result.

#include <cstddef>
#include <cstdint>

#include "arith/bits/extremes.hpp"
#include "arith/float/ulp.hpp"
#include "exec/array.hpp"
#include "exec/block.hpp"
#include "exec/launch.hpp"

namespace assay::refine::detail {

/// Entry (i, j) at x[i·row_step + j·column_step].
struct MatrixView {
  const double* x;
  std::int64_t row_step, column_step;
  ASSAY_HD double operator()(std::int64_t i, std::int64_t j) const { return x[i * row_step + j * column_step]; }
};

/// x·2^k in two steps. Requires: |k| ≤ 2000 (not checked).
ASSAY_HD inline double times_power(double x, int k) {
  return x * bits::power_of_two<double>(k / 2) * bits::power_of_two<double>(k - k / 2);
}

/// Exponents r and c such that the largest magnitudes of the rows of M·2^(−r − c), and then of its columns, are in
/// [1, 2), as far as exponents stay within ±1000.
struct RowExponents {
  std::int64_t n;
  MatrixView m;
  int* exponent;
  ASSAY_HD void operator()(std::size_t row) const {
    const auto i = static_cast<std::int64_t>(row);
    int most = -1000;
    for (std::int64_t j = 0; j < n; ++j) most = bits::max(most, assay::exponent(m(i, j)));
    exponent[i] = bits::min(most, 1000);
  }
};
struct ColumnExponents {
  std::int64_t n;
  MatrixView m;
  const int* of_row;
  int* exponent;
  ASSAY_HD void operator()(std::size_t column) const {
    const auto j = static_cast<std::int64_t>(column);
    int most = -1000;
    for (std::int64_t i = 0; i < n; ++i) most = bits::max(most, assay::exponent(m(i, j)) - of_row[i]);
    exponent[j] = bits::min(most, 1000);
  }
};

/// Columns in pieces of some rows: one piece for each number below count().
struct Pieces {
  static constexpr std::int64_t rows = 32;
  std::int64_t n;
  struct Piece {
    std::int64_t column, first, end;
  };
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(n * ((n + rows - 1) / rows)); }
  [[nodiscard]] ASSAY_HD Piece operator[](std::size_t number) const {
    const std::int64_t in_column = (n + rows - 1) / rows;
    const auto at = static_cast<std::int64_t>(number);
    const std::int64_t first = at % in_column * rows;
    return {at / in_column, first, bits::min(n, first + rows)};
  }
};

/// t = M·2^(−r − c), column-major.
struct ScaleBody {
  Pieces pieces;
  MatrixView m;
  const int* of_row;
  const int* of_column;
  double* t;
  ASSAY_HD void operator()(std::size_t number) const {
    const auto [j, first, end] = pieces[number];
    for (std::int64_t i = first; i < end; ++i) t[i + j * pieces.n] = times_power(m(i, j), -of_row[i] - of_column[j]);
  }
};

/// The step of the elimination that exchanges unknown k: its row, and its pivot.
struct Step {
  std::int64_t n, k;
  double* t;          ///< n × n, column-major
  std::int64_t* row;  ///< of the pivot of each step
  double* pivot;      ///< of each step
};

/// The first largest magnitude of column k from row k on; 2⁻⁵³ in its place if it is 0 or a NaN.
struct PivotBlock {
  static constexpr int threads = 128;
  struct Shared {
    double magnitude[threads];
    std::int64_t row[threads];
  };
  Step step;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int thread, Shared& shared) {
      shared.magnitude[thread] = 0;
      shared.row[thread] = step.k;
      for (std::int64_t i = step.k + thread; i < step.n; i += threads) {
        const double magnitude = abs(step.t[i + step.k * step.n]);
        if (magnitude > shared.magnitude[thread]) {
          shared.magnitude[thread] = magnitude;
          shared.row[thread] = i;
        }
      }
    });
    block.for_one_thread([&](Shared& shared) {
      int best = 0;
      for (int thread = 1; thread < threads; ++thread) {
        const bool larger = shared.magnitude[thread] > shared.magnitude[best];
        const bool first = shared.magnitude[thread] == shared.magnitude[best] && shared.row[thread] < shared.row[best];
        if (larger || first) best = thread;
      }
      const std::int64_t row = shared.row[best];
      step.row[step.k] = row;
      step.pivot[step.k] = shared.magnitude[best] > 0 ? step.t[row + step.k * step.n] : 0x1p-53;
    });
  }
};

/// Exchanges rows k and that of the pivot, and divides row k by the pivot, except in column k.
struct PivotRowBody {
  Step step;
  ASSAY_HD void operator()(std::size_t column) const {
    const auto j = static_cast<std::int64_t>(column);
    const std::int64_t row = step.row[step.k];
    double* const t = step.t + j * step.n;
    const double of_pivot = t[row];
    t[row] = t[step.k];
    t[step.k] = j == step.k ? of_pivot : of_pivot / step.pivot[step.k];
  }
};

/// t_ij ← t_ij − t_ik·t_kj outside row k and column k.
struct EliminateBody {
  Step step;
  ASSAY_HD void operator()(std::size_t number) const {
    const auto [j, first, end] = Pieces{step.n}[number];
    if (j == step.k) return;
    const double* const factor = step.t + step.k * step.n;
    double* const t = step.t + j * step.n;
    const double of_pivot = t[step.k];
    for (std::int64_t i = first; i < end; ++i) {
      if (i != step.k) t[i] = t[i] - factor[i] * of_pivot;
    }
  }
};

/// Column k of the inverse so far.
struct PivotColumnBody {
  Step step;
  ASSAY_HD void operator()(std::size_t row) const {
    double& t = step.t[static_cast<std::int64_t>(row) + step.k * step.n];
    t = static_cast<std::int64_t>(row) == step.k ? 1 / step.pivot[step.k] : -t / step.pivot[step.k];
  }
};

/// A row of the inverse, column-major: its entries go to the columns that the exchanged rows demand, and are scaled
/// back.
struct FinishBody {
  Step step;
  const int* of_row;
  const int* of_column;
  ASSAY_HD void operator()(std::size_t number) const {
    const auto i = static_cast<std::int64_t>(number);
    double* const t = step.t + i;
    const std::int64_t n = step.n;
    for (std::int64_t k = n - 1; k >= 0; --k) {
      const std::int64_t row = step.row[k];
      const double other = t[row * n];
      t[row * n] = t[k * n];
      t[k * n] = other;
    }
    for (std::int64_t j = 0; j < n; ++j) t[j * n] = times_power(t[j * n], -of_column[i] - of_row[j]);
  }
};

/// Queues y ← M⁻¹ approximately, n × n, column-major: Gauss–Jordan elimination with partial pivoting of M with scaled
/// rows and columns (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §14.4). `of_column`: the
/// exponents of the scales of the columns of M.
inline void queue_inverse(const Executor& on, std::int64_t n, const MatrixView& m, double* y, int* of_column) {
  const auto size = static_cast<std::size_t>(n);
  const Array<int> of_row(on, size);
  const Array<std::int64_t> row(on, size);
  const Array<double> pivot(on, size);
  const Pieces pieces{n};
  queue_indices(on, size, RowExponents{n, m, of_row.data()});
  queue_indices(on, size, ColumnExponents{n, m, of_row.data(), of_column});
  queue_indices(on, pieces.count(), ScaleBody{pieces, m, of_row.data(), of_column, y});
  Step step{n, 0, y, row.data(), pivot.data()};
  for (; step.k < n; ++step.k) {
    queue_blocks(on, 1, PivotBlock{step});
    queue_indices(on, size, PivotRowBody{step});
    queue_indices(on, pieces.count(), EliminateBody{step});
    queue_indices(on, size, PivotColumnBody{step});
  }
  queue_indices(on, size, FinishBody{step, of_row.data(), of_column});
  wait(on);
}

}  // namespace assay::refine::detail
