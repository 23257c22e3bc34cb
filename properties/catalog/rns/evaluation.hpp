#pragma once
// The promises of the interval evaluation over a set of moduli.

#include <cstdint>
#include <string>
#include <utility>

#include "properties/catalog/rns/properties.hpp"
#include "properties/catalog/rns/results.hpp"
#include "properties/framework/generators.hpp"

namespace assay::rns {

/// Integers that the fast evaluation accepts: X ≤ M(1 − n·2⁻⁴⁰). Integers nearer to M are moved as near to that limit.
inline Domain<RnsCase> below_top(const oracle::ResidueSystem& system) {
  using oracle::Dyadic;
  const Dyadic n(system.moduli().size());
  const Dyadic gap = oracle::floor_scaled(system.product() * n, 40) + Dyadic(1);
  const Dyadic limit = system.product() - gap;
  Domain<RnsCase> domain = rns_domain(system);
  for (InputClass<RnsCase>& each : domain.classes) {
    each.generator = CaseGenerator<RnsCase>([inner = each.generator, gap, limit](const rc::Random& random) {
      RnsCase c = inner(random);
      if (const Dyadic x = x_of(c); x > limit) {
        c.x = oracle::limbs_of(x - gap, c.x.size());
      }
      return c;
    });
  }
  domain.contains = [&system, limit](const RnsCase& c) { return in_range(system, c.x) && x_of(c) <= limit; };
  domain.accepts += ", X ≤ M(1 − n·2⁻⁴⁰)";
  return domain;
}

/// The property of an evaluation X/M without its subject; width_of(case) is the bound of the theorem about the width.
template <class WidthOf>
Property<RnsCase, Interval, oracle::Exact> evaluation_of(std::string name, const oracle::Dyadic& M,
                                                         Domain<RnsCase> domain, const BoundedTheorem auto& theorem,
                                                         WidthOf width_of) {
  using oracle::Exact;
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject = {},
          .reference = [M](const RnsCase& c) -> Exact { return oracle::quotient(x_of(c), M); },
          .claims = {satisfies("encloses", rns_evaluate_1,
                               [](const RnsCase&, const Exact& truth, const Interval& x) {
                                 return judge_encloses(x, truth);
                               }),
                     claim_spec("width", theorem,
                                [width_of](const RnsCase& c, const Exact&, const Interval& x) {
                                  return judge_within(value_of(x.upper), value_of(x.lower), width_of(c), 2);
                                })},
          .inexact = [](const RnsCase&, const Exact&, const Interval& x) { return compare(x.lower, x.upper) != 0; }};
}

/// The property of one form; `run` gives the intervals of a batch.
template <class Run>
Property<RnsCase, Interval, oracle::Exact> evaluation_property(std::string name, const oracle::ResidueSystem& system,
                                                               Domain<RnsCase> domain, Run run,
                                                               std::uint64_t quick_cases) {
  auto property = evaluation_of(
      std::move(name), system.product(), std::move(domain), rns_evaluate_2,
      [M = system.product(), bound = rns_evaluate_2(static_cast<int>(system.moduli().size()))](const RnsCase& c) {
        return Bound{bound.numerator * x_of(c), bound.denominator * M};
      });
  property.subject = std::move(run);
  property.quick_cases = quick_cases;
  return property;
}

}  // namespace assay::rns
