#include "assay/report/html_properties.hpp"

#include <algorithm>
#include <set>

#include "assay/report/outcome.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"

namespace assay::report::html {
namespace {

/// How many pairs of values of two traits occur in the cases, what the traits are, and which pairs are impossible.
std::string pairs_html(const Group& group) {
  const PropertyInfo& info = group.front()->info;
  if (info.traits.empty()) return "";
  std::string html = "<h4>Pairs of traits</h4><p class=small>Pairs of values of two traits that occur in a case:";
  for (const store::PropertySummary* property : group) {
    html += " <b>" + pairs_text(*property) + "</b> on " + escaped(property->executor) + ".";
  }
  html += "</p>\n<details><summary class=small>Traits and impossible pairs</summary><ul class=small>\n";
  for (const TraitInfo& trait : info.traits) {
    std::string values;
    for (const std::string& each : trait.values) values += (values.empty() ? "" : ", ") + each;
    html += "<li>" + escaped(trait.name) + ": " + escaped(values) + "</li>\n";
  }
  for (const std::string& line : impossible_pairs_text(info)) html += "<li>impossible: " + escaped(line) + "</li>\n";
  return html + "</ul></details>\n";
}

std::string classes_html(const Group& group) {
  const bool sampled = group.front()->rigor == "sampled";
  std::vector<Table::Column> columns{{"class"},          {"on"},           {"planned", true}, {"executed", true},
                                     {"rejected", true}, {"inexact", true}};
  if (sampled) columns.push_back({"violation below", true});
  Table table(columns);
  for (const store::PropertySummary* property : group) {
    for (std::size_t i = 0; i < property->tally.classes.size(); ++i) {
      const Tally::ByClass& each = property->tally.classes[i];
      table.add({escaped(property->info.classes[i].name), escaped(property->executor), grouped(each.planned),
                 grouped(each.executed), grouped(each.rejected), grouped(each.inexact),
                 violation_probability(each.executed)});
    }
  }
  return std::string("<h4>Classes drawn</h4><p class=small>") +
         (sampled
              ? "No case of these classes violated the claim. With 95 % confidence, another case of a class, drawn in "
                "the same way, violates it with a probability below the number in the last column."
              : "Every input of the domain is enumerated: if all of them ran, a verdict is a proof for this build.") +
         "</p>\n" + table.html();
}

std::string claims_html(const Group& group) {
  Table table({{"claim"},
               {"on"},
               {"verdict"},
               {"promise"},
               {"error/bound", true},
               {"executed", true},
               {"rejected", true},
               {"violated", true},
               {"corpus", true}});
  for (const store::PropertySummary* property : group) {
    const std::uint64_t rejected = total(property->tally).rejected;
    for (std::size_t c = 0; c < property->findings.size(); ++c) {
      const ClaimInfo& claim = property->info.claims[c];
      const ClaimTally& tally = property->tally.claims[c];
      const store::ClaimFinding& finding = property->findings[c];
      const std::string closest = closest_text(tally);
      table.add({escaped(claim.id), escaped(property->executor), badge(finding.verdict),
                 escaped(claim.statement) + "<div class=of>" + source_html(claim.source, claim.theorem) +
                     (claim.preconditions.empty() ? "" : "; requires " + escaped(claim.preconditions)) + "</div>",
                 ratio_text(tally.worst.ratio) +
                     (closest.empty() ? "" : "<div class=of>closest to a boundary: " + closest + "</div>"),
                 grouped(tally.executed), grouped(rejected + tally.rejected),
                 grouped(tally.violated) + violated_components(tally), grouped(finding.corpus_executed)});
    }
  }
  return "<h4>Claims</h4>\n" + table.html();
}

/// How a failure was found and made smaller.
std::string remark_of(const store::PropertySummary& property, std::size_t c) {
  const store::ClaimFinding& finding = property.findings[c];
  const std::string same = escaped(same_case_text(property, c));
  return (finding.failing_number == no_case ? "from the corpus" : "from case " + grouped(finding.failing_number)) +
         "; " + shrunk_text(finding.shrink_tried, finding.shrink_minimal) + "; failed " +
         std::to_string(finding.reproduced) + " of 3 repetitions" + (same.empty() ? "" : "; " + same);
}

/// Among the claims that hold, the one whose hardest case came nearest to its bound; the number of claims if there is
/// none.
std::size_t nearest_claim(const store::PropertySummary& property) {
  std::size_t nearest = property.findings.size();
  for (std::size_t c = 0; c < property.findings.size(); ++c) {
    const ClaimTally& tally = property.tally.claims[c];
    if (!property.findings[c].hardest || property.findings[c].failure || !has_numeric_tightness(tally)) continue;
    if (nearest == property.findings.size() || tally.worst.ratio > property.tally.claims[nearest].worst.ratio) {
      nearest = c;
    }
  }
  return nearest;
}

std::string joined(const Merged& pieces) {
  std::string html;
  for (const std::string& each : pieces.all()) html += each;
  return html;
}

/// The part of a page that shows the cases of one property.
struct Cases {
  bool attention = false;
  std::set<store::Finding> verdicts;
  std::string notes;
  Merged failures;
  Merged hardest;
  std::vector<std::string> others;  ///< cases that are shown only by claim and id
};

/// The level of detail for the cases of one property. Failures that need attention are always shown.
struct Wanted {
  bool full = false;
  std::string of;                         ///< stands before the names of claims
  bool hardest = true;                    ///< else by id
  std::set<std::string>* told = nullptr;  ///< claims whose failures were shown before: further ones by id
};

std::string notes_html(const store::PropertySummary& property) {
  std::string html;
  const std::string on = "<p><b>" + escaped(property.executor) + ":</b> ";
  if (!property.note.empty()) html += on + escaped(property.note) + "\n";
  if (property.partial) {
    html += on + "partial, stopped by the time limit after " + grouped(total(property.tally).planned) + " of " +
            grouped(property.requested) + " cases\n";
  }
  return html;
}

Cases cases_of(const store::Summary& summary, const std::string& name, const Group& group, const Wanted& wanted) {
  Cases cases;
  const Shown shown = wanted.full ? many : few;
  const auto by_id = [&](const std::string& claim, const store::CaseFile& file) {
    const std::string text = escaped(claim) + " " + code(store::case_id(file));
    if (std::find(cases.others.begin(), cases.others.end(), text) == cases.others.end()) cases.others.push_back(text);
  };
  for (const store::PropertySummary* property : group) {
    const std::string& on = property->executor;
    cases.notes += notes_html(*property);
    if (property->stopped_by) {
      const std::string& claim = property->stopped_by->claim;
      cases.failures.add(on, case_html(summary, wanted.of + (claim.empty() ? "stopped by this case" : claim),
                                       *property->stopped_by, -1, shown, true));
    }
    const std::size_t nearest = nearest_claim(*property);
    for (std::size_t c = 0; c < property->findings.size(); ++c) {
      const store::ClaimFinding& finding = property->findings[c];
      const std::string& claim = property->info.claims[c].id;
      cases.attention = cases.attention || needs_attention(finding);
      cases.verdicts.insert(finding.verdict);
      if (finding.failure) {
        if (wanted.told != nullptr && !needs_attention(finding) && wanted.told->contains(claim)) {
          by_id(claim, *finding.failure);
        } else {
          cases.failures.add(on,
                             case_html(summary, wanted.of + claim, *finding.failure,
                                       finding.failure->evidence ? finding.failure->evidence->ratio : -1, shown, true,
                                       badge(finding.verdict) + (wanted.full ? " · " + remark_of(*property, c) : "")));
        }
      }
      const ClaimTally& tally = property->tally.claims[c];
      if (finding.hardest && (c == nearest || (wanted.full && has_numeric_tightness(tally)))) {
        if (wanted.hardest) {
          cases.hardest.add(
              on, case_html(summary, wanted.of + claim, *finding.hardest, tally.worst.ratio, shown, wanted.full));
        } else {
          by_id(claim, *finding.hardest);
        }
      }
      for (const std::string& id : finding.corpus_surprises) {
        cases.failures.add(on, "<div class=case><p><b>" + escaped(wanted.of + claim) + "</b> on " + Merged::on +
                                   ": a corpus case whose verdict was not the expected one<p>" +
                                   code(replay_line(summary, name, id)) + "</div>\n");
      }
    }
  }
  if (wanted.told != nullptr) {
    for (const store::PropertySummary* property : group) {
      for (std::size_t c = 0; c < property->findings.size(); ++c) {
        if (property->findings[c].failure) wanted.told->insert(property->info.claims[c].id);
      }
    }
  }
  return cases;
}

/// The largest error/bound of the claims that hold; negative for none.
double largest_of(const Group& group) {
  double largest = -1;
  for (const store::PropertySummary* property : group) {
    const std::size_t c = nearest_claim(*property);
    if (c < property->findings.size()) largest = std::max(largest, property->tally.claims[c].worst.ratio);
  }
  return largest;
}

/// The verdicts except "holds", which is shown only if it is the only verdict.
std::string badges_html(const std::set<store::Finding>& verdicts) {
  std::string html;
  for (const store::Finding verdict : verdicts) {
    if (verdict != store::Finding::holds || verdicts.size() == 1) html += badge(verdict) + " ";
  }
  return html;
}

}  // namespace

std::string property_html(const store::Summary& summary, const std::string& name, const Group& group, Detail detail,
                          const std::string& figures) {
  const store::PropertySummary& first = *group.front();
  const bool full = detail == Detail::full;
  const Cases cases = cases_of(summary, name, group, {full, ""});
  std::string html = "<details class=p id=\"" + anchor(name) + "\"" + (cases.attention ? " open" : "") +
                     "><summary><b>" + escaped(name) + "</b>" + badges_html(cases.verdicts) + "<span class=of>" +
                     escaped(first.info.format) + ", " +
                     (was_exhausted(first) ? "all inputs, a proof for this build" : escaped(first.rigor)) + ", " +
                     grouped(total(first.tally).executed) + " cases</span></summary><div>\n";
  if (!first.info.accepts.empty() && (full || !cases.failures.empty()))
    html += "<p class=of>Domain: " + escaped(first.info.accepts) + "\n";
  html += cases.notes;
  if (full) html += claims_html(group);
  if (!cases.failures.empty()) html += "<h4>Counterexamples, shrunk</h4>\n" + joined(cases.failures);
  if (!cases.hardest.empty()) {
    html += (full ? "<h4>Hardest cases</h4>\n" : "") + joined(cases.hardest);
  }
  if (!figures.empty()) html += "<h4>Error against bound</h4><div class=figures>\n" + figures + "</div>\n";
  if (full) html += pairs_html(group) + classes_html(group);
  return html + "</div></details>\n";
}

std::string operation_html(const store::Summary& summary, const std::string& operation, const Properties& properties) {
  const auto larger = [](const auto& a, const auto& b) { return largest_of(a.second) < largest_of(b.second); };
  const std::string nearest = std::max_element(properties.begin(), properties.end(), larger)->first;
  const std::string family = family_of(nearest) + ".";
  std::set<store::Finding> verdicts;
  std::set<std::string> told;
  std::uint64_t executed = 0;
  bool attention = false;
  std::string failures;
  std::string hardest;
  std::string lines;
  for (const auto& [name, group] : properties) {
    const std::string kernel = name.substr(family.size());
    const Cases cases = cases_of(summary, name, group, {false, kernel + "/", name == nearest, &told});
    const std::uint64_t own = total(group.front()->tally).executed;
    attention = attention || cases.attention;
    verdicts.insert(cases.verdicts.begin(), cases.verdicts.end());
    executed += own;
    failures += joined(cases.failures);
    hardest += joined(cases.hardest);
    lines += "<li id=\"" + anchor(name) + "\"><b>" + escaped(kernel) + "</b> " +
             (was_exhausted(*group.front()) ? "∎ " : "") + grouped(own) + " cases";
    for (const store::Finding verdict : cases.verdicts) {
      if (verdict != store::Finding::holds) lines += " " + badge(verdict);
    }
    for (const std::string& other : cases.others) lines += " · " + other;
    lines += cases.notes + "\n";
  }
  return "<details class=\"p g\"" + std::string(attention ? " open" : "") + "><summary><b>" + escaped(operation) +
         "</b>" + badges_html(verdicts) + "<span class=of>" + grouped(properties.size()) + " properties, " +
         grouped(executed) + " cases</span></summary><div>\n" +
         (failures.empty() ? "" : "<h4>Counterexamples, shrunk</h4>\n" + failures) + hardest + "<ul>\n" + lines +
         "</ul></div></details>\n";
}

}  // namespace assay::report::html
