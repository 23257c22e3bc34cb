#pragma once
// Memory on an executor, and copies to and from it, for engines that keep their arrays there and queue many kernels.
// Everything here is ordered after the work that was queued before.

#include <cstddef>
#include <type_traits>

#include "exec/executor.hpp"

namespace assay {

/// Copies bytes to or from the executor; waits. Throws ExecutorError.
void copy_to(const Executor& on, void* to, const void* from, std::size_t bytes);
void copy_from(const Executor& on, void* to, const void* from, std::size_t bytes);

/// Sets bytes on the executor to `value`; does not wait. Throws ExecutorError.
void fill_bytes(const Executor& on, void* to, int value, std::size_t bytes);

/// A few bytes that kernels of an executor write, and that the host reads after wait() without a copy: on a device they
/// lie in page-locked memory of the host. Kernels do not read them or change them atomically, since each access crosses
/// the bus. The memory stays with the process for the next of the same size. Throws ExecutorError when there is not
/// enough memory.
class StatusSlot {
 public:
  StatusSlot(const Executor& on, std::size_t bytes);
  ~StatusSlot();
  StatusSlot(const StatusSlot&) = delete;
  StatusSlot& operator=(const StatusSlot&) = delete;

  [[nodiscard]] std::byte* data() const { return memory_; }

 private:
  Executor on_;
  std::size_t size_;
  std::byte* memory_ = nullptr;
};

/// Memory on an executor, from which arrays are taken in sequence. The destructor frees it after the queued work. On
/// the host the memory starts as NaNs; on a device its content is undefined. Throws ExecutorError when there is not
/// enough memory.
class Workspace {
 public:
  Workspace(const Executor& on, std::size_t bytes);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// The bytes that n elements of T take.
  template <class T>
  static constexpr std::size_t bytes_of(std::size_t n) {
    return (n * sizeof(T) + alignment - 1) / alignment * alignment;
  }

  /// The next n elements. Requires: the memory has room for them (checked).
  template <class T>
  [[nodiscard]] T* take(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<T*>(next(bytes_of<T>(n)));
  }

 private:
  static constexpr std::size_t alignment = 256;
  [[nodiscard]] std::byte* next(std::size_t bytes);

  Executor on_;
  std::size_t size_;
  std::size_t used_ = 0;
  std::byte* memory_ = nullptr;
};

}  // namespace assay
