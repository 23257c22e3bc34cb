#pragma once
// What the threads of a block come to together.

#include "enclosures/entries.cuh"

namespace assay::enclosures {

#ifdef __CUDACC__
constexpr unsigned threads = 256;
#endif

/// What all threads of a block come to together; join(other, mine) adds the one to the other. For all of them.
template <class T, class Join>
ASSAY_ENTRY T joined(const T& mine, const Join& join) {
  __shared__ T all[threads];
  all[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) join(all[threadIdx.x + half], all[threadIdx.x]);
    __syncthreads();
  }
  const T result = all[0];
  __syncthreads();
  return result;
}

/// Stores the counts of the threads of the block.
ASSAY_ENTRY void write_count(const BlockCount& mine, BlockCount* out) {
  const BlockCount all = joined(mine, [](const BlockCount& other, BlockCount& to) {
    to.kept += other.kept;
    if (other.nearest > to.nearest) to.nearest = other.nearest;
  });
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

/// The sums of the threads before the thread, added to a start.
ASSAY_ENTRY Sums sums_before(const Sums& mine, Sums start) {
  __shared__ Sums all[threads];
  all[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned step = 1; step < threads; step *= 2) {
    Sums before;
    if (threadIdx.x >= step) before = all[threadIdx.x - step];
    __syncthreads();
    if (threadIdx.x >= step) add_sums(before, all[threadIdx.x]);
    __syncthreads();
  }
  if (threadIdx.x > 0) add_sums(all[threadIdx.x - 1], start);
  __syncthreads();
  return start;
}

}  // namespace assay::enclosures
