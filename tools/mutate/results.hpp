#pragma once
// What became of each mutant: a file with a line for each, and the tables.

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/store/systematic.hpp"
#include "tests/mutants/generate/mutants.hpp"
#include "tests/mutants/generate/reasons.hpp"

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
  double seconds = 0;      ///< of a processor
  bool is_tested = false;  ///< unit tests and assertions were asked, too
  bool operator==(const Result&) const = default;
};

std::string_view word(Result::Outcome outcome);
/// Whether the mutant is neither killed nor proved equivalent.
bool is_left(const Result& result);
/// What a survivor's `by` has where the mutant gives other bits than the original: it is not equivalent.
inline constexpr std::string_view other_bits = "; other bits in ";
bool gives_other_bits(const Result& result);
/// With what a killed mutant's `by` begins where no claim notices it.
inline constexpr std::string_view by_compiler = "the compiler: ";
inline constexpr std::string_view by_unit_tests = "unit tests: ";

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

/// The numbers by family and of all, and the mutants that are left, each with its reason where the page has one.
/// `generated`: how many mutants the list has in all.
store::Systematic table_of(std::span<const Mutant> mutants, const std::map<int, Result>& results,
                           const Reasons& reasons, std::size_t generated);

/// The table by family, then every mutant that is left: place, operation, what it was and became, how far it was asked,
/// why it lives.
std::string table_markdown(const store::Systematic& table);

}  // namespace assay::mutants
