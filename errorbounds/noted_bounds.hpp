#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace assay {

/// During its lifetime, the judges of its thread (judge.hpp) record how far each component of a result may be from the
/// truth, rounded up to a number of binary64: the bound that is applied, half an ulp for a rounding to nearest, an ulp
/// for a faithful one. The youngest object records. Unless all are wanted, a screen may pass over a component whose
/// bound does not matter; the first one is always recorded.
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
  /// Whether a bound was applied to every component, by a judge or by a screen.
  [[nodiscard]] bool has_all() const {
    for (std::size_t at = 0; at < all_.size(); ++at) {
      if (std::isnan(all_[at]) && (passed_over_.empty() || !passed_over_[at])) return false;
    }
    return true;
  }
  /// Forgets what was recorded.
  void clear() {
    all_.assign(all_.size(), std::numeric_limits<double>::quiet_NaN());
    passed_over_.clear();
    is_empty_ = true;
  }

  /// The active object of this thread, or nullptr.
  static NotedBounds* current() { return current_; }
  /// Whether all bounds are requested in this thread.
  static bool are_all_wanted() { return current_ != nullptr && current_->wants_all_; }
  /// Whether a screen must pass over nothing in this thread.
  static bool must_judge() { return current_ != nullptr && (current_->wants_all_ || current_->is_empty_); }
  void note(std::size_t at, double bound) {
    if (at >= all_.size()) return;
    all_[at] = bound;
    is_empty_ = false;
  }
  /// Records that a screen showed a component to be within its bound.
  static void pass_over(std::size_t at) {
    if (current_ == nullptr || at >= current_->all_.size()) return;
    current_->passed_over_.resize(current_->all_.size());
    current_->passed_over_[at] = true;
  }

 private:
  static inline thread_local NotedBounds* current_ = nullptr;
  std::vector<double> all_;
  std::vector<bool> passed_over_;
  bool is_empty_ = true;
  bool wants_all_;
  NotedBounds* before_;
};

}  // namespace assay
