#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace assay {

/// During its lifetime, the judges of its thread (judge.hpp) record how far each component of a result may be from the
/// truth, rounded up to a number of binary64: the bound that is applied, half an ulp for a rounding to nearest, an ulp
/// for a faithful one. The youngest object records.
class NotedBounds {
 public:
  /// `wants_all`: the bounds are requested, not a verdict, so that no judge stops at wrong numbers.
  explicit NotedBounds(std::size_t components, bool wants_all = false)
      : all_(components, std::numeric_limits<double>::quiet_NaN()), wants_all_(wants_all), before_(current_) {
    current_ = this;
  }
  ~NotedBounds() { current_ = before_; }
  NotedBounds(const NotedBounds&) = delete;
  NotedBounds& operator=(const NotedBounds&) = delete;

  /// By component; a NaN if no bound was applied.
  [[nodiscard]] const std::vector<double>& all() const { return all_; }
  /// Forgets what was recorded.
  void clear() { all_.assign(all_.size(), std::numeric_limits<double>::quiet_NaN()); }

  /// The active object of this thread, or nullptr.
  static NotedBounds* current() { return current_; }
  /// Whether all bounds are requested in this thread.
  static bool are_all_wanted() { return current_ != nullptr && current_->wants_all_; }
  void note(std::size_t at, double bound) {
    if (at < all_.size()) all_[at] = bound;
  }

 private:
  static inline thread_local NotedBounds* current_ = nullptr;
  std::vector<double> all_;
  bool wants_all_;
  NotedBounds* before_;
};

}  // namespace assay
