#pragma once
// The overview of a family: what was found out of each claim, for every number format and number of terms.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/summary.hpp"

namespace assay {

/// One claim of one property, all executors together.
struct OverviewCell {
  std::string property;                ///< its full name
  Finding verdict = Finding::not_run;  ///< the gravest of all executors
  double ratio = -1;                   ///< the largest error/bound; negative: none
  bool exhaustive = false;             ///< every input of its finite domain was asked
};

/// One claim of one operation.
struct OverviewRow {
  std::string operation;  ///< with K for the number of terms where those are the columns
  std::string claim;
  std::string
      statement;  ///< with K likewise; where it differs otherwise, each with its numbers, or the first and the last
  std::string source;
  bool numeric = false;                                       ///< judged by error/bound
  std::uint64_t executed = 0;                                 ///< cases of all cells and executors
  std::map<std::pair<std::string, int>, OverviewCell> cells;  ///< by format and number of terms (0: none)
};

/// The properties `family.operation[.format]`. In a family where one operation comes with four or more trailing
/// numbers, these are numbers of terms K.
struct Overview {
  std::string family;
  bool by_terms = false;
  std::vector<std::string> formats;  ///< binary64 first, small ones last
  std::vector<int> terms;            ///< ascending; 0 for operations without a number; {0} unless by_terms
  std::vector<OverviewRow> rows;     ///< in the order of operations and their claims
};

/// The overviews of all families, by name. Claims made of every property are left out.
std::vector<Overview> overviews(const Summary& summary);

/// Whether this claim is one of those made of every property.
bool is_unasked(const std::string& claim);

/// What a cell shows: error/bound or, where there is none, ✓; ∎ behind it for an exhaustive answer, ✗ before it for a
/// refuted negative control, ‼ for what needs attention; – where nothing ran.
std::string cell_text(const OverviewCell& cell, bool numeric);

/// What the signs of cell_text() mean.
extern const char* const overview_legend;

}  // namespace assay
