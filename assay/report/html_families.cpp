#include "assay/report/html_families.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "assay/report/outcome.hpp"
#include "assay/report/text.hpp"
#include "properties/framework/citations.hpp"

namespace assay::report::html {
namespace {

/// Known data besides the run.
struct Known {
  std::map<std::string, double> hunted;         ///< by property/claim
  std::map<std::string, std::string> attained;  ///< by theorem: the largest known error/bound
  std::map<std::string, std::string> loose;     ///< by theorem: why no error comes near the bound
};

Known known_of(const store::Summary& summary, const std::vector<store::HuntRow>& hunted) {
  Known known{{}, {}, reasons(summary)};
  for (const store::HuntRow& row : hunted) {
    double ratio = 0;
    const auto parsed = std::from_chars(row.ratio.data(), row.ratio.data() + row.ratio.size(), ratio);
    if (parsed.ec != std::errc{} || !row.term.empty()) continue;
    double& largest = known.hunted.try_emplace(row.property + "/" + row.claim, -1).first->second;
    largest = std::max(largest, ratio);
  }
  for (const TheoremWords& each : cited_theorems()) {
    const std::string_view attained = each.attained;
    if (!attained.empty() && !attained.starts_with("not known") &&
        attained.find("no bound") == std::string_view::npos) {
      known.attained[each.id.text] = attained;
    }
  }
  return known;
}

const char* colour_of(const OverviewCell& cell) {
  if (needs_attention(cell.verdict)) return " class=bad";
  if (is_refuted(cell.verdict)) return " class=odd";
  return cell.exhaustive ? " class=all" : "";
}

std::string link_of(const OverviewCell& cell, bool numeric) {
  return "<a href=\"#" + anchor(cell.property) + "\">" + escaped(cell_text(cell, numeric)) + "</a>";
}

/// The cells of a row: one for each format; if operations have numbers of terms K, a line for each format with a cell
/// for each K. Neighboring cells with the same text instead of a number become one.
std::string cells_html(const Overview& overview, const OverviewRow& row) {
  std::string html = "<ul>";
  for (const std::string& format : overview.formats) {
    std::string line;
    std::string last;
    std::size_t end = 0;  // of the name in the last cell
    for (const int terms : overview.terms) {
      const auto at = row.cells.find({format, terms});
      if (at == row.cells.end()) continue;
      const std::string name = overview.by_terms ? (terms == 0 ? "any" : std::to_string(terms)) : escaped(format);
      const std::string text = std::string(colour_of(at->second)) + cell_text(at->second, row.numeric);
      if (!row.numeric && text == last) {
        const std::size_t dots = line.rfind(" … ", end);
        const std::size_t begin = dots != std::string::npos && dots > line.rfind("<small>", end) ? dots : end;
        line.replace(begin, end - begin, " … " + name);
        end = begin + std::string(" … ").size() + name.size();
        continue;
      }
      line += std::string("<li") + colour_of(at->second) + "><small>" + name;
      end = line.size();
      line += "</small>" + link_of(at->second, row.numeric) + "\n";
      last = text;
    }
    if (overview.by_terms && !line.empty()) html += "<li class=f>" + escaped(format) + "\n";
    html += line;
  }
  return html + "</ul>";
}

/// The largest error/bound from each source, and the largest share of each term of the bound.
std::string largest_html(const OverviewRow& row, const Known& known) {
  double run = -1;
  double hunt = -1;
  for (const auto& [place, cell] : row.cells) {
    run = std::max(run, cell.ratio);
    const auto at = known.hunted.find(cell.property + "/" + row.claim);
    if (at != known.hunted.end()) hunt = std::max(hunt, at->second);
  }
  std::string html = "<p class=of>run " + near_text(run);
  if (row.corpus >= 0) html += ", corpus " + near_text(row.corpus);
  if (hunt >= 0) html += ", hunt " + near_text(hunt);
  html += " · " + grouped(row.executed) + " cases";
  for (const auto& [term, ratio] : row.terms) html += " · term " + escaped(term) + ": " + near_text(ratio);
  return html;
}

/// The claims with the same statement by the same theorem: the statement once, then each claim.
std::string promise_html(const Overview& overview, const std::vector<const OverviewRow*>& rows, const Known& known) {
  const OverviewRow& first = *rows.front();
  std::string html = std::string("<div class=\"row") + (overview.by_terms ? " k" : "") + "\"><div><p>" +
                     escaped(first.statement) + "<p class=of>" + source_html(first.source, first.theorem);
  const auto attained = known.attained.find(first.theorem);
  if (first.numeric && attained != known.attained.end()) {
    html += "<p class=of>attained: " + escaped(attained->second);
  }
  const auto loose = known.loose.find(first.theorem);
  if (first.numeric && loose != known.loose.end()) {
    html += "<p class=of>loose because " + escaped(loose->second);
  }
  html += "</div><div>";
  for (const OverviewRow* row : rows) {
    html += "<div class=m><b>" + escaped(row->operation) + "/" + escaped(row->claim) + "</b><div>" +
            cells_html(overview, *row) + (row->numeric ? largest_html(*row, known) : "") + "</div></div>";
  }
  return html + "</div></div>\n";
}

/// The promises of a family with a number or without, in the order of their first claims.
std::string promises_html(const Overview& overview, bool numeric, const Known& known) {
  std::vector<std::vector<const OverviewRow*>> promises;
  for (const OverviewRow& row : overview.rows) {
    if (row.numeric != numeric) continue;
    const auto same = std::find_if(promises.begin(), promises.end(), [&](const auto& rows) {
      return rows.front()->statement == row.statement && rows.front()->source == row.source &&
             rows.front()->theorem == row.theorem;
    });
    if (same != promises.end()) {
      same->push_back(&row);
    } else {
      promises.push_back({&row});
    }
  }
  std::string html;
  for (const auto& rows : promises) html += promise_html(overview, rows, known);
  return html;
}

/// The operations of a family side by side: a row for each operation, a column for each claim that several operations
/// make.
std::string comparison_html(const Comparison& comparison) {
  std::vector<Table::Column> columns{{""}};
  for (const Comparison::Claim& claim : comparison.claims) columns.push_back({claim.id, true});
  Table table(columns);
  for (std::size_t i = 0; i < comparison.operations.size(); ++i) {
    std::vector<std::string> cells{"<b>" + escaped(comparison.operations[i]) + "</b>"};
    for (std::size_t c = 0; c < comparison.claims.size(); ++c) {
      const auto& cell = comparison.cells[i][c];
      const std::string more = cell ? violated_text(*cell) : "";
      cells.push_back(!cell ? ""
                            : link_of(*cell, comparison.claims[c].numeric) +
                                  (more.empty() ? "" : "<div class=of>" + escaped(more) + "</div>"));
    }
    table.add(cells);
  }
  std::string html =
      "<h4>Side by side <small>a fraction: entries of results that broke the claim, of all judged "
      "entries</small></h4>\n" +
      table.html() + "<details><summary>What these claims say</summary><div>\n";
  for (const Comparison::Claim& claim : comparison.claims) {
    html += "<p class=small><b>" + escaped(claim.id) + "</b> " + escaped(claim.statement) + " <span class=of>" +
            escaped(claim.source) + "</span>\n";
  }
  return html + "</div></details>\n";
}

std::string family_html(const Overview& overview, const std::map<std::string, Group>& groups, const Known& known,
                        const Figures& figures) {
  std::size_t without = 0;
  std::set<std::string> properties;
  for (const OverviewRow& row : overview.rows) {
    without += row.numeric ? 0 : 1;
    for (const auto& [place, cell] : row.cells) properties.insert(cell.property);
  }
  std::string html = "<section class=family id=\"f-" + escaped(overview.family) + "\"><h2>" + escaped(overview.family) +
                     " <small>" + grouped(properties.size()) + (properties.size() == 1 ? " property" : " properties") +
                     "</small></h2>\n";
  if (overview.comparison) html += comparison_html(*overview.comparison);
  if (const std::string bounds = promises_html(overview, true, known); !bounds.empty()) {
    html +=
        "<h4>Bounds <small>largest error/bound by format; below it the largest known error/bound from this run, the "
        "corpus and hunts</small></h4>\n" +
        bounds;
  }
  if (const auto at = figures.of_family.find(overview.family); at != figures.of_family.end()) {
    html += "<h4>Error against condition and size</h4>\n<div class=figures>\n" + at->second + "</div>\n";
  }
  html += signed_errors_html(overview, groups);
  if (without > 0) {
    html += "<details class=rest><summary>" + grouped(without) + (without == 1 ? " promise" : " promises") +
            " without a number</summary><div>\n" + promises_html(overview, false, known) + "</div></details>\n";
  }
  return html + "</section>\n";
}

}  // namespace

std::string families_html(const store::Summary& summary, const std::vector<Overview>& all,
                          const std::map<std::string, Group>& groups, const std::vector<store::HuntRow>& hunted,
                          const Figures& figures) {
  const Known known = known_of(summary, hunted);
  std::string html;
  for (const Overview& overview : all) html += family_html(overview, groups, known, figures);
  return html;
}

}  // namespace assay::report::html
