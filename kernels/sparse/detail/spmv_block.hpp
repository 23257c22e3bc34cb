#pragma once
// The cooperative kernel of the sparse products, for the files that launch it.

#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/certified_sum.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/extremes.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "exec/groups.hpp"
#include "kernels/sparse/spmv.hpp"
#include "kernels/sum/exact_sum_block.hpp"

namespace assay::sparse {
namespace detail {

/// A block has up to 256 rows. First 1, 2, 4, … or 32 threads of a row add its products to certified sums, lane c those
/// number c, c + lanes, … A row whose sum is not certified, and one that is far longer than the others, is kept for
/// later: then all threads of the block add up to 8 rows at a time, each in a superaccumulator in shared memory with
/// expansions of four words in front of it.
template <class Matrix>
struct SpmvBlock {
  static constexpr int threads = 256;
  static constexpr int blocks_per_multiprocessor = 4;
  static constexpr int most_rows = threads;
  static constexpr int most_lanes = 32;
  static constexpr int at_once = 6;  ///< entries that a thread reads before it adds them
  static constexpr int exact_rows = 8;
  static constexpr int wanted_entries = 16;  ///< of a thread in CSR, at most
  struct Shared {
    std::int64_t word[exact_rows][Superaccumulator::words];
    std::uint32_t flags[exact_rows];
    std::int32_t kept[most_rows];  ///< rows of the block that are not done
    std::int32_t count;            ///< of them
  };

  Matrix a;
  const double* x;
  double* y;
  Rounding to;
  int rows;  ///< of a block: a power of two, 8 … most_rows

  /// The rows of a block if the matrix has this many: few rows if there would be few blocks.
  static int rows_for(std::int64_t all) { return all < 65536 ? 32 : most_rows; }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * rows;
    const int here = static_cast<int>(bits::min(a.rows - first, rows));
    const std::int64_t mean = entries_of(a, first, here) / here;
    const int lanes = lanes_for(mean);
    block.for_one_thread([](Shared& shared) { shared.count = 0; });
    for (int begin = 0; begin < here; begin += threads / lanes) {
      auto sums = block.per_thread(CertifiedSum::empty());
      block.for_each_thread([&](int t, Shared&) {
        const int row = begin + t / lanes;
        if (row < here) take_in(places_of(a, first + row), t % lanes, lanes, mean, sums[t]);
      });
      fold_groups(sums, lanes, [](CertifiedSum& sum, const CertifiedSum& other) { sum.add(other); });
      block.for_each_thread([&](int t, Shared& shared) {
        const int row = begin + t / lanes;
        if (t % lanes == 0 && row < here) finish(first, row, sums[t], shared);
      });
    }
    const bool all_done = !block.any([](int, const Shared& shared) { return shared.count != 0; });
    if (!all_done) add_exactly(block, first);
  }

  /// The threads of a row if rows have this many entries on average: all threads have a row, and in CSR a thread has
  /// about wanted_entries at most.
  ASSAY_HD int lanes_for(std::int64_t mean) const {
    int lanes = threads / rows;
    while (Matrix::row_by_row && lanes < most_lanes && mean > wanted_entries * lanes) lanes *= 2;
    return lanes;
  }

 private:
  /// The places of rows first … first + count − 1.
  template <class Values>
  ASSAY_HD static std::int64_t entries_of(const BasicCsrOn<Values>& matrix, std::int64_t first, int count) {
    return matrix.row_offsets[first + count] - matrix.row_offsets[first];
  }
  template <class Values>
  ASSAY_HD static std::int64_t entries_of(const BasicEllpackOn<Values>& matrix, std::int64_t, int count) {
    return matrix.width * count;
  }

  /// Adds the products of one lane of a row.
  ASSAY_HD void take_in(const Places& places, int lane, int lanes, std::int64_t mean, CertifiedSum& sum) const {
    if (places.count > 16 * mean + 128) {
      sum.refuse();
      return;
    }
    CertifiedSum own = CertifiedSum::empty();
    for (std::int64_t k = lane; k < places.count; k += std::int64_t{at_once} * lanes) {
      std::int32_t column[at_once];
      double value[at_once];
      double factor[at_once];
      ASSAY_UNROLL(6)
      for (int j = 0; j < at_once; ++j) {
        const std::int64_t number = k + std::int64_t{j} * lanes;
        const std::int64_t at = places.first + number * places.step;
        column[j] = number < places.count ? a.column_indices[at] : no_column;
        value[j] = column[j] != no_column ? a.values[at] : 0.0;
      }
      ASSAY_UNROLL(6)
      for (int j = 0; j < at_once; ++j) factor[j] = column[j] != no_column ? x[column[j]] : 0.0;
      ASSAY_UNROLL(6)
      for (int j = 0; j < at_once; ++j) {
        if (column[j] != no_column) own.add_product(value[j], factor[j]);
      }
    }
    sum = own;
  }

  /// y of a row of the block if it is certified; otherwise the row is kept for later.
  ASSAY_HD void finish(std::int64_t first, int row, const CertifiedSum& sum, Shared& shared) const {
    const CertifiedNumber number = sum.rounded(to);
    if (number.certified) {
      const bool is_empty = to_bits(number.x) == to_bits(-0.0) && !has_entry(places_of(a, first + row));
      y[first + row] = is_empty ? 0.0 : number.x;
    } else {
      shared.kept[atomic::fetch_add(&shared.count, 1)] = row;
    }
  }

  ASSAY_HD bool has_entry(const Places& places) const {
    std::int64_t k = 0;
    while (k < places.count && a.column_indices[places.first + k * places.step] == no_column) ++k;
    return k < places.count;
  }

  /// The rows that were kept for later.
  ASSAY_HD ASSAY_NOINLINE void add_exactly(Block<Shared, threads>& block, std::int64_t first) const {
    constexpr int lanes = threads / exact_rows;
    for (int begin = 0; block.any([&](int, const Shared& shared) { return begin < shared.count; });
         begin += exact_rows) {
      block.for_each_thread([&](int t, Shared& shared) {
        for (int k = t; k < exact_rows * Superaccumulator::words; k += threads) {
          shared.word[k / Superaccumulator::words][k % Superaccumulator::words] = 0;
        }
        if (t < exact_rows) shared.flags[t] = accumulators::saw_nothing;
      });
      block.for_each_thread([&](int t, Shared& shared) {
        const int slot = t / lanes;
        if (begin + slot < shared.count) take_in_exactly(first + shared.kept[begin + slot], slot, t % lanes, shared);
      });
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < exact_rows && begin + t < shared.count) y[first + shared.kept[begin + t]] = rounded(t, shared);
      });
    }
  }

  /// Adds the products of one lane of row i to superaccumulator number `slot`.
  ASSAY_HD void take_in_exactly(std::int64_t i, int slot, int lane, Shared& shared) const {
    constexpr int lanes = threads / exact_rows;
    sum::detail::SharedSuperaccumulator exact{{shared.word[slot]}, accumulators::saw_nothing};
    auto front = AccumulatingExpansion<4>::empty();
    const Places places = places_of(a, i);
    for (std::int64_t k = lane; k < places.count; k += lanes) {
      const std::int64_t at = places.first + k * places.step;
      const std::int32_t column = a.column_indices[at];
      if (column != no_column) front.add_product(a.values[at], x[column], exact);
    }
    front.flush(exact);
    atomic::fetch_or(&shared.flags[slot], exact.flags);
  }

  ASSAY_HD double rounded(int slot, const Shared& shared) const {
    Superaccumulator sum{};
    ASSAY_UNROLL(1)
    for (int k = 0; k < Superaccumulator::words; ++k) sum.word[k] = shared.word[slot][k];
    sum.flags = shared.flags[slot];
    return sum.round(to);
  }
};

}  // namespace detail
}  // namespace assay::sparse
