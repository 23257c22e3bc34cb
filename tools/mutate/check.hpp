#pragma once
// The checks of the program under test for a mutant, from few cases to many.

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

/// The program's violations in a run.
struct Violations {
  std::vector<bool> violated;        ///< by saved case and claim for the saved cases, by claim otherwise
  std::vector<std::uint64_t> first;  ///< the first failing case of each position
};

/// A check of the program under test: claims about numbered cases, and saved cases. Exceptions of a check are
/// exceptions of the subject.
class Check {
 public:
  virtual ~Check() = default;
  virtual const std::string& name() const = 0;
  virtual const std::vector<Claim>& claims() const = 0;
  virtual std::uint64_t cases() const = 0;
  /// Whether the cases are all possible inputs.
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

/// A check, and the results of the right program.
struct Asked {
  struct Stage {
    double seconds = 0;                  ///< of a processor
    std::vector<bool> violated;          ///< as Violations::violated
    std::vector<unsigned char> reached;  ///< by number of a mutant: reached in this stage or before
  };
  const Check* check = nullptr;
  std::array<Stage, stages> of;

  std::uint64_t cases(int stage) const;
  bool reaches(int mutant, int stage) const;
  /// The claim of position i of Stage::violated.
  std::size_t claim_of(std::size_t i) const { return i % check->claims().size(); }
};

/// The program's violations in a stage. Empty if it has no cases.
Violations ask(const Asked& asked, int stage);

/// Runs the right program and records its results: violations, times, and which mutants are reached. Errors:
/// std::runtime_error for a check that does not hold, crashes or throws.
void measure(std::vector<Asked>& checks, unsigned jobs);

}  // namespace mutate
