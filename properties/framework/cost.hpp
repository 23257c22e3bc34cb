#pragma once
// What a judgment costs: the time of the kernel's calls, and the time of everything else.

#include <chrono>
#include <cstdint>

namespace assay {

/// Times in nanoseconds. Runs with the same results are equal, whatever time they took.
struct Cost {
  std::uint64_t kernel = 0;  ///< in the calls of a kernel from outside; 0 for other kernels, whose time is not taken
  std::uint64_t judge = 0;   ///< in everything else: inputs, exact results, verdicts

  void add(const Cost& other) {
    kernel += other.kernel;
    judge += other.judge;
  }
  bool operator==(const Cost& /*other*/) const { return true; }
};

/// The time that the calls of kernels from outside have taken in this thread.
inline thread_local std::chrono::nanoseconds time_in_kernels{};

/// A call of a kernel from outside, or the wait for its device: counts the time from its beginning to its end.
class TimedCall {
 public:
  TimedCall() = default;
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;
  ~TimedCall() { time_in_kernels += std::chrono::steady_clock::now() - begun_; }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// Takes the cost of what this thread does from here on.
class CostClock {
 public:
  /// Nothing where no kernel from outside was called.
  [[nodiscard]] Cost taken() const {
    const std::chrono::nanoseconds kernel = time_in_kernels - in_kernels_;
    if (kernel.count() == 0) return {};
    const std::chrono::nanoseconds all = std::chrono::steady_clock::now() - begun_;
    return {static_cast<std::uint64_t>(kernel.count()), static_cast<std::uint64_t>((all - kernel).count())};
  }

 private:
  std::chrono::nanoseconds in_kernels_ = time_in_kernels;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace assay
