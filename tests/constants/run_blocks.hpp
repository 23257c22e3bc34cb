#pragma once
// Kernels of cooperating threads, run by the compiler on arrays of exactly the required length. It refuses an access
// outside of an array and the use of a value that nothing has written, which a run on a host does not see.

#include <cstddef>

#include "exec/block.hpp"

namespace assay::constants {

template <class Kernel>
constexpr void run_blocks(const Kernel& kernel, std::size_t blocks) {
  for (std::size_t index = 0; index < blocks; ++index) {
    typename Kernel::Shared shared;
    Block<typename Kernel::Shared, Kernel::threads> block(shared, index);
    kernel(block);
  }
}

/// The same for a kernel that also loads unwritten values and discards them afterwards.
template <class Kernel>
constexpr void run_blocks_with_zeros(const Kernel& kernel, std::size_t blocks) {
  for (std::size_t index = 0; index < blocks; ++index) {
    typename Kernel::Shared shared{};
    Block<typename Kernel::Shared, Kernel::threads> block(shared, index);
    kernel(block);
  }
}

}  // namespace assay::constants
