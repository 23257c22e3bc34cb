#pragma once
// Kernels of gemm_superaccumulator and recompute_entries.
//
// SuperaccumulatorTile has four entries in each thread, for products with many entries. SuperaccumulatorEntries has one
// entry in each block, for few entries and long sums, and for lists of entries.

#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/accumulators/window_dot.hpp"
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
/// depends on the words in use, not on the largest possible number of words.
struct PartialSuperaccumulator {
  std::int64_t word[Superaccumulator::words];
  std::int32_t first, end;
  std::uint32_t pending;  ///< |word_k| ≤ pending·2³²
  std::uint32_t flags;

  ASSAY_HD PartialSuperaccumulator() : first(0), end(0), pending(0), flags(accumulators::saw_nothing) {}
  ASSAY_HD PartialSuperaccumulator(const PartialSuperaccumulator& x) { *this = x; }
  ASSAY_HD PartialSuperaccumulator& operator=(const PartialSuperaccumulator& x) {  // NOLINT(*-self-assignment)
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

/// Lines of op(A) or of op(B) that a block of 256 threads reads, 32 or 16 of them. Term l of line i of the product is
/// at x[i·line_step + l·inner_step].
struct GemmTileLines {
  static constexpr int threads = 256;
  static constexpr int terms = 32;    ///< at a time
  static constexpr int scanned = 32;  ///< lines that scan() takes
  static constexpr int lanes = threads / scanned;
  template <int count>
  using Staged = double[count * terms / threads];  ///< the share of a thread, on its way into shared memory

  const double* x;
  std::int64_t line_step;
  std::int64_t inner_step;
  std::int64_t first;
  std::int64_t end;
  std::int64_t k;

  /// The first place that a thread reads, and the distance from one place to the next. Neighboring threads read
  /// neighboring numbers.
  struct Places {
    int line, term;
    int lines, terms;
  };
  template <int count>
  [[nodiscard]] ASSAY_HD Places places_of(int t) const {
    return line_step == 1 ? Places{t % count, t / count, 0, threads / count}
                          : Places{t / terms, t % terms, threads / terms, 0};
  }

  /// `count` terms from `from` on, of as many lines from `skip` on; 0 beyond the ends.
  template <int count>
  ASSAY_HD void fetch(Staged<count>& staged, int skip, std::int64_t from, int t) const {
    constexpr int each = count * terms / threads;
    const Places at = places_of<count>(t);
    const std::int64_t line = first + skip + at.line;
    const std::int64_t term = from + at.term;
    const double* const own = x + line * line_step + term * inner_step;
    const std::int64_t step = at.lines * line_step + at.terms * inner_step;
    if (first + skip + count <= end && from + terms <= k) {
      ASSAY_UNROLL(each)
      for (int i = 0; i < each; ++i) staged[i] = own[i * step];
    } else {
      ASSAY_UNROLL(each)
      for (int i = 0; i < each; ++i) {
        staged[i] = line + i * at.lines < end && term + i * at.terms < k ? own[i * step] : 0.0;
      }
    }
  }
  /// to[term][line] = the fetched numbers.
  template <int count>
  ASSAY_HD void put(const Staged<count>& staged, double (*to)[33], int t) const {
    const Places at = places_of<count>(t);
    ASSAY_UNROLL(count * terms / threads)
    for (int i = 0; i < count * terms / threads; ++i) to[at.term + i * at.terms][at.line + i * at.lines] = staged[i];
  }

  /// most[line] = max(most[line], high_bits of its terms), for 32 lines. Eight threads share a line.
  ASSAY_HD void scan(std::int32_t* most, int t) const {
    const int line = line_step == 1 ? t % scanned : t / lanes;
    const int lane = line_step == 1 ? t / scanned : t % lanes;
    if (first + line >= end) return;
    const double* const own = x + (first + line) * line_step;
    std::int32_t high = 0;
    ASSAY_UNROLL(4)
    for (std::int64_t l = lane; l < k; l += lanes) {
      const std::int32_t each = bits::high_bits(own[l * inner_step]);
      high = high < each ? each : high;
    }
    atomic::fetch_max(most + line, high);
  }
};

/// A tile of 32 × 32 entries by one block. Thread t has four of them: rows t mod 16 and 16 more, columns t/16 and 16
/// more. Tiles of op(A) and op(B) with 32 terms of each line go through shared memory.
///
/// First each entry is a WindowDot, whose window fits the largest numbers of its lines. Nearly all entries of numbers
/// of similar magnitude are decided then. The others are summed again, in an expansion of N words and a
/// superaccumulator: those of a quarter of the tile at a time.
template <int N>
struct SuperaccumulatorTile {
  static constexpr int tile = 32;
  static constexpr int side = tile / 2;    ///< of a quarter
  static constexpr int all_quarters = 15;  ///< a bit for each: r + 2c for row r, column c
  static constexpr int threads = GemmTileLines::threads;
  static constexpr int terms = GemmTileLines::terms;
  static constexpr int blocks_per_multiprocessor = 2;
  static_assert(side * side == threads);
  struct Shared {
    double a[terms][tile + 1];  ///< [term][row]
    double b[terms][tile + 1];  ///< [term][column]
    std::int32_t most_a[tile];  ///< high_bits of the largest number of a row, and of a column
    std::int32_t most_b[tile];
  };
  struct Sums {
    WindowDot of[2][2];  ///< [row][column]
  };
  struct Staged {
    GemmTileLines::Staged<tile> a, b;
  };

  GemmEntries of;
  std::uint32_t row_tiles;
  std::uint32_t tiles;  ///< of one product
  int log_terms;        ///< ⌈log₂ k⌉

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::uint32_t>(block.index());
    const std::uint32_t product = index / tiles;
    const std::uint32_t tile_column = (index - product * tiles) / row_tiles;
    const std::uint32_t tile_row = index - product * tiles - tile_column * row_tiles;
    const Place place{
        {of.a.x + product * of.a.stride, of.a.row_step, of.a.column_step, std::int64_t{tile_row} * tile, of.m, of.k},
        {of.b.x + product * of.b.stride, of.b.column_step, of.b.row_step, std::int64_t{tile_column} * tile, of.n, of.k},
        product * of.stride_c};
    auto undecided = block.per_thread(int{all_quarters});  // the entries of a thread
    if (of.k > 0 && of.k <= WindowDot::most_products) sum_in_windows(block, place, undecided);
    for (int quarter = 0; all_quarters >> quarter != 0; ++quarter) {
      if (block.any([&](int t, const Shared&) { return (undecided[t] >> quarter & 1) != 0; })) {
        sum_exactly(block, place, quarter, undecided);
      }
    }
  }

 private:
  /// The shared memory of a block.
  struct Place {
    GemmTileLines a;
    GemmTileLines b;
    std::int64_t c;  ///< the start of C of the product
  };

  /// The place in C of an entry of a thread, or −1 if it lies outside C.
  [[nodiscard]] ASSAY_HD std::int64_t place_of(const Place& place, int t, int r, int c) const {
    const std::int64_t i = place.a.first + t % side + r * side;
    const std::int64_t j = place.b.first + t / side + c * side;
    return i < of.m && j < of.n ? place.c + i + j * of.ldc : -1;
  }

  ASSAY_HD void sum_in_windows(Block<Shared, threads>& block, const Place& place,
                               PerThread<int, threads>& undecided) const {
    const GemmTileLines& a = place.a;
    const GemmTileLines& b = place.b;
    auto staged = block.per_thread(Staged{});
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < tile) shared.most_a[t] = shared.most_b[t] = 0;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      a.fetch<tile>(staged[t].a, 0, 0, t);
      b.fetch<tile>(staged[t].b, 0, 0, t);
      a.scan(shared.most_a, t);
      b.scan(shared.most_b, t);
    });
    auto sums = block.per_thread(Sums{});
    block.for_each_thread([&](int t, Shared& shared) {
      for_each_entry([&](int r, int c) {
        const int top = top_of(shared, t, r, c);
        sums[t].of[r][c] = WindowDot::at(WindowDot::is_possible(top, of.k) ? top : 0);
      });
    });
    for (std::int64_t from = 0; from < of.k; from += terms) {
      block.for_each_thread([&](int t, Shared& shared) {
        a.put<tile>(staged[t].a, shared.a, t);
        b.put<tile>(staged[t].b, shared.b, t);
      });
      block.for_each_thread([&](int t, Shared& shared) {
        if (from + terms < of.k) {
          a.fetch<tile>(staged[t].a, 0, from + terms, t);
          b.fetch<tile>(staged[t].b, 0, from + terms, t);
        }
        const int row = t % side;
        const int column = t / side;
        ASSAY_UNROLL(4)
        for (int l = 0; l < terms; ++l) {
          const double x[2] = {shared.a[l][row], shared.a[l][row + side]};
          const double y[2] = {shared.b[l][column], shared.b[l][column + side]};
          for_each_entry([&](int r, int c) { sums[t].of[r][c].add_product(x[r], y[c]); });
        }
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      double old[2][2] = {};
      for_each_entry([&](int r, int c) {
        const std::int64_t at = place_of(place, t, r, c);
        if (at >= 0 && of.beta != 0) old[r][c] = of.original_c[at];
      });
      int left = 0;
      for_each_entry([&](int r, int c) {
        const std::int64_t at = place_of(place, t, r, c);
        if (at < 0) return;
        if (!round_into(at, top_of(shared, t, r, c), sums[t].of[r][c], old[r][c])) left |= 1 << (r + 2 * c);
      });
      undecided[t] = left;
    });
  }

  /// Writes the entry from its sum and the old entry, if it is certified. Whether it is.
  ASSAY_HD ASSAY_NOINLINE bool round_into(std::int64_t at, int top, WindowDot sum, double old) const {
    if (!WindowDot::is_possible(top, of.k)) return false;
    const CertifiedNumber x = sum.combined(top, of.k, of.alpha, of.beta, old);
    if (x.certified) of.c[at] = x.x;
    return x.certified;
  }

  template <class F>
  ASSAY_HD static void for_each_entry(F&& f) {
    ASSAY_UNROLL(2)
    for (int c = 0; c < 2; ++c) {
      ASSAY_UNROLL(2)
      for (int r = 0; r < 2; ++r) f(r, c);
    }
  }

  [[nodiscard]] ASSAY_HD int top_of(const Shared& shared, int t, int r, int c) const {
    return WindowDot::top_of(shared.most_a[t % side + r * side], shared.most_b[t / side + c * side], log_terms);
  }

  /// The undecided entries of a quarter of the tile.
  ASSAY_HD ASSAY_NOINLINE void sum_exactly(Block<Shared, threads>& block, const Place& place, int quarter,
                                           PerThread<int, threads>& undecided) const {
    const int r = quarter % 2;
    const int c = quarter / 2;
    const GemmTileLines& a = place.a;
    const GemmTileLines& b = place.b;
    const auto is_asked = [&](int t) { return (undecided[t] >> quarter & 1) != 0 && place_of(place, t, r, c) >= 0; };
    auto expansions = block.per_thread(AccumulatingExpansion<N>::empty());
    auto exact = block.per_thread(PartialSuperaccumulator());
    for (std::int64_t from = 0; from < of.k; from += terms) {
      const int count = of.k - from < terms ? static_cast<int>(of.k - from) : terms;
      block.for_each_thread([&](int t, Shared& shared) {
        GemmTileLines::Staged<side> staged;
        a.fetch<side>(staged, r * side, from, t);
        a.put<side>(staged, shared.a, t);
        b.fetch<side>(staged, c * side, from, t);
        b.put<side>(staged, shared.b, t);
      });
      block.for_each_thread([&](int t, Shared& shared) {
        if (!is_asked(t)) return;
        AccumulatingExpansion<N> sum = expansions[t];
        for (int l = 0; l < count; ++l) sum.add_product(shared.a[l][t % side], shared.b[l][t / side], exact[t]);
        expansions[t] = sum;
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      if (!is_asked(t)) return;
      PartialSuperaccumulator& sum = exact[t];
      expansions[t].flush(sum);
      of.round_into(place_of(place, t, r, c), sum.word, sum.first, sum.end, sum.flags);
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
