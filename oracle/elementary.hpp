#pragma once

#include "oracle/dyadic.hpp"
#include "oracle/exact.hpp"

namespace assay::oracle {

/// Real functions of one real number, with their names in C. rsqrt is 1/√x, exp10 is 10ˣ.
enum class Elementary {
  exp,
  exp2,
  exp10,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  sqrt,
  rsqrt,
  cbrt,
  erf,
  erfc
};

/// Whether f has a real value at x: no pole, no root or logarithm of a negative number, and so on.
bool is_defined(Elementary f, const Dyadic& x);

/// f(x), for questions about formats with emin ≥ −1022 and emax ≤ 1023. A rational value and a square root are exact;
/// any other value is an Enclosure by Arb, and every question about its rounding is decided by some precision, since it
/// is irrational. (For erf and erfc at x ≠ 0 there is no proof of that; Ziv's loop ends the search.) A value nearer
/// than 2^−2000 to ±1 or 2 is replaced by another value on the same side if |x| ≥ 2048 (erf and erfc: 64), and so is a
/// value beyond 2^±(2⁴⁹) if |x| ≥ 2⁵⁰ (erfc: 2²⁵): every rounding to such a format is the same, and so is every
/// comparison of the error of one of its numbers with a multiple of half an ulp. Errors: std::domain_error if f is not
/// defined at x. Cost: some microseconds.
Exact elementary(Elementary f, const Dyadic& x);

/// The same for questions about sums of several numbers of a format: here f(x) is never replaced. A value that Arb
/// finds exactly is a Dyadic, any other one an Enclosure. Requires: |x| < 2¹² where f grows like eˣ, |x| < 2¹⁰²⁴
/// elsewhere (not checked). Errors: std::domain_error if f is not defined at x, or is a square root.
Exact elementary_by_balls(Elementary f, const Dyadic& x);
/// The angle of the point (x, y) in (−π, π], as C's atan2(y, x); π for y = 0 and x < 0, 0 for the origin.
Exact angle(const Dyadic& y, const Dyadic& x);
/// x^y. Requires: x > 0, |y·ln x| < 2¹² (not checked).
Exact power(const Dyadic& x, const Dyadic& y);

}  // namespace assay::oracle
