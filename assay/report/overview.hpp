#pragma once
// The overview of a family: the result of each claim, for every number format and number of terms.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report {

/// One claim of one property, all executors together.
struct OverviewCell {
  std::string property;                              ///< its full name
  store::Finding verdict = store::Finding::not_run;  ///< the gravest of all executors
  double ratio = -1;                                 ///< the largest error/bound; negative: none
  bool exhaustive = false;                           ///< every input of its finite domain was asked
  std::uint64_t executed = 0;                        ///< cases, of all executors
  std::uint64_t components = 0;                      ///< judged, of all executors
  std::uint64_t violated_components = 0;
};

/// The largest error/bound in each bin of a feature, over all executors; negative if a bin is empty.
struct OverviewCurve {
  FeatureInfo feature;
  std::vector<double> ratios;
};

/// One claim of one operation.
struct OverviewRow {
  std::string operation;  ///< with K for the number of terms if the columns are numbers of terms
  std::string claim;
  std::string
      statement;  ///< also with K; if it differs otherwise, each statement with its numbers, or the first and the last
  std::string source;
  std::string theorem;                                        ///< the first that a cell cites; empty for none
  bool numeric = false;                                       ///< judged by error/bound
  bool rounds = false;                                        ///< correct rounding: an exact value lies near a boundary
  std::uint64_t executed = 0;                                 ///< cases of all cells and executors
  std::map<std::pair<std::string, int>, OverviewCell> cells;  ///< by format and number of terms (0: none)
  std::vector<OverviewCurve> curves;                          ///< one for each feature, over all cells
  std::map<std::string, double> terms;                        ///< of its bound, the largest over all cells
  double corpus = -1;                                         ///< the largest error/bound of saved cases
};

/// The operations of a family, for the claims that several of them make in the same words: shown if some operations
/// keep a claim that others break. The last claim is the one of same bits, made of every property.
struct Comparison {
  struct Claim {
    std::string id;
    std::string statement;
    std::string source;
    bool numeric = false;
  };
  std::vector<std::string> operations;
  std::vector<Claim> claims;
  std::vector<std::vector<std::optional<OverviewCell>>> cells;  ///< of each operation, of each claim
};

/// The properties `family.operation[.format]`. In a family where at least every other operation comes with four or more
/// trailing numbers, these are numbers of terms K.
struct Overview {
  std::string family;
  bool by_terms = false;
  std::vector<std::string> formats;               ///< binary64 first, small ones last
  std::vector<int> terms;                         ///< ascending; 0 for operations without a number; {0} unless by_terms
  std::vector<OverviewRow> rows;                  ///< in the order of operations and their claims
  std::map<std::string, std::string> operations;  ///< by the property's full name, as in the rows
  std::optional<Comparison> comparison;  ///< if a claim of several operations holds for one and is false for another
};

/// The overviews of all families, by name. Claims made of every property are left out.
std::vector<Overview> overviews(const store::Summary& summary);

/// Whether two features have the same name and bins.
bool same_axis(const FeatureInfo& a, const FeatureInfo& b);

/// "p3" of "p3:-254:255".
std::string short_format(const std::string& format);
/// Wide formats before narrow ones.
bool wider(const std::string& a, const std::string& b);

/// Whether this claim is made of every property.
bool is_unasked(const std::string& claim);

/// The text of a cell: error/bound or, if there is none, ✓; ∎ after it for an exhaustive result, ✗ before it for a
/// refuted negative control, ‼ if it needs attention; – if nothing ran.
std::string cell_text(const OverviewCell& cell, bool numeric);

/// A ratio in two or three significant digits; one that is not 1 is not shown as 1.
std::string short_ratio(double ratio);

/// A ratio close to 1, written by its difference from 1: "1 − 2.2e-16".
std::string near_text(double ratio);

/// "12 of 3,456" components violated; empty if none is.
std::string violated_text(const OverviewCell& cell);

/// The meaning of the signs of cell_text().
extern const char* const overview_legend;

}  // namespace assay::report
