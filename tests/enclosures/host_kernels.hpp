#pragma once
// The kernels of enclosures/rows.cuh, prefixes.cuh, sparse.cuh, attention.cuh, gradient.cuh and elementwise.cuh on the
// host: the threads of a block are threads, and meet where they must.

#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

namespace assay::enclosures {

constexpr unsigned threads = 8;

struct Place {
  unsigned x = 0;
};
inline thread_local Place threadIdx, blockIdx;
inline std::barrier<> all_threads(threads);  // of the one block that runs at a time
inline void __syncthreads() { all_threads.arrive_and_wait(); }

/// body() in each thread of each block.
template <class Body>
void run_blocks(unsigned blocks, const Body& body) {
  std::vector<std::jthread> all;
  for (unsigned thread = 0; thread < threads; ++thread) {
    all.emplace_back([&body, blocks, thread] {
      threadIdx.x = thread;
      for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) body();
    });
  }
}

}  // namespace assay::enclosures

#define __shared__ static
#include "enclosures/attention.cuh"
#include "enclosures/elementwise.cuh"
#include "enclosures/gradient.cuh"
#include "enclosures/prefixes.cuh"
#include "enclosures/rows.cuh"
#include "enclosures/sparse.cuh"
