#pragma once
// Memory for arrays with more elements than 32 bits can count.

#include <cstddef>

#include "exec/executor.hpp"

namespace assay {

/// The bytes that are free on the executor: for the host, the memory that is available without swapping. 0 if the
/// system does not report it.
std::size_t free_memory(const Executor& on);

/// Memory on an executor without guard zones. On the host all bytes are 0, and a page takes memory from its first write
/// on; on a device the content is undefined. Throws ExecutorError when there is not enough memory.
class LargeMemory {
 public:
  LargeMemory(const Executor& on, std::size_t bytes);
  ~LargeMemory();
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;

  [[nodiscard]] void* data() const noexcept { return memory_; }

 private:
  Executor on_;
  std::size_t bytes_;
  void* memory_ = nullptr;
};

}  // namespace assay
