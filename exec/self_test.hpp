#pragma once
// The floating-point environment of an executor, measured.

#include <string>
#include <vector>

#include "exec/executor.hpp"

namespace assay {

/// What the executor's arithmetic does otherwise than the kernels assume, one sentence each; empty when all is well.
/// Tried for binary64 and binary32: a·b + c is not fused, subnormal operands and results live, rounding is to nearest
/// with ties to even, and + − × ÷ √ fma are correctly rounded on hard cases (quotients and roots next to a midpoint or
/// to a representable number, ties of sums and products, products at the edge of underflow, a fused addend far below).
/// The expected bits are constants derived by integer arithmetic, not computed by the arithmetic under test.
/// Throws ExecutorError when the executor fails.
std::vector<std::string> self_test(const Executor& on);

}  // namespace assay
