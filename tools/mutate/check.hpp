#pragma once
// What a property is asked about a mutant, from few cases to many.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "properties/framework/model.hpp"

namespace assay::mutants {

/// Saved cases of the corpus, 50 cases, 450 more, and the rest of the quick tier.
inline constexpr int stages = 4;
inline constexpr std::uint64_t seed = 1;

/// A property, its saved cases, and what the right program showed.
struct Asked {
  struct Stage {
    double seconds = 0;                  ///< of a processor
    std::vector<bool> violated;          ///< by saved case and claim in stage 0, by claim otherwise
    std::vector<unsigned char> reached;  ///< by number of a mutant, in this stage or before
  };
  const PropertyModel* property = nullptr;
  std::vector<Record> saved;
  std::array<Stage, stages> of;

  std::uint64_t cases(int stage) const;
  bool reaches(int mutant, int stage) const;
  /// The claim that position i of Stage::violated is about.
  std::size_t claim_of(std::size_t i) const { return i % property->info().claims.size(); }
};

/// What the program violates now. Empty where a stage has no cases. Errors: what the subject throws.
struct Violations {
  std::vector<bool> violated;
  std::vector<std::uint64_t> first;  ///< the first failing case of each position
};
Violations ask(const Asked& asked, int stage);

/// The properties of the quick tier that run on the host, with their saved cases. Patterns as of `assay check`; none:
/// all.
std::vector<Asked> quick_properties(const std::vector<std::string>& patterns, const std::filesystem::path& corpus);

/// Runs the right program and fills in what it shows: violations, times, and which mutants are reached. Errors:
/// std::runtime_error for a property that does not hold, crashes or throws.
void measure(std::vector<Asked>& properties, unsigned jobs);

}  // namespace assay::mutants
