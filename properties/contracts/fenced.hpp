#pragma once
// The arrays of a call of a foreign function, in memory that ends where no page is.

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "exec/executor.hpp"

namespace assay::contracts {

/// Memory of the host between two pages that nobody may read or write. It grows and is used again.
class FencedMemory {
 public:
  /// The bytes that nobody wrote.
  static constexpr std::byte pattern{0xA5};

  FencedMemory() = default;
  ~FencedMemory();
  FencedMemory(const FencedMemory&) = delete;
  FencedMemory& operator=(const FencedMemory&) = delete;

  /// `bytes` bytes that end at the upper page. The bytes below them, down to the lower page, have a pattern.
  /// Throws std::bad_alloc where there is not enough memory.
  std::byte* place(std::size_t bytes);

  /// Whether the bytes next to the lower end of the last place still have their pattern.
  [[nodiscard]] bool is_intact() const;

 private:
  void release() noexcept;
  std::byte* pages_ = nullptr;
  std::size_t size_ = 0;  ///< between the two pages
  std::size_t used_ = 0;
};

/// The array of one argument of one call. A function that reads or writes behind its end is ended by the system. What
/// it writes in front of the array is recorded in the audit of the executor.
template <class T>
class FencedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// A copy of x.
  FencedArray(FencedMemory& memory, std::span<const T> x)
      : memory_(memory), data_(reinterpret_cast<T*>(memory.place(x.size_bytes()))), size_(x.size()) {
    for (std::size_t i = 0; i < size_; ++i) data_[i] = x[i];
  }
  /// n numbers of the pattern.
  FencedArray(FencedMemory& memory, std::size_t n)
      : memory_(memory), data_(reinterpret_cast<T*>(memory.place(n * sizeof(T)))), size_(n) {
    std::ranges::fill(std::as_writable_bytes(std::span(data_, size_)), FencedMemory::pattern);
  }
  [[nodiscard]] T* data() const { return data_; }

  /// After the call: looks at the pattern in front, and compares the array with what an input was.
  void check_input(const Executor& on, std::span<const T> x) const {
    check(on);
    if (!std::ranges::equal(std::as_bytes(std::span(data_, size_)), std::as_bytes(x))) on.record_input_change();
  }
  /// After the call: looks at the pattern in front. Returns what stands in the array.
  [[nodiscard]] std::vector<T> take(const Executor& on) const {
    check(on);
    return std::vector<T>(data_, data_ + size_);
  }

 private:
  void check(const Executor& on) const {
    if (!memory_.is_intact()) on.record_guard_zone_violation();
  }
  FencedMemory& memory_;
  T* data_;
  std::size_t size_;
};

}  // namespace assay::contracts
