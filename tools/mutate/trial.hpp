#pragma once
// Tries mutants, each in a process of its own, until a claim is violated.

#include <functional>
#include <span>
#include <vector>

#include "tools/mutate/check.hpp"
#include "tools/mutate/results.hpp"

namespace mutate {

struct TrialSettings {
  unsigned jobs = 1;
  /// Seconds of a processor for a mutant. The saved cases and the first 50 of each check are always asked.
  double budget = 60;
};

/// The checks that reach a mutant by the end of a stage and have cases in it, the cheapest first.
std::vector<std::size_t> reaching(int mutant, int stage, std::span<const Asked> checks);

/// Asks the checks that reach a mutant, few cases first and cheap checks first, and stops at the first violated
/// claim. The checks that killed mutants of the nearest lines run before all others. Killed: a claim is violated, a
/// claim that is known to be false is refuted no more, or the subject throws, crashes or takes ten times as long as the
/// right one. `done` is called with each result in this process, about in the order of the mutants.
void try_mutants(std::span<const Mutant> mutants, std::span<const Asked> checks, const TrialSettings& settings,
                 const std::function<void(const Result&)>& done);

}  // namespace mutate
