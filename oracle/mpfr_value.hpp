#pragma once

#include <mpfr.h>

#include <string_view>

#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

/// Conversions from numbers of MPFR and decimal strings.
namespace assay::oracle {

/// The value of f. Throws std::domain_error for an infinity or a NaN.
Dyadic value_of(mpfr_srcptr f);

/// f ← x rounded to f's precision; returns MPFR's ternary value. Beyond MPFR's range of exponents, MPFR's rules apply.
int set_mpfr(mpfr_ptr f, const Dyadic& x, Rounding direction);

/// The number that a decimal string stands for, truncated to `bits` bits toward zero: an optional sign, digits with at
/// most one point among them, and optionally e or E with a signed exponent. A number below the range of MPFR becomes
/// ±2^e with the least e of that range, and one above it the largest number. Throws std::invalid_argument for anything
/// else. Locale-free. Requires: bits ≥ 2 (not checked).
Dyadic truncated_decimal(std::string_view text, long bits);

}  // namespace assay::oracle
