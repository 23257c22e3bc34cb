#pragma once
// Asks a range of cases, and finds those on which the subject gives no answer.

#include <vector>

#include "assay/campaign/campaign.hpp"
#include "assay/campaign/findings.hpp"

namespace assay::campaign {

/// After so many cases without an answer the rest of a property is not run.
inline constexpr std::size_t most_offenders = 8;

/// What some cases showed.
struct AskedCases {
  Tally tally;
  std::vector<Offender> offenders;
  std::size_t most = most_offenders;  ///< so many offenders end it
};

/// The cases of a range after its first `count`.
CaseRange behind(const CaseRange& range, std::uint64_t count);

/// Adds what the cases of the range show to `into`. Ends early once `into` has `most` offenders.
void ask_cases(const PropertyModel& property, Isolation isolation, CaseRange range, process::Asker& asker,
               AskedCases& into);

}  // namespace assay::campaign
