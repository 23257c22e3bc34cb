#pragma once

#include "errorbounds/bound.hpp"
#include "errorbounds/double_word.hpp"
#include "oracle/format.hpp"

namespace assay {

/// Sums and renormalization: every non-zero word in the box, subnormals included; no intermediate overflows.
/// binary64: [η, 2^1020). Derived in docs/bounds/expansion.md.
constexpr Box expansion_sum_box(const oracle::Format& format) {
  return {format.emin - format.precision + 1, format.emax - 4};
}

}  // namespace assay
