#pragma once
// Launches, for the files that define kernels. Such a file is compiled by nvcc if CUDA is on, and by the host compiler
// if it is off, never by both.
//
// queue_indices and queue_blocks do not wait: on a device the queued kernels run one after the other, and errors
// surface at the next wait(). On the host the kernel has ended when the function returns. launch_indices and
// launch_blocks queue and wait.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "exec/array.hpp"
#include "exec/block.hpp"
#include "exec/elementwise.hpp"
#include "exec/executor.hpp"

namespace assay {

/// Makes the device current, clears a stale error, counts the call: for files that start device work by other means
/// than the functions below (cuBLAS). Exists in builds with CUDA. Throws ExecutorError.
void begin_launch(const Executor& on);

/// Throws the ExecutorError of a kernel that has no device code.
[[noreturn]] void throw_host_only(const Executor& on);

namespace detail {

/// Throws ExecutorError if `code`, the cudaError_t of a launch, is an error. Does not wait. Exists in builds with CUDA.
void check_launch(int code);

/// Waits for the kernel that was queued last. Throws ExecutorError for the device's errors. Does nothing on the host.
void finish_launch(const Executor& on);

/// 0 … n − 1, shuffled by Fisher and Yates with a generator that depends on the seed alone.
inline std::vector<std::size_t> shuffled_indices(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> indices(n);
  bits::SplitMix64 random{seed};
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::size_t>(random() % (i + 1));
    indices[i] = indices[place];
    indices[place] = i;
  }
  return indices;
}

/// f(i) for i = 0 … n − 1 on the host, in the executor's order.
template <class F>
void run_on_host(const Executor& on, std::size_t n, F&& f) {
  switch (on.order()) {
    case Order::ascending:
      for (std::size_t i = 0; i < n; ++i) f(i);
      break;
    case Order::descending:
      for (std::size_t i = n; i-- > 0;) f(i);
      break;
    case Order::shuffled:
      for (const std::size_t i : shuffled_indices(n, on.seed())) f(i);
      break;
  }
}

/// Threads of a block of an index space.
inline constexpr unsigned index_threads = 128;

/// Blocks for n > 0 indices.
inline std::size_t index_blocks(const Executor& on, std::size_t n) {
  constexpr std::size_t most_blocks = 65535;
  return std::min({(n - 1) / index_threads + 1, most_blocks, on.most_blocks()});
}

/// f(i) for i = first, first + step, … below n: the indices of one thread.
template <class F>
ASSAY_HD void run_thread(std::size_t n, std::size_t first, std::size_t step, const F& f) {
  for (std::size_t i = first; i < n; i += step) f(i);
}

/// run_on_host for n > 0 indices, distributed over the threads of a grid as on a device.
template <class F>
void run_grid_on_host(const Executor& on, std::size_t n, const F& f) {
  const std::size_t threads = index_threads * index_blocks(on, n);
  run_on_host(on, std::min(n, threads), [&](std::size_t first) { run_thread(n, first, threads, f); });
}

#if defined(__CUDACC__)
template <class F>
__global__ void index_kernel(std::size_t n, F f) {
  const std::size_t step = std::size_t{blockDim.x} * gridDim.x;
  run_thread(n, std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, step, f);
}

/// Kernel::blocks_per_multiprocessor, or 0 (no demand) if the kernel does not declare it.
template <class Kernel>
constexpr int blocks_per_multiprocessor() {
  if constexpr (requires { Kernel::blocks_per_multiprocessor; }) {
    return Kernel::blocks_per_multiprocessor;
  } else {
    return 0;
  }
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, blocks_per_multiprocessor<Kernel>()) block_kernel(Kernel kernel) {
  __shared__ typename Kernel::Shared shared;
  Block<typename Kernel::Shared, Kernel::threads> block(shared, blockIdx.x);
  kernel(block);
}

#endif

/// y[i] = op(x[i]).
template <class Op>
struct ElementwiseBody {
  const typename Op::Input* x;
  typename Op::Output* y;
  Op op;
  ASSAY_HD void operator()(std::size_t i) const { y[i] = op(x[i]); }
};

}  // namespace detail

/// Queues f(i) for i = 0 … n − 1, independent of one another. F is a trivially copyable functor with ASSAY_HD void
/// operator()(std::size_t) const, whose pointers point into arrays on the executor. Throws ExecutorError.
template <class F>
void queue_indices(const Executor& on, std::size_t n, const F& f) {
  static_assert(std::is_trivially_copyable_v<F>);
  if (on.kind() == Executor::Kind::host) {
    on.record_call();
    if (on.most_blocks() == SIZE_MAX || n == 0) {
      detail::run_on_host(on, n, f);
    } else {
      detail::run_grid_on_host(on, n, f);
    }
    return;
  }
#if defined(__CUDACC__)
  begin_launch(on);
  if (n == 0) return;
  const dim3 grid(static_cast<unsigned>(detail::index_blocks(on, n)));
  F copy = f;
  void* arguments[] = {&n, &copy};
  detail::check_launch(
      cudaLaunchKernel(detail::index_kernel<F>, grid, dim3(detail::index_threads), arguments, 0, nullptr));
#else
  throw_host_only(on);
#endif
}

/// Queues a grid of `blocks` blocks of Kernel::threads threads. Kernel is trivially copyable, with `static constexpr
/// int threads`, a trivial struct `Shared` and `ASSAY_HD void operator()(Block<Shared, threads>&) const`; its pointers
/// point into arrays on the executor. If the kernel has `static constexpr int blocks_per_multiprocessor`, its registers
/// are limited so that this many blocks fit on a multiprocessor. Blocks are independent of one another: there is no
/// order among them. Requires: blocks < 2³¹ on a device (checked). Throws ExecutorError.
template <class Kernel>
void queue_blocks(const Executor& on, std::size_t blocks, const Kernel& kernel) {
  using Shared = typename Kernel::Shared;
  static_assert(std::is_trivially_copyable_v<Kernel>);
  static_assert(std::is_trivially_default_constructible_v<Shared> && std::is_trivially_copyable_v<Shared>);
  if (on.kind() == Executor::Kind::host) {
    on.record_call();
    detail::run_on_host(on, blocks, [&](std::size_t index) {
      Shared shared;
      std::memset(&shared, 0xFF, sizeof shared);
      Block<Shared, Kernel::threads> block(shared, index, on.order(), on.seed() ^ (index * 0xD1342543DE82EF95u));
      kernel(block);
    });
    return;
  }
#if defined(__CUDACC__)
  if (blocks > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw ExecutorError("a grid has at most 2^31 - 1 blocks");
  }
  begin_launch(on);
  if (blocks == 0) return;
  Kernel copy = kernel;
  void* arguments[] = {&copy};
  detail::check_launch(cudaLaunchKernel(detail::block_kernel<Kernel>, dim3(static_cast<unsigned>(blocks)),
                                        dim3(static_cast<unsigned>(Kernel::threads)), arguments, 0, nullptr));
#else
  throw_host_only(on);
#endif
}

/// queue_indices, then waits for the end. Throws ExecutorError.
template <class F>
void launch_indices(const Executor& on, std::size_t n, const F& f) {
  queue_indices(on, n, f);
  if (n != 0) detail::finish_launch(on);
}

/// queue_blocks, then waits for the end. Throws ExecutorError.
template <class Kernel>
void launch_blocks(const Executor& on, std::size_t blocks, const Kernel& kernel) {
  queue_blocks(on, blocks, kernel);
  if (blocks != 0) detail::finish_launch(on);
}

template <class Op>
std::vector<typename Op::Output> elementwise(const Executor& on, std::span<const typename Op::Input> x, const Op& op) {
  static_assert(std::is_trivially_copyable_v<Op>);
  const Array<typename Op::Input> input(on, x);
  const Array<typename Op::Output> output(on, x.size());
  launch_indices(on, x.size(), detail::ElementwiseBody<Op>{input.data(), output.data(), op});
  input.compare(x);
  return output.take();
}

/// Instantiates `elementwise` for every Op where a kernel's source file has `template struct
/// InstantiateElementwise<…>;`: the addresses keep the functions in the object file.
template <class... Op>
struct InstantiateElementwise {
  static constexpr std::tuple functions{&elementwise<Op>...};
};

template <class Operations, class Formats>
struct ElementwiseKernels;

/// Instantiates `elementwise` for each operation of a list on each format of a list.
template <template <class> class... Op, class... T>
struct ElementwiseKernels<Operations<Op...>, Formats<T...>> {
  template <class U>
  static constexpr auto on_format() {
    return InstantiateElementwise<Op<U>...>::functions;
  }
  static constexpr std::tuple functions{on_format<T>()...};
};

}  // namespace assay
