#pragma once
// The probes of the interval evaluation.

#include <stdexcept>
#include <utility>
#include <vector>

#include "probes/rns/rns.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/catalog/rns/cases.hpp"

namespace assay::probes::rns {

/// A probe's case in the form of the properties.
template <int L>
assay::rns::RnsCase property_case(const Integer<L>& x) {
  return {{x.word, x.word + L}};
}

}  // namespace assay::probes::rns

namespace assay::rns {

/// The property of an evaluation with a probe of its claims `width`, within `bound` of X/M, and `encloses`.
template <class Probe, class P>
P judged_by(P property, const RelativeBound& bound) {
  std::vector<Probed::InputClass> classes;
  for (int k = 0; k < Probe::classes; ++k) {
    const auto& of_domain = property.domain.classes.at(static_cast<std::size_t>(k));
    if (of_domain.name != Probe::Classes::names[k]) {
      throw std::logic_error("class \"" + of_domain.name + "\" of " + property.name + " has no draws in its probe");
    }
    classes.push_back({of_domain.name, of_domain.weight});
  }
  property.probe = probed("width", Probe{}, bound, std::move(classes));
  property.probe->implied = {"encloses"};
  return property;
}

/// The same for a form that is chosen at run time.
template <class Set, class P>
P judged_in_form(P property, RnsEvaluation form) {
  using probes::rns::Evaluation;
  using probes::rns::Form;
  const RelativeBound bound = rns_evaluate_2(Set::n);
  switch (form) {
    case RnsEvaluation::general:
      return judged_by<Evaluation<Set, Form::general>>(std::move(property), bound);
    case RnsEvaluation::mixed_radix:
      return judged_by<Evaluation<Set, Form::mixed_radix>>(std::move(property), bound);
    default:
      return judged_by<Evaluation<Set, Form::fast>>(std::move(property), bound);
  }
}

}  // namespace assay::rns
