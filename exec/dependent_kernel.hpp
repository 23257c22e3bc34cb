#pragma once
// What a kernel declares about the kernels before and after it (exec/dependent_launch.hpp). Both functions do nothing
// on the host, and on a device unless the launch requests it (programmatic dependent launch).

#include "arith/hd.hpp"

namespace assay {

/// Waits for the kernel launched before, if this one may begin earlier.
ASSAY_HD inline void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// Lets the kernel launched next begin.
ASSAY_HD inline void let_next_kernel_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace assay
