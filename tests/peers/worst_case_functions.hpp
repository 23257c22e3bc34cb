#pragma once
// The functions of the corpus of worst cases, and how near their values are to a number or a midpoint of binary64.

#include <mpfr.h>

#include <cmath>

#include "oracle/elementary.hpp"

namespace assay::reference {

struct WorstCaseFunction {
  const char* name;
  oracle::Elementary function;
  int (*mpfr)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  int binades[2];  ///< exponents e of arguments 2^e ≤ x < 2^(e + 1) that are searched
};

inline constexpr WorstCaseFunction worst_case_functions[] = {
    {"exp", oracle::Elementary::exp, mpfr_exp, {-2, 1}},
    {"exp2", oracle::Elementary::exp2, mpfr_exp2, {-2, 1}},
    {"exp10", oracle::Elementary::exp10, mpfr_exp10, {-2, 0}},
    {"expm1", oracle::Elementary::expm1, mpfr_expm1, {-2, 1}},
    {"log", oracle::Elementary::log, mpfr_log, {0, 20}},
    {"log2", oracle::Elementary::log2, mpfr_log2, {0, 20}},
    {"log10", oracle::Elementary::log10, mpfr_log10, {0, 20}},
    {"log1p", oracle::Elementary::log1p, mpfr_log1p, {-2, 5}},
    {"sin", oracle::Elementary::sin, mpfr_sin, {-1, 0}},
    {"cos", oracle::Elementary::cos, mpfr_cos, {-1, 0}},
    {"tan", oracle::Elementary::tan, mpfr_tan, {-2, -1}},
    {"asin", oracle::Elementary::asin, mpfr_asin, {-3, -2}},
    {"acos", oracle::Elementary::acos, mpfr_acos, {-3, -2}},
    {"atan", oracle::Elementary::atan, mpfr_atan, {-1, 2}},
    {"sinh", oracle::Elementary::sinh, mpfr_sinh, {-1, 2}},
    {"cosh", oracle::Elementary::cosh, mpfr_cosh, {-1, 2}},
    {"tanh", oracle::Elementary::tanh, mpfr_tanh, {-1, 0}},
    {"asinh", oracle::Elementary::asinh, mpfr_asinh, {-1, 3}},
    {"acosh", oracle::Elementary::acosh, mpfr_acosh, {1, 3}},
    {"atanh", oracle::Elementary::atanh, mpfr_atanh, {-3, -2}},
    {"rsqrt", oracle::Elementary::rsqrt, mpfr_rec_sqrt, {0, 1}},
    {"cbrt", oracle::Elementary::cbrt, mpfr_cbrt, {0, 1}},
    {"erf", oracle::Elementary::erf, mpfr_erf, {-1, 0}},
    {"erfc", oracle::Elementary::erfc, mpfr_erfc, {-1, 1}}};

/// A number of MPFR that frees itself.
struct Real {
  mpfr_t x;
  explicit Real(mpfr_prec_t precision) { mpfr_init2(x, precision); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(x); }
};

/// The exponent E with 2^(E − 1) ≤ |y| < 2^E: half an ulp of y in binary64 is 2^(E − 54) if y is normal.
inline long half_ulp_exponent(mpfr_srcptr y) { return mpfr_get_exp(y) - 54; }

/// How far f(x) is from the nearest number or midpoint of two of binary64, in units of half an ulp: 0 to 1/2.
inline double distance_from_a_boundary(const WorstCaseFunction& f, double x) {
  Real argument(53);
  Real value(400);
  Real nearest(400);
  mpfr_set_d(argument.x, x, MPFR_RNDN);
  f.mpfr(value.x, argument.x, MPFR_RNDN);
  mpfr_mul_2si(value.x, value.x, -half_ulp_exponent(value.x), MPFR_RNDN);
  mpfr_rint(nearest.x, value.x, MPFR_RNDN);
  mpfr_sub(value.x, value.x, nearest.x, MPFR_RNDN);
  return std::abs(mpfr_get_d(value.x, MPFR_RNDN));
}

}  // namespace assay::reference
