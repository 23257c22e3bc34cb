#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace assay::formulas {

/// The entries of a node. Copies have the same memory until one of them is changed. Threads: like any value type;
/// several threads may change entries of one column if no copy of it exists.
template <class T>
class Column {
 public:
  Column() = default;

  std::size_t size() const { return entries_ == nullptr ? 0 : entries_->size(); }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t i) const { return (*entries_)[i]; }
  T& operator[](std::size_t i) { return own()[i]; }
  const T* begin() const { return entries_ == nullptr ? nullptr : entries_->data(); }
  const T* end() const { return begin() + size(); }
  void resize(std::size_t size) { own().resize(size); }

 private:
  std::vector<T>& own() {
    if (entries_ == nullptr) {
      entries_ = std::make_shared<std::vector<T>>();
    } else if (entries_.use_count() > 1) {
      entries_ = std::make_shared<std::vector<T>>(*entries_);
    }
    return *entries_;
  }

  std::shared_ptr<std::vector<T>> entries_{};
};

}  // namespace assay::formulas
