#pragma once
// The smaller and the larger of two integers, on the host and on a device.

#include <algorithm>
#include <type_traits>

#include "arith/hd.hpp"

namespace assay::bits {

/// The smaller of a and b, which are integers. One instruction.
template <class T>
ASSAY_HD constexpr T min(T a, std::type_identity_t<T> b) {
#if defined(__CUDA_ARCH__)
  return b < a ? b : a;
#else
  return std::min(a, b);
#endif
}

/// The larger of a and b, which are integers. One instruction.
template <class T>
ASSAY_HD constexpr T max(T a, std::type_identity_t<T> b) {
#if defined(__CUDA_ARCH__)
  return a < b ? b : a;
#else
  return std::max(a, b);
#endif
}

}  // namespace assay::bits
