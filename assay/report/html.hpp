#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/store/bench.hpp"
#include "assay/store/changes.hpp"
#include "assay/store/hunt.hpp"
#include "assay/store/outside_score.hpp"
#include "assay/store/summary.hpp"
#include "assay/store/systematic.hpp"

namespace assay::report {

/// Parts of an HTML report that do not come from the run.
struct Beside {
  std::optional<store::Systematic> systematic;  ///< the score of systematic mutants
  std::optional<store::OutsideScore> outside;   ///< the score of kernels from outside
  std::optional<store::Changes> changes;        ///< since an entry of the ledger
  /// Why there are no changes; empty if there are.
  std::string no_changes = "No ledger to compare with: assay ledger add DIR creates one.";
  std::vector<store::HuntRow> hunted;  ///< the inputs nearest to bounds that hunts found
  store::Bench costs;                  ///< times against size
};

/// How much of each property an HTML report has.
enum class Detail {
  brief,  ///< failures and the hardest case
  full,   ///< every claim, class, pair of traits, hardest case and distribution
};

/// One offline HTML file. Its first screen has the verdict, the proofs, a map of families and formats, the claims
/// nearest to their bounds, the mutation score and the changes; then come the families, the cases, the controls and the
/// provenance. The same bytes for the same arguments and the same gnuplot; without gnuplot the tables remain and the
/// report says so. A brief report has at most 1 MB and 0.6 kB for each property, without times. Cost: one gnuplot
/// process for the plots of errors and one for those of times.
std::string report_html(const store::Summary& summary, const Beside& beside = {}, Detail detail = Detail::brief);

}  // namespace assay::report
