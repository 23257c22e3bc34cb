#pragma once
// Pieces of the HTML report. Used by the sources of this folder only.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report::html {

std::string code(const std::string& text);
/// The CSS class of a verdict.
const char* colour_of(store::Finding finding);
std::string badge(store::Finding finding);

/// The target of links to a property.
std::string anchor(const std::string& property);

/// A source, and its theorem with a link to its page, for a report at the root of the source tree.
std::string source_html(const std::string& source, const std::string& theorem);

/// A table. On a phone, and everywhere if there are many columns, a row becomes a list of lines or of words, with the
/// column's title before each entry.
class Table {
 public:
  struct Column {
    std::string title;
    bool number = false;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// `cells`: HTML, one for each column.
  void add(const std::vector<std::string>& cells);
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  std::vector<Column> columns_;
  std::string rows_;
};

/// Pieces that differ only in the executor become one.
class Merged {
 public:
  /// The place of the executors in a piece.
  static constexpr char on = '\x01';
  void add(const std::string& executor, const std::string& piece);
  bool empty() const { return pieces_.empty(); }
  /// The pieces with their executors.
  std::vector<std::string> all() const;

 private:
  std::vector<std::pair<std::string, std::string>> pieces_;  ///< with its executors
  std::map<std::string, std::size_t> places_;
};

/// If a list has more numbers than `most`, only `ends` numbers at each end are shown.
struct Shown {
  std::size_t most;
  std::size_t ends;
};
inline constexpr Shown few{3, 1};
inline constexpr Shown many{12, 5};

/// The command that reproduces a case.
std::string replay(const store::Summary& summary, const store::CaseFile& file);

/// A saved case with its inputs and the command to copy; `with_result`: also the kernel's result, the exact result, and
/// decimals. The executors stand where Merged::on is.
std::string case_html(const store::Summary& summary, const std::string& claim, const store::CaseFile& file,
                      double ratio, Shown shown, bool with_result, const std::string& remark = "");

/// The text under a count of violated cases: how many of their entries violate the claim. Empty if results are single
/// numbers.
std::string violated_components(const ClaimTally& tally);

/// The properties of one name, one entry an executor.
using Group = std::vector<const store::PropertySummary*>;
std::map<std::string, Group> groups_of(const store::Summary& summary);

}  // namespace assay::report::html
