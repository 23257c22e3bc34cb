#pragma once

#include <initializer_list>

namespace assay::report {

inline constexpr int exit_holds = 0;
inline constexpr int exit_violated = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_trouble = 3;
inline constexpr int exit_stopped = 4;
inline constexpr int exit_damaged = 5;
inline constexpr int exit_skipped = 77;

/// The graver of two exit codes. From the gravest: 130 and 143, 1, 4, 5, 3, 2, 77, 0.
constexpr int graver(int a, int b) {
  for (const int each : {130, 143, exit_violated, exit_stopped, exit_damaged, exit_trouble, exit_usage, exit_skipped}) {
    if (a == each || b == each) {
      return each;
    }
  }
  return exit_holds;
}

}  // namespace assay::report
