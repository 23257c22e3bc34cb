#include "exec/fenced.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>

namespace assay {
namespace {

/// How many bytes in front of an array have the pattern.
constexpr std::size_t zone = 256;
constexpr auto zone_length = static_cast<std::ptrdiff_t>(zone);

/// The byte at this place of a zone. No two neighbors are equal, so that no fill looks like it.
std::byte byte_of_zone(std::uint8_t base, std::size_t place) {
  constexpr std::size_t step = 37;
  return static_cast<std::byte>(static_cast<std::uint8_t>(base + step * place));
}

/// Other bytes for each call: a function that reads in front of its array gives other bits in a repetition.
std::uint8_t next_base() {
  thread_local std::uint64_t calls = 0;
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  return static_cast<std::uint8_t>((++calls * golden) >> 56);
}

bool is_forked = false;

/// Of this thread's next array; nothing where arrays end at the upper page.
thread_local std::optional<std::size_t> displacement;

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

std::byte* FencedMemory::place(std::size_t bytes, std::size_t unit) {
  if (is_forked) std::_Exit(0);
  const std::size_t gap = displacement ? (*displacement)++ * unit : 0;
  const std::size_t needed = bytes + gap + zone;
  if (pages_ == nullptr || size_ < needed) {
    release();
    const std::size_t pages = (std::max(needed, 2 * size_) + page_size() - 1) / page_size();
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
  gap_ = gap;
  std::byte* const at = pages_ + page_size() + size_ - gap - bytes;
  const std::uint8_t base = next_base();
  for (std::size_t i = 0; i < zone; ++i) at[static_cast<std::ptrdiff_t>(i) - zone_length] = byte_of_zone(base, i);
  for (std::size_t i = 0; i < gap; ++i) at[bytes + i] = byte_of_zone(base, i);
  return at;
}

bool FencedMemory::is_intact() const {
  const std::byte* const begin = pages_ + page_size() + size_ - gap_ - used_ - zone;
  const auto base = static_cast<std::uint8_t>(*begin);
  for (std::size_t i = 1; i < zone; ++i) {
    if (begin[i] != byte_of_zone(base, i)) return false;
  }
  const std::byte* const behind = begin + zone + used_;
  for (std::size_t i = 0; i < gap_; ++i) {
    if (behind[i] != byte_of_zone(base, i)) return false;
  }
  return true;
}

Displaced::Displaced(std::size_t elements) { displacement = elements; }
Displaced::~Displaced() { displacement.reset(); }

Executor placed(const Executor& on, Executor::Kind kind) {
  if (on.kind() == kind) return on;
  if (kind == Executor::Kind::host) return Executor::host();
  static const Executor device = Executor::cuda();
  return device;
}

}  // namespace assay
