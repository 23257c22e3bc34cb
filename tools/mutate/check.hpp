#pragma once
// What the checks of a program under test are asked about a mutant, from few cases to many.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mutate {

struct Claim {
  std::string id;
  bool expected_refuted = false;  ///< known to be false
};

/// What the program violates now.
struct Violations {
  std::vector<bool> violated;        ///< by saved case and claim for the saved cases, by claim otherwise
  std::vector<std::uint64_t> first;  ///< the first failing case of each position
};

/// A check of the program under test: claims about numbered cases, and saved cases. What it throws, the subject throws.
class Check {
 public:
  virtual ~Check() = default;
  virtual const std::string& name() const = 0;
  virtual const std::vector<Claim>& claims() const = 0;
  virtual std::uint64_t cases() const = 0;
  /// Whether the cases are all inputs that there are.
  virtual bool is_exhaustive() const = 0;
  virtual std::size_t saved() const = 0;
  /// Judges the cases first, first + step, …
  virtual Violations run(std::uint64_t first, std::uint64_t step, std::uint64_t count) const = 0;
  virtual Violations run_saved() const = 0;
  /// A hash of the results of cases 0 … count − 1.
  virtual std::uint64_t hash_of_results(std::uint64_t count) const = 0;
};

/// Saved cases, 50 cases, 450 more, and the rest.
inline constexpr int stages = 4;

/// A check, and what the right program showed.
struct Asked {
  struct Stage {
    double seconds = 0;                  ///< of a processor
    std::vector<bool> violated;          ///< as Violations::violated
    std::vector<unsigned char> reached;  ///< by number of a mutant, in this stage or before
  };
  const Check* check = nullptr;
  std::array<Stage, stages> of;

  std::uint64_t cases(int stage) const;
  bool reaches(int mutant, int stage) const;
  /// The claim that position i of Stage::violated is about.
  std::size_t claim_of(std::size_t i) const { return i % check->claims().size(); }
};

/// What the program violates in a stage. Empty if it has no cases.
Violations ask(const Asked& asked, int stage);

/// Runs the right program and fills in what it shows: violations, times, and which mutants are reached. Errors:
/// std::runtime_error for a check that does not hold, crashes or throws.
void measure(std::vector<Asked>& checks, unsigned jobs);

}  // namespace mutate
