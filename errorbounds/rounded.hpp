#pragma once

#include <cmath>

#include "errorbounds/bound.hpp"
#include "oracle/decode.hpp"

namespace assay {

/// The bound rounded up to 53 bits, so that numbers computed from it stay short. Requires: it is 0 or in the range of
/// binary64 (not checked).
inline RelativeBound rounded_up(const RelativeBound& x) {
  double factor = x.numerator.to_double_up() / x.denominator.to_double_nearest();
  while (oracle::exact(factor) * x.denominator < x.numerator) factor = std::nextafter(factor, HUGE_VAL);
  return {oracle::exact(factor), 1};
}

}  // namespace assay
