#pragma once

#include "errorbounds/bound.hpp"

namespace assay {

/// The exact arithmetic of bounds: sums, products and an order of fractions. Nothing is rounded and nothing cancelled.
inline Bound operator+(const Bound& a, const Bound& b) {
  return {a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
}
inline RelativeBound operator+(const RelativeBound& a, const RelativeBound& b) {
  return {a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
}
inline RelativeBound operator*(const RelativeBound& a, const RelativeBound& b) {
  return {a.numerator * b.numerator, a.denominator * b.denominator};
}
/// The absolute bound that a relative one is at a magnitude. Requires: magnitude ≥ 0 (not checked).
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
