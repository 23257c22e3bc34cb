#pragma once

#include <cstdint>
#include <limits>

namespace assay {

/// During the lifetime of an object, the domains of its thread accept cases of any size: a given result has the size
/// that it has. Drawn cases stay small.
class AnySize {
 public:
  AnySize() { ++living_; }
  ~AnySize() { --living_; }
  AnySize(const AnySize&) = delete;
  AnySize& operator=(const AnySize&) = delete;

  [[nodiscard]] static bool is_asked() { return living_ != 0; }

 private:
  static inline thread_local int living_ = 0;
};

/// The most numbers, rows or columns that a domain accepts: `drawn`, or any number (AnySize).
inline std::int64_t most_of(std::int64_t drawn) {
  return AnySize::is_asked() ? std::numeric_limits<std::int64_t>::max() : drawn;
}

}  // namespace assay
