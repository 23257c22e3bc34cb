#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "assay/cli/commands.hpp"
#include "assay/cli/selection.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/citations.hpp"

namespace assay::cli {
namespace {

/// The properties with the claims that were selected, and the theorems that these claims cite.
store::Listing listing_of(const std::vector<Selected>& selected) {
  store::Listing listing;
  std::set<std::string> cited;
  for (const Selected& each : selected) {
    const PropertyInfo& info = each.property->info();
    const bool enumerated = info.enumeration_size != 0;
    store::Listing::Property& property = listing.properties.emplace_back();
    property.name = info.name;
    property.tier = tier_of(info);
    property.format = info.format;
    property.rigor = enumerated ? "exhaustive" : "sampled";
    property.cases = enumerated ? info.enumeration_size : info.quick_cases;
    property.accepts = info.accepts;
    for (const ClassInfo& input : info.classes) property.classes.push_back(input.name);
    for (std::size_t c = 0; c < info.claims.size(); ++c) {
      if (!each.claims.empty() && !each.claims[c]) continue;
      const ClaimInfo& claim = info.claims[c];
      property.claims.push_back({claim.id, claim.statement, claim.source, claim.theorem, claim.preconditions,
                                 claim.expected_refuted ? "refuted" : "holds", claim.ceiling});
      cited.insert(claim.theorem);
    }
  }
  for (const TheoremWords& each : cited_theorems()) {
    if (cited.contains(each.id.text)) {
      listing.theorems.push_back({each.id.text, each.hypotheses.text, each.statement.text, each.source.text});
    }
  }
  return listing;
}

}  // namespace

int run_list(const Options& options) {
  const std::vector<Selected> selected = select(options);
  if (options.json) {
    fmt::print("{}", store::pretty(store::list_document(listing_of(selected))));
    return report::exit_holds;
  }
  for (const Selected& each : selected) {
    const PropertyInfo& info = each.property->info();
    fmt::print("{}  {}, {} tier, {} cases{}{}\n", info.name, info.format, tier_of(info), cases_of(info, options),
               info.accepts.empty() ? "" : ": ", info.accepts);
    for (std::size_t c = 0; c < info.claims.size(); ++c) {
      const ClaimInfo& claim = info.claims[c];
      if (each.claims.empty() || each.claims[c]) {
        fmt::print("  {}/{}: {} [{}]{}\n", info.name, claim.id, claim.statement, claim.source,
                   !claim.expected_refuted ? ""
                   : claim.ceiling.empty() ? " (expected: refuted)"
                                           : " (expected: refuted, held by " + claim.ceiling + ")");
      }
    }
  }
  return report::exit_holds;
}

}  // namespace assay::cli
