#pragma once
// Numbers so far from overflow and underflow that products and squares of them are normal.

#include "properties/contracts/exceptional.hpp"
#include "properties/framework/generators.hpp"

namespace assay::contracts::factorizations {

using oracle::Dyadic;

/// Numbers that are not 0 are within 2^±most_moderate.
template <FloatingPoint T>
inline constexpr int most_moderate = FloatTraits<T>::emax / 4;

/// Whether the number is 0, NaN, infinite or, in magnitude, within 2^±most_moderate.
template <FloatingPoint T>
bool is_moderate_number(const T& x) {
  if (!oracle::is_finite(format<T>, bits_of(x))) return true;
  const Dyadic magnitude = abs(value_of(x));
  return magnitude.is_zero() ||
         (Dyadic::scaled(1, -most_moderate<T>) <= magnitude && magnitude <= Dyadic::scaled(1, most_moderate<T>));
}

/// The number nearest to a value, or 0 where that is smaller than 2^−most_moderate.
template <FloatingPoint T>
T moderate_nearest_to(const Dyadic& value) {
  return abs(value) < Dyadic::scaled(1, -most_moderate<T>) ? T{} : nearest_to<T>(value);
}

}  // namespace assay::contracts::factorizations
