#pragma once
// The numbers of a format in their order.

#include <cstdint>

#include "oracle/decode.hpp"
#include "properties/framework/codec.hpp"

namespace assay::contracts {

/// The place of a number among all numbers of the format, zeros of both signs at 0 and infinities at the ends.
/// Requires: no NaN (not checked).
inline std::int64_t place_of(const oracle::Format& format, std::uint64_t bits) {
  const auto magnitude = static_cast<std::int64_t>(bits & (format.sign_mask() - 1));
  return oracle::is_negative(format, bits) ? -magnitude : magnitude;
}
template <class T>
std::int64_t place_of(T x) {
  return place_of(format_of<T>(), bits_of(x));
}

/// The next larger and the next smaller number. Requires: x finite (not checked).
template <class T>
T next_larger(T x) {
  if (place_of(x) == 0) return number_of<T>(1);
  return number_of<T>(oracle::is_negative(format_of<T>(), bits_of(x)) ? bits_of(x) - 1 : bits_of(x) + 1);
}
template <class T>
T next_smaller(T x) {
  if (place_of(x) == 0) return number_of<T>(format_of<T>().sign_mask() | 1);
  return number_of<T>(oracle::is_negative(format_of<T>(), bits_of(x)) ? bits_of(x) + 1 : bits_of(x) - 1);
}

}  // namespace assay::contracts
