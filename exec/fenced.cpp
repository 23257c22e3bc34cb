#include "exec/fenced.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace assay {
namespace {

/// How many bytes in front of an array have the pattern.
constexpr std::size_t zone = 256;

bool is_forked = false;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

void FencedMemory::end_forked_processes() {
  ::pthread_atfork(nullptr, nullptr, [] { is_forked = true; });
}

FencedMemory::~FencedMemory() { release(); }

void FencedMemory::release() noexcept {
  if (pages_ != nullptr) ::munmap(pages_, size_ + 2 * page_size());
  pages_ = nullptr;
}

std::byte* FencedMemory::place(std::size_t bytes) {
  if (is_forked) std::_Exit(0);
  if (pages_ == nullptr || size_ < bytes + zone) {
    release();
    const std::size_t pages = (std::max(bytes + zone, 2 * size_) + page_size() - 1) / page_size();
    size_ = pages * page_size();
    void* const found =
        ::mmap(nullptr, size_ + 2 * page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) {
      size_ = 0;
      throw std::bad_alloc();
    }
    pages_ = static_cast<std::byte*>(found);
    if (::mprotect(pages_ + page_size(), size_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  used_ = bytes;
  std::byte* const at = pages_ + page_size() + size_ - bytes;
  std::fill(at - zone, at, pattern);
  return at;
}

bool FencedMemory::is_intact() const {
  const std::byte* const at = pages_ + page_size() + size_ - used_;
  return std::all_of(at - zone, at, [](std::byte each) { return each == pattern; });
}

Executor placed(const Executor& on, Executor::Kind kind) {
  if (on.kind() == kind) return on;
  if (kind == Executor::Kind::host) return Executor::host();
  static const Executor device = Executor::cuda();
  return device;
}

}  // namespace assay
