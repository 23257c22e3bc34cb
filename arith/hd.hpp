#pragma once

/// ASSAY_HD marks a function for host and device under nvcc and is empty for a host compiler.
/// ASSAY_UNROLL(n), before a loop: nvcc unrolls it n times, so that arrays with constant indices live in registers.
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#define ASSAY_PRAGMA(text) _Pragma(#text)
#define ASSAY_UNROLL(n) ASSAY_PRAGMA(unroll(n))
#else
#define ASSAY_HD
#define ASSAY_UNROLL(n)
#endif

#if defined(__FAST_MATH__)
#error "error-free transforms are void under -ffast-math: every operation must be IEEE 754 in the written order"
#endif
