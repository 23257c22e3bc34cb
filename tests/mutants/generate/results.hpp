#pragma once
// What became of each mutant: a file with a line for each, and the tables.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mutants/generate/mutants.hpp"

namespace assay::mutants {

struct Result {
  enum class Outcome { killed, survived, not_reached, equivalent };
  int number = 0;
  Outcome outcome = Outcome::survived;
  /// killed: the claim, or the property with what happened ("dw.sqrt: crashed"). survived: how far it was asked.
  /// equivalent: the proof.
  std::string by;
  std::uint64_t case_number = 0;  ///< of a violated claim
  int stage = 0;
  double seconds = 0;  ///< of a processor
  bool operator==(const Result&) const = default;
};

std::string_view word(Result::Outcome outcome);

/// A file of results that grows line by line. The first line tells of which run it is. A line that was not written to
/// its end is left out.
class ResultsFile {
 public:
  /// Reads what the file has. Errors: std::runtime_error where it is a file of another run, or cannot be written.
  ResultsFile(const std::filesystem::path& path, const std::string& run);

  const std::map<int, Result>& results() const { return results_; }
  /// Adds a line, or one that replaces the mutant's earlier line.
  void add(const Result& result);

 private:
  std::filesystem::path path_;
  std::map<int, Result> results_;
};

/// The numbers of a family, or of all.
struct Score {
  std::string family;
  std::size_t mutants = 0;
  std::size_t killed = 0;
  std::size_t equivalent = 0;
  std::size_t survived = 0;
  std::size_t not_reached = 0;

  /// killed / (all − equivalent); 1 where nothing is left.
  double share() const;
};

/// A score for each family with results, then one of all.
std::vector<Score> scores_of(std::span<const Mutant> mutants, const std::map<int, Result>& results);

/// The table by family, then every survivor: place, operation, what it was and became, how far it was asked.
std::string table_markdown(std::span<const Mutant> mutants, const std::map<int, Result>& results);
nlohmann::json table_json(std::span<const Mutant> mutants, const std::map<int, Result>& results);

}  // namespace assay::mutants
