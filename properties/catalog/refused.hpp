#pragma once
// Properties that test which arguments an interface refuses.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "properties/framework/property.hpp"

namespace assay {

/// The property that call(on, c) throws std::invalid_argument for the c with is_refused(c), and for no others. The
/// theorem states which arguments these are.
template <class Case, class Call>
Property<Case, double, oracle::Dyadic> refusals(std::string name, Domain<Case> domain, Call call,
                                                bool (*is_refused)(const Case&), const AnyTheorem auto& theorem,
                                                std::uint64_t quick_cases) {
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject =
              [call](const Executor& on, const Case& c) {
                try {
                  call(on, c);
                  return 0.0;
                } catch (const std::invalid_argument&) {
                  return 1.0;
                }
              },
          .reference = [is_refused](const Case& c) { return oracle::Dyadic(is_refused(c) ? 1 : 0); },
          .claims = {exact("refused", theorem)},
          .inexact = [](const Case&, const oracle::Dyadic&, const double& refused) { return refused != 0; },
          .quick_cases = quick_cases};
}

}  // namespace assay
