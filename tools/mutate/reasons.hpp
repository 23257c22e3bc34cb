#pragma once
// A person's explanations of mutants that no claim notices: the tables of a page.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/mutate/mutants.hpp"

namespace mutate {

/// A row `| file:line | mistake | was | becomes | kind | reason |`. The row applies to every mutant of the line with
/// this mistake and these texts, and to none when the line moves or changes.
struct Reason {
  std::string place, operation, was, becomes;
  std::string kind;  ///< a word of the page
  std::string text;
};

/// The kinds of a mutant that gives the same results, or right ones, for all inputs that the contract allows.
bool is_argued(const std::string& kind);

/// The kind of a mutant in code that only runs on a device, and that nothing reaches elsewhere.
inline constexpr std::string_view of_device = "device";

class Reasons {
 public:
  Reasons() = default;
  /// Reads the rows of a page. Errors: std::runtime_error if a row of six cells has an unknown kind.
  explicit Reasons(const std::filesystem::path& page);

  /// Empty if no row applies to the mutant.
  const Reason* of(const Mutant& mutant) const;
  const std::vector<Reason>& all() const { return all_; }

 private:
  std::vector<Reason> all_;
};

}  // namespace mutate
