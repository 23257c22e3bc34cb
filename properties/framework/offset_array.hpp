#pragma once
// Operands whose address is a multiple of their size, but of no larger power of two.

#include <span>
#include <vector>

#include "exec/array.hpp"

namespace assay {

/// An Array whose elements begin one element after its base, so that a load of two numbers at once is not aligned. The
/// element before them belongs to the guard zone: its bits must not change.
template <class T>
class OffsetArray {
 public:
  /// An input: a copy of x.
  OffsetArray(const Executor& on, std::span<const T> x) : content_(behind_one(x)), array_(on, content()) {}

  [[nodiscard]] T* data() const noexcept { return array_.data() + 1; }

  /// Compares an input with its original after the launch.
  void compare() const { array_.compare(content()); }

  /// The elements after the launch.
  [[nodiscard]] std::vector<T> take() const {
    std::vector<T> all = array_.take();
    return {all.begin() + 1, all.end()};
  }

 private:
  static std::vector<T> behind_one(std::span<const T> x) {
    std::vector<T> all(1);
    all.insert(all.end(), x.begin(), x.end());
    return all;
  }
  [[nodiscard]] std::span<const T> content() const { return content_; }

  std::vector<T> content_;
  Array<T> array_;
};

}  // namespace assay
