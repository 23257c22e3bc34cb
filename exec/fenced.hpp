#pragma once
// The arrays of a call of a foreign function: on the host in memory that ends at an unmapped page, on a device between
// guard zones.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "exec/array.hpp"
#include "exec/executor.hpp"

namespace assay {

/// Memory of the host between two pages that cannot be read or written. It grows and is reused.
class FencedMemory {
 public:
  /// The bytes of an unwritten array.
  static constexpr std::byte pattern{0xA5};

  /// From now on a process that a kernel forks from this one ends before its next call. Otherwise it would continue
  /// with this process's cases, and fork again in each of them.
  static void end_forked_processes();

  FencedMemory() = default;
  ~FencedMemory();
  FencedMemory(const FencedMemory&) = delete;
  FencedMemory& operator=(const FencedMemory&) = delete;

  /// `bytes` bytes that end at the upper page, or below it in elements of `unit` bytes as Displaced has it. The bytes
  /// around them, down to the lower page, have a pattern. Throws std::bad_alloc where there is not enough memory.
  std::byte* place(std::size_t bytes, std::size_t unit = 1);

  /// Whether the bytes next to the lower end of the last place, and those above it, still have their pattern.
  [[nodiscard]] bool is_intact() const;

 private:
  void release() noexcept;
  std::byte* pages_ = nullptr;
  std::size_t size_ = 0;  ///< between the two pages
  std::size_t used_ = 0;
  std::size_t gap_ = 0;  ///< between the last place and the upper page
};

/// For its lifetime the arrays that this thread places in fenced memory stand in front of the upper page: the first by
/// `elements` of its elements, each further one by one more, so that no two have one alignment. Not to be nested.
class Displaced {
 public:
  explicit Displaced(std::size_t elements);
  ~Displaced();
  Displaced(const Displaced&) = delete;
  Displaced& operator=(const Displaced&) = delete;
};

/// The array of one argument of one call, on an executor. On the host, the system terminates a function that reads or
/// writes beyond its end; a write before the array is recorded in the audit of the executor. On a device, a write
/// before or beyond the array is recorded.
template <class T>
class FencedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// A copy of x. `memory` serves an array on the host.
  FencedArray(FencedMemory& memory, const Executor& on, std::span<const T> x) : memory_(memory), size_(x.size()) {
    if (on.kind() == Executor::Kind::cuda) {
      device_.emplace(on, x);
      data_ = device_->data();
    } else {
      data_ = reinterpret_cast<T*>(memory.place(x.size_bytes(), unit));
      std::copy(x.begin(), x.end(), data_);
    }
  }
  /// On the host, a copy of x.
  FencedArray(FencedMemory& memory, std::span<const T> x) : FencedArray(memory, Executor::host(), x) {}
  /// On the host, n numbers of the pattern.
  FencedArray(FencedMemory& memory, std::size_t n)
      : memory_(memory), data_(reinterpret_cast<T*>(memory.place(n * sizeof(T), unit))), size_(n) {
    std::ranges::fill(std::as_writable_bytes(std::span(data_, size_)), FencedMemory::pattern);
  }
  [[nodiscard]] T* data() const { return data_; }

  /// After the call: checks the guards, and compares the array with its content as an input. Returns the place of the
  /// first number that changed on the host.
  std::optional<std::size_t> check_input(const Executor& on, std::span<const T> x) const {
    if (device_) {
      device_->compare(x);
      return std::nullopt;
    }
    check(on);
    if (size_ == 0 || std::memcmp(data_, x.data(), size_ * sizeof(T)) == 0) return std::nullopt;
    for (std::size_t i = 0; i < size_; ++i) {
      if (std::memcmp(data_ + i, &x[i], sizeof(T)) == 0) continue;
      on.record_input_change();
      return i;
    }
    return std::nullopt;
  }
  /// After the call: checks the guards. Returns the content of the array.
  [[nodiscard]] std::vector<T> take(const Executor& on) const {
    if (device_) return device_->take();
    check(on);
    return std::vector<T>(data_, data_ + size_);
  }

 private:
  /// Bytes are elements of arrays whose type is known at run time alone: of 8 bytes at most.
  static constexpr std::size_t unit = std::is_same_v<T, std::byte> ? 8 : sizeof(T);
  void check(const Executor& on) const {
    if (!memory_.is_intact()) on.record_guard_zone_violation();
  }
  FencedMemory& memory_;
  std::optional<Array<T>> device_;
  T* data_ = nullptr;
  std::size_t size_;
};

/// `on` if it is of the kind; else the host or the first device, with another audit. Throws ExecutorError if there is
/// no device.
Executor placed(const Executor& on, Executor::Kind kind);

}  // namespace assay
