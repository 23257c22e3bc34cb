#pragma once
// The checks of arguments for the BLAS with multiple-precision numbers, and the places of the entries of a vector.

#include <cstddef>
#include <cstdint>

#include "kernels/blas/arguments.hpp"
#include "kernels/mp/array.hpp"

namespace assay::mp::detail {

/// A vector in an array: entry i at first + i·step.
struct MpEntries {
  std::int64_t first, step;
  ASSAY_HD std::size_t operator()(std::int64_t i) const { return static_cast<std::size_t>(first + i * step); }
};

inline MpEntries entries(std::int64_t length, std::int64_t inc) { return {blas::begin_of(length, inc), inc}; }

inline void require_vector(const char* routine, const MpArray& x, const char* name, int n, std::int64_t length,
                           std::int64_t inc) {
  require_mp_array(x, n, routine, name);
  blas::require_argument(length >= 0, routine, "the length is not negative");
  blas::require_argument(inc != 0, routine, "a stride is not 0");
  blas::require_argument(blas::holds_vector(x.length, length, inc), routine, "a vector does not fit into its array");
}

inline void require_scalar(const char* routine, const MpArray& x, const char* name, int n) {
  require_mp_array(x, n, routine, name);
  blas::require_argument(x.length == 1, routine, "a scalar is an array of length 1");
}

inline bool is_zero(const MpArray& alpha) {
  return alpha.upper[0].fraction == 0 && alpha.exponent[0] != mp::out_of_range_exponent;
}

}  // namespace assay::mp::detail
