#include "assay/report/html.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/report/html_families.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/plots.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/systematic.hpp"
#include "assay/report/text.hpp"
#include "assay/store/json.hpp"

namespace assay::report {

namespace {

using namespace html;

/// More pictures than these make a page heavy.
constexpr std::size_t most_plots = 600;

constexpr const char* style = R"(
:root{--s0:#2f6fb5;--s1:#d1622b;--s2:#2f8f4e;--s3:#8e4ec6;--s4:#b8326b;--s5:#7a6a00;--s6:#0c8c99;--s7:#5b6678;--ink:#1d2430;--soft:#5b6678;--line:#dde2ea;--paper:#fff;--panel:#f6f8fb;--accent:#2456a6;--plot:#2f6fb5;
--bound:#c0392b;--good:#1c7c4a;--good-bg:#e3f4ea;--bad:#b3261e;--bad-bg:#fbe5e3;--odd:#8a5a00;--odd-bg:#fdf1d8;--none:#5b6678;--none-bg:#e9edf2}
@media (prefers-color-scheme:dark){:root{--s0:#6aa6e8;--s1:#f0935f;--s2:#6fce8d;--s3:#c49af0;--s4:#f07bab;--s5:#d6c24a;--s6:#5fd0dc;--s7:#a7b2c2;--ink:#e3e8ef;--soft:#9aa6b8;--line:#303947;--paper:#14181f;--panel:#1b212b;--accent:#84b1f5;
--plot:#6aa6e8;--bound:#f08a80;--good:#7ed6a2;--good-bg:#17382a;--bad:#ff9d95;--bad-bg:#4a1f1c;--odd:#f3c568;--odd-bg:#443413;--none:#a7b2c2;--none-bg:#2a323e}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1180px;margin:0 auto;padding:2rem 1.5rem 4rem}
h1{font-size:1.9rem;font-weight:650;margin:0}h2{font-size:1.3rem;margin:2.6rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.6rem 0 .5rem}h4{font-size:.95rem;margin:1.1rem 0 .4rem;color:var(--soft);font-weight:600}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
code,.n{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.87em}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.soft{color:var(--soft)}.small{font-size:.87rem}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.3rem 0 .8rem}
th{text-align:left;font-weight:600;color:var(--soft);border-bottom:1px solid var(--line);padding:.3rem .6rem .3rem 0;vertical-align:bottom;font-size:.83rem}
th.n{text-align:right;font-family:inherit}
td{border-bottom:1px solid var(--line);padding:.35rem .6rem .35rem 0;vertical-align:top;overflow-wrap:anywhere}td.n,td.k{overflow-wrap:normal}
td.k{white-space:nowrap}td.n,th.n{padding-left:.6rem}
.scroll{overflow-x:auto}
.claims{table-layout:fixed;min-width:960px}.claims th:nth-child(1){width:25%}.claims th:nth-child(2){width:4.5%}.claims th:nth-child(3){width:15.5%}.claims th:nth-child(4){width:8%}.claims th:nth-child(6){width:16%}.claims td.k:first-child{white-space:normal}
.overview{width:auto;min-width:60%}.overview td,.overview th{padding:.22rem .5rem .22rem 0}.overview td.n,.overview th.n{padding-left:.5rem}
.overview td.n{background:linear-gradient(var(--plot),var(--plot)) no-repeat left bottom/var(--r,0) 2px}.overview td.n a{color:inherit}
.overview td.all{background-color:var(--good-bg);color:var(--good)}.overview td.odd{background-color:var(--odd-bg);color:var(--odd)}
.overview td.bad{background-color:var(--bad-bg);color:var(--bad);font-weight:700}
.beside td.k i{display:inline-block;width:1.1rem;height:0;border-top:3px solid var(--c);margin-right:.45rem;vertical-align:.25rem}.beside i.dash1{border-top-style:dashed}.beside i.dash2{border-top-style:dotted}.overview.beside td,.overview.beside th{padding:.22rem .35rem .22rem 0}.overview.beside td.n{background-image:none}.beside .small{font-size:.72rem;font-weight:400;line-height:1.25;white-space:normal;max-width:4.2rem;margin-left:auto}
.terms{table-layout:fixed;min-width:0;width:min(100%,5.5rem + var(--n)*4.5rem)}.terms th.k{width:5.5rem}.terms td.n,.terms th.n{padding:.22rem .25rem}
.terms td.promise{padding-top:.7rem;border-bottom:none}.terms tbody{break-inside:avoid}.terms .n{font-size:.8em}.terms th,.overview th{white-space:nowrap}
tr:target>td{background:var(--odd-bg)}
.badge{display:inline-block;padding:.05rem .55rem;border-radius:1rem;font-size:.8rem;font-weight:600;white-space:nowrap;color:var(--none);background:var(--none-bg)}
.badge.good{color:var(--good);background:var(--good-bg)}.badge.bad{color:var(--bad);background:var(--bad-bg)}.badge.odd{color:var(--odd);background:var(--odd-bg)}
.cards{display:flex;flex-wrap:wrap;gap:.8rem;margin:1.3rem 0}
.card{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.7rem 1.1rem;min-width:8.5rem}
.card b{display:block;font-size:1.55rem;line-height:1.2;font-weight:650}
.card.good b{color:var(--good)}.card.bad b{color:var(--bad)}.card.odd b{color:var(--odd)}
nav{columns:3;column-gap:2rem;font-size:.88rem}nav div{break-inside:avoid;margin-bottom:.6rem}nav a{margin-right:.6rem}
details{border:1px solid var(--line);border-radius:.6rem;margin:.5rem 0;background:var(--paper)}
summary{cursor:pointer;padding:.55rem .9rem;background:var(--panel);border-radius:.6rem}
details[open]>summary{border-radius:.6rem .6rem 0 0;border-bottom:1px solid var(--line)}details>div{padding:.4rem 1rem 1rem}
summary b{margin-right:.7rem}
.plots{display:flex;flex-wrap:wrap;gap:.8rem 1.2rem}figure{margin:.2rem 0}figcaption{font-size:.82rem;color:var(--soft)}
svg{max-width:100%;height:auto;display:block}svg .a{fill:none;stroke:currentColor;stroke-width:.6}svg .t{fill:currentColor;stroke:none;font-size:11px}
.bar{display:inline-block;width:5rem;height:.5rem;background:var(--none-bg);border-radius:.3rem;overflow:hidden;vertical-align:middle;margin-left:.5rem}
.bar i{display:block;height:100%;background:var(--plot)}
.banner{padding:.6rem 1rem;border-radius:.6rem;margin:1rem 0;font-weight:600}
.banner.good{color:var(--good);background:var(--good-bg)}.banner.bad{color:var(--bad);background:var(--bad-bg)}
@media print{html{font-size:11px}body{font-size:1rem}main{max-width:none;padding:0}details{border:none}nav{display:none}tr,figure{break-inside:avoid}h3{break-after:avoid}
.scroll{overflow:visible}.claims{min-width:0}.overview td{print-color-adjust:exact}.terms{font-size:.8rem}.terms td.n,.terms th.n{padding:.1rem}.terms th.k{width:4rem}}
@media (max-width:700px){nav{columns:1}}
)";

/// Whether an earlier executor of the group has the same picture.
bool drawn_before(const Group& group, std::size_t which, std::size_t c) {
  const ClaimTally& mine = group[which]->tally.claims[c];
  return std::any_of(
      group.begin(), group.begin() + static_cast<std::ptrdiff_t>(which), [&](const store::PropertySummary* earlier) {
        return c < earlier->tally.claims.size() && earlier->tally.claims[c].histogram == mine.histogram &&
               earlier->tally.claims[c].features == mine.features;
      });
}

/// Where a picture stands: with a property, or with the comparison of a family.
struct Figure {
  std::string place;
  std::string caption;
  bool of_family = false;
};

struct PlannedPlot {
  std::size_t round;  ///< its place among those of its property
  Plot plot;
  Figure figure;
};

/// Plans the pictures of all claims with numeric error/bound and returns their number. No more than most_plots are
/// planned: the first pictures of every property come before the second ones of any.
std::size_t plan_plots(const std::vector<Overview>& families, const std::map<std::string, Group>& groups,
                       std::vector<PlannedPlot>& planned) {
  for (const Overview& overview : families) {
    if (!overview.comparison) continue;
    for (const Comparison::Figure& figure : overview.comparison->figures) {
      const FeatureInfo& feature = figure.feature;
      planned.push_back(
          {0,
           {Plot::Kind::curves, feature.name, feature.low, feature.high, {}, {}, figure.ratios},
           {overview.family, figure.claim + ": error/bound against " + feature.name + ", the bound at 1", true}});
    }
  }
  for (const auto& [name, group] : groups) {
    std::size_t round = 0;
    for (std::size_t which = 0; which < group.size(); ++which) {
      const store::PropertySummary& property = *group[which];
      for (std::size_t c = 0; c < property.tally.claims.size(); ++c) {
        const ClaimTally& tally = property.tally.claims[c];
        if (!has_numeric_tightness(tally) || drawn_before(group, which, c)) continue;
        const std::string of = property.info.claims[c].id + " on " + property.executor;
        planned.push_back({round++,
                           {Plot::Kind::histogram, "", 0, 0, {tally.histogram.begin(), tally.histogram.end()}, {}},
                           {name, of + ": distribution of error/bound", false}});
        for (std::size_t f = 0; f < tally.features.size(); ++f) {
          const FeatureInfo& feature = property.info.features[f];
          Plot plot{Plot::Kind::feature, feature.name, feature.low, feature.high, {}, {}};
          for (const Worst& bin : tally.features[f]) plot.ratios.push_back(bin.ratio);
          planned.push_back({round++,
                             std::move(plot),
                             {name, of + ": error/bound against " + feature.name + ", the bound at 1", false}});
        }
      }
    }
  }
  const std::size_t all = planned.size();
  std::stable_sort(planned.begin(), planned.end(),
                   [](const PlannedPlot& a, const PlannedPlot& b) { return a.round < b.round; });
  planned.resize(std::min(all, most_plots));
  return all;
}

/// How many pairs of values of two traits the cases have, what the traits are, and which pairs are impossible.
std::string pairs_html(const Group& group) {
  const PropertyInfo& info = group.front()->info;
  if (info.traits.empty()) return "";
  std::string html = "<h4>Pairs of traits</h4><p class=small>Pairs of values of two traits that a case has:";
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

std::string property_section(const store::Summary& summary, const std::string& name, const Group& group,
                             const std::string& figures) {
  const store::PropertySummary& first = *group.front();
  const bool sampled = first.rigor == "sampled";
  bool attention = false;
  std::set<store::Finding> verdicts;
  for (const store::PropertySummary* property : group) {
    for (const store::ClaimFinding& finding : property->findings) {
      attention = attention || needs_attention(finding.verdict) || !finding.corpus_surprises.empty();
      verdicts.insert(finding.verdict);
    }
  }
  std::string html =
      "<details id=\"" + anchor(name) + "\"" + (attention ? " open" : "") + "><summary><b>" + escaped(name) + "</b> ";
  for (const store::Finding verdict : verdicts) html += badge(verdict) + " ";
  html += "<span class=\"soft small\">" + escaped(first.info.format) + ", " + escaped(first.rigor) +
          "</span></summary><div>\n";
  if (!first.info.accepts.empty()) html += "<p class=small>Domain: " + escaped(first.info.accepts) + "</p>\n";
  for (const store::PropertySummary* property : group) {
    if (!property->note.empty()) {
      html += "<p class=small><b>" + escaped(property->executor) + ":</b> " + escaped(property->note) + "</p>\n";
    }
    const std::uint64_t planned = total(property->tally).planned;
    if (property->partial) {
      html += "<p class=small><b>" + escaped(property->executor) + ":</b> partial, ended by time after " +
              grouped(planned) + " of " + grouped(property->requested) + " cases</p>\n";
    }
    if (property->stopped_by) {
      Rows stop;
      stop.add(property->executor,
               case_cells(summary, property->stopped_by->claim.empty() ? "–" : property->stopped_by->claim,
                          *property->stopped_by, -1));
      html += "<h4>Stopped by this case on " + escaped(property->executor) + "</h4>\n" + case_head + stop.html() +
              "</table></div>\n";
    }
  }

  Rows claims;
  Rows failures;
  Rows hardest;
  Rows classes;
  for (const store::PropertySummary* property : group) {
    const std::uint64_t rejected = total(property->tally).rejected;
    const std::string& on = property->executor;
    std::string plain;
    for (std::size_t c = 0; c < property->findings.size(); ++c) {
      const ClaimInfo& claim = property->info.claims[c];
      const ClaimTally& tally = property->tally.claims[c];
      const store::ClaimFinding& finding = property->findings[c];
      if (finding.verdict == store::Finding::holds && is_unasked(claim.id)) {
        plain += (plain.empty() ? "" : ", ") + claim.id;
      } else {
        claims.add(on,
                   "<td class=k>" + escaped(claim.id) + "</td><td class=k>" + Rows::on + "</td><td class=k>" +
                       badge(finding.verdict) + "</td><td>" + escaped(claim.statement) + "<div class=\"soft small\">" +
                       source_html(claim) +
                       (claim.preconditions.empty() ? "" : "; requires " + escaped(claim.preconditions)) +
                       "</div></td><td class=n>" + grouped(tally.executed) + "</td><td class=n>" +
                       grouped(rejected + tally.rejected) + "</td><td class=n>" + grouped(tally.violated) +
                       violated_components(tally) + "</td><td class=n>" + grouped(finding.corpus_executed) + "</td>",
                   anchor(name, claim.id));
      }
      if (finding.failure) {
        const std::string same = escaped(same_case_text(*property, c));
        failures.add(on, case_cells(summary, claim.id, *finding.failure,
                                    finding.failure->evidence ? finding.failure->evidence->ratio : -1));
        failures.add(
            on, "<td class=\"soft small\">" + escaped(claim.id) + " on " + Rows::on +
                    "</td><td colspan=4 class=\"soft small\">" +
                    std::string(finding.failing_number == no_case ? "from the corpus"
                                                                  : "from case " + grouped(finding.failing_number)) +
                    "; " + grouped(finding.shrink_tried) + " smaller candidates tried" +
                    (finding.shrink_minimal ? ", none of the next ones fails" : "") + "; failed " +
                    std::to_string(finding.reproduced) + " of 3 repetitions" + (same.empty() ? "" : "; " + same) +
                    "</td>");
      }
      if (finding.hardest && has_numeric_tightness(tally)) {
        hardest.add(on, case_cells(summary, claim.id, *finding.hardest, tally.worst.ratio));
      }
      for (const std::string& id : finding.corpus_surprises) {
        failures.add(on, "<td class=k>" + escaped(claim.id) + "<br><span class=\"soft small\">" + Rows::on +
                             "</span></td><td colspan=3>a corpus case whose verdict was not the expected one</td>"
                             "<td class=k>" +
                             code(replay_line(summary, name, id)) + "</td>");
      }
    }
    if (!plain.empty()) {
      claims.add(on, std::string("<td class=\"soft small\">of every property</td><td class=k>") + Rows::on +
                         "</td><td class=k>" + badge(store::Finding::holds) +
                         "</td><td colspan=5 class=\"soft small\">" + escaped(plain) + "</td>");
    }
    for (std::size_t i = 0; i < property->tally.classes.size(); ++i) {
      const Tally::ByClass& each = property->tally.classes[i];
      classes.add(on, "<td>" + escaped(property->info.classes[i].name) + "</td><td class=k>" + Rows::on +
                          "</td><td class=n>" + grouped(each.planned) + "</td><td class=n>" + grouped(each.executed) +
                          "</td><td class=n>" + grouped(each.rejected) + "</td><td class=n>" + grouped(each.inexact) +
                          (sampled ? "</td><td class=n>" + violation_probability(each.executed) : "") + "</td>");
    }
  }
  html +=
      "<h4>Claims</h4><div class=scroll><table><tr><th>claim</th><th>on</th><th>verdict</th><th>promise</th><th "
      "class=n>executed</th><th class=n>rejected</th><th class=n>violated</th><th class=n>corpus</th></tr>\n" +
      claims.html() + "</table></div>\n";
  if (!failures.empty()) {
    html += std::string("<h4>Counterexamples, shrunk</h4>\n") + case_head + failures.html() + "</table></div>\n";
  }
  if (!hardest.empty()) {
    html += std::string("<h4>Worst cases</h4>\n") + case_head + hardest.html() + "</table></div>\n";
  }
  if (!figures.empty()) html += "<h4>Error against bound</h4><div class=plots>\n" + figures + "</div>\n";
  html += pairs_html(group) + "<h4>Classes drawn</h4>";
  if (sampled) {
    html +=
        "<p class=small>A claim that no case of a class violated: another case of that class, drawn in the same way, "
        "violates it with a probability below the last column, with 95 % confidence.</p>";
  } else {
    html +=
        "<p class=small>Every input of the domain is enumerated: where all of them ran, a verdict is a proof for this "
        "build.</p>";
  }
  return html +
         "<div class=scroll><table><tr><th>class</th><th>on</th><th class=n>planned</th><th "
         "class=n>executed</th><th class=n>rejected</th><th class=n>inexact</th>" +
         (sampled ? "<th class=n>violation below</th>" : "") + "</tr>\n" + classes.html() +
         "</table></div>\n</div></details>\n";
}

std::string controls_html(const store::Summary& summary) {
  std::string rows;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      if (!property.info.claims[c].expected_refuted) continue;
      const store::ClaimFinding& finding = property.findings[c];
      rows += "<tr><td class=k><a href=\"#" + anchor(property.info.name) + "\">" + escaped(property.info.name) +
              "</a>/" + escaped(property.info.claims[c].id) + "<br><span class=\"soft small\">" +
              escaped(property.executor) + "</span></td><td class=k>" + badge(finding.verdict) + "</td><td>" +
              escaped(property.info.claims[c].statement) + "<div class=\"soft small\">" +
              source_html(property.info.claims[c]) + "</div></td><td class=k>" +
              escaped(property.info.claims[c].ceiling) + "</td><td>" +
              (finding.failure ? inputs_html(*finding.failure) : "") + "</td><td class=k>" +
              (finding.failure ? replay(summary, *finding.failure) : "") + "</td></tr>\n";
    }
  }
  if (rows.empty()) return "<p class=soft>None in this run.</p>\n";
  return "<p class=\"soft small\">False claims made on purpose. A run that cannot refute them could not have found a "
         "real mistake. Held by: the true claim beside it, which says how far it may err.</p>"
         "<div class=scroll><table><tr><th>claim</th><th>verdict</th><th>the false promise</th><th>held "
         "by</th><th>minimal "
         "counterexample</th><th>to see it</th></tr>\n" +
         rows + "</table></div>\n";
}

std::string mutants_html(const store::Summary& summary) {
  std::uint64_t caught = 0;
  std::string rows;
  for (const store::Summary::MutantRow& row : summary.mutants) {
    caught += row.caught ? 1 : 0;
    rows += "<tr><td class=k>" + escaped(row.id) + "</td><td>" + escaped(row.what) +
            "</td><td class=k><span class=\"badge " + (row.caught ? "good\">caught" : "bad\">survived") +
            "</span></td><td>" + code(row.caught_by) + "</td><td class=n>" + grouped(row.cases_to_kill) + "</td><td>" +
            code(row.reproducer) + "</td><td class=n>" + grouped(row.significant_bits) + "</td></tr>\n";
  }
  return "<p>" + std::to_string(caught) + " of " + std::to_string(summary.mutants.size()) +
         " caught, as recorded by <code>assay selftest --mutants</code>.</p><div "
         "class=scroll><table><tr><th>id</th><th>mistake</th><th></th><th>caught by</th><th "
         "class=n>cases</th>"
         "<th>shrunk case</th><th class=n>bits</th></tr>\n" +
         rows + "</table></div>\n";
}

}  // namespace

std::string report_html(const store::Summary& summary, const std::optional<store::Systematic>& systematic) {
  const auto groups = groups_of(summary);
  std::vector<PlannedPlot> planned;
  const std::vector<Overview> all = overviews(summary);
  const std::size_t wanted_plots = plan_plots(all, groups, planned);
  std::vector<Plot> plots;
  for (const PlannedPlot& each : planned) plots.push_back(each.plot);
  const auto drawn = draw(plots);
  std::map<std::string, std::string> figures;
  std::map<std::string, std::string> family_figures;
  if (drawn) {
    for (std::size_t i = 0; i < drawn->size(); ++i) {
      if ((*drawn)[i].empty()) continue;
      const Figure& figure = planned[i].figure;
      (figure.of_family ? family_figures : figures)[figure.place] +=
          "<figure>" + (*drawn)[i] + "<figcaption>" + escaped(figure.caption) + "</figcaption></figure>\n";
    }
  }

  const auto counts = count_verdicts(summary);
  std::uint64_t attention = 0;
  std::uint64_t cases = 0;
  std::string executors;
  for (const std::string& name : executors_of(summary)) executors += (executors.empty() ? "" : ", ") + name;
  for (const store::PropertySummary& property : summary.properties) {
    cases += total(property.tally).executed;
    for (const store::ClaimFinding& finding : property.findings) {
      attention += needs_attention(finding.verdict) || !finding.corpus_surprises.empty() ? 1 : 0;
    }
  }

  std::string html =
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width,initial-scale=1\">"
      "<meta name=color-scheme content=\"light dark\"><title>Assay: accuracy report</title><style>";
  html += style;
  html += "</style></head><body><main>\n<h1>Accuracy report</h1>\n<p class=soft>" + grouped(groups.size()) +
          " properties, " + grouped(cases) + " cases judged exactly · tier " + escaped(summary.tier) + " · seed " +
          std::to_string(summary.seed) + (executors.empty() ? "" : " · on " + escaped(executors)) + "</p>\n";
  if (summary.properties.empty()) {
    html += "<div class=\"banner bad\">No property ran.</div>\n";
  } else if (attention == 0) {
    const std::uint64_t broken = counts[static_cast<std::size_t>(store::Finding::broken)];
    const std::string held = "each held, was refuted as expected, or is named below as not run.";
    html += "<div class=\"banner good\">" +
            (broken == 0 ? "No claim was broken: " + held : "No promise was broken: " + held);
    if (broken != 0) {
      html += " Of the contracts that were asked and not promised, " + grouped(broken) +
              (broken == 1 ? " is broken." : " are broken.");
    }
    html += "</div>\n";
  } else {
    html += "<div class=\"banner bad\">" + grouped(attention) + (attention == 1 ? " claim needs" : " claims need") +
            " attention.</div>\n";
  }
  html += "<div class=cards>";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const auto finding = static_cast<store::Finding>(i);
    html += std::string("<div class=\"card ") + colour_of(finding) + "\"><b>" + grouped(counts[i]) + "</b>" +
            std::string(store::word(finding)) + "</div>";
  }
  const Proofs proved = proofs(summary);
  if (proved.claims > 0) {
    html += "<div class=\"card good\"><b>" + grouped(proved.claims) + "</b>proved for this build</div>";
  }
  html += "</div>\n";
  if (proved.claims > 0) html += "<p class=\"soft small\">∎ " + describe(proved) + "</p>\n";

  if (attention > 0) {
    html +=
        "<h2 id=attention>Needs attention</h2><div "
        "class=scroll><table><tr><th>claim</th><th>on</th><th>verdict</th><th class=n>error/bound</th><th>to see "
        "it</th></tr>\n";
    for (const store::PropertySummary& property : summary.properties) {
      for (std::size_t c = 0; c < property.findings.size(); ++c) {
        const store::ClaimFinding& finding = property.findings[c];
        if (!needs_attention(finding.verdict) && finding.corpus_surprises.empty()) continue;
        const std::optional<store::CaseFile>& file = finding.failure ? finding.failure : property.stopped_by;
        html += "<tr><td class=k><a href=\"#" + anchor(property.info.name) + "\">" + escaped(property.info.name) +
                "</a>/" + escaped(property.info.claims[c].id) + "</td><td>" + escaped(property.executor) + "</td><td>" +
                badge(finding.verdict) + "</td><td class=n>" + ratio_text(property.tally.claims[c].worst.ratio) +
                "</td><td>" + (file ? replay(summary, *file) : "");
        for (const std::string& id : finding.corpus_surprises)
          html += " " + code(replay_line(summary, property.info.name, id));
        html += "</td></tr>\n";
      }
    }
    html += "</table></div>\n";
  }

  if (const std::vector<Blind> blind = blind_terms(summary); !blind.empty()) {
    html += "<details><summary>" + grouped(blind.size()) + (blind.size() == 1 ? " blind term" : " blind terms") +
            " of bounds</summary><div><p class=\"soft small\">" + escaped(blind_legend) + "</p>\n<ul>\n";
    for (const Blind& each : blind) {
      html += "<li>blind: <a href=\"#" + anchor(each.property, each.claim) + "\">" + escaped(describe(each)) +
              "</a></li>\n";
    }
    html += "</ul></div></details>\n";
  }

  if (const std::map<std::string, std::string> all = reasons(summary); !all.empty()) {
    html += "<details><summary>" + grouped(all.size()) + (all.size() == 1 ? " theorem names" : " theorems name") +
            " a reason why no case comes near to the bound</summary><div><ul>\n";
    for (const auto& [theorem, reason] : all) {
      html += "<li>" + escaped(theorem) + ": " + escaped(reason) + "</li>\n";
    }
    html += "</ul></div></details>\n";
  }

  html +=
      "<h2>Claims by family</h2>\n<p class=\"soft small\">The largest error/bound of a sampled claim (≥) is a lower "
      "bound on the true maximum; that of an exhaustive "
      "one is the maximum. At 1 the bound is reached; a bound that stays far below 1 is right and loose. Made of every "
      "property: the same bits in every thread order, alone and in a batch, and on every executor; inputs and guard "
      "zones untouched; the floating-point environment left as found.</p>\n<p class=\"soft small\">" +
      std::string(overview_legend) + "</p>\n" + families_html(all, groups, family_figures);

  html += "<h2 id=properties>Properties</h2>\n";
  if (groups.size() > 1) {
    html += "<nav>";
    std::string family;
    for (const auto& [name, group] : groups) {
      if (family_of(name) != family) {
        html += family.empty() ? "<div>" : "</div><div>";
        family = family_of(name);
        html += "<b>" + escaped(family) + "</b> ";
      }
      html += "<a href=\"#" + anchor(name) + "\">" + escaped(name.substr(std::min(name.size(), family.size() + 1))) +
              "</a> ";
    }
    html += "</div></nav>\n";
  }
  if (!drawn) {
    html +=
        "<p class=\"soft small\">There are no plots: gnuplot was not found or failed. The tables are complete.</p>\n";
  } else if (wanted_plots > most_plots) {
    html += "<p class=\"soft small\">Plots: " + std::to_string(most_plots) + " of " + std::to_string(wanted_plots) +
            ". The bins of all are in summary.json.</p>\n";
  }
  for (const auto& [name, group] : groups) {
    const auto found = figures.find(name);
    html += property_section(summary, name, group, found == figures.end() ? "" : found->second);
  }

  html += "<h2 id=controls>Negative controls</h2>\n" + controls_html(summary);
  if (!summary.mutants.empty()) html += "<h2 id=mutants>Planted mistakes</h2>\n" + mutants_html(summary);
  if (systematic) html += "<h2 id=systematic>Systematic mistakes</h2>\n" + systematic_html(*systematic);
  html += "<h2 id=provenance>Provenance</h2>\n<table>\n";
  for (const auto& [key, value] : summary.provenance) {
    html += "<tr><td class=k>" + escaped(key) + "</td><td>" + code(value) + "</td></tr>\n";
  }
  html +=
      "</table>\n</main>\n<script>const show=()=>{const "
      "e=document.getElementById(decodeURIComponent(location.hash.slice(1)));"
      "if(e){for(let d=e.closest('details');d;d=d.parentElement.closest('details'))d.open=true;e.scrollIntoView()}};"
      "addEventListener('hashchange',show);show();</script>\n"
      "</body></html>\n";
  return html;
}

}  // namespace assay::report
