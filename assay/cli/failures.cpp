#include "assay/cli/failures.hpp"

#include <algorithm>

#include "assay/campaign/shrink.hpp"

namespace assay::cli {

std::size_t claim_named(const PropertyInfo& info, const std::string& id) {
  const auto at =
      std::find_if(info.claims.begin(), info.claims.end(), [&](const ClaimInfo& each) { return each.id == id; });
  return static_cast<std::size_t>(at - info.claims.begin());
}

store::CaseFile shrunk_failure(const PropertyModel& property, process::Asker& asker, store::CaseFile file,
                               std::size_t claim, const Options& options) {
  file.why = store::Why::violated;
  if (options.shrink) {
    const campaign::Shrunk shrunk =
        campaign::shrink_case(property, asker, file.inputs, {claim, false, std::nullopt}, options.shrink_steps);
    file.inputs = shrunk.record;
    if (shrunk.outcome) file.evidence = campaign::evidence_of(*shrunk.outcome, claim);
  }
  return file;
}

}  // namespace assay::cli
