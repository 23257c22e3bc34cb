#pragma once
// Two grids in one launch.

#include <cstddef>

#include "exec/launch.hpp"

namespace assay {
namespace detail {

/// A grid whose first blocks belong to one kernel, and whose others belong to another.
template <class First, class Second>
struct TwoGrids {
  static_assert(First::threads == Second::threads);
  static constexpr int threads = First::threads;
  union Shared {
    typename First::Shared first;
    typename Second::Shared second;
  };

  std::size_t blocks_of_first;
  First first;
  Second second;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    if (block.index() < blocks_of_first) {
      auto part = block.with(&Shared::first, block.index());
      first(part);
    } else {
      auto part = block.with(&Shared::second, block.index() - blocks_of_first);
      second(part);
    }
  }
};

}  // namespace detail

/// queue_blocks for two kernels, neither of which needs results of the other. On a device their blocks run side by
/// side. Both have the same number of threads in a block. Throws ExecutorError.
template <class First, class Second>
void queue_two_grids(const Executor& on, std::size_t blocks_of_first, const First& first, std::size_t blocks_of_second,
                     const Second& second) {
  queue_blocks(on, blocks_of_first + blocks_of_second, detail::TwoGrids<First, Second>{blocks_of_first, first, second});
}

}  // namespace assay
