#pragma once
// Unit tests with mutated sources: programs of GoogleTest whose kernels and headers are those of the copy.

#include <filesystem>
#include <functional>
#include <span>

#include "tests/mutants/generate/mutants.hpp"
#include "tests/mutants/generate/results.hpp"

namespace assay::mutants {

/// Runs each program once without a mutant, then once with each mutant that it reaches and that no program before it
/// killed. A mutant is killed where a test fails, crashes or takes ten times as long as the whole program does without
/// one. `done` is told of those. A program takes three arguments, see unit_tests_main.cpp. Files of a run are made in
/// `folder`. Errors: std::runtime_error where a program fails without a mutant.
void kill_by_unit_tests(std::span<const Mutant> mutants, std::span<const std::filesystem::path> programs,
                        const std::filesystem::path& folder, unsigned jobs,
                        const std::function<void(const Result&)>& done);

}  // namespace assay::mutants
