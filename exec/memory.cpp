#include "exec/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <string>

#if defined(__CUDACC__)
#include <cuda_runtime.h>

#include "exec/launch.hpp"
#endif

namespace assay {

std::size_t free_memory(const Executor& on) {
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) {
    begin_launch(on);
    std::size_t free = 0;
    std::size_t total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
  }
#else
  static_cast<void>(on);
#endif
  std::ifstream told("/proc/meminfo");
  for (std::string name, unit; told >> name;) {
    std::size_t kilobytes = 0;
    if (name == "MemAvailable:" && told >> kilobytes) return kilobytes * 1024;
    std::getline(told, unit);
  }
  return 0;
}

LargeMemory::LargeMemory(const Executor& on, std::size_t bytes) : on_(on), bytes_(std::max<std::size_t>(1, bytes)) {
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) {
    begin_launch(on);
    if (cudaMalloc(&memory_, bytes_) != cudaSuccess) {
      cudaGetLastError();
      throw ExecutorError("a CUDA device has no " + std::to_string(bytes_) + " bytes left");
    }
    return;
  }
#endif
  memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED) {
    throw ExecutorError("the host has no " + std::to_string(bytes_) + " bytes left");
  }
}

LargeMemory::~LargeMemory() {
#if defined(__CUDACC__)
  if (on_.kind() == Executor::Kind::cuda) {
    cudaDeviceSynchronize();
    cudaFree(memory_);
    return;
  }
#endif
  ::munmap(memory_, bytes_);
}

}  // namespace assay
