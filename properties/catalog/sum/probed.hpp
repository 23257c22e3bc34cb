#pragma once
// The probes of sums and dot products.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "probes/sum/bounds.hpp"
#include "properties/catalog/probed.hpp"

namespace assay::sum {

namespace detail {

/// The number at or below a bound, which may be 0.
inline double coefficient(const RelativeBound& bound) { return bound.numerator.is_zero() ? 0 : at_most(bound); }

inline RelativeBound difference(const Bound& a, const Bound& b) {
  return {a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator};
}

}  // namespace detail

/// The coefficients of a bound(n, s, S) that is linear in |s| and S. `smallest`: its third term is a multiple of this.
template <class BoundOf>
probes::sum::Coefficients coefficients(const BoundOf& bound, const oracle::Dyadic& smallest) {
  using oracle::Dyadic;
  probes::sum::Coefficients all{};
  for (int n = 0; n <= probes::sum::longest; ++n) {
    const auto count = static_cast<std::size_t>(n);
    const Bound none = bound(count, Dyadic(), Dyadic());
    all.of_sum[n] = detail::coefficient(detail::difference(bound(count, Dyadic(1), Dyadic()), none));
    all.of_magnitudes[n] = detail::coefficient(detail::difference(bound(count, Dyadic(), Dyadic(1)), none));
    all.of_smallest[n] = detail::coefficient({none.numerator, none.denominator * smallest});
  }
  return all;
}

/// The property with a probe of its claim `error`, |ŝ − s| ≤ bound_of(theorem, n, s, S), with the classes of its
/// domain.
template <class Probe, class P, class BoundOf>
P judged_by(P property, const BoundedTheorem auto& theorem, const BoundOf& bound_of) {
  std::vector<Probed::InputClass> classes;
  for (int k = 0; k < Probe::classes; ++k) {
    const auto& of_domain = property.domain.classes.at(static_cast<std::size_t>(k));
    if (of_domain.name != Probe::Classes::names[k]) {
      throw std::logic_error("class \"" + of_domain.name + "\" of " + property.name + " has no draws in its probe");
    }
    classes.push_back({of_domain.name, of_domain.weight});
  }
  const auto bound = [&](std::size_t n, const oracle::Dyadic& s, const oracle::Dyadic& S) {
    return bound_of(theorem, n, s, S);
  };
  const oracle::Dyadic smallest = oracle::Dyadic::scaled(
      1, FloatTraits<typename Probe::Output>::emin - FloatTraits<typename Probe::Output>::precision + 1);
  property.probe = probed("error", Probe{coefficients(bound, smallest)}, {.numerator = 1}, std::move(classes));
  return property;
}

}  // namespace assay::sum
