#pragma once
// Cases of a list that a probe does not prove.

#include <cstdint>

#include "arith/bits/split_mix64.hpp"
#include "errorbounds/judge.hpp"
#include "probes/probe.hpp"

namespace assay::probes {

/// Whether the probe proves case `number` of its list.
template <class Probe>
bool proves(const Probe& probe, std::uint64_t number, double factor) {
  const auto c = Probe::at(0, number);
  return is_proved(probe.error(c, probe.run(c)), factor);
}

/// How many of the given number of cases of a list, taken anywhere, are not proved.
template <class Probe>
int not_proved(const RelativeBound& bound, std::uint64_t count) {
  const double factor = at_most(bound);
  int found = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    found += proves(Probe{}, bits::SplitMix64::mixed(i) % Probe::size(0), factor) ? 0 : 1;
  }
  return found;
}

/// How many of all cases of a list are not proved.
template <class Probe>
int not_proved_of_all(const RelativeBound& bound) {
  const double factor = at_most(bound);
  int found = 0;
  for (std::uint64_t i = 0; i < Probe::size(0); ++i) found += proves(Probe{}, i, factor) ? 0 : 1;
  return found;
}

}  // namespace assay::probes
