#include "assay/report/outcome.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "assay/report/exit_codes.hpp"
#include "assay/report/order.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/text.hpp"
#include "properties/framework/adequacy.hpp"
#include "properties/framework/citations.hpp"

namespace assay::report {
namespace {

/// Whether the program has a claim that the theorem's page names, or the theorem has no page. Other claims may cite it,
/// for example claims of foreign kernels; they do not tell whether the page's reason is needed.
bool has_claim_of_page(const std::string& theorem) {
  for (const TheoremWords& each : cited_theorems()) {
    if (theorem != each.id.text) continue;
    if (std::string_view(each.checked_by).empty()) return true;
    std::istringstream checks(each.checked_by);
    for (std::string check; std::getline(checks >> std::ws, check, ',');) {
      for (const auto& property : properties()) {
        for (const ClaimInfo& claim : property->info().claims) {
          const std::string name = "claim " + property->info().name + "/" + claim.id;
          if (claim.theorem == theorem && fnmatch(check.c_str(), name.c_str(), 0) == 0) return true;
        }
      }
    }
    return false;
  }
  return true;
}

/// `batch` checks a sample of the cases, which may be empty; a shard may lack a claim's class; a contract that is
/// tested, but not promised, may stay undecided.
bool must_have_run(const store::PropertySummary& property, std::size_t claim) {
  const ClaimInfo& info = property.info.claims[claim];
  return (is_whole(property) || property.partial) && info.id != "batch" && !info.is_open &&
         property.findings[claim].corpus_executed == 0;
}

/// Fewer cases were requested than in the quick tier.
bool has_own_small_budget(const store::PropertySummary& property) {
  return property.info.enumeration_size == 0 && property.requested < property.info.quick_cases;
}

int exit_code(const store::PropertySummary& property, std::size_t claim, const std::string& tier) {
  switch (property.findings[claim].verdict) {
    case store::Finding::holds:
    case store::Finding::refuted_as_expected:
    case store::Finding::broken:
      return exit_holds;
    case store::Finding::violated:
    case store::Finding::flaky:
      return exit_violated;
    case store::Finding::not_refuted:
      return tier != "quick" && !has_own_small_budget(property) && is_whole(property) ? exit_violated : exit_holds;
    case store::Finding::undecided:
      return exit_trouble;
    case store::Finding::not_run:
      return must_have_run(property, claim) ? exit_trouble : exit_holds;
    case store::Finding::crashed:
    case store::Finding::hung:
    case store::Finding::out_of_memory:
      return exit_stopped;
  }
  return exit_trouble;
}

/// Whether the summary has the claims of the property in the same order.
bool has_all_claims(const store::PropertySummary& property, const PropertyModel& model) {
  return std::equal(property.info.claims.begin(), property.info.claims.end(), model.info().claims.begin(),
                    model.info().claims.end(), [](const ClaimInfo& a, const ClaimInfo& b) { return a.id == b.id; });
}

/// Whether the kernel is from outside: it may be more accurate than it promises.
bool is_from_outside(const store::Summary& summary, const store::PropertySummary& property) {
  return summary.provenance.contains(store::subject_key(property.info.name));
}

/// Whether the tightness of the claim is meaningful: the claim holds for the quick number of cases or more.
bool shows_tightness(const store::PropertySummary& property, std::size_t claim) {
  return is_whole(property) && !property.partial && !has_own_small_budget(property) &&
         property.findings[claim].verdict == store::Finding::holds;
}

/// The bound, or its named terms, that the cases of the claim do not come near to.
std::vector<Blind> blind_terms(const store::PropertySummary& property, std::size_t claim) {
  std::vector<Blind> found;
  const ClaimInfo& info = property.info.claims[claim];
  const ClaimTally& tally = property.tally.claims[claim];
  const auto add = [&](const std::string& term, double ratio) {
    if (ratio < least_tightness) {
      found.push_back({property.info.name, info.id, property.executor, info.theorem, term, ratio});
    }
  };
  if (tally.terms.empty() && has_numeric_tightness(tally)) add("", tally.worst.ratio);
  for (const auto& [term, worst] : tally.terms) add(term, worst.ratio);
  return found;
}

}  // namespace

bool is_whole(const store::PropertySummary& property) { return total(property.tally).planned == property.requested; }

std::string describe_fewer_cases(const store::Summary& summary) {
  std::set<std::string> names;
  for (const store::PropertySummary& property : summary.properties) {
    if (has_own_small_budget(property)) names.insert(property.info.name);
  }
  if (names.empty()) return "";
  return grouped(names.size()) + (names.size() == 1 ? " property has" : " properties have") +
         " fewer cases than in the quick tier, as --numbers or --cases asked.";
}

bool was_exhausted(const store::PropertySummary& property) {
  return property.rigor == "exhaustive" && !property.partial && !property.stopped_by && is_whole(property);
}

Proofs proofs(const store::Summary& summary) {
  Proofs found;
  std::set<std::string> names;
  for (const store::PropertySummary& property : summary.properties) {
    if (!was_exhausted(property)) continue;
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      if (property.findings[c].verdict != store::Finding::holds || is_unasked(property.info.claims[c].id)) continue;
      ++found.claims;
      names.insert(property.info.name);
    }
  }
  found.properties = names.size();
  return found;
}

std::string describe(const Proofs& proofs) {
  if (proofs.claims == 0) return "";
  return grouped(proofs.claims) + (proofs.claims == 1 ? " claim of " : " claims of ") + grouped(proofs.properties) +
         (proofs.properties == 1 ? " property" : " properties") + (proofs.claims == 1 ? " is" : " are") +
         " proved for this build: every input of the domain was judged.";
}

int exit_code(const store::Summary& summary) {
  int code = other_bits(summary).empty() ? exit_holds : exit_violated;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      code = graver(code, exit_code(property, c, summary.tier));
    }
    if (property.stopped_by) {
      code = graver(code, exit_stopped);
    }
  }
  return code;
}

std::vector<std::string> wrong_shares(const store::Summary& summary, std::uint64_t index, std::uint64_t count) {
  std::vector<std::string> lines;
  for (const store::PropertySummary& property : summary.properties) {
    const std::uint64_t share = property.requested / count + (index < property.requested % count ? 1 : 0);
    const std::uint64_t planned = total(property.tally).planned;
    if (planned != share && !property.partial && !property.stopped_by) {
      lines.push_back(property.info.name + " on " + property.executor + ": the run has " + std::to_string(planned) +
                      " cases of the " + std::to_string(share) + " that were requested");
    }
  }
  return lines;
}

std::vector<Blind> blind_terms(const store::Summary& summary) {
  std::vector<Blind> found;
  for (const store::PropertySummary& property : summary.properties) {
    if (is_from_outside(summary, property)) continue;
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      if (!property.info.claims[c].loose_because.empty() || !shows_tightness(property, c)) continue;
      const std::vector<Blind> of_claim = blind_terms(property, c);
      found.insert(found.end(), of_claim.begin(), of_claim.end());
    }
  }
  return found;
}

std::map<std::string, std::string> reasons(const store::Summary& summary) {
  std::map<std::string, std::string> found;
  for (const store::PropertySummary& property : summary.properties) {
    for (const ClaimInfo& claim : property.info.claims) {
      if (!claim.loose_because.empty()) found.emplace(claim.theorem, claim.loose_because);
    }
  }
  return found;
}

std::vector<std::string> superfluous_reasons(const store::Summary& summary) {
  const std::map<std::string, std::string> stated = reasons(summary);
  // Pages name claims of the catalog: a run of kernels from outside has none of them, and needs no catalog.
  const bool is_of_catalog = std::ranges::any_of(summary.properties, [&](const store::PropertySummary& property) {
    return !summary.provenance.contains(store::subject_key(property.info.name));
  });
  if (stated.empty() || !is_of_catalog) return {};
  std::set<std::pair<std::string, std::string>> shown;
  std::set<std::string> needed;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      const ClaimInfo& claim = property.info.claims[c];
      if (!shows_tightness(property, c)) {
        needed.insert(claim.theorem);
        continue;
      }
      shown.emplace(property.info.name, claim.id);
      if (!blind_terms(property, c).empty()) needed.insert(claim.theorem);
    }
  }
  const auto ask = [&](std::span<const std::unique_ptr<PropertyModel>> others) {
    for (const auto& property : others) {
      for (const ClaimInfo& claim : property->info().claims) {
        if (!shown.contains({property->info().name, claim.id})) needed.insert(claim.theorem);
      }
    }
  };
  // The families of the run come first: they are loaded already, and most reasons are needed there.
  for (const store::PropertySummary& property : summary.properties) ask(properties_of(family_of(property.info.name)));
  const bool all_needed = std::ranges::all_of(stated, [&](const auto& each) { return needed.contains(each.first); });
  if (!all_needed) ask(properties());
  std::vector<std::string> found;
  for (const auto& [theorem, reason] : stated) {
    if (!needed.contains(theorem) && has_claim_of_page(theorem)) found.push_back(theorem);
  }
  return found;
}

const char* const blind_legend =
    "These claims hold, but no case came near to the bound, or to this term of it, and the theorem gives no reason: a "
    "mistake as small as the gap would pass.";

std::string describe(const Blind& blind) {
  return blind.property + "/" + blind.claim + " on " + blind.executor + ": " +
         (blind.term.empty() ? "the bound" : blind.term) + " reaches " + ratio_text(blind.ratio) + " (" +
         blind.theorem + ")";
}

namespace {

/// ": sums of more than 128 weights of a softmax in bf16 in any order have no bound; …"; empty if no reason is known.
std::string why_not(const store::PropertySummary& property, std::size_t claim) {
  const bool is_known = claim < property.tally.claims.size() && property.tally.claims[claim].silence.components != 0;
  return is_known ? ": " + property.tally.claims[claim].silence.why : "";
}

}  // namespace

std::vector<std::string> shortcomings(const store::Summary& summary) {
  std::vector<std::string> lines;
  const bool any = std::ranges::any_of(summary.properties, [](const store::PropertySummary& property) {
    return total(property.tally).executed != 0 || property.stopped_by ||
           std::ranges::any_of(property.findings, [](const auto& each) { return each.corpus_executed != 0; });
  });
  if (!any) lines.push_back("no case was executed");
  for (const store::PropertySummary& property : summary.properties) {
    const std::string where = property.info.name + " on " + property.executor + ": ";
    for (const Tally::ByClass& each : property.tally.classes) {
      if (each.planned != each.executed + each.rejected) {
        lines.push_back(where + "the number of planned cases is not the number of executed and rejected cases");
      }
    }
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      if (property.findings[c].verdict == store::Finding::not_run && must_have_run(property, c)) {
        lines.push_back(property.info.name + "/" + property.info.claims[c].id + " on " + property.executor +
                        ": no case was judged" + why_not(property, c) +
                        (has_own_small_budget(property) || property.partial ? "; more cases may reach the claim" : ""));
      }
      for (const std::string& each : property.findings[c].other_ratios) {
        lines.push_back(property.info.name + "/" + property.info.claims[c].id + " on " + property.executor + ": " +
                        each);
      }
    }
    const PropertyModel* const model = find_property(property.info.name);
    if (model == nullptr || !is_whole(property) || property.partial || property.stopped_by ||
        !has_all_claims(property, *model) || property.tally.classes.size() != model->info().classes.size()) {
      continue;
    }
    for (const std::string& line : inadequacies(*model, property.tally, summary.seed)) {
      lines.push_back("on " + property.executor + ": " + line);
    }
  }
  if (summary.tier == "quick" && summary.seed == default_seed) {
    for (const Blind& each : blind_terms(summary)) {
      lines.push_back(describe(each) + ", and the theorem names no reason (\"Loose because\")");
    }
    for (const std::string& theorem : superfluous_reasons(summary)) {
      lines.push_back(theorem +
                      " names a reason why cases stay far below its bound, but no claim or term stays below it");
    }
  }
  return lines;
}

}  // namespace assay::report
