#pragma once
// The smaller cases that the passes of shrinking offer.

#include <vector>

#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/shrink.hpp"

namespace assay {

/// The records that the steps of a pass lead to.
inline void append_steps(const ShrinkPass& pass, std::vector<Record>& to) {
  for (std::size_t i = 0; i < pass.size; ++i) {
    if (auto smaller = pass.at(i)) to.push_back(std::move(*smaller));
  }
}

/// All steps of a property from a case.
inline std::vector<Record> smaller_records(const PropertyModel& property, const Record& record) {
  std::vector<Record> all;
  for (std::size_t which = 0; which < property.shrink_passes(); ++which) {
    append_steps(property.shrink(record, which), all);
  }
  return all;
}

/// The axes of a record of a domain.
template <class Case>
AxesOf axes_in(const Domain<Case>& domain) {
  return [&domain](const Record& record) {
    return domain.axes ? std::vector{domain.axes(*from_record<Case>(record))} : axes_of(record);
  };
}

/// The cases with gaps closed, or with places of an axis left out, whether they lie in the domain or not.
template <class Case>
std::vector<Case> with_places_left_out(const Domain<Case>& domain, const Case& c) {
  std::vector<Record> records;
  for (std::size_t which = 1; which < 3 + chunk_sizes; ++which) {
    append_steps(structure_pass(record_of(c), axes_in(domain), which), records);
  }
  std::vector<Case> cases;
  for (const Record& each : records) cases.push_back(from_record<Case>(each).value());
  return cases;
}

/// Calls f with the case of each step in the structure, following the axes that its domain states, that leads to a
/// smaller case of the domain, until f returns true.
template <class Case, class F>
bool any_in_structure(const Domain<Case>& domain, const Case& c, F&& f) {
  const Record record = record_of(c);
  for (std::size_t which = 0; which < structure_passes; ++which) {
    const ShrinkPass pass = structure_pass(record, axes_in(domain), which);
    for (std::size_t i = 0; i < pass.size; ++i) {
      const auto step = pass.at(i);
      const auto smaller = step ? from_record<Case>(*step) : std::nullopt;
      if (smaller && complexity(*step) < complexity(record) && domain.contains(*smaller) && f(*smaller)) return true;
    }
  }
  return false;
}

/// All of these cases.
template <class Case>
std::vector<Case> smaller_in_structure(const Domain<Case>& domain, const Case& c) {
  std::vector<Case> all;
  any_in_structure(domain, c, [&](const Case& smaller) {
    all.push_back(smaller);
    return false;
  });
  return all;
}

}  // namespace assay
