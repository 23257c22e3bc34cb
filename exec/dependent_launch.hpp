#pragma once
// A launch that may begin before the one queued before it has ended.

#include <cstddef>

#include "exec/queue.hpp"

namespace assay {

/// queue_blocks for a kernel that waits by itself for the results of the kernel queued right before it, by
/// cudaGridDependencySynchronize (programmatic dependent launch): its blocks may begin as soon as all blocks of that
/// kernel have called cudaTriggerProgrammaticLaunchCompletion or have ended. Kernels queued earlier have ended by then
/// only if the kernel before was an ordinary launch, or has waited for them. On the host: launch_blocks.
template <class Kernel>
void queue_dependent_blocks(const Executor& on, std::size_t blocks, const Kernel& kernel) {
  if (on.kind() == Executor::Kind::host) {
    launch_blocks(on, blocks, kernel);
    return;
  }
#if defined(__CUDACC__)
  if (blocks > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw ExecutorError("a grid has at most 2^31 - 1 blocks");
  }
  detail::begin_launch(on);
  if (blocks == 0) return;
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(Kernel::threads));
  config.attrs = &early;
  config.numAttrs = 1;
  detail::end_queued(cudaLaunchKernelEx(&config, detail::block_kernel<Kernel>, kernel));
#else
  detail::throw_host_only(on);
#endif
}

}  // namespace assay
