#pragma once
// Exact sums as integers of GMP, and their rounding by MPFR.

#include <mpfr.h>

#include <cmath>
#include <limits>

#include "arith/bits/traits.hpp"
#include "binary64_range.hpp"
#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay::reference {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double largest = std::numeric_limits<double>::max();

/// z·2^e in binary64 by MPFR: at 53 bits in a wide exponent range, then in that of binary64.
inline double rounded_integer(const Integer& z, long e, Rounding to) {
  const mpfr_rnd_t mode = to == Rounding::rn   ? MPFR_RNDN
                          : to == Rounding::ru ? MPFR_RNDU
                          : to == Rounding::rd ? MPFR_RNDD
                                               : MPFR_RNDZ;
  mpfr_t result;
  mpfr_init2(result, 53);
  const int ternary = mpfr_set_z_2exp(result, z.get(), e, mode);
  const double rounded = in_binary64(result, ternary, mode);
  mpfr_clear(result);
  return rounded;
}

/// A number in units of 2⁻¹⁰⁷⁴.
inline Integer in_units(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  const Integer m = static_cast<long>(std::ldexp(fraction, 53));
  const long shift = exponent - 53 + 1074;
  return shift >= 0 ? m << shift : m >> -shift;
}

}  // namespace assay::reference
