#pragma once
// Rounded operations on exact numbers: the oracle follows the steps of an algorithm without using the arithmetic that
// is judged.

#include <utility>

#include "oracle/dyadic.hpp"
#include "oracle/round.hpp"
#include "properties/framework/codec.hpp"

namespace assay {

/// A number of a format, and the error of rounding to it.
struct ExactSum {
  oracle::Dyadic s, e;
};

/// RN(a) in the format of T.
template <FloatingPoint T>
oracle::Dyadic nearest_number(const oracle::Dyadic& a) {
  return value_of(number_of<T>(oracle::round(a, format_of<T>(), oracle::Rounding::nearest)));
}

/// s = RN(a) in the format of T, and e = a − s.
template <FloatingPoint T>
ExactSum rounded_with_error(const oracle::Dyadic& a) {
  oracle::Dyadic s = nearest_number<T>(a);
  oracle::Dyadic e = a - s;
  return {std::move(s), std::move(e)};
}

/// 2^⌊log₂|a|⌋; 0 for 0.
inline oracle::Dyadic leading_power(const oracle::Dyadic& a) {
  return a.is_zero() ? oracle::Dyadic() : oracle::Dyadic::scaled(1, a.exponent());
}

}  // namespace assay
