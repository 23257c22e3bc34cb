#pragma once

namespace assay {

/// During its lifetime, the judges of its thread (judge.hpp) that round a truth give verdicts alone: tightness and
/// boundary of a rounding that is right stay 0 and no_boundary. For an enclosed truth, these numbers take longer than
/// the verdict. Claims may end at the first violated component.
class VerdictsAlone {
 public:
  VerdictsAlone() : before_(is_on_) { is_on_ = true; }
  ~VerdictsAlone() { is_on_ = before_; }
  VerdictsAlone(const VerdictsAlone&) = delete;
  VerdictsAlone& operator=(const VerdictsAlone&) = delete;

  static bool is_on() { return is_on_; }

 private:
  static inline thread_local bool is_on_ = false;
  bool before_;
};

}  // namespace assay
