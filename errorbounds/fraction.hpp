#pragma once

#include "errorbounds/bound.hpp"

namespace assay {

/// The bound as one term of a sum. Names of its own summands are dropped.
Bound named(TermName name, Bound bound);

/// The exact arithmetic of bounds: sums, products and an order of fractions. Nothing is rounded and nothing canceled.
/// The terms of a sum are those of both summands. Throws std::logic_error beyond most_terms.
Bound operator+(const Bound& a, const Bound& b);
RelativeBound operator+(const RelativeBound& a, const RelativeBound& b);
/// Requires: factor ≥ 0 (not checked).
inline Bound operator*(Bound bound, const oracle::Dyadic& factor) {
  bound.numerator *= factor;
  for (BoundTerm& each : bound.terms) each.numerator *= factor;
  return bound;
}
inline RelativeBound operator*(const RelativeBound& a, const RelativeBound& b) {
  return {a.numerator * b.numerator, a.denominator * b.denominator};
}
/// The absolute bound of a relative bound at a magnitude. Requires: magnitude ≥ 0 (not checked).
inline Bound operator*(const RelativeBound& a, const oracle::Dyadic& magnitude) {
  return {a.numerator * magnitude, a.denominator};
}

inline bool operator<=(const Bound& a, const Bound& b) {
  return a.numerator * b.denominator <= b.numerator * a.denominator;
}
inline bool operator<=(const RelativeBound& a, const RelativeBound& b) {
  return a.numerator * b.denominator <= b.numerator * a.denominator;
}
inline bool operator<(const Bound& a, const Bound& b) { return !(b <= a); }
inline bool operator<(const RelativeBound& a, const RelativeBound& b) { return !(b <= a); }

}  // namespace assay
