#include "assay/report/html_screen.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "assay/report/entries.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/systematic.hpp"
#include "assay/report/text.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::report::html {
namespace {

constexpr std::size_t most_nearest = 10;
constexpr std::size_t most_attention = 6;
constexpr std::size_t most_changes = 4;

/// What the claims of a run came to; claims made of every property count where they need attention only.
struct Counts {
  std::uint64_t held = 0;
  std::uint64_t refuted = 0;
  std::uint64_t broken = 0;
  std::uint64_t not_run = 0;
  std::uint64_t attention = 0;
  std::uint64_t cases = 0;
};

Counts counts_of(const store::Summary& summary) {
  Counts counts;
  for (const store::PropertySummary& property : summary.properties) {
    counts.cases += total(property.tally).executed;
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      const store::ClaimFinding& finding = property.findings[c];
      if (needs_attention(finding)) {
        ++counts.attention;
      } else if (!is_unasked(property.info.claims[c].id)) {
        counts.held += finding.verdict == store::Finding::holds ? 1 : 0;
        counts.refuted += finding.verdict == store::Finding::refuted_as_expected ? 1 : 0;
        counts.broken += finding.verdict == store::Finding::broken ? 1 : 0;
        counts.not_run += finding.verdict == store::Finding::not_run ? 1 : 0;
      }
    }
  }
  return counts;
}

/// "950", "12 k", "3.4 M".
std::string short_count(std::uint64_t count) {
  constexpr std::array<std::pair<double, const char*>, 3> units{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [size, unit] : units) {
    const double value = static_cast<double>(count) / size;
    if (value < 1) continue;
    std::array<char, 32> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::fixed, value < 10 ? 1 : 0);
    return std::string(buffer.data(), end) + "\u202F" + unit;
  }
  return std::to_string(count);
}

/// Formats of so few bits that every input can be asked stand in one column of the map.
constexpr const char* toy = "toy";
std::string column_of(const std::string& format) {
  if (format == oracle::name(limb_format)) return "limbs";
  const std::string name = short_format(format);
  int precision = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), precision);
  return name[0] == 'p' && error == std::errc{} && precision <= 11 ? toy : name;
}

/// One family in one format.
struct Place {
  double ratio = -1;
  std::uint64_t cases = 0;
  bool bad = false;
};

/// Most ratios lie close to 1: a high power tells them apart.
double heat_of(double ratio) { return std::pow(std::clamp(ratio, 0.0, 1.0), 6); }

std::string place_html(const Place& place, const std::string& family) {
  const std::string text = (place.bad ? "‼ " : "") + (place.ratio > 0 ? short_ratio(place.ratio) : "✓");
  std::array<char, 16> heat{};
  const auto written =
      std::to_chars(heat.data(), heat.data() + heat.size(), heat_of(place.ratio), std::chars_format::fixed, 2);
  return std::string("<td") + (place.bad ? " class=bad" : "") + " style=--r:" + std::string(heat.data(), written.ptr) +
         "><a href=\"#f-" + escaped(family) + "\">" + text + "<small>" + short_count(place.cases) + "</small></a>";
}

std::string map_html(const store::Summary& summary) {
  const auto in_order = [](const std::string& a, const std::string& b) {
    return (a == toy) != (b == toy) ? b == toy : wider(a, b);
  };
  std::set<std::string, decltype(in_order)> columns(in_order);
  std::map<std::string, std::map<std::string, Place>> families;
  for (const store::PropertySummary& property : summary.properties) {
    const std::string column = column_of(property.info.format);
    columns.insert(column);
    Place& place = families[family_of(property.info.name)][column];
    place.cases += total(property.tally).executed;
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      const bool bad = needs_attention(property.findings[c]);
      place.bad = place.bad || bad;
      if (bad || property.findings[c].verdict == store::Finding::holds) {
        place.ratio = std::max(place.ratio, property.tally.claims[c].worst.ratio);
      }
    }
  }
  std::string html = "<table class=map><thead><tr><th>";
  for (const std::string& column : columns) html += "<th class=n>" + escaped(column);
  html += "</thead>\n";
  for (const auto& [family, places] : families) {
    html += "<tr><th><a href=\"#f-" + escaped(family) + "\">" + escaped(family) + "</a>";
    for (const std::string& column : columns) {
      const auto at = places.find(column);
      html += at == places.end() ? "<td>" : place_html(at->second, family);
    }
    html += "\n";
  }
  return html + "</table>\n";
}

/// A claim that holds, by its largest error/bound.
struct Near {
  double ratio;
  std::string name;
  std::string property;
};

std::string nearest_html(const std::vector<Overview>& families) {
  std::vector<Near> all;
  std::uint64_t attained = 0;
  for (const Overview& overview : families) {
    for (const OverviewRow& row : overview.rows) {
      if (!row.numeric || row.rounds) continue;
      Near near{-1, overview.family + "." + row.operation + "/" + row.claim, ""};
      for (const auto& [place, cell] : row.cells) {
        if (cell.verdict != store::Finding::holds) continue;
        attained += cell.ratio == 1 ? 1 : 0;
        if (cell.ratio < 1 && cell.ratio > near.ratio) near.ratio = cell.ratio, near.property = cell.property;
      }
      if (near.ratio > 0) all.push_back(std::move(near));
    }
  }
  const auto nearer = [](const Near& a, const Near& b) { return a.ratio > b.ratio; };
  std::stable_sort(all.begin(), all.end(), nearer);
  // Of kernels whose names differ by a number alone, the nearest.
  std::set<std::string> seen;
  std::erase_if(all, [&](const Near& near) {
    std::string name = near.name;
    std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
    return !seen.insert(name).second;
  });
  std::string html = "<p class=\"soft small\">";
  if (attained > 0) {
    html += grouped(attained) + (attained == 1 ? " claim reaches its bound" : " claims reach their bounds") +
            " exactly. Of the others: ";
  }
  html +=
      "the largest error found, divided by the bound; of kernels whose names differ by a number alone, the nearest. "
      "Correct rounding, whose errors come near its bound by nature, is left out.</p>\n<ol class=near>\n";
  for (std::size_t i = 0; i < std::min(all.size(), most_nearest); ++i) {
    const Near& near = all[i];
    html += "<li><a href=\"#" + anchor(near.property) + "\">" + escaped(near.name) + "</a><span class=n>" +
            near_text(near.ratio) + "</span>\n";
  }
  return html + "</ol>\n";
}

std::string mutation_html(const store::Summary& summary, const Beside& beside) {
  std::string html = "<h3>Mutation score</h3>\n";
  if (beside.systematic) html += "<p>" + escaped(systematic_line(*beside.systematic)) + ".\n";
  if (!summary.mutants.empty()) {
    const auto caught = std::count_if(summary.mutants.begin(), summary.mutants.end(),
                                      [](const store::Summary::MutantRow& row) { return row.caught; });
    html += "<p>" + std::to_string(caught) + " of " + std::to_string(summary.mutants.size()) +
            " planted mistakes caught.\n";
  }
  if (!beside.systematic && summary.mutants.empty()) html += "<p>Not measured in this run.\n";
  return html;
}

std::string verdict_html(const store::Summary& summary, const Counts& counts) {
  if (summary.properties.empty()) return "<h1 class=bad>No property ran.</h1>\n";
  if (counts.attention > 0) {
    return "<h1 class=bad>" + grouped(counts.attention) + (counts.attention == 1 ? " claim needs" : " claims need") +
           " attention.</h1>\n" + attention_html(summary, most_attention);
  }
  std::string html = counts.broken == 0 ? "<h1 class=good>Every claim holds.</h1>\n<p>No claim was broken."
                                        : "<h1 class=good>Every promise holds.</h1>\n<p>No promise was broken.";
  if (counts.refuted != 0) html += " Claims that are false on purpose were refuted.";
  if (counts.not_run != 0) html += " " + grouped(counts.not_run) + " did not run; they are named below.";
  if (counts.broken != 0) {
    html += " Of the contracts that were asked and not promised, " + grouped(counts.broken) +
            (counts.broken == 1 ? " is broken." : " are broken.");
  }
  return html + "</p>\n";
}

std::string counts_html(const Counts& counts, const Proofs& proved) {
  std::string html = "<ul class=counts>\n";
  const auto count = [&](std::uint64_t number, const char* colour, const std::string& what) {
    html += std::string("<li><b class=") + colour + ">" + grouped(number) + "</b><span>" + what + "</span>\n";
  };
  count(proved.claims, "good", "claims proved for this build: every possible input was judged");
  count(counts.held - std::min(counts.held, proved.claims), "good", "claims hold in all cases that were drawn");
  count(counts.refuted, "none", "claims that are false on purpose, refuted");
  if (counts.broken > 0) count(counts.broken, "odd", "broken, not promised");
  if (counts.not_run > 0) count(counts.not_run, "none", "not run");
  if (counts.attention > 0) count(counts.attention, "bad", "need attention");
  return html + "</ul>\n";
}

std::string fact(const store::Summary& summary, const char* key, const char* before = "") {
  const auto at = summary.provenance.find(key);
  return at == summary.provenance.end() || at->second.empty() ? "" : " · " + (before + escaped(at->second));
}

}  // namespace

std::string attention_html(const store::Summary& summary, std::size_t most) {
  Table table({{"claim"}, {"on"}, {"verdict"}, {"error/bound", true}, {"to see it"}});
  std::size_t left = 0;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      const store::ClaimFinding& finding = property.findings[c];
      if (!needs_attention(finding) || most < ++left) continue;
      const std::optional<store::CaseFile>& file = finding.failure ? finding.failure : property.stopped_by;
      std::string lines = file ? replay(summary, *file) : "";
      for (const std::string& id : finding.corpus_surprises) {
        lines += " " + code(replay_line(summary, property.info.name, id));
      }
      table.add({"<a class=w href=\"#" + anchor(property.info.name) + "\">" + escaped(property.info.name) + "/" +
                     escaped(property.info.claims[c].id) + "</a>",
                 "<span class=w>" + escaped(property.executor) + "</span>",
                 "<span class=w>" + badge(finding.verdict) + "</span>",
                 ratio_text(property.tally.claims[c].worst.ratio), lines});
    }
  }
  return table.html() + (left > most ? "<p><a href=#attention>and " + grouped(left - most) + " more</a></p>\n" : "");
}

std::string screen_html(const store::Summary& summary, const std::vector<Overview>& families, const Beside& beside) {
  const Counts counts = counts_of(summary);
  const Proofs proved = proofs(summary);
  std::string executors;
  for (const std::string& name : executors_of(summary)) executors += (executors.empty() ? "" : " and ") + name;
  std::set<std::string> properties;
  for (const store::PropertySummary& property : summary.properties) properties.insert(property.info.name);
  const std::string device = fact(summary, "device");
  std::string html = "<header><div class=\"soft small\">Accuracy report" + fact(summary, "version", "version ") +
                     fact(summary, "commit", "commit ") + fact(summary, "compiler") + device + "</div>\n" +
                     verdict_html(summary, counts) + "<p class=soft>" + grouped(properties.size()) + " properties, " +
                     grouped(counts.cases) + " cases judged exactly" +
                     (executors.empty() ? "" : " on " + escaped(executors)) + ", " + escaped(summary.tier) +
                     " tier, seed " + std::to_string(summary.seed) + ".</p>\n" + counts_html(counts, proved) +
                     "</header>\n";
  html +=
      "<div class=two><section><h3>How near, by family and format</h3>\n<p class=\"soft small\">The largest "
      "error/bound of claims that hold: at 1 a bound is reached, as its theorem allows; &lt;1 is nearly so. In small "
      "type the number of cases. ✓: exact. Empty: no kernel. Toy: formats of so few bits that all inputs can be "
      "asked; limbs: integers of 32 bits.</p>\n" +
      map_html(summary) + "</section>\n<section><h3>Nearest below their bounds</h3>\n" + nearest_html(families) +
      mutation_html(summary, beside) + "<h3>What changed</h3>\n" +
      (beside.changes ? changes_brief(*beside.changes, most_changes) : "<p>" + escaped(beside.no_changes) + "\n") +
      "</section></div>\n";
  return html;
}

}  // namespace assay::report::html
