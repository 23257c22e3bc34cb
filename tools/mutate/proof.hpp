#pragma once
// Proofs that a mutant computes the same as the original.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tools/mutate/check.hpp"
#include "tools/mutate/results.hpp"
#include "tools/mutate/trial.hpp"

namespace mutate {

/// Looks for mutants of arith/ that give the same bits for all inputs of every exhaustive check
/// that reaches them. `done` is called for each mutant that was found equivalent.
void prove_by_enumeration(std::span<const Mutant> mutants, std::span<const Asked> checks, unsigned jobs,
                          const std::function<void(const Result&)>& done);

/// Determines whether survivors give other bits than the original for the first cases of the checks that reach them,
/// the cheapest check first. Other bits within all bounds: the bounds or the claims are too weak. The same bits: the
/// mutant is equivalent, or the domains lack an input.
void compare_bits(std::span<const Result> results, std::span<const Asked> checks, const TrialSettings& settings,
                  const std::function<void(const Result&)>& done);

/// How the mutated sources are compiled.
struct Compilation {
  std::vector<std::string> words;  ///< the compiler and its options, without -O2, the switch and the files
  std::filesystem::path tree;      ///< of the mutated sources
  std::filesystem::path objects;   ///< a folder for object code
};

/// The sources of kernels/ in a tree that include a file, directly or not; a source includes itself. Sorted by size.
std::vector<std::string> sources_with(const std::filesystem::path& tree, const std::string& file);

/// Checks the assertions of a folder of the sources with each mutant for good: every file there that includes the
/// mutant's file. `done` is called for mutants that an assertion refuses, or for which a constant expression has no
/// value (for example an access outside an array). These are killed. Nothing is linked, no code is generated. Errors:
/// std::runtime_error if a file that refuses a mutant is refused without one, too.
void kill_by_assertions(std::span<const Mutant> mutants, const Compilation& compilation,
                        const std::filesystem::path& source, const std::string& folder, unsigned jobs,
                        const std::function<void(const Result&)>& done);

/// Compiles, with the mutant for good and without it, each source that includes its file, up to the first with other
/// object code. `done` is called for the mutants without such a source, which are equivalent, and for those that an
/// assertion of the sources refuses, which are killed. There is no result for a mutant that does not compile for
/// another reason, nor for one in a header of kernels/ that no check reaches and no object code shows: its function
/// exists for callers. Errors: std::runtime_error if the original does not compile.
void prove_by_object_code(std::span<const Mutant> mutants, std::span<const Asked> checks,
                          const Compilation& compilation, unsigned jobs,
                          const std::function<void(const Result&)>& done);

}  // namespace mutate
