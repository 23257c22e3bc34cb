#pragma once
// The cooperative kernel of the sparse products, for the files that launch it.

#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/sparse/spmv.hpp"
#include "kernels/sum/exact_sum_block.hpp"

namespace assay::sparse {
namespace detail {

/// A block has 32 rows, each with a superaccumulator in shared memory; 8 threads of a row add its products number t,
/// t + 8, … to expansions of four words in front of it.
template <class Matrix>
struct SpmvBlock {
  static constexpr int threads = 256;
  static constexpr int blocks_per_multiprocessor = 3;
  static constexpr int rows = 32;
  static constexpr int lanes = threads / rows;
  struct Shared {
    std::int64_t word[rows][Superaccumulator::words];
    std::uint32_t flags[rows];
  };

  Matrix a;
  const double* x;
  double* y;
  Rounding to;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * rows;
    block.for_each_thread([&](int t, Shared& shared) {
      for (int k = t; k < rows * Superaccumulator::words; k += threads) {
        shared.word[k / Superaccumulator::words][k % Superaccumulator::words] = 0;
      }
      if (t < rows) shared.flags[t] = accumulators::saw_nothing;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      constexpr bool row_by_row = Matrix::row_by_row;
      const int row = row_by_row ? t / lanes : t % rows;
      if (first + row < a.rows) take_in(first + row, row, row_by_row ? t % lanes : t / rows, shared);
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < rows && first + t < a.rows) y[first + t] = rounded(t, shared);
    });
  }

 private:
  /// Adds the products of one lane to row number `row` of the block.
  ASSAY_HD void take_in(std::int64_t i, int row, int lane, Shared& shared) const {
    sum::detail::SharedSuperaccumulator exact{shared.word[row], accumulators::saw_nothing};
    auto front = AccumulatingExpansion<4>::empty();
    const Places places = places_of(a, i);
    for (std::int64_t k = lane; k < places.count; k += lanes) {
      const std::int64_t at = places.first + k * places.step;
      const std::int32_t column = a.column_indices[at];
      if (column != no_column) front.add_product(a.values[at], x[column], exact);
    }
    front.flush(exact);
    atomic::fetch_or(&shared.flags[row], exact.flags);
  }

  ASSAY_HD double rounded(int row, const Shared& shared) const {
    Superaccumulator sum{};
    ASSAY_UNROLL(1)
    for (int k = 0; k < Superaccumulator::words; ++k) sum.word[k] = shared.word[row][k];
    sum.flags = shared.flags[row];
    return sum.round(to);
  }
};

}  // namespace detail
}  // namespace assay::sparse
