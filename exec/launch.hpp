#pragma once
// Launches, for the files that define kernels. Such a file is compiled by nvcc where CUDA is on, and by the host
// compiler where it is off, never by both.

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/array.hpp"
#include "exec/block.hpp"
#include "exec/elementwise.hpp"
#include "exec/launch_steps.hpp"

namespace assay {
namespace detail {

/// 0 … n − 1, shuffled by Fisher and Yates with a generator that depends on the seed alone.
inline std::vector<std::size_t> shuffled_indices(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> indices(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const std::size_t place = static_cast<std::size_t>((z ^ (z >> 31)) % (i + 1));
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

#if defined(__CUDACC__)

template <class F>
__global__ void index_kernel(std::size_t n, F f) {
  const std::size_t step = std::size_t{blockDim.x} * gridDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}

/// The blocks that a multiprocessor must have room for, where the kernel says so: a bound on the registers.
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

/// f(i) for i = 0 … n − 1, independent of one another. F is a trivially copyable functor with ASSAY_HD void
/// operator()(std::size_t) const, whose pointers point into arrays on the executor. Waits for the end. Throws
/// ExecutorError.
template <class F>
void launch_indices(const Executor& on, std::size_t n, const F& f) {
  static_assert(std::is_trivially_copyable_v<F>);
  if (on.kind() == Executor::Kind::host) {
    on.record_call();
    detail::run_on_host(on, n, f);
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
  detail::end_launch(cudaLaunchKernel(detail::index_kernel<F>, grid, dim3(threads), arguments, 0, nullptr));
#else
  detail::throw_host_only(on);
#endif
}

/// A grid of `blocks` blocks of Kernel::threads threads. Kernel is trivially copyable, with `static constexpr int
/// threads`, a trivial struct `Shared` and `ASSAY_HD void operator()(Block<Shared, threads>&) const`; its pointers
/// point into arrays on the executor. Blocks are independent of one another: there is no order among them. Waits for
/// the end. Throws ExecutorError.
template <class Kernel>
void launch_blocks(const Executor& on, std::size_t blocks, const Kernel& kernel) {
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
  detail::begin_launch(on);
  if (blocks == 0) return;
  Kernel copy = kernel;
  void* arguments[] = {&copy};
  detail::end_launch(cudaLaunchKernel(detail::block_kernel<Kernel>, dim3(static_cast<unsigned>(blocks)),
                                      dim3(static_cast<unsigned>(Kernel::threads)), arguments, 0, nullptr));
#else
  detail::throw_host_only(on);
#endif
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
