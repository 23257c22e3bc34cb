#pragma once

#include <cstdint>
#include <string>

namespace assay {

/// The floating-point environment and locale before a subject runs. `restore()` puts both back and returns whether the
/// subject had changed them: rounding direction, flush-to-zero, denormals-are-zero, LC_ALL. Exception flags may change;
/// no result depends on them.
class EnvironmentFence {
 public:
  EnvironmentFence();
  /// Restores the saved environment. Returns true if nothing had changed.
  bool restore();

 private:
  unsigned control_;
  int rounding_;
  std::string locale_;
};

}  // namespace assay
