#pragma once
// Numbers out of range in an array: the status of a computation, which throws nothing for them.

#include <algorithm>
#include <cstddef>

#include "kernels/mp/array.hpp"

namespace assay::mp {

/// How many numbers are out of range, and the index of the first; the length if there is none.
struct MpStatus {
  std::size_t out_of_range = 0;
  std::size_t first = 0;
  [[nodiscard]] bool all_in_range() const { return out_of_range == 0; }
};

/// The numbers of x that are out of range. A number out of range makes every result that depends on it out of range, so
/// that it is enough to check the results of a computation. Cost: one pass.
inline MpStatus mp_status(const MpArray& x) {
  MpStatus status{0, x.length};
  for (std::size_t k = 0; k < x.length; ++k) {
    if (x.exponent[k] != mp::out_of_range_exponent) continue;
    ++status.out_of_range;
    status.first = std::min(status.first, k);
  }
  return status;
}

}  // namespace assay::mp
