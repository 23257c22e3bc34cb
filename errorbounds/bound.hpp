#pragma once

#include "oracle/dyadic.hpp"

namespace assay {

/// An error bound numerator / denominator, kept as two exact numbers: verdicts clear the denominator, nothing is
/// rounded. Requires: numerator ≥ 0, denominator > 0 (not checked).
struct Bound {
  oracle::Dyadic numerator;
  oracle::Dyadic denominator = 1;
};

/// The bound numerator / denominator on |error| / |truth|. With truth 0 only an error of 0 is within.
struct RelativeBound {
  oracle::Dyadic numerator;
  oracle::Dyadic denominator = 1;
};

}  // namespace assay
