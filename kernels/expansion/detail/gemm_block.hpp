#pragma once
// The cooperative kernel of the expansion GEMM, for the files that launch it.

#include <cstdint>

#include "arith/bits/ceil_div.hpp"
#include "exec/block.hpp"
#include "kernels/expansion/detail/accumulator.hpp"

namespace assay::expansion::detail {

/// A matrix op(M): entry (i, j) is the expansion at words[(i·row_step + j·column_step)·K].
template <class T, int K>
struct ExpansionMatrixView {
  const T* words;
  std::int64_t row_step;
  std::int64_t column_step;
  ASSAY_HD Expansion<T, K> operator()(std::int64_t i, std::int64_t j) const {
    const T* const at = words + (i * row_step + j * column_step) * K;
    Expansion<T, K> r;
    ASSAY_UNROLL(K)
    for (int word = 0; word < K; ++word) r.x[word] = at[word];
    return r;
  }
};

/// A tile of 16 × 16 entries of C by one block: thread t has the entry (t mod 16, t/16). Tiles of op(A) and op(B) with
/// 16 entries along the inner dimension go through shared memory.
template <class T, int K>
struct ExpansionGemmBlock {
  static constexpr int tile = 16;
  static constexpr int threads = tile * tile;
  using Accumulator = ExpansionAccumulator<T, K>;
  struct Shared {
    Expansion<T, K> a[tile][tile];  ///< [inner][row]
    Expansion<T, K> b[tile][tile];  ///< [inner][column]
  };

  std::int64_t m;
  std::int64_t n;
  std::int64_t k;  ///< 0 where α = 0
  Expansion<T, K> alpha;
  Expansion<T, K> beta;
  bool reads_c;  ///< β ≠ 0
  ExpansionMatrixView<T, K> a;
  ExpansionMatrixView<T, K> b;
  T* c;
  std::int64_t ldc;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t tiles = bits::ceil_div(m, tile);
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t first_row = index % tiles * tile;
    const std::int64_t first_column = index / tiles * tile;
    auto sums = block.per_thread(Accumulator{});
    for (std::int64_t first = 0; first < k; first += tile) {
      block.for_each_thread([&](int t, Shared& shared) {
        // Neighboring threads read neighboring entries.
        const int low = t % tile;
        const int high = t / tile;
        const int row = a.row_step == 1 ? low : high;
        const int inner_a = a.row_step == 1 ? high : low;
        if (first_row + row < m && first + inner_a < k) shared.a[inner_a][row] = a(first_row + row, first + inner_a);
        const int inner_b = b.row_step == 1 ? low : high;
        const int column = b.row_step == 1 ? high : low;
        if (first_column + column < n && first + inner_b < k) {
          shared.b[inner_b][column] = b(first + inner_b, first_column + column);
        }
      });
      block.for_each_thread([&](int t, Shared& shared) {
        const int row = t % tile;
        const int column = t / tile;
        if (first_row + row >= m || first_column + column >= n) return;
        const int inner = k - first < tile ? static_cast<int>(k - first) : tile;
        Accumulator sum = sums[t];
        for (int l = 0; l < inner; ++l) sum.add(shared.a[l][row], shared.b[l][column]);
        sums[t] = sum;
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t row = first_row + t % tile;
      const std::int64_t column = first_column + t / tile;
      if (row >= m || column >= n) return;
      T* const to = c + (row + column * ldc) * K;
      Accumulator sum{};
      if (k > 0) sum.add(alpha, sums[t].result());
      if (reads_c) sum.add(beta, ExpansionMatrixView<T, K>{c, 1, ldc}(row, column));
      const Expansion<T, K> r = sum.result();
      ASSAY_UNROLL(K)
      for (int i = 0; i < K; ++i) to[i] = r.x[i];
    });
  }
};

}  // namespace assay::expansion::detail
