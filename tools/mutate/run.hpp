#pragma once
// The command line of a program that tries mutants. The project adds its checks.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tools/mutate/check.hpp"

namespace mutate {

/// A project whose sources are mutated.
struct Project {
  std::filesystem::path list;     ///< mutants.json of the generator
  std::filesystem::path tree;     ///< the mutated sources
  std::filesystem::path source;   ///< the project
  std::filesystem::path reasons;  ///< a page about survivors
  std::filesystem::path corpus;   ///< saved cases
  std::string compiler;
  std::string second_compiler;                    ///< for proofs by object code; empty: none
  std::vector<std::filesystem::path> unit_tests;  ///< programs with unit_tests_main.cpp
  std::string assertions;                         ///< a folder of the project with assertions that a compiler checks
  std::vector<std::string> assertion_options;     ///< of the compiler, for these
  /// The checks of these patterns, with the saved cases of a corpus. No pattern: all. The checks live on.
  std::function<std::vector<const Check*>(const std::vector<std::string>& patterns,
                                          const std::filesystem::path& corpus)>
      checks;
};

/// Tries the mutants against the checks and says which of them no claim notices. Results go to a file line by line; a
/// later run with the same folder goes on from there. Returns the exit code: 0; 1 for trouble; 3 where less than
/// --least percent was killed.
int run(int argc, char** argv, const Project& project);

}  // namespace mutate
