#include "exec/executor.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <new>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace assay {
namespace {

constexpr std::size_t zone = 64;

#if defined(__CUDACC__)
/// Arrays up to this size are copied to a device together with their guard zones: each copy waits for its end.
constexpr std::size_t staged_bytes = std::size_t{1} << 20;
#endif

// A NaN of binary64, binary32, binary16 and bfloat16; different from the bytes that fill an array.
constexpr unsigned char zone_bytes[2] = {0xFD, 0xFF};

void fill_zone(std::byte* at) {
  for (std::size_t i = 0; i < zone; ++i) at[i] = std::byte{zone_bytes[i % 2]};
}

bool intact(const std::byte* at) {
  std::byte expected[zone];
  fill_zone(expected);
  return std::memcmp(at, expected, zone) == 0;
}

std::string processor_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

#if defined(__CUDACC__)

/// Throws for a CUDA error code. An error that the next call returns again is sticky: the context is lost.
void check(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  const bool fatal = cudaDeviceSynchronize() != cudaSuccess;
  throw ExecutorError(what + ": " + cudaGetErrorName(code) + ", " + cudaGetErrorString(code), fatal);
}

/// Makes the device current and clears an error that an earlier call left.
void enter(int device) {
  check(cudaSetDevice(device), "selecting CUDA device " + std::to_string(device));
  static_cast<void>(cudaGetLastError());
}

#endif

/// Uninitialized memory on an executor. On a device the alignment is at least 256 bytes.
std::byte* allocate(const Executor& on, std::size_t bytes, std::size_t alignment) {
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) {
    enter(on.device());
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, nullptr), "reserving memory on a CUDA device");
    return static_cast<std::byte*>(memory);
  }
#else
  static_cast<void>(on);
#endif
  void* const memory = ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
  if (memory == nullptr) throw ExecutorError("no memory on the host for " + std::to_string(bytes) + " bytes");
  return static_cast<std::byte*>(memory);
}

/// Frees memory of `allocate`. Ignores errors: errors of the device were thrown before.
void release(const Executor& on, std::byte* memory, std::size_t alignment) {
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) {
    if (cudaSetDevice(on.device()) == cudaSuccess) static_cast<void>(cudaFreeAsync(memory, nullptr));
    return;
  }
#else
  static_cast<void>(on);
#endif
  ::operator delete(memory, std::align_val_t{alignment});
}

}  // namespace

struct Executor::State {
  Kind kind = Kind::host;
  Order order = Order::ascending;
  std::uint64_t seed = 0;
  int device = -1;
  std::size_t most_blocks = SIZE_MAX;
  std::string model;
  std::atomic<std::uint64_t> guard_zone_violations{0};
  std::atomic<std::uint64_t> input_changes{0};
  std::atomic<std::uint64_t> calls{0};
};

Executor Executor::host(Order order, std::uint64_t seed) {
  static const std::string model = processor_model();
  auto state = std::make_shared<State>();
  state->order = order;
  state->seed = seed;
  state->model = model;
  return Executor(std::move(state));
}

#if defined(__CUDACC__)

bool Executor::built_with_cuda() noexcept { return true; }

int Executor::cuda_device_count() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  static_cast<void>(cudaGetLastError());
  return 0;
}

Executor Executor::cuda(int device) {
  const int count = cuda_device_count();
  if (device < 0 || device >= count) {
    throw ExecutorError("there is no CUDA device " + std::to_string(device) + ": " + std::to_string(count) + " found");
  }
  enter(device);
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device), "asking a CUDA device for its properties");
  // Freed memory stays with the process, so that the arrays of the next call come without a system call.
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, device), "finding a CUDA device's memory pool");
  std::uint64_t keep = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
        "setting up a CUDA device's memory pool");
  auto state = std::make_shared<State>();
  state->kind = Kind::cuda;
  state->device = device;
  state->model = properties.name;
  return Executor(std::move(state));
}

#else

bool Executor::built_with_cuda() noexcept { return false; }

int Executor::cuda_device_count() noexcept { return 0; }

Executor Executor::cuda(int device) {
  throw ExecutorError("no CUDA device " + std::to_string(device) + " can be used: this build is for the host only");
}

#endif

Executor Executor::with_most_blocks(std::size_t most_blocks) const {
  auto state = std::make_shared<State>();
  state->kind = state_->kind;
  state->order = state_->order;
  state->seed = state_->seed;
  state->device = state_->device;
  state->most_blocks = most_blocks;
  state->model = state_->model;
  return Executor(std::move(state));
}

Executor::Kind Executor::kind() const noexcept { return state_->kind; }
std::string_view Executor::name() const noexcept { return kind() == Kind::host ? "host" : "cuda"; }
const std::string& Executor::model() const { return state_->model; }
Order Executor::order() const noexcept { return state_->order; }
std::uint64_t Executor::seed() const noexcept { return state_->seed; }
int Executor::device() const noexcept { return state_->device; }
std::size_t Executor::most_blocks() const noexcept { return state_->most_blocks; }

Audit Executor::audit() const noexcept {
  return {state_->guard_zone_violations.load(), state_->input_changes.load(), state_->calls.load()};
}

void Executor::reset_audit() const noexcept {
  state_->guard_zone_violations = 0;
  state_->input_changes = 0;
  state_->calls = 0;
}

void Executor::record_call() const noexcept { state_->calls.fetch_add(1, std::memory_order_relaxed); }
void Executor::record_guard_zone_violation() const noexcept {
  state_->guard_zone_violations.fetch_add(1, std::memory_order_relaxed);
}
void Executor::record_input_change() const noexcept { state_->input_changes.fetch_add(1, std::memory_order_relaxed); }

void throw_host_only(const Executor& on) {
  throw ExecutorError("this kernel was compiled for the host only and cannot run on " + on.model());
}

#if defined(__CUDACC__)

void begin_launch(const Executor& on) {
  enter(on.device());
  on.record_call();
}

void detail::check_launch(int code) { check(static_cast<cudaError_t>(code), "launching a kernel"); }

void detail::finish_launch(const Executor& on) {
  if (on.kind() == Executor::Kind::cuda) check(cudaDeviceSynchronize(), "running a kernel");
}

#else

void detail::finish_launch(const Executor&) {}

#endif

namespace detail {

Storage::Storage(const Executor& on, std::size_t size, const void* content)
    : on_(on), size_(size), memory_(allocate(on, size + 2 * zone, zone)) {
  const auto fill = [&](std::byte* memory) {
    fill_zone(memory);
    if (content == nullptr) {
      std::memset(memory + zone, 0xFF, size);
    } else if (size != 0) {
      std::memcpy(memory + zone, content, size);
    }
    fill_zone(memory + zone + size);
  };
  if (on.kind() == Executor::Kind::host) {
    fill(memory_);
    return;
  }
#if defined(__CUDACC__)
  try {
    const std::size_t bytes = size + 2 * zone;
    if (bytes <= staged_bytes) {
      std::vector<std::byte> staged(bytes);
      fill(staged.data());
      check(cudaMemcpy(memory_, staged.data(), bytes, cudaMemcpyHostToDevice), "copying to a CUDA device");
    } else {
      std::byte guard[zone];
      fill_zone(guard);
      check(cudaMemcpy(memory_, guard, zone, cudaMemcpyHostToDevice), "writing a guard zone");
      if (content == nullptr) {
        check(cudaMemset(memory_ + zone, 0xFF, size), "filling an array");
      } else {
        check(cudaMemcpy(memory_ + zone, content, size, cudaMemcpyHostToDevice), "copying to a CUDA device");
      }
      check(cudaMemcpy(memory_ + zone + size, guard, zone, cudaMemcpyHostToDevice), "writing a guard zone");
    }
  } catch (...) {
    release(on_, memory_, zone);
    throw;
  }
#endif
}

Storage::~Storage() { release(on_, memory_, zone); }

std::byte* Storage::data() const noexcept { return memory_ + zone; }

/// The array with its guard zones in memory that the host can read; records a damaged guard zone.
const std::byte* Storage::snapshot(std::vector<std::byte>& buffer) const {
  const std::byte* bytes = memory_;
#if defined(__CUDACC__)
  if (on_.kind() == Executor::Kind::cuda) {
    buffer.resize(size_ + 2 * zone);
    enter(on_.device());
    check(cudaMemcpy(buffer.data(), memory_, buffer.size(), cudaMemcpyDeviceToHost), "copying from a CUDA device");
    bytes = buffer.data();
  }
#else
  static_cast<void>(buffer);
#endif
  if (!intact(bytes) || !intact(bytes + zone + size_)) on_.record_guard_zone_violation();
  return bytes;
}

void Storage::take(void* to) const {
  std::vector<std::byte> buffer;
  const std::byte* bytes = snapshot(buffer);
  if (size_ != 0) std::memcpy(to, bytes + zone, size_);
}

void Storage::compare(const void* original) const {
  std::vector<std::byte> buffer;
  const std::byte* bytes = snapshot(buffer);
  if (size_ != 0 && std::memcmp(bytes + zone, original, size_) != 0) on_.record_input_change();
}

}  // namespace detail

void wait(const Executor& on) {
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::host) return;
  enter(on.device());
  check(cudaDeviceSynchronize(), "running kernels");
#else
  static_cast<void>(on);
#endif
}

namespace {

void copy(const Executor& on, void* to, const void* from, std::size_t bytes, bool to_device) {
  if (bytes == 0) return;
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) {
    enter(on.device());
    check(cudaMemcpy(to, from, bytes, to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost),
          to_device ? "copying to a CUDA device" : "copying from a CUDA device");
    return;
  }
#else
  static_cast<void>(on);
  static_cast<void>(to_device);
#endif
  std::memcpy(to, from, bytes);
}

}  // namespace

void copy_to(const Executor& on, void* to, const void* from, std::size_t bytes) { copy(on, to, from, bytes, true); }

void copy_from(const Executor& on, void* to, const void* from, std::size_t bytes) { copy(on, to, from, bytes, false); }

void fill_bytes(const Executor& on, void* to, int value, std::size_t bytes) {
  if (bytes == 0) return;
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) {
    enter(on.device());
    check(cudaMemsetAsync(to, value, bytes, nullptr), "filling memory on a CUDA device");
    return;
  }
#else
  static_cast<void>(on);
#endif
  std::memset(to, value, bytes);
}

namespace {

/// Page-locked memory that no slot uses, by its size.
struct LockedMemory {
  std::mutex lock;
  std::multimap<std::size_t, std::byte*> free;
};

/// The process-wide pool; it is never freed, because it cannot be freed after the CUDA runtime.
LockedMemory& locked_memory() {
  static auto* const memory = new LockedMemory;
  return *memory;
}

}  // namespace

StatusSlot::StatusSlot(const Executor& on, std::size_t bytes) : on_(on), size_(bytes) {
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) {
    LockedMemory& all = locked_memory();
    {
      const std::lock_guard guard(all.lock);
      if (auto node = all.free.extract(bytes)) memory_ = node.mapped();
    }
    if (memory_ == nullptr) {
      enter(on.device());
      void* memory = nullptr;
      check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped), "locking memory of the host");
      memory_ = static_cast<std::byte*>(memory);
    }
    return;
  }
#endif
  memory_ = allocate(on, bytes, alignof(std::max_align_t));
  std::memset(memory_, 0xFF, bytes);
}

StatusSlot::~StatusSlot() {
  if (on_.kind() == Executor::Kind::host) {
    release(on_, memory_, alignof(std::max_align_t));
    return;
  }
  LockedMemory& all = locked_memory();
  const std::lock_guard guard(all.lock);
  all.free.emplace(size_, memory_);
}

Workspace::Workspace(const Executor& on, std::size_t bytes) : on_(on), size_(bytes) {
  if (bytes == 0) return;
  memory_ = allocate(on, bytes, alignment);
  if (on.kind() == Executor::Kind::host) std::memset(memory_, 0xFF, bytes);
}

Workspace::~Workspace() {
  if (memory_ != nullptr) release(on_, memory_, alignment);
}

std::byte* Workspace::next(std::size_t bytes) {
  if (bytes > size_ - used_) throw ExecutorError("a workspace is too small");
  std::byte* at = memory_ + used_;
  used_ += bytes;
  return at;
}

}  // namespace assay
