#pragma once
// Values of neighboring threads of a block, joined without shared memory.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "arith/hd.hpp"
#include "exec/block.hpp"

namespace assay {

namespace detail {

#if defined(__CUDA_ARCH__)
/// T word by word through `shuffle`.
template <class T, class Shuffle>
__device__ T shuffled(const T& x, const Shuffle& shuffle) {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  constexpr int words = static_cast<int>(sizeof(T) / sizeof(std::uint32_t));
  std::uint32_t word[words];
  memcpy(word, &x, sizeof x);
#pragma unroll
  for (int k = 0; k < words; ++k) word[k] = shuffle(word[k]);
  T other;
  memcpy(&other, word, sizeof other);
  return other;
}
/// The value of the thread d places later in the warp.
template <class T>
__device__ T value_behind(const T& x, int d) {
  return shuffled(x, [d](std::uint32_t word) { return __shfl_down_sync(0xFFFFFFFFu, word, static_cast<unsigned>(d)); });
}
/// The value of that thread of the warp.
template <class T>
__device__ T value_of_lane(const T& x, int lane) {
  return shuffled(x, [lane](std::uint32_t word) { return __shfl_sync(0xFFFFFFFFu, word, lane); });
}
/// The value of the thread d places earlier in the warp.
template <class T>
__device__ T value_before(const T& x, int d) {
  return shuffled(x, [d](std::uint32_t word) { return __shfl_up_sync(0xFFFFFFFFu, word, static_cast<unsigned>(d)); });
}
#endif

}  // namespace detail

/// Outside a phase: in each group of `lanes` consecutive threads, x of its first thread combines the values of the
/// others, as a tree: for d = lanes/2, …, 1 thread t of the group combines its value with that of thread t + d, t < d.
/// The values of the other threads are undefined afterwards. `join(a, b)` adds b to a. Requires: lanes is a power of
/// two, at most 32, `threads` is a multiple of 32 (checked), T is trivially copyable.
template <class T, int threads, class Join>
ASSAY_HD void fold_groups(PerThread<T, threads>& x, int lanes, Join join) {
  static_assert(std::is_trivially_copyable_v<T> && threads % 32 == 0);
#if defined(__CUDA_ARCH__)
  for (int d = lanes / 2; d > 0; d /= 2) {
    const T other = detail::value_behind(x[0], d);
    join(x[0], other);
  }
#else
  for (int d = lanes / 2; d > 0; d /= 2) {
    for (int t = 0; t < threads; ++t) {
      if (t % lanes < d) join(x[t], x[t + d]);
    }
  }
#endif
}

/// Outside a phase: in each group of `lanes` consecutive threads every x becomes the join of the group's values.
/// `join(a, b)` adds b to a, and the order of the values must not matter. Requires: as for fold_groups.
template <class T, int threads, class Join>
ASSAY_HD void join_groups(PerThread<T, threads>& x, int lanes, Join join) {
  fold_groups(x, lanes, join);
#if defined(__CUDA_ARCH__)
  x[0] = detail::value_of_lane(x[0], static_cast<int>(threadIdx.x) & 31 & ~(lanes - 1));
#else
  for (int t = 0; t < threads; ++t) x[t] = x[t & ~(lanes - 1)];
#endif
}

/// Outside a phase: in each group of `lanes` consecutive threads, x of every thread combines its value with those of
/// all threads of the group before it. Requires: as fold_groups, and that `join` is associative and commutative without
/// a rounding, since the grouping differs (not checked).
template <class T, int threads, class Join>
ASSAY_HD void scan_groups(PerThread<T, threads>& x, int lanes, Join join) {
  static_assert(std::is_trivially_copyable_v<T> && threads % 32 == 0);
#if defined(__CUDA_ARCH__)
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  for (int d = 1; d < lanes; d *= 2) {
    const T other = detail::value_before(x[0], d);
    if (lane >= d) join(x[0], other);
  }
#else
  for (int t = 0; t < threads; ++t) {
    if (t % lanes != 0) join(x[t], x[t - 1]);
  }
#endif
}

}  // namespace assay
