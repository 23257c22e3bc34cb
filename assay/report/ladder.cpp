#include "assay/report/ladder.hpp"

#include <algorithm>

#include "assay/report/overview.hpp"
#include "assay/report/text.hpp"
#include "assay/store/summary_io.hpp"

namespace assay::report {
namespace {

std::string listed(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& each : ids) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// A line for each kept contract whose bound is empty in some cases: how many cases it judged; and for each that judged
/// a sample of large results.
std::vector<std::string> partly_judged(const store::PropertySummary& property, const std::vector<std::string>& kept) {
  std::vector<std::string> lines;
  for (std::size_t c = 0; c < property.info.claims.size() && c < property.tally.claims.size(); ++c) {
    const ClaimInfo& claim = property.info.claims[c];
    const ClaimTally& tally = property.tally.claims[c];
    const bool is_kept = std::ranges::find(kept, claim.id) != kept.end();
    if (is_kept && tally.sample.of != 0) {
      lines.push_back(claim.id + ": of large results a sample was judged, " + grouped(tally.sample.judged) + " of " +
                      grouped(tally.sample.of) + " entries");
    }
    const bool may_be_empty = claim.preconditions.find("not empty") != std::string::npos;
    if (!is_kept || !may_be_empty || tally.rejected == 0) continue;
    lines.push_back(claim.id + " was judged in " + std::to_string(tally.executed) + " of " +
                    std::to_string(tally.executed + tally.rejected) + " cases: " + claim.preconditions);
  }
  return lines;
}

/// A line for each of these contracts that says nothing of some numbers: how many, and why.
std::vector<std::string> unsaid(const store::PropertySummary& property, const std::vector<std::string>& ids) {
  std::vector<std::string> lines;
  for (std::size_t c = 0; c < property.info.claims.size() && c < property.tally.claims.size(); ++c) {
    const std::string& id = property.info.claims[c].id;
    const ClaimTally& tally = property.tally.claims[c];
    if (tally.silence.components == 0 || std::ranges::find(ids, id) == ids.end()) continue;
    lines.push_back(id + " says nothing of " + std::to_string(tally.silence.components) + " of " +
                    std::to_string(tally.silence.components + tally.components) + " numbers, of the first in case " +
                    std::to_string(tally.silence.first) +
                    (tally.silence.why.empty() ? "" : " because " + tally.silence.why));
  }
  return lines;
}

/// Both, of the contracts of a ladder.
std::vector<std::string> judged_in_part(const store::PropertySummary& property, const KernelLadder& found) {
  std::vector<std::string> lines = partly_judged(property, found.ladder.kept);
  for (const auto* const ids : {&found.ladder.kept, &found.open}) {
    for (std::string& each : unsaid(property, *ids)) lines.push_back(std::move(each));
  }
  return lines;
}

/// A line for each kept contract about order: how many swaps of two terms it would have seen.
std::vector<std::string> swaps_shown(const store::PropertySummary& property) {
  std::vector<std::string> lines;
  for (std::size_t c = 0; c < property.info.claims.size() && c < property.tally.claims.size(); ++c) {
    const std::string& id = property.info.claims[c].id;
    const Swaps& swaps = property.tally.claims[c].swaps;
    if (swaps.tried == 0 || !store::kept(property, id).value_or(false)) continue;
    lines.push_back(id + ": " + std::to_string(swaps.seen) + " of " + std::to_string(swaps.tried) +
                    " swaps of two terms would have been seen");
  }
  return lines;
}

/// As KernelLadder::counterexample. Of an unknown operation, contracts with a ratio of error and bound are about an
/// error.
std::optional<std::size_t> counterexample_of(const store::PropertySummary& property, const Operation* operation,
                                             const std::vector<std::string>& broken) {
  const auto is_about_error = [&](std::size_t c) {
    if (operation == nullptr) return has_numeric_tightness(property.tally.claims[c]);
    const auto contract = std::ranges::find(operation->contracts, property.info.claims[c].id, &Contract::id);
    return contract != operation->contracts.end() && contract->is_about_error;
  };
  std::optional<std::size_t> found;
  for (const std::string& id : broken) {
    const auto at = std::ranges::find(property.info.claims, id, &ClaimInfo::id);
    const auto c = static_cast<std::size_t>(at - property.info.claims.begin());
    if (at == property.info.claims.end() || !property.findings[c].failure) continue;
    if (!found || is_about_error(c) || !is_about_error(*found)) found = c;
  }
  return found;
}

}  // namespace

KernelLadder ladder_of(const store::Summary& summary, const store::PropertySummary& property,
                       const Operation* operation) {
  KernelLadder found;
  found.property = property.info.name;
  found.executor = property.executor;
  found.cases = total(property.tally).executed;
  found.cost = property.tally.cost;
  if (const auto call = summary.provenance.find(store::call_key(property.info.name)); call != summary.provenance.end())
    found.call = call->second;
  found.is_promised = true;
  std::uint64_t saved = 0;
  for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
    const ClaimInfo& claim = property.info.claims[c];
    saved = std::max(saved, property.findings[c].corpus_executed);
    if (is_unasked(claim.id)) continue;
    found.is_promised = found.is_promised && !claim.is_open;
    const std::optional<bool> is_kept = store::kept(property, claim.id);
    if (!is_kept) {
      found.open.push_back(claim.id);
    } else if (operation == nullptr) {
      (*is_kept ? found.ladder.kept : found.ladder.broken).push_back(claim.id);
    }
  }
  found.cases += saved;
  if (operation == nullptr) {
    found.counterexample = counterexample_of(property, nullptr, found.ladder.broken);
    found.partly = judged_in_part(property, found);
    return found;
  }
  std::vector<std::optional<bool>> kept;
  for (const Contract& each : operation->contracts) {
    kept.push_back(store::kept(property, each.id));
    found.keeps_about_error = found.keeps_about_error || (each.is_about_error && kept.back().value_or(false));
  }
  found.ladder = assay::ladder_of(*operation, kept);
  found.counterexample = counterexample_of(property, operation, found.ladder.broken);
  found.unasked = left_to_ask(*operation, kept);
  found.partly = judged_in_part(property, found);
  found.shown = swaps_shown(property);
  return found;
}

std::vector<KernelLadder> ladders(const store::Summary& summary) {
  std::vector<KernelLadder> found;
  for (const store::PropertySummary& property : summary.properties) {
    const bool is_open = std::ranges::any_of(property.info.claims, &ClaimInfo::is_open);
    if (!is_open && !summary.provenance.contains(store::subject_key(property.info.name))) continue;
    found.push_back(ladder_of(summary, property, find_operation(operation_name(property.info.name))));
  }
  return found;
}

std::string describe(const KernelLadder& kernel) {
  const Ladder& ladder = kernel.ladder;
  return (ladder.kept.empty() ? "keeps none" : "keeps " + listed(ladder.kept)) +
         (ladder.broken.empty() ? "" : "; breaks " + listed(ladder.broken)) +
         (kernel.open.empty() ? "" : "; not decided: " + listed(kernel.open));
}

std::string describe_call(const KernelLadder& kernel) {
  return "asked with " + std::to_string(kernel.cases) + (kernel.cases == 1 ? " case" : " cases") +
         (kernel.call.empty() ? "" : ", as " + kernel.call);
}

}  // namespace assay::report
