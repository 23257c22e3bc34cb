#pragma once
// The kernels of BLAS 2 and 3, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "exec/block.hpp"
#include "kernels/expansion/detail/entry.hpp"
#include "kernels/expansion/matrices.hpp"

namespace assay::expansion {
namespace detail {

/// The entries of a matrix that are stored or written.
enum class Part { all, upper, lower };

/// C ← α·A·B + β·C with A of m × k and B of k × n; entry (i, j) of C at c[(i·row_step + j·column_step)·W].
template <int W>
struct MatrixUpdate {
  using Value = typename Entry<W>::Value;
  using Sum = typename Entry<W>::Sum;

  std::int64_t m, n, k;  ///< k = 0 if α·A·B is not added
  Value alpha, beta;
  bool alpha_is_number;  ///< α equals its first word
  bool reads_c;          ///< β ≠ 0
  MatrixOperand<W> a, b;
  double* c;
  std::int64_t row_step, column_step;
  Part stored_a, written;

  /// c_ij from the sum of its products.
  ASSAY_HD void finish(std::int64_t i, std::int64_t j, const Sum& products) const {
    double* const to = entry(i, j);
    Sum sum = k > 0 ? times_alpha(products) : Sum{};
    if (reads_c) sum.add(beta, Entry<W>::load(to));
    Entry<W>::store(sum.result(), to);
  }
  /// α·s for the sum s of products.
  [[nodiscard]] ASSAY_HD Sum times_alpha(const Sum& products) const {
    const Value s = products.result();
    return alpha_is_number ? Sum::product(alpha.x[0], s) : Sum::product(alpha, s);
  }
  [[nodiscard]] ASSAY_HD double* entry(std::int64_t i, std::int64_t j) const {
    return c + (i * row_step + j * column_step) * W;
  }
};

/// Entry number i + j·m of C by one thread.
template <int W>
struct MatrixEntry {
  MatrixUpdate<W> update;
  ASSAY_HD void operator()(std::size_t number) const {
    const auto i = static_cast<std::int64_t>(number) % update.m;
    const auto j = static_cast<std::int64_t>(number) / update.m;
    if ((update.written == Part::upper && i > j) || (update.written == Part::lower && i < j)) return;
    typename Entry<W>::Sum sum{};
    for (std::int64_t l = 0; l < update.k; ++l) sum.add(update.a(i, l), update.b(l, j));
    update.finish(i, j, sum);
  }
};

/// C ← α·x·yᵀ + C by tiles of 128 rows. A thread has 8/W entries of a row, all of which it loads before it computes.
template <int W>
struct RankOneTile {
  static constexpr int rows = 128;
  static constexpr int threads = 256;
  static constexpr int blocks_per_multiprocessor = 4;
  static constexpr int own = 8 / W;
  static constexpr int columns = threads / rows * own;
  struct Shared {
    int unused;
  };

  MatrixUpdate<W> update;
  std::int64_t row_tiles;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    using Value = typename Entry<W>::Value;
    using Sum = typename Entry<W>::Sum;
    const auto tile = static_cast<std::int64_t>(block.index());
    const std::int64_t first_column = tile / row_tiles * columns;
    const std::int64_t first_row = tile % row_tiles * rows;
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t i = first_row + t % rows;
      if (i >= update.m) return;
      const std::int64_t first = first_column + t / rows;
      Value start[own];
      ASSAY_UNROLL(8)
      for (int q = 0; q < own; ++q) {
        const std::int64_t j = first + q * (columns / own);
        start[q] = j < update.n ? Entry<W>::load(update.entry(i, j)) : Value{};
      }
      const Value x = update.a(i, 0);
      ASSAY_UNROLL(8)
      for (int q = 0; q < own; ++q) {
        const std::int64_t j = first + q * (columns / own);
        if (j >= update.n) continue;
        Sum sum = update.times_alpha(Sum::product(x, update.b(0, j)));
        sum.add_as_right(start[q]);
        Entry<W>::store(sum.result(), update.entry(i, j));
      }
    });
  }
};

/// `count` terms of a lane: the entries at a, a + a_step·W, … times those at x, x + x_step·W, …, in ascending order. A
/// tile of 64 bytes of each is loaded before it is added.
template <int W>
struct LaneRun {
  const double* a;
  std::int64_t a_step;
  const double* x;
  std::int64_t x_step;
  std::int64_t count;

  ASSAY_HD void add_to(typename Entry<W>::Sum& sum) const {
    std::int64_t t = 0;
    for (; t + tile <= count; t += tile) add_tile(sum, t, tile);
    if (t < count) add_tile(sum, t, static_cast<int>(count - t));
  }

 private:
  static constexpr int tile = 8 / W;

  /// The terms from t on; after the last of `size` terms it is loaded again and not added.
  ASSAY_HD void add_tile(typename Entry<W>::Sum& sum, std::int64_t t, int size) const {
    typename Entry<W>::Value left[tile];
    typename Entry<W>::Value right[tile];
    ASSAY_UNROLL(8)
    for (int q = 0; q < tile; ++q) {
      const std::int64_t at = (t + (q < size ? q : size - 1)) * W;
      left[q] = Entry<W>::load(a + at * a_step);
      right[q] = Entry<W>::load(x + at * x_step);
    }
    ASSAY_UNROLL(8)
    for (int q = 0; q < tile; ++q) {
      if (q < size) sum.add(left[q], right[q]);
    }
  }
};

/// Four entries of a C with one column by one block. If the rows of A are adjacent in memory, neighboring threads have
/// neighboring rows, otherwise neighboring lanes. If A is symmetric, one triangle is stored; a row of A then consists
/// of two runs, one on each side of the diagonal.
template <int W>
struct VectorEntries {
  static constexpr int lanes = vector_entry_lanes;
  static constexpr int rows = 4;
  static constexpr int threads = lanes * rows;
  static constexpr int blocks_per_multiprocessor = W == 4 ? 2 : 4;
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
      shared.partial[row][lane] = first + row < update.m ? sum_of_lane(first + row, lane) : typename Entry<W>::Sum{};
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

 private:
  /// The products lane, lane + 64, … of row i.
  [[nodiscard]] ASSAY_HD typename Entry<W>::Sum sum_of_lane(std::int64_t i, std::int64_t lane) const {
    const MatrixOperand<W>& a = update.a;
    const std::int64_t beside = update.stored_a == Part::lower ? i + 1 : i;
    const std::int64_t end =
        update.stored_a == Part::all || update.k == 0 ? update.k : beside;  // of the run on the left
    const bool mirrored = update.stored_a == Part::upper;                   // the run on the left
    typename Entry<W>::Sum sum{};
    std::int64_t l = lane;
    ASSAY_UNROLL(1)
    for (int side = 0; side < 2; ++side) {
      const std::int64_t stop = side == 0 ? end : update.k;
      const bool other = mirrored != (side == 1);
      const std::int64_t count = l < stop ? (stop - l - 1) / lanes + 1 : 0;
      const LaneRun<W> run{other ? a.at(l, i) : a.at(i, l), (other ? a.row_step : a.column_step) * lanes,
                           update.b.at(l, 0), update.b.row_step * lanes, count};
      run.add_to(sum);
      l += count * lanes;
    }
    return sum;
  }
};

}  // namespace detail
}  // namespace assay::expansion
