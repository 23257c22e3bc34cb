#pragma once
// The numbered theorems of docs/bounds/execution.md that claims cite.

#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto execution_same_bits_1 = theorem({
    .id = "execution.same_bits.1",
    .hypotheses = "a kernel is a fixed sequence of correctly rounded operations on its inputs (+ − × ÷ √ fma, "
                  "comparisons, integers), with nothing fused and nothing reordered by the compiler, or a "
                  "computation whose partial results are all exact. In a cooperative kernel no thread reads in a "
                  "phase what another thread writes in the same phase",
    .statement = "the same bits in every thread order, in a repetition and on every executor",
    .source = "derived",
});

inline constexpr auto execution_batch_1 = theorem({
    .id = "execution.batch.1",
    .hypotheses = "every offset of a case's part of the arrays is computed from the shape of the case",
    .statement = "the same bits alone and in a batch",
    .source = "derived",
});

inline constexpr auto execution_inputs_unchanged_1 = theorem({
    .id = "execution.inputs_unchanged.1",
    .hypotheses = "kernels take inputs as read-only views",
    .statement = "the kernel's inputs are unchanged",
    .source = "derived",
});

inline constexpr auto execution_guard_zones_1 = theorem({
    .id = "execution.guard_zones.1",
    .hypotheses = "an output has as many elements as the kernel's docstring says",
    .statement = "nothing is written outside the outputs",
    .source = "derived",
});

inline constexpr auto execution_environment_1 = theorem({
    .id = "execution.environment.1",
    .hypotheses = "directed rounding is computed, not switched on; the self-test at start asserts round to "
                  "nearest with subnormals",
    .statement = "rounding direction, FTZ, DAZ and locale are left as found",
    .source = "derived",
});

}  // namespace assay
