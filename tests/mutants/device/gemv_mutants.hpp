#pragma once
// The multiple-precision GEMV, one thread per entry, with the mistakes of the mutant catalog.

#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/mp/array.hpp"

namespace assay::mutants {

enum class GemvMistake {
  none,
  leading_dimension_m,     ///< entry (i, j) of A at i + j·m
  beta_twice,              ///< β·y is multiplied by β again when it is written
  multiplies_by_zero,      ///< with β = 0, y is multiplied by β and added
  incx_from_zero,          ///< x is read from its first place forward for incx < 0
  incy_over_m,             ///< for incy < 0 and Aᵀ, y has m entries
  tail_dropped,            ///< terms from n & ~31 on are left out
  unrounded_scaled_x,      ///< α·x is not rounded
  unrounded_products,      ///< a·(α·x) is not rounded before it is added
  gaps_written,            ///< the gap after each entry of y is set to 0
  partial_sums_in_double,  ///< partial sums are rounded to double
  drops_too_early          ///< an addition drops an operand when U of the other is only 1/4, not 1/2
};

/// The problem that a GEMV over 8 moduli solves: y ← α·op(A)·x + β·y, with the arguments of mp_gemv_decomposed().
struct GemvCall {
  bool transposed;
  std::int64_t m, n, lda, incx, incy;
  int threads;
};

/// y afterwards. Requires: arguments that mp_gemv_decomposed() accepts (not checked).
mp::MpArray gemv_with(GemvMistake mistake, const Executor& on, const GemvCall& call, const mp::MpArray& alpha,
                      const mp::MpArray& a, const mp::MpArray& x, const mp::MpArray& beta, const mp::MpArray& y);

}  // namespace assay::mutants
