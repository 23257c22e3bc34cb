#pragma once
// A launch that may begin before the one queued before it has ended.

#include <cstddef>

#include "exec/dependent_kernel.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"

namespace assay {

/// queue_blocks for a kernel that waits by itself for the results of the kernel queued right before it, by
/// wait_for_kernel_before() (programmatic dependent launch): its blocks may begin as soon as all blocks of that kernel
/// have called let_next_kernel_begin() or have ended. Kernels queued earlier have ended by then
/// only if the kernel before was an ordinary launch, or has waited for them. On the host: queue_blocks.
template <class Kernel>
void queue_dependent_blocks(const Executor& on, std::size_t blocks, const Kernel& kernel) {
#if defined(__CUDACC__)
  constexpr std::size_t most_blocks = std::numeric_limits<int>::max();
  if (on.kind() == Executor::Kind::cuda && blocks > 0 && blocks <= most_blocks) {
    begin_launch(on);
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(blocks));
    config.blockDim = dim3(static_cast<unsigned>(Kernel::threads));
    config.attrs = &early;
    config.numAttrs = 1;
    detail::check_launch(cudaLaunchKernelEx(&config, detail::block_kernel<Kernel>, kernel));
    return;
  }
#endif
  queue_blocks(on, blocks, kernel);
}

}  // namespace assay
