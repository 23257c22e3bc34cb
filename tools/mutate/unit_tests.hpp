#pragma once
// Unit tests with mutated sources: programs of GoogleTest whose kernels and headers are those of the copy.

#include <filesystem>
#include <functional>
#include <span>

#include "tools/mutate/mutants.hpp"
#include "tools/mutate/results.hpp"

namespace mutate {

/// Runs each program once without a mutant, then with each mutant that it reaches and that no program before it killed:
/// the tests that reach it. A mutant is killed where one fails, crashes, or takes ten times as long as all of them do
/// without it. `done` is called with those. A program takes the arguments that unit_tests_main.cpp describes. Files of
/// a run are made in `folder`. Errors: std::runtime_error where a program fails without a mutant.
void kill_by_unit_tests(std::span<const Mutant> mutants, std::span<const std::filesystem::path> programs,
                        const std::filesystem::path& folder, unsigned jobs,
                        const std::function<void(const Result&)>& done);

}  // namespace mutate
