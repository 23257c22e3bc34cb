#pragma once
// Codes and scales of pairs of a largest magnitude and an entry, by integer arithmetic.

#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize {

struct PairCode {
  std::uint32_t scale;
  std::uint32_t code;
};
/// Scale and code of the entry with pattern x in a block with the largest magnitude m, to nearest with ties to even.
/// Requires: a format whose scales are powers of two; finite patterns, m > 0 (not checked).
template <class T>
PairCode pair_code(const Format& format, ScaleRule rule, std::uint32_t m, std::uint32_t x);

struct PairCounts {
  std::uint64_t pairs = 0;
  std::uint64_t different = 0;
};
/// The kernel's results for all finite m > 0 and all |x| ≤ m of both signs, compared with pair_code(); the kernel
/// follows `other` in place of `rule` if it is given. `stride`: only every stride-th m.
template <class T>
PairCounts compare_pairs(const Executor& on, const Format& format, ScaleRule rule, ScaleRule other,
                         std::uint32_t stride);
template <class T>
PairCounts compare_pairs(const Executor& on, const Format& format, ScaleRule rule) {
  return compare_pairs<T>(on, format, rule, rule, 1);
}

}  // namespace assay::quantize
