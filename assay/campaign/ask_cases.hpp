#pragma once
// Runs a range of cases, and finds the cases without an answer ("offenders").

#include <vector>

#include "assay/campaign/campaign.hpp"
#include "assay/campaign/findings.hpp"

namespace assay::campaign {

/// After this many cases without an answer the rest of a property is not run.
inline constexpr std::size_t most_offenders = 8;

/// The results of some cases.
struct AskedCases {
  Tally tally;
  std::vector<Offender> offenders;
  std::size_t most = most_offenders;  ///< this many offenders end it
};

/// The cases of a range after its first `count`.
CaseRange behind(const CaseRange& range, std::uint64_t count);

/// Adds the results of the cases of the range to `into`. Ends early once `into` has `most` offenders.
void ask_cases(const PropertyModel& property, Isolation isolation, CaseRange range, process::Asker& asker,
               AskedCases& into);

}  // namespace assay::campaign
