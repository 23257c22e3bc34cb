#pragma once
// The steps of a launch that need no template; exec/launch.hpp puts them together.

#include "exec/executor.hpp"

namespace assay::detail {

/// Makes the device current, clears a stale error, counts the call. Exists in builds with CUDA.
void begin_launch(const Executor& on);

/// Throws ExecutorError for the launch's code; then waits for the device, and throws for its errors. Exists in builds
/// with CUDA.
void end_launch(int code);

/// Throws the ExecutorError of a kernel that has no device code.
[[noreturn]] void throw_host_only(const Executor& on);

}  // namespace assay::detail
