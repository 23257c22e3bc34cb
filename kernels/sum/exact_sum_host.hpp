#pragma once
// Exact sums and dot products by the vector instructions and the cores of the host's processor.

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/traits.hpp"

namespace assay::sum {

/// Vector instructions of an x86-64 processor. `none`: available on every processor.
enum class HostVectors { none, avx2, avx512 };

/// The best instructions that this processor and this program support.
HostVectors host_vectors() noexcept;

/// The cores of this machine, no more than one for each 2¹⁸ of n terms, and at least one.
unsigned host_threads(std::int64_t n) noexcept;

/// Σ xᵢ and Σ xᵢyᵢ of n terms, rounded once; Inf, NaN and the sign of 0 as in kernels/sum/exact_sum.hpp. The same bits
/// for all instructions and any number of threads, by exactness: each thread adds its part exactly. Numbers lie in
/// memory of the host. Requires: 0 ≤ n < 2³⁶, threads ≥ 1, and that the processor has the instructions (not checked).
/// If a thread cannot be started, the calling thread does its part. Windows of 44-bit words, a word for each lane:
/// sum.exact_sum.1. A sum has 6 operations in binary64 and 4 on integers for each number, a dot product 20 and 10, as
/// long as the terms lie within about 64 and 30 binades of the largest.
double exact_sum_on_host(HostVectors vectors, unsigned threads, const double* x, std::int64_t n, Rounding to);
double exact_dot_on_host(HostVectors vectors, unsigned threads, const double* x, const double* y, std::int64_t n,
                         Rounding to);

/// The number of terms that the vector code adds together.
inline constexpr std::int64_t host_tile = 64;

/// Σ xᵢyᵢ exactly, on the calling thread.
Superaccumulator exact_dot_part(HostVectors vectors, const double* x, const double* y, std::int64_t n);

}  // namespace assay::sum
