#include "assay/cli/screen.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "assay/cli/subject.hpp"
#include "assay/report/costs.hpp"
#include "assay/report/ladder.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/remark.hpp"

namespace assay::cli {
namespace {

constexpr std::string_view red = "31";
constexpr std::string_view green = "32";
constexpr std::string_view yellow = "33";

std::string painted(std::string_view text, std::string_view color, bool paint) {
  return paint ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
}

/// The rank of a verdict: the gravest verdict has the highest rank.
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

/// Green means that a promise holds. A contract that nobody promised gets no color.
std::string_view color_of(store::Finding verdict) {
  if (verdict == store::Finding::broken) return yellow;
  return gravity(verdict) == 0 ? green : gravity(verdict) < 3 ? yellow : red;
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

namespace {

/// The number of a hexadecimal or decimal text where it is an integer, in decimal digits; any other text as it is.
std::string as_integer(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' || value != std::trunc(value) ? text : fmt::format("{:.0f}", value + 0.0);
}

}  // namespace

std::string words_text(const std::vector<std::string>& words, bool are_integers) {
  constexpr std::size_t ends = 5;
  const bool elide = words.size() > 2 * ends;
  std::string text = elide ? fmt::format("{} numbers:", words.size()) : "";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (elide && i == ends) {
      text += " …";
      i = words.size() - ends;
    }
    text += (text.empty() ? "" : " ") + (are_integers ? as_integer(words[i]) : words[i]);
  }
  return text;
}

std::string worst_text(const store::CaseFile::Evidence& evidence, bool are_integers) {
  if (evidence.components < 2) {
    return "";
  }
  const std::size_t width = evidence.got.size() / evidence.components;
  std::string text = fmt::format("[{}] of {} components, {} bad:", evidence.worst, evidence.components, evidence.bad);
  for (std::size_t i = evidence.worst * width; i < (evidence.worst + 1) * width; ++i) {
    text += " " + (are_integers ? as_integer(evidence.got[i]) : evidence.got[i]);
  }
  return text;
}

std::string error_text(const store::CaseFile::Evidence& evidence) {
  std::string ulps = report::signed_ulps(evidence.ulps);
  const bool has_words = evidence.got.size() > std::max<std::size_t>(1, evidence.components);
  if (has_words && !ulps.empty()) ulps += " of one word";
  return fmt::format("{}{}{} of the bound", ulps, ulps.empty() ? "" : ", ", short_number(evidence.ratio));
}

namespace {

/// The error of a result among integers; empty if it is not known.
std::string error_of_integer(const store::CaseFile::Evidence& evidence) {
  const std::size_t width = evidence.got.size() / std::max<std::size_t>(1, evidence.components);
  const std::size_t at = evidence.worst * width;
  if (at >= evidence.got.size() || evidence.exact.empty()) return "";
  char* end = nullptr;
  const double exact = std::strtod(evidence.exact.c_str(), &end);
  return *end != '\0' ? "" : fmt::format("{:.0f}", std::strtod(evidence.got[at].c_str(), nullptr) - exact);
}

}  // namespace

std::string evidence_text(const store::CaseFile::Evidence& evidence, const std::string& claim, bool are_integers,
                          std::string_view indent) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& what) {
    if (!what.empty()) text += fmt::format("{}{:<6} {}\n", indent, name, what);
  };
  if (report::is_unasked(claim)) {
    line("other", evidence.exact);  // of another call, or the call's error
    return text;
  }
  line("worst", worst_text(evidence, are_integers));
  line("exact", evidence.exact.empty() ? "-" : are_integers ? as_integer(evidence.exact) : evidence.exact);
  // A NaN that is required, for example, has no distance from the number that the kernel returned.
  const bool has_distance = evidence.ulps || evidence.exact.find(is_due) == std::string::npos;
  if (has_distance) line("error", are_integers ? error_of_integer(evidence) : error_text(evidence));
  return text;
}

bool holds_integers(const PropertyInfo& info) { return info.name.find(".s8") != std::string::npos; }

namespace {

/// The line for a case of runs that were read from folders: it includes the folder that has the case.
std::string replay_line_of_report(const store::CaseFile& file, const Options& options) {
  const std::string id = store::case_id(file);
  std::string words;
  for (const std::string& folder : options.arguments) {
    if (!std::filesystem::exists(std::filesystem::path(folder) / "cases" / (id + ".json"))) continue;
    words = " --out " + report::shell_word(folder);
    break;
  }
  const auto recorded = options.recorded.find(file.property);
  if (recorded != options.recorded.end() && !recorded->second.empty()) words += " " + recorded->second;
  return report::replay_line(options.program, id, words);
}

}  // namespace

std::string replay_line(const store::CaseFile& file, const Options& options) {
  if (options.command == "report") return replay_line_of_report(file, options);
  const std::string out = options.out == "assay-out" ? "" : " --out " + report::shell_word(options.out.string());
  const std::string subject =
      options.subject.empty() ? "" : " " + subject_options(options, file.property, options.subject);
  return report::replay_line(options.program, store::case_id(file), out + subject);
}

void print_failure(const store::PropertySummary& property, const ClaimInfo& claim, const store::CaseFile& file,
                   const Options& options) {
  const bool are_integers = holds_integers(property.info);
  fmt::print("{}", store::describe(file.inputs, are_integers));
  if (property.info.name.ends_with(".gemv") || property.info.name.find(".gemv.") != std::string::npos) {
    const bool is_from_outside = claim.is_open || !options.kernels.empty();
    if (is_from_outside) fmt::print("  x is b, with incx = ldb where trans_b = 1, else 1; y is c, with incy = 1\n");
  }
  if (file.evidence) {
    fmt::print("  got    {}\n{}", words_text(file.evidence->got, are_integers),
               evidence_text(*file.evidence, claim.id, are_integers, "  "));
  }
  if (!claim.id.empty()) {
    fmt::print("  claim  {}/{} on {}: {}\n  source {}\n", property.info.name, claim.id, property.executor,
               claim.statement, claim.source);
  }
  fmt::print("  {}\n", replay_line(file, options));
}

namespace {

/// For several properties, prints a table of families and a line for each claim that needs attention.
constexpr std::size_t most_properties_in_lines = 20;

/// A line for each claim of the property's own, and for each implicit claim that does not hold: all of them, or only
/// those that need attention.
void print_claims(const store::Summary& summary, const Options& options, bool only_attention) {
  const bool paint = colored(options, stdout);
  const auto is_shown = [&](const store::PropertySummary& property, std::size_t c) {
    const store::Finding verdict = property.findings[c].verdict;
    const bool is_own = !report::is_unasked(property.info.claims[c].id);
    // Contracts that nobody promised are printed by the ladder.
    const bool is_open = property.info.claims[c].is_open && gravity(verdict) == 0 && !options.verbose;
    return only_attention || is_open ? gravity(verdict) != 0 : is_own || gravity(verdict) > 1;
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
      // If only implicit claims were selected, they get a line, too.
      const bool is_last = !any && !only_attention && c + 1 == property.info.claims.size() &&
                           std::ranges::none_of(property.info.claims, &ClaimInfo::is_open);
      if (!is_shown(property, c) && !is_last) continue;
      any = true;
      const store::Finding verdict = property.findings[c].verdict;
      const ClaimTally& tally = property.tally.claims[c];
      const std::string_view color = color_of(verdict);
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

/// One line for each family: how many claims of its own are proved, held by a sample, refuted as expected, or need
/// attention.
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
  fmt::print("{:<{}} properties claims proved held by a sample refuted as expected need attention cases\n", "family",
             width);
  for (const auto& [name, row] : rows) {
    fmt::print("{:<{}}  {:>10}  {:>13}  {:>16}  {:>19}  {:>14}  {}\n", name, width, row.properties, row.proved,
               row.held, row.refuted, row.attention, row.cases);
  }
}

/// The finding of one claim: how often it was reproduced, how it was shrunk, the case and its numbers.
void print_finding(const store::PropertySummary& property, std::size_t c, const Options& options) {
  const store::ClaimFinding& finding = property.findings[c];
  const ClaimInfo& claim = property.info.claims[c];
  fmt::print("\n{}/{} on {}: {}", property.info.name, claim.id, property.executor,
             painted(store::word(finding.verdict), color_of(finding.verdict), colored(options, stdout)));
  if (finding.failing_number != no_case) {
    fmt::print(", case {}, reproduced {} of 3 times", finding.failing_number, finding.reproduced);
  }
  if (finding.shrink_tried != 0) {
    fmt::print(", {}", report::shrunk_text(finding.shrink_tried, finding.shrink_minimal));
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

}  // namespace

void print_summary(const store::Summary& summary, const Options& options) {
  const bool paint = colored(options, stdout);
  const bool is_long = summary.properties.size() > most_properties_in_lines && !options.verbose;
  if (is_long && !options.quiet) print_families(summary);
  print_claims(summary, options, is_long || options.quiet);
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      const store::ClaimFinding& finding = property.findings[c];
      const bool refuted = report::is_refuted(finding.verdict);
      const std::string name = property.info.name + "/" + property.info.claims[c].id;
      if (finding.verdict == store::Finding::not_refuted && !options.quiet && !is_long) {
        fmt::print("\n{} on {}: not refuted, although the claim is false on purpose\n", name, property.executor);
      }
      if (finding.verdict == store::Finding::undecided) {
        fmt::print("\n{} on {}: undecided\n", name, property.executor);
      }
      const bool has_no_answer = gravity(finding.verdict) == gravity(store::Finding::crashed);
      const bool is_failure = finding.verdict == store::Finding::violated || finding.verdict == store::Finding::flaky ||
                              (has_no_answer && finding.failure && !property.stopped_by);
      const bool is_told_by_ladder = finding.verdict == store::Finding::broken && !options.verbose;
      if (is_failure || (refuted && !is_told_by_ladder && !options.quiet && !is_long)) {
        print_finding(property, c, options);
      }
    }
    if (property.stopped_by) {
      fmt::print("\n{} on {}: {}\n", property.info.name, property.executor, painted(property.note, red, paint));
      print_failure(property, {}, *property.stopped_by, options);
    }
  }
}

void print_ladders(const store::Summary& summary, const Options& options) {
  if (options.quiet) return;
  for (const report::KernelLadder& kernel : report::ladders(summary)) {
    fmt::print("\n{} on {}: {}\n{}\n", kernel.property, kernel.executor, report::describe(kernel),
               report::describe_call(kernel));
    if (const std::string cost = report::cost_text(kernel.cost); !cost.empty()) fmt::print("{}\n", cost);
    for (const auto& lines : {kernel.partly, kernel.shown}) {
      for (const std::string& each : lines) fmt::print("{}\n", each);
    }
    const auto property = std::ranges::find_if(summary.properties, [&](const store::PropertySummary& each) {
      return each.info.name == kernel.property && each.executor == kernel.executor;
    });
    if (property->stops.cut_short) {
      fmt::print("it did not answer so many cases that the others were skipped{}\n",
                 kernel.call.find('(') == std::string::npos ? "" : ": is this its signature?");
    }
    if (!kernel.is_promised && !kernel.ladder.kept.empty()) {
      fmt::print("nothing is promised; --contract {} makes it a failure to break this one\n",
                 kernel.ladder.kept.front());
    }
    for (const Contract* const each : kernel.unasked) {
      fmt::print("not asked: {}, which {} keep: --contract {} asks it\n", each->id, each->kept_by, each->id);
    }
    if (options.verbose || kernel.is_promised) continue;
    if (!kernel.counterexample) continue;
    print_finding(*property, *kernel.counterexample, options);
    if (kernel.ladder.broken.size() > 1) fmt::print("-v shows a counterexample of each contract that is broken\n");
  }
}

}  // namespace assay::cli
