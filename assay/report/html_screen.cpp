#include "assay/report/html_screen.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "assay/report/entries.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/ladder.hpp"
#include "assay/report/order.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/outside_score.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/systematic.hpp"
#include "assay/report/text.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::report::html {
namespace {

constexpr std::size_t most_nearest = 10;
constexpr std::size_t most_attention = 6;
constexpr std::size_t most_changes = 4;

/// The counts of the claims of a run; claims made of every property count only if they need attention.
struct Counts {
  std::uint64_t held = 0;
  std::uint64_t refuted = 0;
  std::uint64_t broken = 0;
  std::uint64_t open = 0;  ///< contracts that were tested, but not promised
  std::uint64_t not_run = 0;
  std::uint64_t attention = 0;
  std::uint64_t cases = 0;
};

Counts counts_of(const store::Summary& summary) {
  Counts counts;
  for (const store::PropertySummary& property : summary.properties) {
    counts.cases += total(property.tally).executed;
    for (const ClaimInfo& claim : property.info.claims) counts.open += claim.is_open ? 1 : 0;
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
  counts.attention += other_bits(summary).size();
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

/// Formats of so few bits that every input can be tested share one column of the map.
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
  std::vector<double> bounds;     ///< the largest error/bound of each claim that holds and has one
  std::vector<double> roundings;  ///< the same for claims of correct rounding, whose errors are always near the bound
  std::uint64_t cases = 0;
  bool bad = false;
  bool breaks = false;  ///< a contract that nobody promised

  /// The median of the bounds; if there are none, of the roundings; negative if there are neither.
  [[nodiscard]] double ratio() const {
    std::vector<double> all = bounds.empty() ? roundings : bounds;
    if (all.empty()) return -1;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  }
};

/// The meanings of the names of families.
std::string words_of_family(const std::string& family) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 19> known{{{"op", "single operations"},
                                                                                 {"eft", "error-free transforms"},
                                                                                 {"dw", "double words"},
                                                                                 {"triple", "triple words"},
                                                                                 {"pair", "native pairs"},
                                                                                 {"mp", "multiple precision"},
                                                                                 {"rns", "residues"},
                                                                                 {"limb", "limbs of 32 bits"},
                                                                                 {"xblas", "BLAS in several words"},
                                                                                 {"gemv", "matrix times vector"},
                                                                                 {"gemm", "matrix times matrix"},
                                                                                 {"qd", "the QD library"},
                                                                                 {"elementary", "exp, log, sin, …"},
                                                                                 {"triangular", "triangular systems"},
                                                                                 {"refine", "certified solutions"},
                                                                                 {"tensor_core", "units of GPUs"},
                                                                                 {"quantize", "codes of blocks"},
                                                                                 {"scan", "prefix sums"},
                                                                                 {"segment", "sums by index"}}};
  const auto at = std::ranges::find(known, family, &std::pair<std::string_view, std::string_view>::first);
  return at == known.end() ? "" : std::string(at->second);
}

double heat_of(double ratio) { return std::pow(std::clamp(ratio, 0.0, 1.0), 2); }

std::string place_html(const Place& place, const std::string& family) {
  const double ratio = place.ratio();
  const std::string text = (place.bad ? "‼ " : "") + (ratio > 0 ? short_ratio(ratio) : place.breaks ? "✗" : "✓");
  std::array<char, 16> heat{};
  const auto written =
      std::to_chars(heat.data(), heat.data() + heat.size(), heat_of(ratio), std::chars_format::fixed, 2);
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
      place.breaks = place.breaks || property.findings[c].verdict == store::Finding::broken;
      if (bad || property.findings[c].verdict == store::Finding::holds) {
        const ClaimTally& tally = property.tally.claims[c];
        const bool rounds = tally.closest.number != no_case;
        if (tally.worst.ratio > 0) (rounds ? place.roundings : place.bounds).push_back(tally.worst.ratio);
      }
    }
  }
  std::string html = "<table class=map><thead><tr><th>";
  for (const std::string& column : columns) html += "<th class=n>" + escaped(column);
  html += "</thead>\n";
  for (const auto& [family, places] : families) {
    html += "<tr><th><a href=\"#f-" + escaped(family) + "\">" + escaped(family) + "</a>";
    if (const std::string words = words_of_family(family); !words.empty()) html += "<small>" + words + "</small>";
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
  std::uint64_t almost = 0;
  constexpr double nearly = 1 - 1e-9;
  for (const Overview& overview : families) {
    for (const OverviewRow& row : overview.rows) {
      if (!row.numeric || row.rounds) continue;
      Near near{-1, overview.family + "." + row.operation + "/" + row.claim, ""};
      for (const auto& [place, cell] : row.cells) {
        if (cell.verdict != store::Finding::holds) continue;
        attained += cell.ratio == 1 ? 1 : 0;
        almost += cell.ratio > nearly && cell.ratio < 1 ? 1 : 0;
        if (cell.ratio <= nearly && cell.ratio > near.ratio) near.ratio = cell.ratio, near.property = cell.property;
      }
      if (near.ratio > 0) all.push_back(std::move(near));
    }
  }
  const auto nearer = [](const Near& a, const Near& b) { return a.ratio > b.ratio; };
  std::stable_sort(all.begin(), all.end(), nearer);
  // Among kernels whose names differ only by a number, the one nearest to its bound.
  std::set<std::string> seen;
  std::erase_if(all, [&](const Near& near) {
    std::string name = near.name;
    std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
    return !seen.insert(name).second;
  });
  std::string html = "<p class=\"soft small\">";
  if (attained > 0) {
    html +=
        grouped(attained) + (attained == 1 ? " claim reaches its bound" : " claims reach their bounds") + " exactly. ";
  }
  if (almost > 0) {
    html += grouped(almost) + (almost == 1 ? " comes" : " come") + " within 10⁻⁹ of the bound. ";
  }
  html += attained + almost > 0 ? "The other claims: the" : "The";
  html +=
      " largest error found, divided by the bound; where names of kernels differ only by a number, the kernel nearest "
      "to its bound. Claims of correct rounding are omitted: their errors always come near the bound.</p>\n<ol "
      "class=near>\n";
  for (std::size_t i = 0; i < std::min(all.size(), most_nearest); ++i) {
    const Near& near = all[i];
    html += "<li><a href=\"#" + anchor(near.property) + "\">" + escaped(near.name) + "</a><span class=n>" +
            near_text(near.ratio) + "</span>\n";
  }
  return html + "</ol>\n";
}

std::string mutation_html(const store::Summary& summary, const Beside& beside) {
  const auto is_outside = [&](const store::PropertySummary& each) {
    return summary.provenance.contains(store::subject_key(each.info.name));
  };
  const bool says_something = beside.systematic || beside.outside || !summary.mutants.empty();
  if (!says_something && std::ranges::all_of(summary.properties, is_outside)) return "";
  std::string html = "<h3>Mutation score</h3>\n";
  if (beside.systematic) html += "<p>" + escaped(systematic_line(*beside.systematic)) + ".\n";
  if (!summary.mutants.empty()) {
    const auto caught = std::count_if(summary.mutants.begin(), summary.mutants.end(),
                                      [](const store::Summary::MutantRow& row) { return row.caught; });
    html += "<p>" + std::to_string(caught) + " of " + std::to_string(summary.mutants.size()) +
            " planted mistakes caught.\n";
  }
  if (beside.outside) html += "<p>" + escaped(outside_line(*beside.outside)) + ".\n";
  if (!beside.systematic && !beside.outside && summary.mutants.empty()) html += "<p>Not measured in this run.\n";
  return html;
}

/// The contracts that kernels keep and break although nobody promised them: no verdict, and nothing in green. Empty if
/// there is no such kernel.
std::string ladders_html(const store::Summary& summary, const Counts& counts) {
  std::vector<KernelLadder> asked = ladders(summary);
  std::erase_if(asked, [](const KernelLadder& each) { return each.is_promised; });
  if (asked.empty()) return "";
  constexpr std::size_t most = 8;
  const auto line = [](const KernelLadder& each) {
    const bool keeps_nothing = !each.keeps_about_error && !each.ladder.broken.empty();
    return escaped(describe(each)) + (keeps_nothing ? ". It keeps no contract about errors" : "");
  };
  std::string html;
  if (asked.size() == 1) {
    html = "<h1>" + escaped(asked[0].property) + " " + line(asked[0]) + ".</h1>\n<p>" +
           escaped(describe_call(asked[0])) + ".";
    html[html.find("<p>") + 3] = 'A';
  } else {
    html = "<h1>What " + grouped(asked.size()) + " kernels keep and break</h1>\n<ul>\n";
    for (std::size_t i = 0; i < std::min(asked.size(), most); ++i) {
      html += "<li><a href=\"#" + anchor(asked[i].property) + "\">" + escaped(asked[i].property) + "</a> on " +
              escaped(asked[i].executor) + " " + line(asked[i]) + ".\n";
    }
    html +=
        "</ul>\n" + (asked.size() > most ? "<p>and " + grouped(asked.size() - most) + " more." : std::string("<p>"));
  }
  return html + " No contract was promised: each was tested, and a broken one is a result, not a failure." +
         (counts.not_run == 0 ? "" : " " + grouped(counts.not_run) + " did not run; they are listed below.") + "</p>\n";
}

/// What the contracts of kernels from outside judged in part alone, and of how many numbers they say nothing.
std::string partly_html(const store::Summary& summary) {
  constexpr std::size_t most = 16;
  std::vector<std::string> lines;
  for (const KernelLadder& kernel : ladders(summary)) {
    for (const std::string& each : kernel.partly) lines.push_back(kernel.property + ": " + each);
  }
  if (lines.empty()) return "";
  std::string html = "<ul>\n";
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) html += "<li>" + escaped(lines[i]) + ".\n";
  return html + "</ul>\n" +
         (lines.size() > most ? "<p>and " + grouped(lines.size() - most) + " more, in summary.json.</p>\n" : "");
}

std::string verdict_html(const store::Summary& summary, const Counts& counts) {
  if (summary.properties.empty()) return "<h1 class=bad>No property ran.</h1>\n";
  if (counts.attention > 0) {
    return "<h1 class=bad>" + grouped(counts.attention) + (counts.attention == 1 ? " claim needs" : " claims need") +
           " attention.</h1>\n" + attention_html(summary, most_attention);
  }
  if (const std::string asked = ladders_html(summary, counts); !asked.empty()) return asked;
  std::string html = "<h1 class=good>Every claim holds.</h1>\n<p>No claim was broken.";
  if (counts.refuted != 0) html += " Claims that are false on purpose were refuted.";
  if (counts.not_run != 0) html += " " + grouped(counts.not_run) + " did not run; they are listed below.";
  return html + "</p>\n";
}

std::string counts_html(const Counts& counts, const Proofs& proved) {
  std::string html = "<ul class=counts>\n";
  const auto count = [&](std::uint64_t number, const char* colour, const std::string& what) {
    html += std::string("<li><b class=") + colour + ">" + grouped(number) + "</b><span>" + what + "</span>\n";
  };
  const char* const held = counts.open == 0 ? "good" : "none";
  if (proved.claims > 0) count(proved.claims, held, "claims proved for this build: every possible input was judged");
  count(counts.held - std::min(counts.held, proved.claims), held, "claims hold in all cases that were drawn");
  if (counts.refuted > 0) count(counts.refuted, "none", "claims that are false on purpose, refuted");
  if (counts.broken > 0) count(counts.broken, "odd", "broken, not promised");
  if (counts.not_run > 0) count(counts.not_run, "none", "not run");
  if (counts.attention > 0) count(counts.attention, "bad", "need attention");
  return html + "</ul>\n";
}

/// " of 2 programs, assay and qd_checks"; empty for one.
std::string programs_of(const store::Summary& summary) {
  std::vector<std::string> names;
  const std::string front = store::build_key("");
  for (const auto& [key, build] : summary.provenance) {
    if (key.starts_with(front)) names.push_back(key.substr(front.size()));
  }
  if (names.size() < 2) return "";
  std::string text = " of " + std::to_string(names.size()) + " programs, ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + escaped(names[i]);
  }
  return text;
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
  for (const store::SameOn& each : other_bits(summary)) {
    if (most < ++left) continue;
    table.add({"<a class=w href=#order>" + escaped(each.property) + "/same_on</a>",
               "<span class=w>" + escaped(each.executor) + "</span>",
               "<span class=w>" + badge(store::Finding::violated) + "</span>", "", escaped(describe(each))});
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
                     verdict_html(summary, counts) + partly_html(summary) + "<p class=soft>" +
                     grouped(properties.size()) + (properties.size() == 1 ? " property" : " properties") +
                     programs_of(summary) + ", " + grouped(counts.cases) + " cases judged exactly" +
                     (executors.empty() ? "" : " on " + escaped(executors)) + ", " + escaped(summary.tier) +
                     " tier, seed " + std::to_string(summary.seed) + ". " + describe_fewer_cases(summary) + "</p>\n" +
                     counts_html(counts, proved) + "</header>\n";
  html +=
      "<div class=two><section><h3>How near, by family and format</h3>\n<p class=\"soft small\">Each number is a "
      "median over the claims that hold (claims of correct rounding only if there are no others) of their largest "
      "error/bound. At 1 a bound is reached, as its theorem allows; &lt;1 is just below 1. In small type: the number "
      "of cases. ✓: exact. ✗: "
      "nobody promised contracts, and of the tested ones none with a number is kept. Empty: no kernel. Toy: formats of "
      "so few bits that all inputs can be tested; limbs: integers of 32 bits.</p>\n" +
      map_html(summary) + "</section>\n<section><h3>Nearest below their bounds</h3>\n" + nearest_html(families) +
      mutation_html(summary, beside) + "<h3>What changed</h3>\n" +
      (beside.changes ? changes_brief(*beside.changes, most_changes) : "<p>" + escaped(beside.no_changes) + "\n") +
      "</section></div>\n";
  return html;
}

}  // namespace assay::report::html
