#include "assay/cli/screen.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "assay/cli/subject.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::cli {
namespace {

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

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

store::Finding verdict_of(const store::PropertySummary& property) {
  store::Finding worst = store::Finding::holds;
  std::optional<store::Finding> refuted;
  for (const store::ClaimFinding& finding : property.findings) {
    if (report::is_refuted(finding.verdict)) refuted = finding.verdict;
    if (gravity(finding.verdict) > gravity(worst)) {
      worst = finding.verdict;
    }
  }
  return worst == store::Finding::holds ? refuted.value_or(worst) : worst;
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

bool colored(const Options& options, std::FILE* stream) {
  if (options.color != "auto") {
    return options.color == "always";
  }
  return !is_set("NO_COLOR") && !is_set("CI") && ::isatty(::fileno(stream)) == 1;
}

std::string short_number(double value) {
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  return fmt::format("{:.4g}", value);
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
  const std::string ulps = report::signed_ulps(evidence.ulps);
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

void print_summary(const store::Summary& summary, const Options& options) {
  const bool paint = colored(options, stdout);
  std::size_t width = 8;
  for (const store::PropertySummary& property : summary.properties) {
    width = std::max(width, property.info.name.size());
  }
  for (const store::PropertySummary& property : summary.properties) {
    const store::Finding verdict = verdict_of(property);
    if (options.quiet && gravity(verdict) == 0) {
      continue;
    }
    std::uint64_t executed = 0;
    std::uint64_t rejected = 0;
    for (const Tally::ByClass& each : property.tally.classes) {
      executed += each.executed;
      rejected += each.rejected;
    }
    double tightest = 0;
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      if (!property.info.claims[c].expected_refuted) {
        tightest = std::max(tightest, property.tally.claims[c].worst.ratio);
      }
    }
    const std::string_view color = gravity(verdict) == 0 ? green : gravity(verdict) < 3 ? yellow : red;
    const std::string padded = fmt::format("{:<20}", store::word(verdict));
    fmt::print("{:<{}}  {:<4}  {}  {:>10} cases  tightness {:<9}  {}{}{}\n", property.info.name, width,
               property.executor, painted(padded, color, paint), executed, short_number(tightest), property.rigor,
               rejected == 0 ? "" : fmt::format(", {} rejected", rejected), property.partial ? ", partial" : "");
    if (!property.note.empty()) {
      fmt::print("      {}\n", property.note);
    }
    if (options.verbose) {
      print_classes(property);
    }
  }
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      const store::ClaimFinding& finding = property.findings[c];
      const ClaimInfo& claim = property.info.claims[c];
      const bool refuted = report::is_refuted(finding.verdict);
      if (finding.verdict == store::Finding::not_refuted && !options.quiet) {
        fmt::print("\n{}/{} on {}: not refuted, though it was expected to be\n", property.info.name, claim.id,
                   property.executor);
      }
      if (finding.verdict == store::Finding::undecided) {
        fmt::print("\n{}/{} on {}: undecided\n", property.info.name, claim.id, property.executor);
      }
      if (finding.verdict != store::Finding::violated && finding.verdict != store::Finding::flaky &&
          !(refuted && !options.quiet)) {
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

Progress::Progress(const Options& options) {
  if (options.progress == "plain") {
    style_ = Style::plain;
  } else if (options.progress == "auto" && !options.quiet && !is_set("CI") && ::isatty(STDERR_FILENO) == 1) {
    style_ = Style::line;
  }
}

Progress::~Progress() {
  if (shown_ && style_ == Style::line) {
    fmt::print(stderr, "\r\x1b[K");
  }
}

void Progress::show(std::string_view property, std::uint64_t done, std::uint64_t planned) {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::milliseconds pause(style_ == Style::plain ? 1000 : 100);
  if (style_ == Style::none || (shown_ && now - last_ < pause)) {
    return;
  }
  last_ = now;
  shown_ = true;
  fmt::print(stderr, "{}{}: {} of {} cases{}", style_ == Style::line ? "\r\x1b[K" : "", property, done, planned,
             style_ == Style::line ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace assay::cli
