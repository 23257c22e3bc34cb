#pragma once
// The arrays that a call takes from a workspace of its caller.

#include <cstddef>

namespace assay::gemv::detail {

/// Takes arrays from a workspace in sequence, each aligned to 64 bytes as the workspace is. Without a workspace it only
/// counts their bytes.
class WorkspaceParts {
 public:
  explicit WorkspaceParts(std::byte* workspace = nullptr) : workspace_(workspace) {}

  /// The next n elements; nullptr without a workspace.
  template <class T>
  T* take(std::size_t n) {
    std::byte* const at = workspace_ == nullptr ? nullptr : workspace_ + bytes_;
    bytes_ += (n * sizeof(T) + alignment - 1) / alignment * alignment;
    return reinterpret_cast<T*>(at);
  }

  /// The bytes of all arrays so far.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t alignment = 64;
  std::byte* workspace_;
  std::size_t bytes_ = 0;
};

}  // namespace assay::gemv::detail
