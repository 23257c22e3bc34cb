#pragma once
// Proofs that a mutant computes what the original computes.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tests/mutants/generate/asked.hpp"
#include "tests/mutants/generate/results.hpp"
#include "tests/mutants/generate/trial.hpp"

namespace assay::mutants {

/// Looks for mutants of arith/ that give the same bits for all inputs of every exhaustive property of a toy precision
/// that reaches them. `done` is told of each that was found equivalent.
void prove_by_enumeration(std::span<const Mutant> mutants, std::span<const Asked> properties, unsigned jobs,
                          const std::function<void(const Result&)>& done);

/// Says of survivors whether they give other bits than the original for the first cases of the properties that reach
/// them, the cheapest property first. Other bits within all bounds: the bounds or the claims are too weak. The same
/// bits: the mutant is equivalent, or the domains lack an input.
void compare_bits(std::span<const Result> results, std::span<const Asked> properties, const TrialSettings& settings,
                  const std::function<void(const Result&)>& done);

/// How the mutated sources are compiled.
struct Compilation {
  std::vector<std::string> words;  ///< the compiler and its options, without the switch and the files
  std::filesystem::path tree;      ///< of the mutated sources
  std::filesystem::path objects;   ///< a folder for object code
};

/// The sources of kernels/ in a tree that include a file, directly or not; a source includes itself. Sorted by size.
std::vector<std::string> sources_with(const std::filesystem::path& tree, const std::string& file);

/// Compiles, with the mutant for good and without it, each source that has its file, up to the first with other object
/// code. `done` is told of the mutants without such a source, which are equivalent, and of those that do not compile
/// (an assertion of the sources fails), which are killed. A mutant in a header of kernels/ that no property reaches is
/// none of these without such a source: its function is there for callers. Errors: std::runtime_error where the
/// original does not compile.
void prove_by_object_code(std::span<const Mutant> mutants, std::span<const Asked> properties,
                          const Compilation& compilation, unsigned jobs,
                          const std::function<void(const Result&)>& done);

}  // namespace assay::mutants
