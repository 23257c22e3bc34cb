#pragma once

#include <cstdint>

#include "errorbounds/sum.hpp"
#include "errorbounds/theorem.hpp"

namespace own {

/// γ_h·S, S = Σ|xⱼ|, h = ⌈n/64⌉ − 1 + log₂ 64: the most rounded additions that one of the n ≥ 1 addends goes through
/// (the first addition of a thread has +0 as one operand and is exact). An addition with a subnormal result is exact.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §4.2.
inline assay::Bound row_sum_bound(std::uint64_t n, const assay::oracle::Dyadic& S) {
  const std::uint64_t h = (n + 63) / 64 - 1 + 6;
  return assay::tree_sum_bound(h, S, 53);
}

inline constexpr auto row_sum_1 = assay::theorem(
    {
        .id = "own.row_sum.1",
        .hypotheses = "a row of n ≥ 1 numbers, added as row_sum does, hu < 1",
        .statement = "|ŝ − s| ≤ γ_h Σ|x|, h = ⌈n/64⌉ − 1 + 6",
        .source = "Higham 2002, §4.2",
    },
    row_sum_bound);

}  // namespace own
