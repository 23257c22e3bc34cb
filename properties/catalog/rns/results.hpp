#pragma once
// The judge's form of intervals of the extended range: fraction and exponent of the lower bound, then of the upper
// bound.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "arith/float/extended_range.hpp"
#include "oracle/exact.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/property.hpp"

namespace assay {

/// The exact value of fraction·2^exponent. Requires: a finite fraction (not checked).
inline oracle::Dyadic value_of(const Extended& x) {
  oracle::Dyadic value = value_of(x.fraction);
  value.mul_2exp(static_cast<long>(x.exponent));
  return value;
}

template <>
struct ResultTraits<Interval> {
  using Number = double;
  static constexpr std::size_t per_component = 1;
  static constexpr std::size_t components(const Interval&) { return 4; }
  static double word(const Interval& x, std::size_t i) {
    const Extended& bound = i < 2 ? x.lower : x.upper;
    return i % 2 == 0 ? bound.fraction : static_cast<double>(bound.exponent);
  }
};

/// A fraction or an exponent has no error of its own.
template <class Truth>
std::optional<double> error_in_ulps_at(const Interval&, const Truth&, std::size_t) {
  return std::nullopt;
}

/// Numbers of the extended range: 0 as {0, 0}, or 1 ≤ |fraction| < 2.
inline bool is_extended(const Extended& x) {
  const double size = abs(x.fraction);
  return bits_of(x.fraction) == 0 ? x.exponent == 0 : size >= 1 && size < 2;
}

/// lower ≤ truth ≤ upper, both of the extended range. The failing component of a judgment is that of the failing bound.
inline Judgement judge_encloses(const Interval& x, const oracle::Exact& truth) {
  if (!is_extended(x.lower)) return Judgement::fail(0);
  if (!is_extended(x.upper)) return Judgement::fail(2);
  if (oracle::compare(truth, value_of(x.lower)) < 0) return Judgement::fail(0);
  return Judgement::of(oracle::compare(truth, value_of(x.upper)) <= 0, 2);
}

}  // namespace assay
