#pragma once
// The kernels of limb BLAS: sums of products, and updates.

#include "arith/limbs/float_arithmetic.hpp"
#include "exec/launch.hpp"
#include "kernels/limb/blas.hpp"

namespace assay::limb::detail {

inline constexpr int block_threads = static_cast<int>(dot_lanes);

/// The terms of a grid of sums: row r is the sum of a[r·row + i·term]·x[i] for i < length, or only of the a's. A block
/// has block_threads/rows_of_block lanes for each of its rows, and a row has `splits` blocks.
struct SumShape {
  std::int64_t rows, length, row, term;
  int rows_of_block;
  bool rows_first;  ///< whether consecutive threads have consecutive rows, not consecutive lanes
  bool products;
  std::int64_t splits;
};

/// The sum of row r, split s in d[r·splits + s].
template <int L>
struct LimbSumBlock {
  static constexpr int threads = block_threads;
  struct Shared {
    Float<L> partial[threads];
  };

  SumShape of;
  FloatPlanes a, x, d;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int lanes = threads / of.rows_of_block;
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t first_row = index / of.splits * of.rows_of_block;
    const std::int64_t split = index % of.splits;
    block.for_each_thread([&](int t, Shared& shared) {
      const std::int64_t row = first_row + row_of(t);
      Float<L> sum = zero<L>();
      if (row < of.rows) {
        for (std::int64_t i = split * lanes + lane_of(t); i < of.length; i += of.splits * lanes) {
          const Float<L> term = a.load<L>(static_cast<std::size_t>(row * of.row + i * of.term));
          sum = limb::fma(term, of.products ? x.load<L>(static_cast<std::size_t>(i)) : one<L>(), sum, Rounding::rn);
        }
      }
      shared.partial[t] = sum;
    });
    const int step = of.rows_first ? of.rows_of_block : 1;  // from lane to lane
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (lane_of(t) < distance) {
          shared.partial[t] = limb::add(shared.partial[t], shared.partial[t + distance * step], Rounding::rn);
        }
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      const std::int64_t row = first_row + row_of(t);
      if (lane_of(t) == 0 && row < of.rows) {
        d.store(static_cast<std::size_t>(row * of.splits + split), shared.partial[t]);
      }
    });
  }

 private:
  [[nodiscard]] ASSAY_HD int row_of(int t) const {
    return of.rows_first ? t % of.rows_of_block : t / (threads / of.rows_of_block);
  }
  [[nodiscard]] ASSAY_HD int lane_of(int t) const {
    return of.rows_first ? t / of.rows_of_block : t % (threads / of.rows_of_block);
  }
};

template <int L>
void queue_sums(const Executor& on, const SumShape& of, FloatPlanes a, FloatPlanes x, FloatPlanes d) {
  const std::int64_t blocks = (of.rows + of.rows_of_block - 1) / of.rows_of_block * of.splits;
  queue_blocks(on, static_cast<std::size_t>(blocks), LimbSumBlock<L>{of, a, x, d});
}

/// y_i ← αx_i + y_i, or the last step of a GEMV, y_i ← αd_i + βy_i.
template <int L>
struct LimbUpdateBody {
  FloatPlanes alpha, x, beta, y;
  bool reads_x, scales_y, reads_y;
  ASSAY_HD void operator()(std::size_t i) const {
    Float<L> z = zero<L>();
    if (reads_y) z = y.load<L>(i);
    if (scales_y && reads_y) z = limb::mul(beta.load<L>(0), z, Rounding::rn);
    if (reads_x) {
      const Float<L> factor = alpha.load<L>(0);
      const Float<L> term = x.load<L>(i);
      z = reads_y ? limb::fma(factor, term, z, Rounding::rn) : limb::mul(factor, term, Rounding::rn);
    }
    y.store(i, z);
  }
};

template <int L>
void queue_axpy(const Executor& on, std::size_t length, FloatPlanes alpha, FloatPlanes x, FloatPlanes y) {
  queue_indices(on, length, LimbUpdateBody<L>{alpha, x, {}, y, true, false, true});
}

template <int L>
void queue_dot(const Executor& on, std::int64_t length, FloatPlanes x, FloatPlanes y, FloatPlanes partial,
               FloatPlanes d) {
  const std::int64_t splits = limb_dot_splits(length);
  queue_sums<L>(on, {1, length, 0, 1, 1, false, true, splits}, x, y, splits == 1 ? d : partial);
  if (splits > 1) queue_sums<L>(on, {1, splits, 0, 1, 1, false, false, 1}, partial, {}, d);
}

template <int L>
void queue_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, FloatPlanes a,
                std::int64_t lda, FloatPlanes x, FloatPlanes d) {
  constexpr int rows_of_block = block_threads / static_cast<int>(gemv_lanes);
  const bool columns = trans == blas::Transpose::yes;
  queue_sums<L>(
      on, {columns ? n : m, columns ? m : n, columns ? lda : 1, columns ? 1 : lda, rows_of_block, !columns, true, 1}, a,
      x, d);
}

/// y_i ← αx_i + βy_i.
template <int L>
void queue_update(const Executor& on, std::size_t length, FloatPlanes alpha, FloatPlanes x, FloatPlanes beta,
                  FloatPlanes y, bool reads_x, bool reads_y) {
  queue_indices(on, length, LimbUpdateBody<L>{alpha, x, beta, y, reads_x, true, reads_y});
}

}  // namespace assay::limb::detail
