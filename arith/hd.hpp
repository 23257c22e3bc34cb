#pragma once

/// ASSAY_HD marks a function for host and device under nvcc and is empty for a host compiler.
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif

/// ASSAY_NOINLINE marks a function that nvcc compiles once and calls: large, and used in many places. ASSAY_INLINE
/// marks one that nvcc compiles wherever it is called.
#if defined(__CUDACC__)
#define ASSAY_NOINLINE __noinline__
#define ASSAY_INLINE __forceinline__
#else
#define ASSAY_NOINLINE
#define ASSAY_INLINE inline
#endif

/// ASSAY_UNROLL(n), before a loop: unrolled n times on a device, so that arrays with constant indices live in
/// registers.
#if defined(__CUDA_ARCH__)
#define ASSAY_PRAGMA(text) _Pragma(#text)
#define ASSAY_UNROLL(n) ASSAY_PRAGMA(unroll(n))
#else
#define ASSAY_UNROLL(n)
#endif

/// ASSAY_ON_DEVICE(device, host), an expression: `device` in code of a device, `host` in code of the host. The other
/// one is not compiled.
#if defined(__CUDA_ARCH__)
#define ASSAY_ON_DEVICE(device, host) device
#else
#define ASSAY_ON_DEVICE(device, host) host
#endif

#if defined(__FAST_MATH__)
#error "error-free transforms are void under -ffast-math: every operation must be IEEE 754 in the written order"
#endif
