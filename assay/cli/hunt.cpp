#include "assay/campaign/hunt.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/campaign/findings.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/earlier_rows.hpp"
#include "assay/cli/failures.hpp"
#include "assay/cli/screen.hpp"
#include "assay/cli/selection.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/corpus.hpp"
#include "assay/store/day.hpp"
#include "assay/store/hunt.hpp"
#include "properties/framework/libraries.hpp"

namespace assay::cli {
namespace {

/// The rows of one command, and the file that keeps them.
class Hunting {
 public:
  Hunting(const Options& options, bool with_device)
      : options_(options),
        settings_{.seed = options.seed,
                  .time = options.time.value_or(std::chrono::minutes(1)),
                  .evaluations = options.evaluations,
                  .crew = crew_of(options)} {
    rows_.seed = options.seed;
    rows_.blind = options.start == "blind";
    rows_.provenance = provenance_of_run(options, with_device);
    if (std::optional<store::HuntRows> earlier = earlier_rows(options, document(), rows_, store::hunt_from_json)) {
      if (earlier->seed != rows_.seed || earlier->blind != rows_.blind) {
        throw UsageError(fmt::format("--resume: {} has another seed or another start", document().string()));
      }
      rows_ = std::move(*earlier);
    }
  }

  int code() const { return code_; }
  /// The document, as its file holds it.
  std::string bytes() const { return store::sealed(store::pretty(store::hunt_to_json(rows_))); }

  /// The claim as a whole, then each term of its bound if there are several.
  void hunt_claim(const PropertyModel& property, const std::string& executor, std::size_t claim) {
    ClimbGoal goal{.claim = claim, .blind = rows_.blind, .by_probe = climbs_by_probe(property, executor, claim)};
    const std::vector<std::string> terms = hunt_goal(property, executor, goal);
    if (terms.size() < 2) return;
    goal.by_probe = false;
    for (const std::string& term : terms) {
      goal.term = term;
      hunt_goal(property, executor, goal);
    }
  }

 private:
  std::filesystem::path document() const { return options_.out / "hunt.json"; }

  /// Whether a device searches by itself: on the host only with --judge device.
  bool climbs_by_probe(const PropertyModel& property, const std::string& executor, std::size_t claim) const {
    const Probed* const probe = property.probe();
    const bool climbs = probe != nullptr && probe->climb && probe->claim == property.info().claims[claim].id &&
                        (executor == "cuda" || options_.judge == "device");
    if (climbs) load_probes();
    return climbs;
  }

  /// Returns the names of the terms that occurred.
  std::vector<std::string> hunt_goal(const PropertyModel& property, const std::string& executor,
                                     const ClimbGoal& goal) {
    const PropertyInfo& info = property.info();
    const ClaimInfo& claim = info.claims[goal.claim];
    const std::string name =
        fmt::format("{}/{}{}{} on {}", info.name, claim.id, goal.term.empty() ? "" : ", term ", goal.term, executor);
    if (const store::HuntRow* const known = row_of(info.name, claim.id, goal.term, executor)) {
      count(*known);
      return {};
    }
    const campaign::HuntFound found =
        campaign::hunt(settings_, property, executor, goal, goal.blind ? std::vector<Record>() : saved(property));
    if (found.stop) {
      to_stderr("assay: {}: {}: {}\n", name, store::word(found.stop->kind), found.stop->what);
      code_ = report::graver(code_, report::exit_stopped);
      return {};
    }
    if (found.undecided != 0) tell_of_undecided(property, executor, goal, found, name);
    if (!campaign::has_slope(found.best)) {
      if (options_.verbose || (!options_.arguments.empty() && !options_.quiet)) {
        to_stderr(
            "assay: {}: no case within the preconditions of the claim has an error: nothing to search "
            "from\n",
            name);
      }
      return {};
    }
    keep(property, executor, goal, found, name);
    return found.terms;
  }

  void keep(const PropertyModel& property, const std::string& executor, const ClimbGoal& goal,
            const campaign::HuntFound& found, const std::string& name) {
    const std::unique_ptr<process::Asker> asker =
        process::ask_in_worker(property, executor, options_.seed, options_.limits);
    const ClaimInfo& claim = property.info().claims[goal.claim];
    store::HuntRow row{
        .property = property.info().name,
        .claim = claim.id,
        .term = goal.term,
        .executor = executor,
        .ratio = std::isinf(found.best->height.ratio) ? "inf" : fmt::format("{}", found.best->height.ratio),
        .boundary = std::nullopt,
        .evaluations = found.evaluations,
        .undecided = found.undecided,
        .seconds = found.seconds,
        .hardest = campaign::hardest_case(property, executor, *asker, found.best->at, goal.claim)};
    if (found.best->height.boundary != no_boundary) row.boundary = found.best->height.boundary;
    const bool violated = row.hardest.evidence && row.hardest.evidence->ratio > 1;
    if (violated && !claim.expected_refuted) {
      row.hardest = shrunk_failure(property, *asker, std::move(row.hardest), goal.claim, options_);
      to_stderr("{}\n", replay_line(row.hardest, options_));
    }
    row.hardest.date = store::today();
    const std::filesystem::path file = store::write_case(store::folder_of_cases(options_.out), row.hardest);
    if (options_.update_corpus) store::Corpus(options_.corpus).add(row.hardest);
    if (!options_.json) {
      const std::string boundary =
          row.boundary ? fmt::format(", 2^{} ulps from a boundary of rounding", *row.boundary) : "";
      fmt::print("{}: {}{}{}  {} cases, {:.0f} s  {}\n", name, row.ratio, boundary,
                 violated ? (claim.expected_refuted ? ", refuted as expected" : ", VIOLATED") : "", row.evaluations,
                 row.seconds, file.string());
    }
    count(row);
    rows_.rows.push_back(std::move(row));
    store::write_file_atomically(document(), bytes());
  }

  /// The first undecided case, kept like a failure.
  void tell_of_undecided(const PropertyModel& property, const std::string& executor, const ClimbGoal& goal,
                         const campaign::HuntFound& found, const std::string& name) {
    const std::unique_ptr<process::Asker> asker =
        process::ask_in_worker(property, executor, options_.seed, options_.limits);
    store::CaseFile file = campaign::hardest_case(property, executor, *asker, *found.first_undecided, goal.claim);
    file.why = store::Why::violated;
    to_stderr("assay: {}: {} of {} cases are undecided; the first one: {}\n", name, found.undecided, found.evaluations,
              store::write_case(store::folder_of_cases(options_.out), file).string());
    code_ = report::graver(code_, report::exit_trouble);
  }

  /// The exit code that a row causes.
  void count(const store::HuntRow& row) {
    if (row.hardest.why == store::Why::violated) code_ = report::graver(code_, report::exit_violated);
    if (row.undecided != 0) code_ = report::graver(code_, report::exit_trouble);
  }

  /// Null if there is none yet.
  const store::HuntRow* row_of(const std::string& property, const std::string& claim, const std::string& term,
                               const std::string& executor) const {
    const auto at = std::find_if(rows_.rows.begin(), rows_.rows.end(), [&](const store::HuntRow& row) {
      return row.property == property && row.claim == claim && row.term == term && row.executor == executor;
    });
    return at == rows_.rows.end() ? nullptr : &*at;
  }

  /// The cases of the corpus that lie in the domain.
  std::vector<Record> saved(const PropertyModel& property) const {
    std::vector<Record> records;
    if (options_.corpus.empty()) return records;
    for (store::Corpus::Entry& entry : store::Corpus(options_.corpus).read(property.info().name).entries) {
      try {
        Record record = store::fitted(std::move(entry.file), property).inputs;
        if (property.contains(record)) records.push_back(std::move(record));
      } catch (const std::invalid_argument&) {
        continue;  // `check` and `corpus verify` report it
      }
    }
    return records;
  }

  const Options& options_;
  campaign::HuntSettings settings_;
  store::HuntRows rows_{};
  int code_ = report::exit_holds;
};

/// Whether a hunt is for this claim: a claim of the property's own; a negative control only if its name was given.
bool is_hunted(const Selected& selected, std::size_t claim, const Options& options) {
  const PropertyInfo& info = selected.property->info();
  const ClaimInfo& of = info.claims[claim];
  if (claim + static_cast<std::size_t>(Unasked::count) >= info.claims.size()) return false;
  if (!selected.claims.empty() && !selected.claims[claim]) return false;
  const bool is_named = std::find(options.claims.begin(), options.claims.end(), of.id) != options.claims.end();
  if (!options.claims.empty() && !is_named) return false;
  return !of.expected_refuted || is_named || !selected.claims.empty();
}

}  // namespace

int run_hunt(const Options& options) {
  const std::optional<Run> run = begin_run(options);
  if (!run) return report::exit_trouble;
  Hunting hunting(options, run->executors.back() == "cuda");
  bool any = false;
  for (const Selected& each : run->properties) {
    const PropertyInfo& info = each.property->info();
    if (info.enumeration_size != 0 || tier_of(info) == "giant") {
      if (!options.arguments.empty() && !options.quiet) {
        to_stderr("assay: {} {}: nothing to hunt for\n", info.name,
                  info.enumeration_size != 0 ? "is checked on all its inputs" : "belongs to the giant tier");
      }
      continue;
    }
    for (const std::string& executor : run->executors) {
      if (!info.runs_on(executor)) continue;
      for (std::size_t claim = 0; claim < info.claims.size(); ++claim) {
        if (!is_hunted(each, claim, options)) continue;
        any = true;
        hunting.hunt_claim(*each.property, executor, claim);
      }
    }
  }
  if (!any) {
    to_stderr("assay: nothing to hunt for\n");
    return report::exit_skipped;
  }
  if (options.json) fmt::print("{}", hunting.bytes());
  return hunting.code();
}

}  // namespace assay::cli
