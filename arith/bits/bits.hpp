#pragma once
// The one place that takes a binary64 number apart.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay::bits {

/// x = (−1)^minus·m·2^e with m < 2⁵³. Requires: x finite (not checked).
struct Significand {
  std::uint64_t m;
  int e;
  bool minus;
};
ASSAY_HD constexpr Significand significand(double x) {
  const std::uint64_t magnitude = magnitude_bits(x);
  const int field = static_cast<int>(magnitude >> 52);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << 52) - 1);
  return {field == 0 ? fraction : fraction | std::uint64_t{1} << 52, (field == 0 ? 1 : field) - 1075, signbit(x)};
}

/// A product of two 64-bit integers.
struct WideProduct {
  std::uint64_t low, high;
};
ASSAY_HD constexpr WideProduct wide_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t mask = 0xFFFFFFFFu;
  const std::uint64_t low = (a & mask) * (b & mask);
  const std::uint64_t left = (a >> 32) * (b & mask) + (low >> 32);
  const std::uint64_t right = (a & mask) * (b >> 32) + (left & mask);
  return {right << 32 | (low & mask), (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32)};
}

}  // namespace assay::bits
