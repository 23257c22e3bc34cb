#pragma once
// Kernels for NVRTC that enclose all entries of a formula whose entries depend on one number of each array, a block for
// each stretch of entries. A test on the host has its own threads, and calls the templates.

#include "enclosures/blocks.cuh"
#include "enclosures/elementwise_entries.cuh"

namespace assay::enclosures {

/// f(i) for the entries of a stretch that the thread reads.
template <class F>
ASSAY_ENTRY void each_of_stretch(const ElementwiseArrays& arrays, Integer stretch, const F& f) {
  const Integer first = stretch * stretch_of_entries;
  for (Integer i = threadIdx.x; i < stretch_of_entries && first + i < arrays.entries; i += threads) f(i, first + i);
}

/// What the entries of the block's stretch come to.
ASSAY_ENTRY void count_stretch_of_entries(const ElementwiseProgram& program, const ElementwiseArrays& arrays, Rule rule,
                                          const Numbers& numbers, StretchCount* out) {
  StretchCount mine;
  each_of_stretch(arrays, blockIdx.x, [&](Integer, Integer entry) {
    const double share = share_of_entry(program, arrays, entry, rule, numbers);
    if (share >= 0) ++mine.kept;
    if (share == nan_of_a_nan) ++mine.nans;
    if (share > mine.nearest) mine.nearest = share;
    if (share < mine.farthest) mine.farthest = share;
  });
  const StretchCount all = joined(mine, [](const StretchCount& other, StretchCount& to) {
    to.kept += other.kept;
    to.nans += other.nans;
    if (other.nearest > to.nearest) to.nearest = other.nearest;
    if (other.farthest < to.farthest) to.farthest = other.farthest;
  });
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

/// The shares of the entries of a stretch, by one block.
ASSAY_ENTRY void write_shares(const ElementwiseProgram& program, const ElementwiseArrays& arrays, Rule rule,
                              const Numbers& numbers, Integer stretch, double* out) {
  each_of_stretch(arrays, stretch,
                  [&](Integer i, Integer entry) { out[i] = share_of_entry(program, arrays, entry, rule, numbers); });
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(threads)
    decide_entries(ElementwiseProgram program, ElementwiseArrays arrays, Rule rule, Numbers numbers,
                   StretchCount* out) {
  count_stretch_of_entries(program, arrays, rule, numbers, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    shares_of_stretch(ElementwiseProgram program, ElementwiseArrays arrays, Rule rule, Numbers numbers, Integer stretch,
                      double* out) {
  write_shares(program, arrays, rule, numbers, stretch, out);
}
#endif

}  // namespace assay::enclosures
