#pragma once
// The kernel of sparse products in words, for the files that launch it.

#include <cstdint>

#include "exec/block.hpp"
#include "kernels/expansion/detail/entry.hpp"
#include "kernels/expansion/spmv.hpp"

namespace assay::expansion {
namespace detail {

/// 16 rows by one block.
template <int W, class Matrix>
struct SpmvRows {
  static constexpr int lanes = spmv_lanes;
  static constexpr int rows = 16;
  static constexpr int threads = lanes * rows;
  struct Shared {
    typename Entry<W>::Sum partial[rows][lanes];
  };

  Matrix a;
  const double* x;
  double* y;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * rows;
    block.for_each_thread([&](int t, Shared& shared) {
      const int row = Matrix::row_by_row ? t / lanes : t % rows;
      const int lane = Matrix::row_by_row ? t % lanes : t / rows;
      shared.partial[row][lane] = first + row < a.rows ? part(first + row, lane) : typename Entry<W>::Sum{};
    });
    for (int d = lanes / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        const int lane = t % lanes;
        if (lane < d) shared.partial[t / lanes][lane].add(shared.partial[t / lanes][lane + d]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < rows && first + t < a.rows) Entry<W>::store(shared.partial[t][0].result(), y + (first + t) * W);
    });
  }

 private:
  /// The sum of one lane of row i.
  ASSAY_HD typename Entry<W>::Sum part(std::int64_t i, int lane) const {
    typename Entry<W>::Sum sum{};
    const sparse::Places places = places_of(a, i);
    for (std::int64_t k = lane; k < places.count; k += lanes) {
      const std::int64_t at = places.first + k * places.step;
      const std::int64_t column = a.column_indices[at];
      if (column >= 0) sum.add(Entry<W>::load(a.values + at * W), Entry<W>::load(x + column * W));
    }
    return sum;
  }
};

}  // namespace detail
}  // namespace assay::expansion
