#pragma once

#include <stdexcept>
#include <string>

namespace assay {

/// Throws std::domain_error for p < least: the theorem of the operation's bound does not cover that precision.
inline void require_precision(int p, int least, const char* operation) {
  if (p < least) {
    throw std::domain_error(std::string("the bound of ") + operation + " requires p >= " + std::to_string(least) +
                            ": p = " + std::to_string(p));
  }
}

}  // namespace assay
