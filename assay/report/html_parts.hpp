#pragma once
// Pieces of the HTML report. For the sources of this folder.

#include <map>
#include <string>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report::html {

std::string code(const std::string& text);
/// The style's class of a verdict.
const char* colour_of(store::Finding finding);
std::string badge(store::Finding finding);

/// Where links to a property or to a claim lead.
std::string anchor(const std::string& property);
std::string anchor(const std::string& property, const std::string& claim);

/// The source of a claim, and its theorem with a link to its page, for a report at the root of the source tree; and
/// the theorem's reason of looseness.
std::string source_html(const ClaimInfo& claim);

/// The largest error/bound with a bar; "≥" before it where the claim was sampled. Below it a line for
/// each named term of the bound.
std::string tightness_cell(const ClaimTally& tally, const std::string& rigor);

/// Rows of a table. Those that differ by nothing but the executor become one.
class Rows {
 public:
  /// Where the executor stands in a row.
  static constexpr char on = '\x01';

  /// `cells`: what stands between <tr> and </tr>. The first row of an id is where links to it lead.
  void add(const std::string& executor, const std::string& cells, const std::string& id = "") {
    const auto [at, added] = places_.try_emplace(cells, rows_.size());
    if (added) {
      rows_.push_back({cells, executor, id});
    } else {
      rows_[at->second].executors += ", " + executor;
    }
  }
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  struct Row {
    std::string cells;
    std::string executors;
    std::string id;
  };
  std::vector<Row> rows_;
  std::map<std::string, std::size_t> places_;
};

/// Inputs of a case: each number in hexadecimal with its decimal; long lists by their ends.
std::string inputs_html(const store::CaseFile& file);

/// The command that shows a case again.
std::string replay(const store::Summary& summary, const store::CaseFile& file);

/// The cells of a saved case, and the head of a table of them.
std::string case_cells(const store::Summary& summary, const std::string& claim, const store::CaseFile& file,
                       double ratio);
inline constexpr const char* case_head =
    "<div class=scroll><table><tr><th>claim</th><th>inputs</th><th>got</th><th class=n>error/bound</th><th>to see "
    "it</th></tr>\n";

/// Under a count of violated cases: how many of their entries that were. Nothing where results are single numbers.
std::string violated_components(const ClaimTally& tally);

/// The properties of one name, one entry an executor.
using Group = std::vector<const store::PropertySummary*>;
std::map<std::string, Group> groups_of(const store::Summary& summary);

}  // namespace assay::report::html
