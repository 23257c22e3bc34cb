#include "errorbounds/fraction.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace assay {

namespace {

/// a/b + c/d as numerator and denominator. Most denominators are 1.
std::pair<oracle::Dyadic, oracle::Dyadic> sum_of_fractions(const oracle::Dyadic& a, const oracle::Dyadic& b,
                                                           const oracle::Dyadic& c, const oracle::Dyadic& d) {
  static const oracle::Dyadic one = 1;
  if (d == one) return {b == one ? a + c : oracle::Dyadic(c * b) + a, b};
  if (b == one) return {oracle::Dyadic(a * d) + c, d};
  return {a * d + c * b, b * d};
}

/// Adds the term to the term with its name, or as a new one. Throws std::logic_error beyond most_terms.
void add_term(std::vector<BoundTerm>& terms, const BoundTerm& term) {
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

}  // namespace

Bound named(TermName name, Bound bound) {
  bound.terms.assign(1, {name, bound.numerator, bound.denominator});
  return bound;
}

Bound operator+(const Bound& a, const Bound& b) {
  auto [numerator, denominator] = sum_of_fractions(a.numerator, a.denominator, b.numerator, b.denominator);
  Bound sum{std::move(numerator), std::move(denominator)};
  if (!a.terms.empty() || !b.terms.empty()) {
    sum.terms = a.terms;
    for (const BoundTerm& each : b.terms) add_term(sum.terms, each);
  }
  return sum;
}
RelativeBound operator+(const RelativeBound& a, const RelativeBound& b) {
  auto [numerator, denominator] = sum_of_fractions(a.numerator, a.denominator, b.numerator, b.denominator);
  return {std::move(numerator), std::move(denominator)};
}

}  // namespace assay
