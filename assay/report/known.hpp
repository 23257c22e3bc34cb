#pragma once
// The largest known errors of each bound: in print, and from runs, corpora and hunts.

#include <span>
#include <string>

#include "assay/store/hunt.hpp"
#include "assay/store/known.hpp"
#include "assay/store/summary.hpp"

namespace assay::report {

/// A run, and the day on which it began; empty if its folder does not say it.
struct DatedRun {
  const store::Summary* run;
  std::string day;
};

/// The claims of `merged` that are judged by error/bound, executors together, and negative controls whose theorem has a
/// largest published error. The day of a run's case is the day of the first of `runs` that has it.
store::KnownErrors known_errors(const store::Summary& merged, std::span<const store::HuntRow> hunted,
                                std::span<const DatedRun> runs = {});

/// The same as a folded table; empty if there is no row. Not `full`: only the rows with a published error.
std::string known_html(const store::KnownErrors& known, bool full);

}  // namespace assay::report
