#pragma once
// Kernels for NVRTC that enclose the prefix sums of a vector in global memory, a block for each stretch of it. The
// numbers are of the type ASSAY_ELEMENT. A test on the host has its own threads, and calls the templates.

#include "enclosures/blocks.cuh"
#include "enclosures/elements.cuh"
#include "enclosures/prefix_entries.cuh"

namespace assay::enclosures {

/// f(i) for the numbers of a thread: neighbors of each other.
template <class F>
ASSAY_ENTRY void each_of_stretch(Integer n, const F& f) {
  constexpr Integer of_thread = prefix_length / threads;
  const Integer first = blockIdx.x * prefix_length + threadIdx.x * of_thread;
  for (Integer i = first; i < first + of_thread && i < n; ++i) f(i);
}

/// The totals of the block's stretch.
template <Element element>
ASSAY_ENTRY void find_totals(const void* x, Integer n, double least_normal, PrefixTotals* out) {
  PrefixTotals mine;
  each_of_stretch(n, [&](Integer i) { add_to(mine, element_at<element>(x, i), least_normal); });
  const PrefixTotals all = joined(mine, [](const PrefixTotals& other, PrefixTotals& to) { join_to(to, other); });
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

/// f(i, the sum up to number i) for the numbers of a thread; the sums before the block's stretch are `start`.
template <Element element, class F>
ASSAY_ENTRY void each_prefix(const void* x, Integer n, const Sums& start, const F& f) {
  Sums mine;
  each_of_stretch(n, [&](Integer i) { add_rounded(element_at<element>(x, i), 1, mine); });
  Sums sums = sums_before(mine, start);
  each_of_stretch(n, [&](Integer i) {
    add_rounded(element_at<element>(x, i), 1, sums);
    f(i, sums);
  });
}

/// What the numbers of the block's stretch come to.
template <Element element>
ASSAY_ENTRY void count_stretch(const void* x, const void* got, Integer n, const PrefixStretch* stretches, Rule rule,
                               const Numbers& numbers, BlockCount* out) {
  const PrefixStretch stretch = stretches[blockIdx.x];
  BlockCount count;
  each_prefix<element>(x, n, stretch.start, [&](Integer i, const Sums& sums) {
    if (stretch.is_open != 0) return;
    add_share(share_of_prefix(sums, stretch, element_at<element>(got, i), rule, numbers), count);
  });
  write_count(count, out);
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(threads)
    totals(const void* x, Integer n, double least_normal, PrefixTotals* out) {
  find_totals<ASSAY_ELEMENT>(x, n, least_normal, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    decide(const void* x, const void* got, Integer n, const PrefixStretch* stretches, Rule rule, Numbers numbers,
           BlockCount* out) {
  count_stretch<ASSAY_ELEMENT>(x, got, n, stretches, rule, numbers, out);
}
#endif

}  // namespace assay::enclosures
