#include "assay/report/html.hpp"

#include <map>

#include "assay/report/costs.hpp"
#include "assay/report/html_families.hpp"
#include "assay/report/html_figures.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/html_properties.hpp"
#include "assay/report/html_screen.hpp"
#include "assay/report/html_style.hpp"
#include "assay/report/known.hpp"
#include "assay/report/order.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/outside_score.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/systematic.hpp"
#include "assay/report/text.hpp"

namespace assay::report {
namespace {

using namespace html;

constexpr const char* brief_legend =
    " Where an operation has several formats or sizes, only the case nearest to its bound is shown; the others are "
    "listed by id, for <code>assay replay</code>. <code>assay report --full</code> shows all of them.";

std::string controls_html(const store::Summary& summary) {
  Table table({{"claim"}, {"on"}, {"verdict"}, {"error/bound", true}, {"held by"}});
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      const ClaimInfo& claim = property.info.claims[c];
      if (!claim.expected_refuted) continue;
      table.add({"<a href=\"#" + anchor(property.info.name) + "\">" + escaped(property.info.name) + "</a>/" +
                     escaped(claim.id),
                 escaped(property.executor), badge(property.findings[c].verdict),
                 ratio_text(property.tally.claims[c].worst.ratio), escaped(claim.ceiling)});
    }
  }
  if (table.empty()) return "<p class=soft>None in this run.</p>\n";
  return "<p class=\"soft small\">Claims that are false on purpose. A run that cannot refute them could not have found "
         "a real mistake either. Held by: the true claim for the same kernel, which says how far it may err.</p>" +
         table.html();
}

/// The planted mistakes; in a brief report only those that survived.
std::string mutants_html(const store::Summary& summary, Detail detail) {
  std::uint64_t caught = 0;
  Table table({{"id"}, {"mistake"}, {""}, {"caught by"}, {"cases", true}, {"shrunk case"}, {"bits", true}});
  for (const store::Summary::MutantRow& row : summary.mutants) {
    caught += row.caught ? 1 : 0;
    if (row.caught && detail == Detail::brief) continue;
    table.add({escaped(row.id), escaped(row.what),
               row.caught ? "<em class=good>caught</em>" : "<em class=bad>survived</em>", code(row.caught_by),
               grouped(row.cases_to_kill), code(row.reproducer), grouped(row.significant_bits)});
  }
  return "<p>" + std::to_string(caught) + " of " + std::to_string(summary.mutants.size()) +
         " caught, as recorded by <code>assay selftest --mutants</code>.</p>\n" + (table.empty() ? "" : table.html());
}

/// Claims and terms that no case comes near to.
std::string blind_html(const store::Summary& summary) {
  const std::vector<Blind> blind = blind_terms(summary);
  if (blind.empty()) return "";
  std::string html = "<details><summary>" + grouped(blind.size()) +
                     (blind.size() == 1 ? " blind term" : " blind terms") +
                     " of bounds</summary><div><p class=\"soft small\">" + escaped(blind_legend) + "</p>\n<ul>\n";
  for (const Blind& each : blind) {
    html += "<li>blind: <a href=\"#" + anchor(each.property) + "\">" + escaped(describe(each)) + "</a></li>\n";
  }
  return html + "</ul></div></details>\n";
}

std::string reasons_html(const store::Summary& summary) {
  const std::map<std::string, std::string> all = reasons(summary);
  if (all.empty()) return "";
  std::string html = "<details><summary>" + grouped(all.size()) +
                     (all.size() == 1 ? " theorem names" : " theorems name") +
                     " a reason why no case comes near to the bound</summary><div><ul>\n";
  for (const auto& [theorem, reason] : all) {
    html += "<li>" + escaped(theorem) + ": " + escaped(reason) + "</li>\n";
  }
  return html + "</ul></div></details>\n";
}

std::string navigation_html(const std::vector<Overview>& families, const store::Summary& summary, bool has_order,
                            bool has_costs) {
  std::string html = "<nav>";
  for (const Overview& overview : families) {
    html += "<a href=\"#f-" + escaped(overview.family) + "\">" + escaped(overview.family) + "</a>";
  }
  if (has_order) html += "<a href=#order>order</a>";
  if (has_costs) html += "<a href=#costs>cost curves</a>";
  html += "<a href=#controls>controls</a>";
  if (!summary.mutants.empty()) html += "<a href=#mutants>planted mistakes</a>";
  return html +
         "<a href=#provenance>provenance</a><input id=filter hidden type=search placeholder=\"filter: family, kernel, "
         "claim\" aria-label=\"filter\"></nav>\n";
}

/// "sum.recursive" of "sum.recursive_n3", which tests all sums of three numbers.
std::string without_size(const std::string& operation) {
  const std::size_t end = operation.find_last_not_of("0123456789") + 1;
  const bool has_size = end < operation.size() && operation.substr(0, end).ends_with("_n");
  return has_size ? operation.substr(0, end - 2) : operation;
}

/// In a brief report the properties of one operation are shown together. A kernel from outside has its own options for
/// replay, so each of its properties is shown alone.
std::string cases_html(const store::Summary& summary, const std::map<std::string, Group>& groups, Detail detail,
                       const Figures& figures, const std::vector<Overview>& families) {
  std::map<std::string, std::map<std::string, Properties>> together;  // by family and operation
  for (const Overview& overview : families) {
    for (const auto& [name, operation] : overview.operations) {
      const bool alone = detail == Detail::full || summary.provenance.contains(store::options_key(name));
      const std::string title = alone ? name : overview.family + "." + without_size(operation);
      together[overview.family][title].emplace_back(name, groups.at(name));
    }
  }
  std::string html;
  for (const auto& [family, of_family] : together) {
    html += "<section class=cases id=\"c-" + escaped(family) + "\"><h4>" + escaped(family) + "</h4>\n";
    for (const auto& [operation, properties] : of_family) {
      if (properties.size() > 1) {
        html += operation_html(summary, operation, properties);
        continue;
      }
      const auto& [name, group] = properties.front();
      const auto found = figures.of_property.find(name);
      html += property_html(summary, name, group, detail, found == figures.of_property.end() ? "" : found->second);
    }
    html += "</section>\n";
  }
  return html;
}

}  // namespace

std::string report_html(const store::Summary& summary, const Beside& beside, Detail detail) {
  const auto groups = groups_of(summary);
  const std::vector<Overview> families = overviews(summary);
  const Figures figures = figures_html(families, groups, detail);
  const std::string order = order_html(summary);
  std::string html =
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width,initial-scale=1\">"
      "<meta name=color-scheme content=\"light dark\"><title>Assay: accuracy report</title><style>";
  html += style;
  html += "</style></head><body><main>\n" + screen_html(summary, families, beside) +
          navigation_html(families, summary, !order.empty(), !beside.costs.curves.empty());
  if (!figures.drawn) {
    html +=
        "<p class=\"soft small\">There are no plots: gnuplot was not found or failed. The tables are complete.</p>\n";
  } else if (figures.left_out > 0) {
    html += "<p class=\"soft small\">" + grouped(figures.left_out) +
            " plots of properties are omitted. All bins are in summary.json.</p>\n";
  }
  html += "<p class=\"soft small\">" + std::string(overview_legend) +
          " Also claimed for every property: the same bits in every thread order, alone and in a batch, and on every "
          "executor; inputs and guard zones are not written; the floating-point environment is restored.</p>\n" +
          blind_html(summary) + reasons_html(summary) +
          families_html(summary, families, groups, beside.hunted, figures) + order +
          known_html(known_errors(summary, beside.hunted), detail == Detail::full);
  if (!beside.costs.curves.empty()) html += costs_html(beside.costs);
  html +=
      "<h2 id=cases>Cases</h2>\n<p class=\"soft small\">For each property: the failures and the case nearest to a "
      "bound, each with the command that reproduces it." +
      std::string(detail == Detail::full ? "" : brief_legend) + "</p>\n" +
      cases_html(summary, groups, detail, figures, families);
  if (const std::string all = attention_html(summary, summary.properties.size() * 64); all.find("<td") != all.npos) {
    html += "<h2 id=attention>Needs attention</h2>\n" + all;
  }
  html += "<h2 id=controls>Negative controls</h2>\n" + controls_html(summary);
  if (!summary.mutants.empty()) html += "<h2 id=mutants>Planted mistakes</h2>\n" + mutants_html(summary, detail);
  if (beside.systematic)
    html +=
        "<h2 id=systematic>Systematic mistakes</h2>\n" + systematic_html(*beside.systematic, detail == Detail::full);
  if (beside.outside) html += "<h2 id=outside>Kernels from outside</h2>\n" + outside_html(*beside.outside);
  html += "<h2 id=provenance>Provenance</h2>\n";
  Table facts({{"what"}, {""}});
  for (const auto& [key, value] : summary.provenance) {
    const bool has_lines = value.find('\n') != std::string::npos;
    facts.add({escaped(key), has_lines ? "<details><summary>show</summary><pre>" + escaped(value) + "</pre></details>"
                                       : code(value)});
  }
  html += facts.html() + "</main>\n<script>";
  return html + script + "</script>\n</body></html>\n";
}

}  // namespace assay::report
