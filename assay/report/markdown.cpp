#include "assay/report/markdown.hpp"

#include <map>
#include <utility>

#include "assay/report/ladder.hpp"
#include "assay/report/order.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/outside_score.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/systematic.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::report {

namespace {

/// For a cell of a table: markup characters are escaped.
std::string cell(std::string_view text) {
  constexpr std::string_view markup = "\\`*[]|";
  std::string out;
  for (const char c : text) {
    if (markup.find(c) != std::string_view::npos) {
      out += '\\';
      out += c;
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

/// A name or a command in a cell. Grave accents and newlines cannot be escaped by a backslash.
std::string code(std::string_view text) {
  std::string out = "`";
  for (const char c : text) {
    if (c == '|') {
      out += "\\|";
    } else {
      out += c == '`' ? '\'' : static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out + "`";
}

/// The command that reproduces a case, for a cell.
std::string replay(const store::Summary& summary, const std::string& property, const std::string& id) {
  return code(replay_line(summary, property, id));
}
std::string replay(const store::Summary& summary, const std::optional<store::CaseFile>& file) {
  return file ? replay(summary, file->property, store::case_id(*file)) : "";
}

std::string name_of(const store::PropertySummary& property, std::size_t c) {
  return property.info.name + "/" + property.info.claims[c].id;
}

std::string overview_cell(const OverviewRow& row, const std::string& format, int terms) {
  const auto found = row.cells.find({format, terms});
  return found == row.cells.end() ? "" : cell(cell_text(found->second, row.numeric));
}

std::string promise(const OverviewRow& row) {
  return code(row.operation + "/" + row.claim) + " | " + cell(row.statement) + " | " + cell(row.source);
}

/// A row for each operation, a column for each claim that several operations make.
std::string comparison_table(const Comparison& comparison) {
  std::string head = "| |";
  std::string rule = "| --- |";
  for (const Comparison::Claim& claim : comparison.claims) {
    head += " " + claim.id + " |";
    rule += " --: |";
  }
  std::string text = "\n" + head + "\n" + rule + "\n";
  for (std::size_t i = 0; i < comparison.operations.size(); ++i) {
    text += "| " + code(comparison.operations[i]) + " |";
    for (std::size_t c = 0; c < comparison.claims.size(); ++c) {
      const auto& one = comparison.cells[i][c];
      const std::string violated = one ? violated_text(*one) : "";
      text += " " + (one ? cell(cell_text(*one, comparison.claims[c].numeric)) : "") +
              (violated.empty() ? "" : " (" + violated + ")") + " |";
    }
    text += "\n";
  }
  return text;
}

/// The claims of a family that have a number: a column for each format; or a row for each format and a column for each
/// number of terms. A line below says how many others there are.
std::string family_bounds(const Overview& overview) {
  std::string head = "| claim | bound | source |";
  std::string rule = "| --- | --- | --- |";
  const auto column = [&](const std::string& name) {
    head += " " + name + " |";
    rule += " --: |";
  };
  if (overview.by_terms) {
    column("K =");
    for (const int terms : overview.terms) column(terms == 0 ? "any" : std::to_string(terms));
  } else {
    for (const std::string& format : overview.formats) column(cell(format));
  }
  column("cases");
  std::string rows;
  std::size_t others = 0;
  for (const OverviewRow& row : overview.rows) {
    if (!row.numeric) {
      ++others;
    } else if (overview.by_terms) {
      std::string first = promise(row);
      std::string cases = grouped(row.executed);
      for (const std::string& format : overview.formats) {
        std::string line;
        bool any = false;
        for (const int terms : overview.terms) {
          const std::string text = overview_cell(row, format, terms);
          any = any || !text.empty();
          line += " " + text + " |";
        }
        if (!any) continue;
        rows += "| " + std::exchange(first, " |  | ") + " | " + cell(format) + " |" + line + " " +
                std::exchange(cases, "") + " |\n";
      }
    } else {
      rows += "| " + promise(row) + " |";
      for (const std::string& format : overview.formats) rows += " " + overview_cell(row, format, 0) + " |";
      rows += " " + grouped(row.executed) + " |\n";
    }
  }
  std::string text = "\n#### " + cell(overview.family) + "\n";
  if (overview.comparison) text += comparison_table(*overview.comparison);
  if (!rows.empty()) text += "\n" + head + "\n" + rule + "\n" + rows;
  if (others > 0) text += "\n" + grouped(others) + (others == 1 ? " promise" : " promises") + " without a number.\n";
  return text;
}

/// A table for each set of named terms: a column for each term, a row for each claim whose bound has these terms.
/// Executors with the same numbers share a row.
std::string tables_of_terms(const store::Summary& summary) {
  std::map<std::string, std::map<std::string, std::string>> executors;  // by the table's first two lines and by row
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.tally.claims.size(); ++c) {
      const ClaimTally& tally = property.tally.claims[c];
      if (tally.terms.empty()) continue;
      std::string head = "| claim | error/bound |";
      std::string rule = "| --- | --: |";
      std::string row = "| " + code(name_of(property, c)) + " | " + ratio_text(tally.worst.ratio) + " |";
      for (const auto& [term, worst] : tally.terms) {
        head += " " + cell(term) + " |";
        rule += " --: |";
        row += " " + ratio_text(worst.ratio) + " |";
      }
      std::string& on = executors[head + " on |\n" + rule + " --- |\n"][row];
      on += (on.empty() ? "" : ", ") + property.executor;
    }
  }
  if (executors.empty()) return "";
  std::string text =
      "\n### Terms of bounds\n\nHow much of each term the errors need: the least factor of it with which the bound "
      "still holds.\n";
  for (const auto& [head, rows] : executors) {
    text += "\n" + head;
    for (const auto& [row, on] : rows) text += row + " " + on + " |\n";
  }
  return text;
}

/// The theorems with a reason why no case comes near to their bound, a line each.
std::string list_of_reasons(const store::Summary& summary) {
  const std::map<std::string, std::string> all = reasons(summary);
  if (all.empty()) return "";
  std::string text = "\n### Reasons of loose bounds\n\n" + std::to_string(all.size()) +
                     (all.size() == 1 ? " theorem names one.\n\n" : " theorems name one.\n\n");
  for (const auto& [theorem, reason] : all) text += "- " + code(theorem) + ": " + cell(reason) + "\n";
  return text;
}

/// A row for each claim of correct rounding. Executors with the same row share it.
std::string table_of_near_misses(const store::Summary& summary) {
  std::map<std::string, std::string> executors;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.tally.claims.size(); ++c) {
      const ClaimTally& tally = property.tally.claims[c];
      const std::string closest = closest_text(tally);
      if (closest.empty()) continue;
      std::string& on =
          executors["| " + code(name_of(property, c)) + " | " + closest + " | " + std::to_string(tally.closest.number)];
      on += (on.empty() ? "" : ", ") + property.executor;
    }
  }
  if (executors.empty()) return "";
  std::string text =
      "\n### Near misses of correct rounding\n\nThe smallest distance of a truth to the boundary of "
      "rounding beside it: a midpoint for rounding to nearest, a number of the format for a directed "
      "rounding. Truths on a boundary do not count.\n\n"
      "| claim | closest to a boundary | case | on |\n| --- | --: | --: | --- |\n";
  for (const auto& [row, on] : executors) text += row + " | " + on + " |\n";
  return text;
}

/// A row for each property whose domain states traits. Executors with the same numbers share a row.
std::string table_of_pairs(const store::Summary& summary) {
  std::map<std::string, std::string> executors;
  for (const store::PropertySummary& property : summary.properties) {
    const std::string pairs = pairs_text(property);
    if (pairs.empty()) continue;
    std::string& on = executors["| " + code(property.info.name) + " | " + pairs];
    on += (on.empty() ? "" : ", ") + property.executor;
  }
  if (executors.empty()) return "";
  std::string text =
      "\n### Pairs of traits\n\nOf the possible pairs of values of two traits of a domain, how many the cases have.\n\n"
      "| property | pairs | on |\n| --- | --: | --- |\n";
  for (const auto& [row, on] : executors) text += row + " | " + on + " |\n";
  return text;
}

/// Words for a cell, one under another.
std::string one_under_another(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : "<br>") + cell(each);
  return text;
}

/// A row for each kernel with a contract of order, or with a tree of additions.
std::string table_of_orders(const store::Summary& summary) {
  std::string rows;
  for (const KernelOrder& row : kernel_orders(summary)) {
    std::string names;
    for (const std::string& each : row.properties) names += (names.empty() ? "" : ", ") + code(each);
    std::vector<std::string> not_kept = row.broken;
    for (const std::string& each : row.open) not_kept.push_back("not decided: " + each);
    rows += "| " + names + " | " + cell(row.executors) + " | " + one_under_another(row.kept) + " | " +
            one_under_another(not_kept) + " | " + one_under_another(row.not_asked) + " | " +
            one_under_another(row.trees) + " | **" + cell(row.advice) + "** |\n";
  }
  if (rows.empty()) return "";
  return "\n### Order\n\n" + std::string(order_legend) +
         "\n\n| kernel | on | keeps | does not keep | not asked | order of the additions | what to rely on |\n"
         "| --- | --- | --- | --- | --- | --- | --- |\n" +
         rows;
}

}  // namespace

std::string report_markdown(const store::Summary& summary, const std::optional<store::Systematic>& systematic,
                            const std::optional<store::OutsideScore>& outside) {
  std::string text = "## Accuracy report\n\n";
  const auto counts = count_verdicts(summary);
  std::string verdicts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    verdicts += (verdicts.empty() ? "" : ", ") + std::string(store::word(static_cast<store::Finding>(i))) + ": " +
                grouped(counts[i]);
  }
  std::string executors;
  for (const std::string& name : executors_of(summary)) executors += (executors.empty() ? "" : ", ") + name;
  text += "**Claims:** " + (verdicts.empty() ? "none" : verdicts) + ". Tier " + cell(summary.tier) + ", seed " +
          std::to_string(summary.seed) + (executors.empty() ? "" : ", on " + executors) + ".\n";
  for (const KernelLadder& each : ladders(summary)) {
    text += "\n**" + cell(each.property) + " on " + each.executor + "** " + cell(describe(each)) + " (" +
            cell(describe_call(each)) + ").\n";
    for (const std::string& line : each.partly) text += "- " + cell(line) + ".\n";
  }
  if (const std::string fewer = describe_fewer_cases(summary); !fewer.empty()) text += "\n" + fewer + "\n";
  if (const std::string proved = describe(proofs(summary)); !proved.empty()) text += "\n**Proofs:** " + proved + "\n";

  std::string attention;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      const store::ClaimFinding& finding = property.findings[c];
      if (!needs_attention(finding)) continue;
      const std::optional<store::CaseFile>& file = finding.failure ? finding.failure : property.stopped_by;
      std::string lines = replay(summary, file);
      for (const std::string& id : finding.corpus_surprises) {
        lines += (lines.empty() ? "" : ", ") + replay(summary, property.info.name, id);
      }
      attention += "| " + code(name_of(property, c)) + " | " + property.executor + " | **" +
                   std::string(store::word(finding.verdict)) + "** | " +
                   ratio_text(property.tally.claims[c].worst.ratio) + " | " + lines + " |\n";
    }
  }
  for (const store::SameOn& each : other_bits(summary)) {
    attention += "| " + code(each.property + "/same_on") + " | " + each.executor + " | **" +
                 std::string(store::word(store::Finding::violated)) + "** |  | " + cell(describe(each)) + " |\n";
  }
  if (!attention.empty()) {
    text +=
        "\n### Needs attention\n\n| claim | on | verdict | error/bound | to see it |\n| --- | --- | --- | --- | --- "
        "|\n" +
        attention;
  }

  std::string bounds;
  for (const Overview& overview : overviews(summary)) bounds += family_bounds(overview);
  if (!bounds.empty()) text += "\n### Bounds\n\n" + std::string(overview_legend) + "\n" + bounds;

  text += table_of_orders(summary) + tables_of_terms(summary) + table_of_near_misses(summary) + table_of_pairs(summary);

  const std::vector<Blind> blind = blind_terms(summary);
  if (!blind.empty()) {
    text += "\n### Blind\n\n" + std::string(blind_legend) + "\n\n";
    for (const Blind& each : blind) text += "- blind: " + cell(describe(each)) + "\n";
  }
  text += list_of_reasons(summary);

  std::string controls;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      if (!property.info.claims[c].expected_refuted) continue;
      const store::ClaimFinding& finding = property.findings[c];
      const std::string& ceiling = property.info.claims[c].ceiling;
      controls += "| " + code(name_of(property, c)) + " | " + property.executor + " | " +
                  std::string(store::word(finding.verdict)) + " | " + (ceiling.empty() ? "" : code(ceiling)) + " | " +
                  replay(summary, finding.failure) + " |\n";
    }
  }
  if (!controls.empty()) {
    text +=
        "\n### Negative controls\n\n| claim | on | verdict | held by | counterexample |\n| --- | --- | --- | --- | --- "
        "|\n" +
        controls;
  }

  if (!summary.mutants.empty()) {
    std::uint64_t caught = 0;
    std::string survivors;
    for (const store::Summary::MutantRow& row : summary.mutants) {
      caught += row.caught ? 1 : 0;
      if (!row.caught) survivors += (survivors.empty() ? "" : ", ") + cell(row.id);
    }
    text += "\n### Planted mistakes\n\n" + std::to_string(caught) + " of " + std::to_string(summary.mutants.size()) +
            " caught, as recorded by `assay selftest --mutants`" +
            (survivors.empty() ? "" : "; **survived: " + survivors + "**") + ".\n";
  }

  if (systematic) text += systematic_markdown(*systematic);
  if (outside) text += outside_markdown(*outside);

  if (!summary.provenance.empty()) {
    text += "\n### Provenance\n\n| | |\n| --- | --- |\n";
    for (const auto& [key, value] : summary.provenance) {
      const bool has_lines = value.find('\n') != std::string::npos;  // a graph, which summary.json has
      if (!has_lines) text += "| " + cell(key) + " | " + cell(value) + " |\n";
    }
  }
  return text;
}

}  // namespace assay::report
