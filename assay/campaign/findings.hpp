#pragma once

#include <span>
#include <vector>

#include "assay/campaign/campaign.hpp"
#include "assay/campaign/shrink.hpp"

namespace assay::campaign {

/// The results of the corpus for one property on one executor.
struct CorpusFindings {
  struct OfClaim {
    std::uint64_t executed = 0;
    std::uint64_t violated = 0;
    std::uint64_t undecided = 0;
    double ratio = -1;    ///< the largest error/bound
    std::string hardest;  ///< the id of the first case with that ratio
    std::string date;     ///< of that case
    std::vector<std::string> surprises;
    std::vector<std::string> other_ratios;   ///< ClaimFinding::other_ratios
    std::optional<store::CaseFile> failure;  ///< the first surprise
  };
  std::vector<OfClaim> claims;  ///< in the order of PropertyInfo::claims
  std::optional<store::CaseFile> stopped_by;
  std::optional<store::Finding> stop;
  std::vector<std::string> lines;
  bool damaged = false;
};

/// Judges every corpus case of the property. A case that tests nothing any more adds a line to `lines`.
CorpusFindings replay_corpus(const PropertyModel& property, const std::string& executor, process::Asker& asker,
                             const std::filesystem::path& corpus);

/// A case on which the subject gave no answer.
struct Offender {
  std::uint64_t number = no_case;
  store::Finding kind = store::Finding::crashed;
  std::string what;
};

/// The results of the cases of one property on one executor.
struct Gathered {
  Tally tally;
  std::vector<Offender> offenders;  ///< by case number
  CorpusFindings corpus;
  bool cut_short = false;  ///< too many offenders: the rest did not run
  bool partial = false;    ///< ended by time
};

/// The file of a case that comes near to the bound of a claim, judged once more for its evidence.
store::CaseFile hardest_case(const PropertyModel& property, const std::string& executor, process::Asker& asker,
                             Record inputs, std::size_t claim);

/// The first of the claims that fails for the case; the first claim if none fails. Requires: there is one (not
/// checked).
std::size_t first_failing(process::Asker& asker, const Record& inputs, std::span<const std::size_t> claims);

/// The verdicts. Failing cases were repeated three times and shrunk, hardest cases judged once more for their evidence.
store::PropertySummary conclude(const CampaignSettings& settings, const Planned& planned, process::Asker& asker,
                                Gathered gathered);

}  // namespace assay::campaign
