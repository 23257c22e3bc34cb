#pragma once
// The kernels of BLAS 2 and 3, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "exec/block.hpp"
#include "kernels/expansion/detail/entry.hpp"
#include "kernels/expansion/matrices.hpp"

namespace assay::expansion {
namespace detail {

/// C ← α·A·B + β·C with A of m × k and B of k × n; entry (i, j) of C at c[(i·row_step + j·column_step)·W].
template <int W>
struct MatrixUpdate {
  using Stored = typename MatrixOperand<W>::Stored;

  std::int64_t m, n, k;  ///< k = 0 where α·A·B is not added
  typename Entry<W>::Value alpha, beta;
  bool reads_c;  ///< β ≠ 0
  MatrixOperand<W> a, b;
  double* c;
  std::int64_t row_step, column_step;
  Stored written;

  /// c_ij from the sum of its products.
  ASSAY_HD void finish(std::int64_t i, std::int64_t j, const typename Entry<W>::Sum& products) const {
    double* const to = c + (i * row_step + j * column_step) * W;
    typename Entry<W>::Sum sum{};
    if (k > 0) sum.add(alpha, products.result());
    if (reads_c) sum.add(beta, Entry<W>::load(to));
    Entry<W>::store(sum.result(), to);
  }
};

/// Entry number i + j·m of C by one thread.
template <int W>
struct MatrixEntry {
  MatrixUpdate<W> update;
  ASSAY_HD void operator()(std::size_t number) const {
    using Stored = typename MatrixOperand<W>::Stored;
    const auto i = static_cast<std::int64_t>(number) % update.m;
    const auto j = static_cast<std::int64_t>(number) / update.m;
    if ((update.written == Stored::upper && i > j) || (update.written == Stored::lower && i < j)) return;
    typename Entry<W>::Sum sum{};
    for (std::int64_t l = 0; l < update.k; ++l) sum.add(update.a(i, l), update.b(l, j));
    update.finish(i, j, sum);
  }
};

/// Four entries of a C with one column by one block. Where the rows of A are adjacent in memory, neighbouring threads
/// have them, otherwise neighbouring lanes.
template <int W>
struct VectorEntries {
  static constexpr int lanes = vector_entry_lanes;
  static constexpr int rows = 4;
  static constexpr int threads = lanes * rows;
  struct Shared {
    typename Entry<W>::Sum partial[rows][lanes];
  };

  MatrixUpdate<W> update;
  bool rows_adjacent;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * rows;
    block.for_each_thread([&](int t, Shared& shared) {
      const int row = rows_adjacent ? t % rows : t / lanes;
      const int lane = rows_adjacent ? t / rows : t % lanes;
      typename Entry<W>::Sum sum{};
      for (std::int64_t l = lane; l < update.k && first + row < update.m; l += lanes) {
        sum.add(update.a(first + row, l), update.b(l, 0));
      }
      shared.partial[row][lane] = sum;
    });
    for (int d = lanes / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        const int lane = t % lanes;
        if (lane < d) shared.partial[t / lanes][lane].add(shared.partial[t / lanes][lane + d]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < rows && first + t < update.m) update.finish(first + t, 0, shared.partial[t][0]);
    });
  }
};

}  // namespace detail
}  // namespace assay::expansion
