#pragma once
// The cooperative kernel of the expansion GEMV, for the files that launch it.

#include <cstddef>
#include <cstdint>

#include "exec/block.hpp"
#include "kernels/expansion/detail/accumulator.hpp"
#include "kernels/expansion/gemv.hpp"

namespace assay::expansion {
namespace detail {

/// The expansion of K words at p, in pieces of 16 bytes on the device.
/// Requires: p is a multiple of the pieces' size, 16 bytes or K·sizeof(T) if that is less (not checked).
template <class T, int K>
ASSAY_HD Expansion<T, K> load_expansion(const T* p) {
  Expansion<T, K> r;
#if defined(__CUDA_ARCH__)
  constexpr int piece_words = sizeof(T) == sizeof(double) && K % 2 == 0 ? 2 : 1;
  ASSAY_UNROLL(K)
  for (int i = 0; i < K; i += piece_words) {
    if constexpr (piece_words == 2) {
      const double2 piece = __ldg(reinterpret_cast<const double2*>(p + i));
      r.x[i] = piece.x;
      r.x[i + 1] = piece.y;
    } else {
      r.x[i] = __ldg(p + i);
    }
  }
#else
  for (int i = 0; i < K; ++i) r.x[i] = p[i];
#endif
  return r;
}

/// y ← α·op(A)·x + β·y, eight entries of y by one block of 512 threads: thread t belongs to entry t mod 8 and lane
/// t/8 of the block where op(A) = A, so that neighbors read one column, and to entry t/64 and lane t mod 64 where
/// op(A) = Aᵀ. Each thread adds its products in ascending order; then for d = 32, 16, …, 1 lane c < d adds lane c + d;
/// then one thread adds up α·s and, unless β = 0, β·y.
template <class T, int K, bool transposed>
struct ExpansionGemvBlock {
  static constexpr int lanes = expansion_gemv_lanes;
  static constexpr int rows = 8;
  static constexpr int ahead = K < 8 ? 3 : 1;
  static constexpr int blocks_per_multiprocessor = K < 8 ? 2 : 1;
  static constexpr int threads = lanes * rows;
  using Accumulator = ExpansionAccumulator<T, K>;
  struct Shared {
    Accumulator partial[threads];
  };

  std::int64_t outputs;  ///< entries of y
  std::int64_t terms;    ///< entries of x; 0 if α = 0
  Expansion<T, K> alpha;
  Expansion<T, K> beta;
  bool reads_y;  ///< β ≠ 0
  const T* a;
  std::int64_t lda;
  const T* x;  ///< entry 0 of x, which is the last in memory for a negative stride
  std::int64_t incx;
  T* y;
  std::int64_t incy;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * rows;
    block.for_each_thread([&](int t, Shared& shared) {
      Accumulator sum{};
      const std::int64_t output = first + output_of(t);
      if (output < outputs) sum_lane(sum, output, lane_of(t));
      shared.partial[place(output_of(t), lane_of(t))] = sum;
    });
    for (int d = lanes / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        const int entry = t % rows;
        const int lane = t / rows;
        if (lane < d) shared.partial[place(entry, lane)].add(shared.partial[place(entry, lane + d)]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t >= rows || first + t >= outputs) return;
      T* const to = y + (first + t) * incy * K;
      Accumulator sum{};
      if (terms > 0) sum.add(alpha, shared.partial[place(t, 0)].result());
      if (reads_y) sum.add(beta, load_words(to));
      const Expansion<T, K> r = sum.result();
      ASSAY_UNROLL(K)
      for (int i = 0; i < K; ++i) to[i] = r.x[i];
    });
  }

 private:
  ASSAY_HD static int output_of(int t) { return transposed ? t / lanes : t % rows; }
  ASSAY_HD static int lane_of(int t) { return transposed ? t % lanes : t / rows; }
  ASSAY_HD static int place(int entry, int lane) { return lane * rows + entry; }

  ASSAY_HD static Expansion<T, K> load_words(const T* p) {
    Expansion<T, K> r;
    ASSAY_UNROLL(K)
    for (int i = 0; i < K; ++i) r.x[i] = p[i];
    return r;
  }

  /// The terms of one lane; the factors of `ahead` terms are loaded before the first of them is used.
  ASSAY_HD void sum_lane(Accumulator& sum, std::int64_t output, int lane) const {
    const std::int64_t step_a = (transposed ? 1 : lda) * K * lanes;
    const std::int64_t step_x = incx * K * lanes;
    const T* at_a = a + (transposed ? output * lda + lane : output + lane * lda) * K;
    const T* at_x = x + lane * incx * K;
    std::int64_t left = (terms - lane + lanes - 1) / lanes;
    for (; left >= ahead; left -= ahead) {
      Expansion<T, K> as[ahead];
      Expansion<T, K> xs[ahead];
      ASSAY_UNROLL(ahead)
      for (int i = 0; i < ahead; ++i) {
        as[i] = load_expansion<T, K>(at_a + i * step_a);
        xs[i] = load_expansion<T, K>(at_x + i * step_x);
      }
      ASSAY_UNROLL(ahead)
      for (int i = 0; i < ahead; ++i) sum.add(as[i], xs[i]);
      at_a += ahead * step_a;
      at_x += ahead * step_x;
    }
    if constexpr (ahead > 1) {
      for (; left > 0; --left) {
        sum.add(load_expansion<T, K>(at_a), load_expansion<T, K>(at_x));
        at_a += step_a;
        at_x += step_x;
      }
    }
  }
};

}  // namespace detail
}  // namespace assay::expansion
