#pragma once
// Division of integers, rounded up: the number of parts of a given size for a number of elements.

#include <type_traits>

#include "arith/hd.hpp"

namespace assay::bits {

/// ⌈a/b⌉ for integers. Requires: a ≥ 0, b > 0 (not checked). Nothing overflows.
template <class T>
ASSAY_HD constexpr T ceil_div(T a, std::type_identity_t<T> b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace assay::bits
