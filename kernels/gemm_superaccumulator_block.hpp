#pragma once
// The kernels behind kernels/gemm_superaccumulator.hpp, for the files that launch them.

#include <cstdint>

#include "arith/accumulating_expansion.hpp"
#include "arith/limb_combination.hpp"
#include "arith/superaccumulator.hpp"
#include "kernels/block.hpp"
#include "kernels/gemm_superaccumulator.hpp"

namespace assay::detail {

/// op(M) of each product of a batch: entry (i, j) at x[i·row_step + j·column_step].
struct GemmMatrixView {
  const double* x;
  std::int64_t row_step;
  std::int64_t column_step;
  std::int64_t stride;  ///< from a product to the next one
};

/// What an entry of C is made of.
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

  /// c_at ← RN(α·s + β·c_at), c_at not read for β = 0; what IEEE 754 gives for terms that are not all finite. Changes
  /// s.
  ASSAY_HD ASSAY_NOINLINE void round_into(std::int64_t at, Superaccumulator& s) const {
    constexpr int words = Superaccumulator::words;
    const double old = beta == 0 ? 0.0 : original_c[at];
    std::uint32_t seen = is_finite(old) ? 0 : seen_product(beta, old);
    if (saw_special(s.flags)) seen |= seen_product(alpha, special_sum(s.flags));
    if (saw_special(seen)) {
      c[at] = special_sum(seen);
      return;
    }
    propagate_carries(s.word, words);
    const bool minus = s.word[words - 1] < 0;
    if (minus) {
      for (std::int64_t& each : s.word) each = -each;
      propagate_carries(s.word, words);
    }
    int end = words;
    while (end > 0 && s.word[end - 1] == 0) --end;
    int first = 0;
    while (first < end && s.word[first] == 0) ++first;
    std::uint32_t limbs[words];  // below 2⁴¹ terms of 2²⁰⁴⁸: the last word has one limb
    for (int k = first; k < end; ++k) limbs[k - first] = static_cast<std::uint32_t>(s.word[k]);
    c[at] = limb::combination<words>(limbs, end - first, minus, Superaccumulator::unit + 32 * first, alpha, beta, old);
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

/// Where an expansion spills: calls, so that the loops around them stay short.
struct SpillInto {
  Superaccumulator* s;
  ASSAY_HD ASSAY_NOINLINE void add(double x) const { s->add(x); }
  ASSAY_HD ASSAY_NOINLINE void add_product(double a, double b) const { s->add_product(a, b); }
};

/// A tile of 16 × 16 entries by one block: thread t has the entry (t mod 16, t/16), in an expansion of N words and a
/// superaccumulator. Tiles of op(A) and op(B) with 16 entries along the inner dimension go through shared memory.
template <int N>
struct SuperaccumulatorTile {
  static constexpr int tile = 16;
  static constexpr int threads = tile * tile;
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
    auto exact = block.per_thread(Superaccumulator{});
    for (std::int64_t first = 0; first < of.k; first += tile) {
      const int inner = of.k - first < tile ? static_cast<int>(of.k - first) : tile;
      block.for_each_thread([&](int t, Shared& shared) {
        // Neighbours read what stands side by side.
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
        const SpillInto spill{&exact[t]};
        AccumulatingExpansion<N> sum = expansions[t];
        for (int l = 0; l < inner; ++l) sum.add_product(shared.a[l][row], shared.b[l][column], spill);
        expansions[t] = sum;
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t row = first_row + t % tile;
      const std::int64_t column = first_column + t / tile;
      if (row >= of.m || column >= of.n) return;
      const SpillInto spill{&exact[t]};
      expansions[t].flush(spill);
      of.round_into(row + column * of.ldc + product * of.stride_c, exact[t]);
    });
  }
};

/// Words that several threads of a block change.
ASSAY_HD inline void add_atomically(std::int64_t* to, std::int64_t x) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
#else
  *to += x;
#endif
}
ASSAY_HD inline void join_atomically(std::uint32_t* to, std::uint32_t flags) {
#if defined(__CUDA_ARCH__)
  atomicOr(to, flags);
#else
  *to |= flags;
#endif
}

/// Where the expansions of several threads spill: integers, so that the order does not matter. No room is made for
/// carries.
struct SpillTogether {
  Superaccumulator* s;
  /// Requires: x finite (not checked).
  ASSAY_HD ASSAY_NOINLINE void add(double x) const {
    const Significand z = significand(x);
    deposit(z.m, z.e - Superaccumulator::unit, z.minus);
  }
  ASSAY_HD ASSAY_NOINLINE void add_product(double a, double b) const {
    if (!is_finite(a) || !is_finite(b)) {
      join_atomically(&s->flags, seen_product(a, b));
      return;
    }
    const Significand x = significand(a);
    const Significand y = significand(b);
    const WideProduct m = wide_product(x.m, y.m);
    deposit(m.low, x.e + y.e - Superaccumulator::unit, x.minus != y.minus);
    deposit(m.high, x.e + y.e - Superaccumulator::unit + 64, x.minus != y.minus);
  }

 private:
  ASSAY_HD void deposit(std::uint64_t m, int position, bool minus) const {
    scatter(m, position, minus, [this](int k, std::int64_t d) { add_atomically(&s->word[k], d); });
  }
};

/// Four entries by one block, each by 32 threads: thread t of an entry takes the products number t, t + 32, … into an
/// expansion of N words, and all spill into one superaccumulator. Entries are those of a list, or all.
template <int N>
struct SuperaccumulatorEntries {
  static constexpr int lanes = 32;
  static constexpr int entries_a_block = 4;
  static constexpr int threads = lanes * entries_a_block;
  /// Products between two rounds of carries: 3 spilled terms each, and a word has room for 2³⁰ of 2³².
  static constexpr std::int64_t terms_a_round = std::int64_t{1} << 28;
  struct Shared {
    Superaccumulator exact[entries_a_block];
    AccumulatingExpansion<N> expansions[threads];
  };

  GemmEntries of;
  const std::uint64_t* list;  ///< i + j·m on the executor, or null for all entries of all products
  std::uint64_t count;
  // Only the entries of these rows and columns; op(A) begins with the first of the rows, op(B) of the columns.
  std::int64_t first_row;
  std::int64_t end_row;
  std::int64_t first_column;
  std::int64_t end_column;

  /// The entry of a thread.
  struct Place {
    bool any;
    std::int64_t row, column, product;
  };
  [[nodiscard]] ASSAY_HD Place place(std::size_t block, int t) const {
    const std::uint64_t number = std::uint64_t{block} * entries_a_block + static_cast<std::uint64_t>(t / lanes);
    if (number >= count) return {false, 0, 0, 0};
    const auto entry = static_cast<std::int64_t>(list == nullptr ? number : list[number]);
    const std::int64_t line = entry / of.m;
    const std::int64_t row = entry - line * of.m;
    const std::int64_t product = line / of.n;
    const std::int64_t column = line - product * of.n;
    const bool any = row >= first_row && row < end_row && column >= first_column && column < end_column;
    return {any, row, column, product};
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    auto at = block.per_thread(Place{});
    auto sums = block.per_thread(AccumulatingExpansion<N>::empty());
    block.for_each_thread([&](int t, Shared& shared) {
      at[t] = place(block.index(), t);
      Superaccumulator& exact = shared.exact[t / lanes];
      for (int k = t % lanes; k < Superaccumulator::words; k += lanes) exact.word[k] = 0;
      exact.pending = exact.flags = 0;
    });
    for (std::int64_t first = 0; first < of.k; first += terms_a_round) {
      const std::int64_t end = of.k - first < terms_a_round ? of.k : first + terms_a_round;
      block.for_each_thread([&](int t, Shared& shared) {
        const Place p = at[t];
        if (!p.any) return;
        const SpillTogether spill{&shared.exact[t / lanes]};
        const double* const a = of.a.x + (p.row - first_row) * of.a.row_step + p.product * of.a.stride;
        const double* const b = of.b.x + (p.column - first_column) * of.b.column_step + p.product * of.b.stride;
        AccumulatingExpansion<N> sum = sums[t];
        for (std::int64_t l = first + t % lanes; l < end; l += lanes) {
          sum.add_product(a[l * of.a.column_step], b[l * of.b.row_step], spill);
        }
        sums[t] = sum;
      });
      block.for_each_thread([&](int t, Shared& shared) {
        if (end < of.k && t % lanes == 0) propagate_carries(shared.exact[t / lanes].word, Superaccumulator::words);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) { shared.expansions[t] = sums[t]; });
    for (int width = lanes / 2; width > 0; width /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t % lanes >= width) return;
        const SpillTogether spill{&shared.exact[t / lanes]};
        AccumulatingExpansion<N> sum = shared.expansions[t];
        for (const double word : shared.expansions[t + width].x) sum.add(word, spill);
        shared.expansions[t] = sum;
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      const Place p = at[t];
      if (!p.any || t % lanes != 0) return;
      const SpillTogether spill{&shared.exact[t / lanes]};
      shared.expansions[t].flush(spill);
      of.round_into(p.row + p.column * of.ldc + p.product * of.stride_c, shared.exact[t / lanes]);
    });
  }
};

}  // namespace assay::detail
