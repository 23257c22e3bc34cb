#pragma once
// The range and the subnormal numbers of binary64 for numbers of MPFR.

#include <mpfr.h>

namespace assay::reference {

/// RN(x) in binary64, or in another direction, of the number whose rounding to 53 bits is `result` and whose ternary
/// value is `ternary`, both in that direction.
inline double in_binary64(mpfr_t result, int ternary, mpfr_rnd_t mode) {
  const mpfr_exp_t low = mpfr_get_emin();
  const mpfr_exp_t high = mpfr_get_emax();
  mpfr_set_emin(-1073);
  mpfr_set_emax(1024);
  ternary = mpfr_check_range(result, ternary, mode);
  mpfr_subnormalize(result, ternary, mode);
  const double rounded = mpfr_get_d(result, MPFR_RNDN);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  return rounded;
}

}  // namespace assay::reference
