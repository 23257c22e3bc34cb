#pragma once
// Launches that do not wait, and memory for them: for engines whose arrays lie on the executor and that put many
// kernels in a row. On the host a launch has ended when it returns. On a device launches run one after the other; an
// error of one is found when somebody waits.

#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "exec/executor.hpp"
#include "exec/launch.hpp"

namespace assay {
namespace detail {

/// Throws ExecutorError for the launch's code, without waiting. Exists in builds with CUDA.
void end_queued(int code);

}  // namespace detail

/// Waits for all that was queued. Throws ExecutorError for the errors of the device.
void wait(const Executor& on);

/// Copies to or from the executor, after all that was queued; waits. Throws ExecutorError.
void copy_to(const Executor& on, void* to, const void* from, std::size_t bytes);
void copy_from(const Executor& on, void* to, const void* from, std::size_t bytes);

/// Sets bytes on the executor, queued.
void fill_bytes(const Executor& on, void* to, int value, std::size_t bytes);

/// Memory on an executor that several arrays are taken from, in sequence. It is given back after all that was queued.
/// On the host it starts as NaN; on a device it has no content. Throws ExecutorError when there is not enough.
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

/// launch_indices without waiting.
template <class F>
void queue_indices(const Executor& on, std::size_t n, const F& f) {
  static_assert(std::is_trivially_copyable_v<F>);
  if (on.kind() == Executor::Kind::host) {
    launch_indices(on, n, f);
    return;
  }
#if defined(__CUDACC__)
  detail::begin_launch(on);
  if (n == 0) return;
  constexpr unsigned threads = 128;
  constexpr std::size_t most_blocks = 65535;
  const std::size_t blocks = (n - 1) / threads + 1;
  const dim3 grid(static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks));
  F copy = f;
  void* arguments[] = {&n, &copy};
  detail::end_queued(cudaLaunchKernel(detail::index_kernel<F>, grid, dim3(threads), arguments, 0, nullptr));
#else
  detail::throw_host_only(on);
#endif
}

/// launch_blocks without waiting.
template <class Kernel>
void queue_blocks(const Executor& on, std::size_t blocks, const Kernel& kernel) {
  if (on.kind() == Executor::Kind::host) {
    launch_blocks(on, blocks, kernel);
    return;
  }
#if defined(__CUDACC__)
  static_assert(std::is_trivially_copyable_v<Kernel>);
  if (blocks > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw ExecutorError("a grid has at most 2^31 - 1 blocks");
  }
  detail::begin_launch(on);
  if (blocks == 0) return;
  Kernel copy = kernel;
  void* arguments[] = {&copy};
  detail::end_queued(cudaLaunchKernel(detail::block_kernel<Kernel>, dim3(static_cast<unsigned>(blocks)),
                                      dim3(static_cast<unsigned>(Kernel::threads)), arguments, 0, nullptr));
#else
  detail::throw_host_only(on);
#endif
}

}  // namespace assay
