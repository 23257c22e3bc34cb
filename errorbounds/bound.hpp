#pragma once

#include <vector>

#include "errorbounds/term.hpp"
#include "oracle/dyadic.hpp"

namespace assay {

/// One summand numerator / denominator of a bound, under its name.
struct BoundTerm {
  TermName name;
  oracle::Dyadic numerator;
  oracle::Dyadic denominator = 1;
};

/// An error bound numerator / denominator, kept as two exact numbers: verdicts clear the denominator, nothing is
/// rounded. Requires: numerator ≥ 0, denominator > 0 (not checked).
struct Bound {
  oracle::Dyadic numerator;
  oracle::Dyadic denominator = 1;
  /// The named summands, at most most_terms of them; none for a bound in one piece. They sum to the bound if every
  /// summand was named.
  std::vector<BoundTerm> terms{};
};

/// The bound numerator / denominator on |error| / |truth|. If the truth is 0, only an error of 0 is within the bound.
struct RelativeBound {
  oracle::Dyadic numerator;
  oracle::Dyadic denominator = 1;
};

/// A number of binary64 that is at most the bound, and at most three units in the last place below it. Requires: the
/// bound is positive and in the range of binary64 (not checked).
double at_most(const RelativeBound& bound);

}  // namespace assay
