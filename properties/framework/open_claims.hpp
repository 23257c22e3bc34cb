#pragma once

#include <functional>
#include <utility>

#include "properties/framework/model.hpp"

namespace assay {

/// During its lifetime, PropertyModel::run in its thread judges nothing but the claims of the property's own for which
/// is_open(index) holds: the subject is called once, and no implicit claim is judged, no error measured. Judged claims,
/// classes and BitSums of the tally are the same as without it.
class OpenClaims {
 public:
  explicit OpenClaims(std::function<bool(std::size_t)> is_open)
      : is_open_(std::move(is_open)), before_(std::exchange(current_, this)) {}
  ~OpenClaims() { current_ = before_; }
  OpenClaims(const OpenClaims&) = delete;
  OpenClaims& operator=(const OpenClaims&) = delete;

  /// The youngest object of this thread, or nullptr.
  static const OpenClaims* current() { return current_; }
  [[nodiscard]] bool is_open(std::size_t claim) const { return is_open_(claim); }

 private:
  static inline thread_local const OpenClaims* current_ = nullptr;
  std::function<bool(std::size_t)> is_open_;
  const OpenClaims* before_;
};

}  // namespace assay
