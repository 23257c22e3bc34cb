#pragma once
// The arrays of one kernel call: memory on an executor between guard zones.

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "exec/executor.hpp"

namespace assay {
namespace detail {

/// `size` bytes on an executor, a copy of `content` or filled with ones (a NaN in every format), with a guard zone of
/// 64 bytes on each side. On the host the bytes are aligned to 64. Throws ExecutorError when there is not enough
/// memory.
class Storage {
 public:
  Storage(const Executor& on, std::size_t size, const void* content = nullptr);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] std::byte* data() const noexcept;
  void take(void* to) const;                 // copies the array out; records a damaged guard zone
  void compare(const void* original) const;  // records a changed input and a damaged guard zone

 private:
  [[nodiscard]] const std::byte* snapshot(std::vector<std::byte>& buffer) const;
  Executor on_;
  std::size_t size_;
  std::byte* memory_;
};

}  // namespace detail

/// n elements on an executor, for one kernel call. An input is copied in before the launch and compared with its
/// original afterwards. An output or a workspace starts as NaNs and is copied out afterwards. Both check their guard
/// zones and record damage in the executor's audit.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// An output or a workspace: n elements, every byte 0xFF.
  Array(const Executor& on, std::size_t n) : size_(n), storage_(on, n * sizeof(T)) {}

  /// An input: a copy of x.
  Array(const Executor& on, std::span<const T> x) : size_(x.size()), storage_(on, x.size_bytes(), x.data()) {}

  /// The address of the elements on the executor.
  [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(storage_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Compares an input with its original after the launch.
  void compare(std::span<const T> x) const { storage_.compare(x.data()); }

  /// The elements of an output or a workspace after the launch.
  [[nodiscard]] std::vector<T> take() const {
    std::vector<T> elements(size_);
    storage_.take(elements.data());
    return elements;
  }

 private:
  std::size_t size_;
  detail::Storage storage_;
};

/// An output or a workspace of one element.
template <class T>
class OneElement {
 public:
  explicit OneElement(const Executor& on) : array_(on, 1) {}

  [[nodiscard]] T* data() const noexcept { return array_.data(); }
  [[nodiscard]] T take() const { return array_.take().front(); }

 private:
  Array<T> array_;
};

}  // namespace assay
