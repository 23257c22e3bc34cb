#include "assay/report/html_families.hpp"

#include <algorithm>

#include "assay/report/plots.hpp"
#include "assay/report/text.hpp"
#include "assay/store/json.hpp"

namespace assay::report::html {

namespace {

/// One cell. `more` stands under its text.
std::string overview_cell(const OverviewCell& cell, const std::string& claim, bool numeric, const std::string& more) {
  std::string kind = "n";
  if (needs_attention(cell.verdict)) {
    kind += " bad";
  } else if (is_refuted(cell.verdict)) {
    kind += " odd";
  } else if (cell.exhaustive) {
    kind += " all";
  }
  std::string bar;
  if (numeric && cell.verdict == store::Finding::holds && cell.ratio > 0) {
    bar = " style=--r:" + std::to_string(static_cast<unsigned>(100 * std::clamp(cell.ratio, 0.0, 1.0))) + "%";
  }
  // A claim that is made of every property and holds has no row of its own.
  const std::string place =
      is_unasked(claim) && cell.verdict == store::Finding::holds ? anchor(cell.property) : anchor(cell.property, claim);
  return "<td class=\"" + kind + "\"" + bar + "><a href=\"#" + place + "\">" + escaped(cell_text(cell, numeric)) +
         "</a>" + (more.empty() ? "" : "<div class=small>" + escaped(more) + "</div>") + "</td>";
}

std::string overview_cell(const OverviewRow& row, const std::string& format, int terms) {
  const auto found = row.cells.find({format, terms});
  return found == row.cells.end() ? "<td></td>" : overview_cell(found->second, row.claim, row.numeric, "");
}

std::string promise_html(const OverviewRow& row) {
  return escaped(row.statement) + "<div class=\"soft small\">" + escaped(row.source) + "</div>";
}

/// A row a claim, a column a format.
std::string overview_by_format(const Overview& overview, bool numeric) {
  std::string html = "<div class=scroll><table class=overview><tr><th>claim</th><th>promise and source</th>";
  for (const std::string& format : overview.formats) html += "<th class=n>" + escaped(format) + "</th>";
  html += "<th class=n>cases</th></tr>\n";
  for (const OverviewRow& row : overview.rows) {
    if (row.numeric != numeric) continue;
    html += "<tr><td class=k>" + escaped(row.operation) + "<span class=soft>/" + escaped(row.claim) +
            "</span></td><td>" + promise_html(row) + "</td>";
    for (const std::string& format : overview.formats) html += overview_cell(row, format, 0);
    html += "<td class=\"n soft\">" + grouped(row.executed) + "</td></tr>\n";
  }
  return html + "</table></div>\n";
}

/// A block a claim: its promise, and under it a row a format, a column a number of terms.
std::string overview_by_terms(const Overview& overview, bool numeric) {
  const std::string width = std::to_string(overview.terms.size() + 1);
  std::string html =
      "<div class=scroll><table class=\"overview terms\" style=--n:" + std::to_string(overview.terms.size()) + ">";
  std::string head = "<thead><tr><th class=k>K</th>";
  for (const int terms : overview.terms)
    head += "<th class=n>" + (terms == 0 ? "any" : std::to_string(terms)) + "</th>";
  html += head + "</tr></thead>\n";
  for (const OverviewRow& row : overview.rows) {
    if (row.numeric != numeric) continue;
    html += "<tbody><tr><td class=promise colspan=" + width + "><b>" + escaped(row.operation) +
            "</b><span class=soft>/" + escaped(row.claim) + "</span> " + escaped(row.statement) +
            "<span class=\"soft small\"> · " + escaped(row.source) + " · " + grouped(row.executed) +
            " cases</span></td></tr>\n";
    for (const std::string& format : overview.formats) {
      const auto any = std::find_if(row.cells.begin(), row.cells.end(),
                                    [&](const auto& cell) { return cell.first.first == format; });
      if (any == row.cells.end()) continue;
      html += "<tr><td class=k>" + escaped(format) + "</td>";
      for (const int terms : overview.terms) html += overview_cell(row, format, terms);
      html += "</tr>\n";
    }
    html += "</tbody>\n";
  }
  return html + "</table></div>\n";
}

/// The operations of a family side by side: a row an operation, a column a claim that several make.
std::string comparison_html(const Comparison& comparison, const std::string& figures) {
  std::string html = "<h4>Side by side</h4>\n<div class=scroll><table class=\"overview beside\"><tr><th></th>";
  for (const Comparison::Claim& claim : comparison.claims) html += "<th class=n>" + escaped(claim.id) + "</th>";
  html += "</tr>\n";
  for (std::size_t i = 0; i < comparison.operations.size(); ++i) {
    html += "<tr><td class=k><i class=dash" + std::to_string(i / curve_colours % curve_dashes) + " style=--c:var(--s" +
            std::to_string(i % curve_colours) + ")></i>" + escaped(comparison.operations[i]) + "</td>";
    for (std::size_t c = 0; c < comparison.claims.size(); ++c) {
      const auto& cell = comparison.cells[i][c];
      html += cell ? overview_cell(*cell, comparison.claims[c].id, comparison.claims[c].numeric, violated_text(*cell))
                   : "<td></td>";
    }
    html += "</tr>\n";
  }
  html +=
      "</table></div>\n<p class=\"soft small\">Small numbers: entries of results that broke the claim, of those "
      "judged. Figures: a line an operation, in its colour; what is infinite stands at the upper edge.";
  for (const Comparison::Claim& claim : comparison.claims) {
    html += "<br><b>" + escaped(claim.id) + "</b> " + escaped(claim.statement) + " · " + escaped(claim.source);
  }
  return html + "</p>\n" + (figures.empty() ? "" : "<div class=plots>\n" + figures + "</div>\n");
}

/// What stands at the head of a family: operations side by side where they differ; the bounds, folded in that case; the
/// promises without a number, folded if there is anything before them.
std::string overview_html(const Overview& overview, const std::string& figures) {
  const auto table = overview.by_terms ? overview_by_terms : overview_by_format;
  const auto numeric = static_cast<std::size_t>(
      std::count_if(overview.rows.begin(), overview.rows.end(), [](const OverviewRow& row) { return row.numeric; }));
  std::string html = overview.comparison ? comparison_html(*overview.comparison, figures) : "";
  if (numeric > 0 && overview.comparison) {
    html += "<details><summary>" + grouped(numeric) + (numeric == 1 ? " bound" : " bounds") + "</summary><div>\n" +
            table(overview, true) + "</div></details>\n";
  } else if (numeric > 0) {
    html += table(overview, true);
  }
  if (numeric < overview.rows.size()) {
    html += std::string("<details") + (html.empty() ? " open" : "") + "><summary>" +
            grouped(overview.rows.size() - numeric) + " promises without a number</summary><div>\n" +
            table(overview, false) + "</div></details>\n";
  }
  return html;
}

/// Every claim of a family on every executor.
struct ClaimTable {
  std::string rows;
  std::uint64_t claims = 0;
};

}  // namespace

std::string families_html(const std::vector<Overview>& all, const std::map<std::string, Group>& groups,
                          const std::map<std::string, std::string>& figures) {
  std::map<std::string, ClaimTable> tables;
  for (const auto& [name, group] : groups) {
    ClaimTable& table = tables[family_of(name)];
    Rows rows;
    for (const store::PropertySummary* property : group) {
      std::uint64_t plain = 0;
      for (std::size_t c = 0; c < property->findings.size(); ++c) {
        const ClaimInfo& claim = property->info.claims[c];
        const ClaimTally& tally = property->tally.claims[c];
        const store::Finding verdict = property->findings[c].verdict;
        ++table.claims;
        // Of the claims made of every property that hold, one row tells of all.
        if (verdict == store::Finding::holds && is_unasked(claim.id)) {
          ++plain;
          continue;
        }
        rows.add(property->executor, "<td class=k><a href=\"#" + anchor(name, claim.id) + "\">" + escaped(name) +
                                         "</a>/" + escaped(claim.id) + "</td><td class=k>" + Rows::on +
                                         "</td><td class=k>" + badge(verdict) + "</td><td class=k>" +
                                         escaped(property->rigor) + "</td><td>" + escaped(claim.statement) +
                                         "<div class=\"soft small\">" + source_html(claim) + "</div></td><td class=n>" +
                                         tightness_cell(tally, property->rigor) + "</td>");
      }
      if (plain > 0) {
        rows.add(property->executor, "<td class=\"k soft\"><a href=\"#" + anchor(name) + "\">" + escaped(name) +
                                         "</a></td><td class=k>" + Rows::on + "</td><td class=k>" +
                                         badge(store::Finding::holds) + "</td><td></td><td class=\"soft small\">and " +
                                         std::to_string(plain) + " made of every property</td><td></td>");
      }
    }
    table.rows += rows.html();
  }
  std::string html;
  if (all.size() > 1) {
    html += "<p>";
    for (const Overview& overview : all) {
      html += "<a href=\"#f-" + escaped(overview.family) + "\">" + escaped(overview.family) + "</a> ";
    }
    html += "</p>\n";
  }
  for (const Overview& overview : all) {
    const ClaimTable& table = tables[overview.family];
    const auto figure = figures.find(overview.family);
    html += "<h3 id=\"f-" + escaped(overview.family) + "\">" + escaped(overview.family) + "</h3>\n" +
            overview_html(overview, figure == figures.end() ? "" : figure->second) + "<details><summary>All " +
            grouped(table.claims) + " claims of " + escaped(overview.family) +
            ", by executor</summary><div><div class=scroll><table class=claims><tr><th>claim</th><th>on</th>"
            "<th>verdict</th><th>rigor</th><th>bound and source</th><th class=n>largest error/bound</th></tr>\n" +
            table.rows + "</table></div></div></details>\n";
  }
  return html;
}

}  // namespace assay::report::html
