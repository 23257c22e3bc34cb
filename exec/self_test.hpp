#pragma once
// The floating-point environment of an executor, measured.

#include <string>
#include <vector>

#include "exec/executor.hpp"

namespace assay {

/// Deviations of the executor's arithmetic from the assumptions of the kernels, one sentence each; empty if there are
/// none. Tested for binary64 and binary32: a·b + c is not fused; subnormal operands and results are not flushed;
/// rounding is to nearest with ties to even; + − × ÷ √ fma are correctly rounded on hard cases (quotients and roots
/// next to a midpoint or to a representable number, ties of sums and products, products at the edge of underflow, a
/// fused addend far below). The expected bits are constants derived by integer arithmetic, independent of the
/// arithmetic under test. Throws ExecutorError when the executor fails.
std::vector<std::string> self_test(const Executor& on);

}  // namespace assay
