#pragma once
// A block of threads with shared memory, the same source on the host and on the device.

#include <cstddef>
#include <cstdint>

#include "arith/bits/split_mix64.hpp"
#include "arith/hd.hpp"
#include "exec/executor.hpp"

namespace assay {

/// One value for each thread of a block, kept across phases. On the device each thread holds only its own value, in a
/// register.
template <class T, int threads>
class PerThread {
 public:
  ASSAY_HD explicit PerThread(const T& x) {
#if defined(__CUDA_ARCH__)
    values_[0] = x;
#else
    for (T& value : values_) value = x;
#endif
  }

  /// The value of thread t. Requires: t is the number of the calling thread (not checked).
  ASSAY_HD T& operator[](int t) {
#if defined(__CUDA_ARCH__)
    static_cast<void>(t);
    return values_[0];
#else
    return values_[t];
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  T values_[1];
#else
  T values_[threads];
#endif
};

/// A block of threads that run in phases. The thread number and the shared memory exist only inside a phase, so that
/// all threads take the same control flow around a barrier. Within a phase no thread may read or write a word that
/// another thread writes, and within a launch no block one that another block writes, except by exec/atomic.hpp
/// (execution.same_bits.1). The host runs the threads of a phase one after the other in the executor's order; a race
/// shows as results that depend on the order. On the host Shared holds NaN patterns before the first phase; on the
/// device it is not initialized.
template <class Shared, int threads>
class Block {
 public:
  static_assert(threads > 0 && threads <= 1024);

  /// The host's constructor takes the order of threads and the seed of its shuffles.
  ASSAY_HD Block(Shared& shared, std::size_t index, Order order = Order::ascending, std::uint64_t seed = 0)
      : shared_(shared), index_(index), order_(order), random_{seed} {}

  /// The number of the block in its grid.
  [[nodiscard]] ASSAY_HD std::size_t index() const { return index_; }

  /// A phase: f(t, shared) for every thread t, then a barrier.
  template <class F>
  ASSAY_HD void for_each_thread(F&& f) {
#if defined(__CUDA_ARCH__)
    f(static_cast<int>(threadIdx.x), shared_);
    __syncthreads();
#else
    in_order([&](int t) { f(t, shared_); });
#endif
  }

  /// A phase in which only one thread works: f(shared), then a barrier.
  template <class F>
  ASSAY_HD void for_one_thread(F&& f) {
#if defined(__CUDA_ARCH__)
    if (threadIdx.x == 0) f(shared_);
    __syncthreads();
#else
    ++phases_;
    f(shared_);
#endif
  }

  /// A phase in which each thread evaluates p(t, shared), then a barrier; returns whether any result was true.
  template <class P>
  [[nodiscard]] ASSAY_HD bool any(P&& p) {
#if defined(__CUDA_ARCH__)
    return __syncthreads_or(p(static_cast<int>(threadIdx.x), shared_) ? 1 : 0) != 0;
#else
    bool found = false;
    in_order([&](int t) { found = p(t, shared_) || found; });
    return found;
#endif
  }

  /// The same threads as block `index` of a grid whose shared memory is `part` of this one's.
  template <class Part>
  [[nodiscard]] ASSAY_HD Block<Part, threads> with(Part Shared::*part, std::size_t index) const {
    return {shared_.*part, index, order_, random_.state};
  }

#if !defined(__CUDA_ARCH__)
  /// The number of phases: the cost of a kernel in barriers, for tests on the host.
  [[nodiscard]] int phases() const { return phases_; }
#endif

  /// A value x for each thread.
  template <class T>
  [[nodiscard]] ASSAY_HD PerThread<T, threads> per_thread(const T& x) const {
    return PerThread<T, threads>(x);
  }

 private:
  template <class F>
  ASSAY_HD void in_order(F&& f) {
#if !defined(__CUDA_ARCH__)
    ++phases_;
#endif
    if (order_ == Order::ascending) {
      for (int t = 0; t < threads; ++t) f(t);
    } else if (order_ == Order::descending) {
      for (int t = threads; t-- > 0;) f(t);
    } else {
      int permutation[threads];
      for (int t = 0; t < threads; ++t) {
        const int place = static_cast<int>(random_() % static_cast<std::uint64_t>(t + 1));
        permutation[t] = permutation[place];
        permutation[place] = t;
      }
      for (const int t : permutation) f(t);
    }
  }

  Shared& shared_;
  std::size_t index_;
  Order order_;
  bits::SplitMix64 random_;
#if !defined(__CUDA_ARCH__)
  int phases_ = 0;
#endif
};

}  // namespace assay
