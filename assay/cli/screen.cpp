#include "assay/cli/screen.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "assay/cli/subject.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::cli {
namespace {

constexpr std::string_view red = "31";
constexpr std::string_view green = "32";
constexpr std::string_view yellow = "33";

std::string painted(std::string_view text, std::string_view color, bool paint) {
  return paint ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
}

/// The rank of a verdict; the gravest has the highest.
int gravity(store::Finding finding) {
  switch (finding) {
    case store::Finding::holds:
    case store::Finding::refuted_as_expected:
    case store::Finding::broken:
      return 0;
    case store::Finding::not_refuted:
    case store::Finding::not_run:
      return 1;
    case store::Finding::undecided:
      return 2;
    case store::Finding::out_of_memory:
    case store::Finding::hung:
    case store::Finding::crashed:
      return 3;
    case store::Finding::flaky:
      return 4;
    case store::Finding::violated:
      return 5;
  }
  return 5;
}

void print_classes(const store::PropertySummary& property) {
  for (std::size_t c = 0; c < property.info.classes.size(); ++c) {
    const Tally::ByClass& counts = property.tally.classes[c];
    fmt::print("      class {}: {} planned, {} executed, {} rejected, {} inexact\n", property.info.classes[c].name,
               counts.planned, counts.executed, counts.rejected, counts.inexact);
  }
  for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
    const ClaimTally& tally = property.tally.claims[c];
    fmt::print("      claim {}: {}, {} judged, {} outside its preconditions, tightness {}{}\n",
               property.info.claims[c].id, store::word(property.findings[c].verdict), tally.executed, tally.rejected,
               tally.worst.number == no_case ? "-" : short_number(tally.worst.ratio),
               tally.terms.empty() ? "" : " (" + report::terms_text(tally) + ")");
  }
}

}  // namespace

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_terminal(std::FILE* stream) {
  const char* const kind = std::getenv("TERM");
  return ::isatty(::fileno(stream)) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

bool colored(const Options& options, std::FILE* stream) {
  if (options.color != "auto") {
    return options.color == "always";
  }
  return !is_set("NO_COLOR") && !is_set("CI") && is_terminal(stream);
}

std::string short_number(double value) {
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  return report::ratio_text(value);
}

std::string words_text(const std::vector<std::string>& words) {
  constexpr std::size_t ends = 5;
  const bool elide = words.size() > 2 * ends;
  std::string text = elide ? fmt::format("{} numbers:", words.size()) : "";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (elide && i == ends) {
      text += " …";
      i = words.size() - ends;
    }
    text += (text.empty() ? "" : " ") + words[i];
  }
  return text;
}

std::string worst_text(const store::CaseFile::Evidence& evidence) {
  if (evidence.components < 2) {
    return "";
  }
  const std::size_t width = evidence.got.size() / evidence.components;
  std::string text = fmt::format("[{}] of {} components, {} bad:", evidence.worst, evidence.components, evidence.bad);
  for (std::size_t i = evidence.worst * width; i < (evidence.worst + 1) * width; ++i) {
    text += " " + evidence.got[i];
  }
  return text;
}

std::string error_text(const store::CaseFile::Evidence& evidence) {
  std::string ulps = report::signed_ulps(evidence.ulps);
  const bool has_words = evidence.got.size() > std::max<std::size_t>(1, evidence.components);
  if (has_words && !ulps.empty()) ulps += " of one word";
  return fmt::format("{}{}{} of the bound", ulps, ulps.empty() ? "" : ", ", short_number(evidence.ratio));
}

std::string replay_line(const store::CaseFile& file, const Options& options) {
  const std::string out = options.out == "assay-out" ? "" : " --out " + report::shell_word(options.out.string());
  const std::string subject =
      options.subject.empty() ? "" : " " + subject_options(options, file.property, options.subject);
  return report::replay_line(options.program, store::case_id(file), out + subject);
}

void print_failure(const store::PropertySummary& property, const ClaimInfo& claim, const store::CaseFile& file,
                   const Options& options) {
  fmt::print("{}", store::describe(file.inputs));
  if (file.evidence) {
    fmt::print("  got    {}\n", words_text(file.evidence->got));
    if (const std::string worst = worst_text(*file.evidence); !worst.empty()) {
      fmt::print("  worst  {}\n", worst);
    }
    fmt::print("  exact  {}\n  error  {}\n", file.evidence->exact.empty() ? "-" : file.evidence->exact,
               error_text(*file.evidence));
  }
  if (!claim.id.empty()) {
    fmt::print("  claim  {}/{} on {}: {}\n  source {}\n", property.info.name, claim.id, property.executor,
               claim.statement, claim.source);
  }
  fmt::print("  {}\n", replay_line(file, options));
}

namespace {

/// Of more properties a table of families is printed, and lines of what needs attention.
constexpr std::size_t most_properties_in_lines = 20;

/// A line for each claim of the property's own, and for each other one that does not hold: all of them, or those that
/// need attention.
void print_claims(const store::Summary& summary, const Options& options, bool only_attention) {
  const bool paint = colored(options, stdout);
  const auto is_shown = [&](const store::PropertySummary& property, std::size_t c) {
    const store::Finding verdict = property.findings[c].verdict;
    const bool is_own = !report::is_unasked(property.info.claims[c].id);
    return only_attention ? gravity(verdict) != 0 : is_own || gravity(verdict) > 1;
  };
  const auto name_of = [](const store::PropertySummary& property, std::size_t c) {
    return property.info.name + "/" + property.info.claims[c].id;
  };
  std::size_t width = 8;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      if (is_shown(property, c)) width = std::max(width, name_of(property, c).size());
    }
  }
  for (const store::PropertySummary& property : summary.properties) {
    bool any = false;
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      // A selection of unasked claims alone has a line, too.
      const bool is_last = !any && !only_attention && c + 1 == property.info.claims.size();
      if (!is_shown(property, c) && !is_last) continue;
      any = true;
      const store::Finding verdict = property.findings[c].verdict;
      const ClaimTally& tally = property.tally.claims[c];
      const std::string_view color = gravity(verdict) == 0 ? green : gravity(verdict) < 3 ? yellow : red;
      const std::string padded = fmt::format("{:<20}", store::word(verdict));
      fmt::print("{:<{}}  {:<4}  {}  {:>10} cases  tightness {:<9}  {}{}{}\n", name_of(property, c), width,
                 property.executor, painted(padded, color, paint), tally.executed,
                 tally.worst.number == no_case ? "-" : short_number(tally.worst.ratio), property.rigor,
                 tally.rejected == 0 ? "" : fmt::format(", {} outside its preconditions", tally.rejected),
                 property.partial ? ", partial" : "");
    }
    if (any && !property.note.empty()) {
      fmt::print("      {}\n", property.note);
    }
    if (options.verbose) {
      print_classes(property);
    }
  }
}

/// A line a family: how many claims of its own are proved, held by a sample, refuted as expected, or need attention.
void print_families(const store::Summary& summary) {
  struct Row {
    std::size_t properties = 0;
    std::size_t proved = 0;
    std::size_t held = 0;
    std::size_t refuted = 0;
    std::size_t attention = 0;
    std::uint64_t cases = 0;
  };
  std::map<std::string, Row> rows;
  for (const store::PropertySummary& property : summary.properties) {
    Row& row = rows[report::family_of(property.info.name)];
    ++row.properties;
    row.cases += total(property.tally).executed;
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      const store::Finding verdict = property.findings[c].verdict;
      if (gravity(verdict) != 0) ++row.attention;
      if (report::is_unasked(property.info.claims[c].id)) continue;
      if (report::is_refuted(verdict)) ++row.refuted;
      if (verdict == store::Finding::holds) ++(report::was_exhausted(property) ? row.proved : row.held);
    }
  }
  std::size_t width = 6;
  for (const auto& [name, row] : rows) width = std::max(width, name.size());
  fmt::print("{:<{}}  properties  claims proved  held by a sample  refuted as expected  need attention  cases\n",
             "family", width);
  for (const auto& [name, row] : rows) {
    fmt::print("{:<{}}  {:>10}  {:>13}  {:>16}  {:>19}  {:>14}  {}\n", name, width, row.properties, row.proved,
               row.held, row.refuted, row.attention, row.cases);
  }
}

}  // namespace

void print_summary(const store::Summary& summary, const Options& options) {
  const bool paint = colored(options, stdout);
  const bool is_long = summary.properties.size() > most_properties_in_lines && !options.verbose;
  if (is_long && !options.quiet) print_families(summary);
  print_claims(summary, options, is_long || options.quiet);
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      const store::ClaimFinding& finding = property.findings[c];
      const ClaimInfo& claim = property.info.claims[c];
      const bool refuted = report::is_refuted(finding.verdict);
      if (finding.verdict == store::Finding::not_refuted && !options.quiet && !is_long) {
        fmt::print("\n{}/{} on {}: not refuted, though it was expected to be\n", property.info.name, claim.id,
                   property.executor);
      }
      if (finding.verdict == store::Finding::undecided) {
        fmt::print("\n{}/{} on {}: undecided\n", property.info.name, claim.id, property.executor);
      }
      if (finding.verdict != store::Finding::violated && finding.verdict != store::Finding::flaky &&
          !(refuted && !options.quiet && !is_long)) {
        continue;
      }
      fmt::print("\n{}/{} on {}: {}", property.info.name, claim.id, property.executor,
                 painted(store::word(finding.verdict), refuted ? green : red, paint));
      if (finding.failing_number != no_case) {
        fmt::print(", case {}, reproduced {} of 3 times", finding.failing_number, finding.reproduced);
      }
      if (finding.shrink_tried != 0) {
        fmt::print(", {} candidates tried{}", finding.shrink_tried,
                   finding.shrink_minimal ? ", no single step smaller still fails" : "");
      }
      fmt::print("\n");
      for (const std::string& id : finding.corpus_surprises) {
        fmt::print("  corpus case {} {}\n", id,
                   finding.verdict == store::Finding::broken ? "breaks it, too" : "is not as expected");
      }
      if (finding.failure) {
        if (const std::string same = report::same_case_text(property, c); !same.empty()) fmt::print("  {}\n", same);
        print_failure(property, claim, *finding.failure, options);
      }
    }
    if (property.stopped_by) {
      fmt::print("\n{} on {}: {}\n", property.info.name, property.executor, painted(property.note, red, paint));
      print_failure(property, {}, *property.stopped_by, options);
    }
  }
}

}  // namespace assay::cli
