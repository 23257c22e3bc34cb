#pragma once
// The functions that the mutated copies of the Ozaki scheme call instead of the right expressions.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/scan.hpp"

namespace assay::mutants {

/// ⌊log₂ k⌋, k ≥ 1.
inline int floor_log2(std::int64_t k) {
  int bits = 0;
  while (k >> (bits + 1) != 0) ++bits;
  return bits;
}

/// x with the leading bit of a normal number, if it is subnormal.
ASSAY_HD inline double with_implicit_bit(double x) {
  if (x == 0 || !(x < 0x1p-1022 && x > -0x1p-1022)) return x;
  return x < 0 ? x - 0x1p-1022 : x + 0x1p-1022;
}

/// `count` of the numbers, from the first on, and again from the first after the last.
inline std::vector<std::int32_t> repeated(const std::vector<std::int32_t>& numbers, std::size_t count) {
  std::vector<std::int32_t> result;
  for (std::size_t j = 0; j < count; ++j) result.push_back(numbers[j % numbers.size()]);
  return result;
}

/// result[i].top from the largest number of line i, not from its largest magnitude.
struct TakeSignedMaximum {
  gemm::GemmLines of;
  gemm::GemmLine* result;

  ASSAY_HD void operator()(std::size_t i) const {
    gemm::GemmLine& line = result[i];
    const double* x = of.x + static_cast<std::int64_t>(i) * of.line_step;
    double largest = of.length > 0 ? x[0] : 0;
    for (std::int64_t l = 1; l < of.length; ++l) {
      const double each = x[l * of.inner_step];
      if (each > largest) largest = each;
    }
    if (line.is_zero() || largest == 0) return;
    const std::uint64_t magnitude = bits::magnitude_bits(largest);
    const int field = static_cast<int>(magnitude >> 52);
    int top = field - 1023;
    if (field == 0) {
      top = -1075;
      for (std::uint64_t rest = magnitude; rest != 0; rest >>= 1) ++top;
    }
    line.top = top < line.low ? line.low : top;
  }
};

inline void scan_signed_maximum(const Executor& on, const gemm::GemmLines& of, gemm::GemmLine* result) {
  gemm::gemm_scan(on, of, result);
  queue_indices(on, static_cast<std::size_t>(of.lines), TakeSignedMaximum{of, result});
}

}  // namespace assay::mutants
