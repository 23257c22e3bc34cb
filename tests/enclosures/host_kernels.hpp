#pragma once
// The kernels of enclosures/rows.cuh, prefixes.cuh, sparse.cuh, attention.cuh, gradient.cuh and elementwise.cuh on the
// host: the threads of a block take turns on one thread of the host, each up to the next __syncthreads().

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>

namespace assay::enclosures {

constexpr unsigned threads = 8;

struct Place {
  unsigned x = 0;
};
inline Place threadIdx, blockIdx;

/// A thread of the one block that runs at a time.
struct Turn {
  static constexpr std::size_t stack_bytes = 1U << 20U;
  ucontext_t context;
  std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
  bool is_running = false;
};
inline ucontext_t host_turn;
inline std::array<Turn, threads>* turns = nullptr;
inline const std::function<void()>* kernel = nullptr;

inline void __syncthreads() { swapcontext(&(*turns)[threadIdx.x].context, &host_turn); }

inline void run_kernel() {
  (*kernel)();
  (*turns)[threadIdx.x].is_running = false;
}

/// body() in each thread of each block.
template <class Body>
void run_blocks(unsigned blocks, const Body& body) {
  const std::function<void()> each = [&body] { body(); };
  std::array<Turn, threads> all;
  kernel = &each;
  turns = &all;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (Turn& turn : all) {
      getcontext(&turn.context);
      turn.context.uc_stack.ss_sp = turn.stack.get();
      turn.context.uc_stack.ss_size = Turn::stack_bytes;
      turn.context.uc_link = &host_turn;
      makecontext(&turn.context, run_kernel, 0);
      turn.is_running = true;
    }
    for (bool is_running = true; is_running;) {
      is_running = false;
      for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {
        Turn& turn = all[threadIdx.x];
        if (!turn.is_running) continue;
        swapcontext(&host_turn, &turn.context);
        is_running = is_running || turn.is_running;
      }
    }
  }
}

}  // namespace assay::enclosures

#define __shared__ static
#include "enclosures/attention.cuh"
#include "enclosures/elementwise.cuh"
#include "enclosures/gradient.cuh"
#include "enclosures/prefixes.cuh"
#include "enclosures/rows.cuh"
#include "enclosures/sparse.cuh"
