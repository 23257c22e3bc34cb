#pragma once
// The probes of operations on multiple-precision numbers.

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/theorem.hpp"
#include "probes/mp/mp.hpp"
#include "properties/catalog/mp/cases.hpp"
#include "properties/catalog/probed.hpp"

namespace assay::probes::mp {

/// A probe's case in the form of the properties.
template <int words>
std::vector<std::uint32_t> limbs_of(const Operand<words>& x) {
  return {x.X.word, x.X.word + words};
}
template <int words>
assay::mp::MpPairCase property_case(const Operands<words, 2>& c) {
  const auto& [x, y] = c.at;
  return {x.sign, y.sign, x.exponent, y.exponent, limbs_of(x), limbs_of(y), x.width, y.width};
}
template <int words>
assay::mp::MpTripleCase property_case(const Operands<words, 3>& c) {
  const auto& [x, y, w] = c.at;
  return {x.sign, y.sign, w.sign, x.exponent, y.exponent, w.exponent, limbs_of(x), limbs_of(y), limbs_of(w)};
}

}  // namespace assay::probes::mp

namespace assay::mp {

namespace detail {

template <class Probe>
Probed mp_probe(const Probe& probe, RelativeBound bound) {
  std::vector<Probed::InputClass> classes;
  for (const char* const name : Probe::Classes::names) classes.push_back({name, 1});
  bound.numerator.mul_2exp(Probe::unit_places);
  Probed made = probed("error", probe, bound, std::move(classes));
  made.implied = {"digits", "enclosure", "width", "significand", "error_published"};
  return made;
}

}  // namespace detail

/// The property of an operation with `operands` operands and a probe of its claim `error`, which is `theorem` for the
/// unit of the set. The probe's proof for a result implies the claims about rounded numbers, and the published bound,
/// which is at least this bound.
template <int operands, class P>
P judged_by(P property, const MpSystem& system, probes::mp::Operation operation, const BoundedTheorem auto& theorem) {
  const RelativeBound bound = theorem(system.unit);
  const RelativeBound published = theorem(system.published_unit);
  if (published.numerator * bound.denominator < bound.numerator * published.denominator) {
    throw std::logic_error("the published bound of " + property.name + " is below the one that its probe proves");
  }
  const auto probe_of = [&]<int n>(std::integral_constant<int, n>) {
    return detail::mp_probe(probes::mp::Arithmetic<rns::Standard<n>, operands>{operation}, bound);
  };
  switch (system.n) {
    case 8:
      property.probe = probe_of(std::integral_constant<int, 8>{});
      break;
    case 16:
      property.probe = probe_of(std::integral_constant<int, 16>{});
      break;
    case 32:
      property.probe = probe_of(std::integral_constant<int, 32>{});
      break;
    case 64:
      property.probe = probe_of(std::integral_constant<int, 64>{});
      break;
    default:
      property.probe = probe_of(std::integral_constant<int, 128>{});
      break;
  }
  return property;
}

}  // namespace assay::mp
