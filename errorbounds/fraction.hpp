#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "errorbounds/bound.hpp"

namespace assay {

namespace detail {

/// a/b + c/d as numerator and denominator. Most denominators are 1.
inline std::pair<oracle::Dyadic, oracle::Dyadic> sum_of_fractions(const oracle::Dyadic& a, const oracle::Dyadic& b,
                                                                  const oracle::Dyadic& c, const oracle::Dyadic& d) {
  static const oracle::Dyadic one = 1;
  if (d == one) return {b == one ? a + c : oracle::Dyadic(c * b) + a, b};
  if (b == one) return {oracle::Dyadic(a * d) + c, d};
  return {a * d + c * b, b * d};
}

/// Adds the term to the term with its name, or as a new one. Throws std::logic_error beyond most_terms.
inline void add_term(std::vector<BoundTerm>& terms, const BoundTerm& term) {
  const auto same = std::find_if(terms.begin(), terms.end(), [&](const BoundTerm& each) {
    return std::strcmp(each.name.text, term.name.text) == 0;
  });
  if (same != terms.end()) {
    auto [numerator, denominator] =
        sum_of_fractions(same->numerator, same->denominator, term.numerator, term.denominator);
    same->numerator = std::move(numerator);
    same->denominator = std::move(denominator);
    return;
  }
  if (terms.size() == most_terms) throw std::logic_error("a bound has at most four named terms");
  terms.push_back(term);
}

}  // namespace detail

/// The bound as one term of a sum. Names of its own summands are dropped.
inline Bound named(TermName name, Bound bound) {
  bound.terms.assign(1, {name, bound.numerator, bound.denominator});
  return bound;
}

/// The exact arithmetic of bounds: sums, products and an order of fractions. Nothing is rounded and nothing canceled.
/// The terms of a sum are those of both summands.
inline Bound operator+(const Bound& a, const Bound& b) {
  auto [numerator, denominator] = detail::sum_of_fractions(a.numerator, a.denominator, b.numerator, b.denominator);
  Bound sum{std::move(numerator), std::move(denominator)};
  if (!a.terms.empty() || !b.terms.empty()) {
    sum.terms = a.terms;
    for (const BoundTerm& each : b.terms) detail::add_term(sum.terms, each);
  }
  return sum;
}
/// Requires: factor ≥ 0 (not checked).
inline Bound operator*(Bound bound, const oracle::Dyadic& factor) {
  bound.numerator *= factor;
  for (BoundTerm& each : bound.terms) each.numerator *= factor;
  return bound;
}
inline RelativeBound operator+(const RelativeBound& a, const RelativeBound& b) {
  auto [numerator, denominator] = detail::sum_of_fractions(a.numerator, a.denominator, b.numerator, b.denominator);
  return {std::move(numerator), std::move(denominator)};
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
