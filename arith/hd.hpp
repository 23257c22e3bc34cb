#pragma once

/// ASSAY_HD marks a function for host and device under nvcc and is empty for a host compiler.
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif

#if defined(__FAST_MATH__)
#error "error-free transforms are void under -ffast-math: every operation must be IEEE 754 in the written order"
#endif
