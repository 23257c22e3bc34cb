#pragma once
// Kernels of gemm_superaccumulator and recompute_entries.
//
// SuperaccumulatorTile has one entry in each thread, for products with many entries. SuperaccumulatorEntries has one
// entry in each block, for few entries and long sums, and for lists of entries.

#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/limbs/combination.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "kernels/sum/exact_sum_block.hpp"

namespace assay::gemm::detail {

/// op(M) of each product of a batch: entry (i, j) at x[i·row_step + j·column_step].
struct GemmMatrixView {
  const double* x;
  std::int64_t row_step;
  std::int64_t column_step;
  std::int64_t stride;  ///< from a product to the next one
};

/// The operands of all entries of C.
struct GemmEntries {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;  ///< 0 where α = 0
  double alpha;
  double beta;
  GemmMatrixView a;
  GemmMatrixView b;
  const double* original_c;  ///< the c of β·c; may be `c`
  double* c;
  std::int64_t ldc;
  std::int64_t stride_c;

  /// c_at ← RN(α·s + β·c_at) with s = Σ word_k·2^(32k − 2148) over first ≤ k < end. c_at is not read for β = 0. If the
  /// flags of s or β·c_at tell of a term that is not finite, the entry is the IEEE 754 result. Requires: |word_k| < 2⁶³
  /// − 2³² (not checked).
  ASSAY_HD ASSAY_NOINLINE void round_into(std::int64_t at, const std::int64_t* word, int first, int end,
                                          std::uint32_t flags) const {
    constexpr int words = Superaccumulator::words;
    const double old = beta == 0 ? 0.0 : original_c[at];
    std::uint32_t seen = is_finite(old) ? 0 : accumulators::seen_product(beta, old);
    if (accumulators::saw_special(flags)) seen |= accumulators::seen_product(alpha, accumulators::special_sum(flags));
    if (accumulators::saw_special(seen)) {
      c[at] = accumulators::special_sum(seen);
      return;
    }
    std::uint32_t limbs[words + 1];
    const bool minus = limb::magnitude_of_digits(word + first, end - first, limbs);
    c[at] = limb::combination<words + 1>(limbs, end - first + 1, minus, Superaccumulator::unit + 32 * first, alpha,
                                         beta, old);
  }
};

inline GemmEntries gemm_entries(const GemmArguments& g, const double* original_c, const GemmBatch& batch) {
  return {.m = g.m,
          .n = g.n,
          .k = g.reads_ab() ? g.k : 0,
          .alpha = g.alpha,
          .beta = g.beta,
          .a = {g.a, g.row_step_a(), g.column_step_a(), batch.stride_a},
          .b = {g.b, g.row_step_b(), g.column_step_b(), batch.stride_b},
          .original_c = original_c,
          .c = g.c,
          .ldc = g.ldc,
          .stride_c = batch.stride_c};
}

/// The superaccumulator of one thread. Only the words first … end − 1 have content, so that the cost of an entry
/// depends on the words in use, not on the words that there could be.
struct PartialSuperaccumulator {
  std::int64_t word[Superaccumulator::words];
  std::int32_t first, end;
  std::uint32_t pending;  ///< |word_k| ≤ pending·2³²
  std::uint32_t flags;

  ASSAY_HD PartialSuperaccumulator() : first(0), end(0), pending(0), flags(accumulators::saw_nothing) {}
  ASSAY_HD PartialSuperaccumulator(const PartialSuperaccumulator& x) { *this = x; }
  ASSAY_HD PartialSuperaccumulator& operator=(const PartialSuperaccumulator& x) {
    for (int k = x.first; k < x.end; ++k) word[k] = x.word[k];
    first = x.first;
    end = x.end;
    pending = x.pending;
    flags = x.flags;
    return *this;
  }
  // Not inlined, so that the loops around the calls stay short.
  ASSAY_HD ASSAY_NOINLINE void add(double x) {
    const bits::Significand z = bits::significand(x);
    deposit(z.m, z.e - Superaccumulator::unit, z.minus);
  }
  ASSAY_HD ASSAY_NOINLINE void add_product(double a, double b) {
    flags |= accumulators::seen_product(a, b);
    if (!is_finite(a) || !is_finite(b)) return;
    const bits::Significand x = bits::significand(a);
    const bits::Significand y = bits::significand(b);
    if (x.m == 0 || y.m == 0) return;
    const bits::WideProduct m = bits::wide_product(x.m, y.m);
    const int position = x.e + y.e - Superaccumulator::unit;
    deposit(m.low, position, x.minus != y.minus);
    deposit(m.high, position + 64, x.minus != y.minus);
  }

 private:
  ASSAY_HD void deposit(std::uint64_t m, int position, bool minus) {
    if (pending >= std::uint32_t{1} << 29) {
      reach(Superaccumulator::words - 1);
      accumulators::propagate_carries(word + first, end - first);
      pending = 1;
    }
    accumulators::scatter(m, position, minus, [this](int k, std::int64_t d) {
      reach(k);
      word[k] += d;
    });
    ++pending;
  }
  ASSAY_HD void reach(int k) {
    if (first == end) first = end = k;
    while (first > k) word[--first] = 0;
    while (end <= k) word[end++] = 0;
  }
};

/// A tile of 16 × 16 entries by one block. Thread t has the entry (t mod 16, t/16), in an expansion of N words and a
/// superaccumulator. Tiles of op(A) and op(B) with 16 terms of each line go through shared memory.
template <int N>
struct SuperaccumulatorTile {
  static constexpr int tile = 16;
  static constexpr int threads = tile * tile;
  static constexpr int blocks_per_multiprocessor = 4;
  struct Shared {
    double a[tile][tile];  ///< [inner][row]
    double b[tile][tile];  ///< [inner][column]
  };

  GemmEntries of;
  std::int64_t row_tiles;
  std::int64_t tiles;  ///< of one product

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t product = index / tiles;
    const std::int64_t first_row = index % tiles % row_tiles * tile;
    const std::int64_t first_column = index % tiles / row_tiles * tile;
    const double* const a = of.a.x + product * of.a.stride;
    const double* const b = of.b.x + product * of.b.stride;
    auto expansions = block.per_thread(AccumulatingExpansion<N>::empty());
    auto exact = block.per_thread(PartialSuperaccumulator());
    for (std::int64_t first = 0; first < of.k; first += tile) {
      const int inner = of.k - first < tile ? static_cast<int>(of.k - first) : tile;
      block.for_each_thread([&](int t, Shared& shared) {
        // Neighboring threads read neighboring numbers.
        const int low = t % tile;
        const int high = t / tile;
        const int row = of.a.row_step == 1 ? low : high;
        const int inner_a = of.a.row_step == 1 ? high : low;
        if (first_row + row < of.m && inner_a < inner) {
          shared.a[inner_a][row] = a[(first_row + row) * of.a.row_step + (first + inner_a) * of.a.column_step];
        }
        const int inner_b = of.b.row_step == 1 ? low : high;
        const int column = of.b.row_step == 1 ? high : low;
        if (first_column + column < of.n && inner_b < inner) {
          shared.b[inner_b][column] = b[(first + inner_b) * of.b.row_step + (first_column + column) * of.b.column_step];
        }
      });
      block.for_each_thread([&](int t, Shared& shared) {
        const int row = t % tile;
        const int column = t / tile;
        if (first_row + row >= of.m || first_column + column >= of.n) return;
        AccumulatingExpansion<N> sum = expansions[t];
        for (int l = 0; l < inner; ++l) sum.add_product(shared.a[l][row], shared.b[l][column], exact[t]);
        expansions[t] = sum;
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t row = first_row + t % tile;
      const std::int64_t column = first_column + t / tile;
      if (row >= of.m || column >= of.n) return;
      PartialSuperaccumulator& sum = exact[t];
      expansions[t].flush(sum);
      of.round_into(row + column * of.ldc + product * of.stride_c, sum.word, sum.first, sum.end, sum.flags);
    });
  }
};

/// The terms of an entry: number l of the row is x[l·step_x], of the column y[l·step_y].
struct GemmEntryTerms : sum::detail::ExactDotTerms {
  static constexpr int columns = 1;  // few terms: reading many columns would take longer than adding to one
  std::int64_t step_x, step_y;
  ASSAY_HD void load(Tile& t, int j, std::int64_t l) const {
    t.x[j] = x[l * step_x];
    t.y[j] = y[l * step_y];
  }
};

/// An entry by one block, as the dot product of kernels/sum/exact_sum_block.hpp: each thread takes 8 products at a
/// time, into its own window and the superaccumulator of the block. The entries are those of a list, or all. Requires:
/// k ≤ 2²⁸ (not checked).
struct SuperaccumulatorEntries {
  using Sum = sum::detail::ExactSumBlock<GemmEntryTerms>;
  static constexpr int threads = Sum::threads;
  static constexpr int blocks_per_multiprocessor = Sum::blocks_per_multiprocessor;
  static constexpr int words = Superaccumulator::words;
  using Shared = Sum::Shared;

  GemmEntries of;
  const std::uint64_t* list;  ///< i + j·m on the executor, or null for all entries of all products
  // Only entries of these rows and columns are computed. op(A) begins with row first_row, op(B) with column
  // first_column.
  std::int64_t first_row;
  std::int64_t end_row;
  std::int64_t first_column;
  std::int64_t end_column;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto entry = static_cast<std::int64_t>(list == nullptr ? block.index() : list[block.index()]);
    const std::int64_t line = entry / of.m;
    const std::int64_t row = entry - line * of.m;
    const std::int64_t product = line / of.n;
    const std::int64_t column = line - product * of.n;
    if (row < first_row || row >= end_row || column < first_column || column >= end_column) return;
    const GemmEntryTerms terms{{of.a.x + (row - first_row) * of.a.row_step + product * of.a.stride,
                                of.b.x + (column - first_column) * of.b.column_step + product * of.b.stride},
                               of.a.column_step,
                               of.b.row_step};
    Sum{terms, of.k, 1, nullptr}.sum_up(block, 0);
    block.for_each_thread([&](int t, Shared& shared) {
      if (t != 0) return;
      of.round_into(row + column * of.ldc + product * of.stride_c, shared.word,
                    shared.end == 0 ? 0 : words - shared.from_top, shared.end, shared.flags);
    });
  }
};

}  // namespace assay::gemm::detail
