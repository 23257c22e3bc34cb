#pragma once
// The result of each mutant: a file with a line for each, and the tables.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/mutate/mutants.hpp"
#include "tools/mutate/reasons.hpp"

namespace mutate {

struct Result {
  enum class Outcome { killed, survived, not_reached, equivalent };
  int number = 0;
  Outcome outcome = Outcome::survived;
  /// killed: the claim, or the property with its failure ("dw.sqrt: crashed"). survived: how far it was tested.
  /// equivalent: the proof.
  std::string by;
  std::uint64_t case_number = 0;  ///< of a violated claim
  int stage = 0;
  double seconds = 0;      ///< of a processor
  bool is_tested = false;  ///< unit tests and assertions were run, too
  bool operator==(const Result&) const = default;
};

std::string_view word(Result::Outcome outcome);
/// Whether the mutant is neither killed nor proved equivalent.
bool is_left(const Result& result);
/// What a survivor's `by` has where the mutant gives other bits than the original: it is not equivalent.
inline constexpr std::string_view other_bits = "; other bits in ";
bool gives_other_bits(const Result& result);
/// The first words of a killed mutant's `by` if no claim notices it.
inline constexpr std::string_view by_compiler = "the compiler: ";
inline constexpr std::string_view by_unit_tests = "unit tests: ";

/// A file of results that grows line by line. The first line says which run it describes. A line that was not written
/// to its end is left out.
class ResultsFile {
 public:
  /// Reads the content of the file. Errors: std::runtime_error where it is a file of another run, or cannot be written.
  ResultsFile(const std::filesystem::path& path, const std::string& run);

  const std::map<int, Result>& results() const { return results_; }
  /// Adds a line, or one that replaces the mutant's earlier line.
  void add(const Result& result);

 private:
  std::filesystem::path path_;
  std::map<int, Result> results_;
};

/// The score: what became of the mutants of each family, and of all.
struct Table {
  struct Family {
    std::string family;
    std::uint64_t mutants = 0;  ///< those with a result
    std::uint64_t killed = 0;
    std::uint64_t by_tests = 0;  ///< of those that were killed: by a unit test or an assertion, and by no claim
    std::uint64_t survived = 0;
    std::uint64_t not_reached = 0;
    std::uint64_t equivalent = 0;  ///< proved by the program
    std::uint64_t device = 0;      ///< of those that were not reached: code that runs only on a device, counted apart
    std::uint64_t argued = 0;      ///< of those that survived or were not reached: a reason says that nothing changes

    /// killed / (all − equivalent − device); 1 if nothing is left.
    double share() const;
    /// killed / (all − equivalent − device − argued).
    double share_beside_argued() const;
  };
  /// A mutant that was neither killed nor proved equivalent.
  struct Left {
    Mutant mutant;
    std::string outcome;  ///< "survived" or "not reached"
    std::string asked;    ///< how far it was asked
    std::string kind;     ///< of its reason; empty if it has none
    std::string reason;
  };
  std::string date;             ///< of the results, as YYYY-MM-DD
  std::uint64_t generated = 0;  ///< all mutants of the list
  std::vector<Family> families;
  Family all;
  std::vector<Left> left;
};

/// The numbers by family and of all, and the mutants that are left, each with its reason if the page gives one.
/// `generated`: how many mutants the list has in all.
Table table_of(std::span<const Mutant> mutants, const std::map<int, Result>& results, const Reasons& reasons,
               std::size_t generated);

/// The table as a document.
nlohmann::json table_document(const Table& table);

/// The table by family, then every mutant that is left: place, operation, original and mutated text, how far it was
/// tested, why it lives.
std::string table_markdown(const Table& table);

}  // namespace mutate
