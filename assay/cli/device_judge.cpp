#include "assay/campaign/device_judge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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
#include "assay/store/probe_rows.hpp"
#include "properties/framework/libraries.hpp"

namespace assay::cli {
namespace {

/// The rows of one check, and the file that keeps them.
class Probing {
 public:
  Probing(const Options& options, bool with_device)
      : options_(options),
        settings_{.seed = options.seed,
                  .cases = options.cases,
                  .time = options.time.value_or(std::chrono::minutes(1)),
                  .shard = options.shard,
                  .crew = crew_of(options),
                  .save = {}} {
    rows_.seed = options.seed;
    rows_.cases = options.cases.value_or(0);
    rows_.shard = fmt::format("{}/{}", options.shard.index, options.shard.count);
    rows_.provenance = provenance_of_run(options, with_device);
    if (std::optional<store::ProbeRows> earlier = earlier_rows(options, file(), rows_, store::probes_from_json)) {
      if (earlier->seed != rows_.seed || earlier->cases != rows_.cases || earlier->shard != rows_.shard) {
        throw UsageError(fmt::format("--resume: {} has another seed, number of cases or shard", file().string()));
      }
      rows_ = std::move(*earlier);
    }
  }

  int code() const { return code_; }

  void judge(const PropertyModel& property, const std::string& executor) {
    store::ProbeRow& row = row_of(property, executor);
    settings_.save = [this](const store::ProbeRow&) { save(); };
    std::optional<process::Stop> stop;
    try {
      stop = campaign::judge_cells(settings_, property, row);
    } catch (const process::Interrupted&) {
      save();
      to_stderr("assay: interrupted; continue with --resume --out {}\n", options_.out.string());
      throw;
    }
    const std::string name = fmt::format("{}/{} on {}", row.property, row.claim, executor);
    if (stop) {
      to_stderr("assay: {}: {}: {}\n", name, store::word(stop->kind), stop->what);
      code_ = report::graver(code_, report::exit_stopped);
    }
    keep_cases(property, row);
    save();
    tell(row, name);
  }

 private:
  std::filesystem::path file() const { return options_.out / "probes.json"; }
  void save() const {
    store::write_file_atomically(file(), store::sealed(store::pretty(store::probes_to_json(rows_))));
  }

  store::ProbeRow& row_of(const PropertyModel& property, const std::string& executor) {
    for (store::ProbeRow& each : rows_.rows) {
      if (each.property == property.info().name && each.executor == executor) return each;
    }
    return rows_.rows.emplace_back(campaign::planned_row(settings_, property, executor));
  }

  /// Judges the worst case and the first violated case once more, to write their files.
  void keep_cases(const PropertyModel& property, store::ProbeRow& row) {
    const Probed& probe = *property.probe();
    const std::unique_ptr<process::Asker> asker =
        process::ask_in_worker(property, row.executor, options_.seed, options_.limits);
    const auto made = [&](const ProbeCase& c) {
      return probe.make(options_.seed, static_cast<std::size_t>(c.input_class), c.number);
    };
    const std::size_t claim = claim_named(property.info(), row.claim);
    if (row.tally.worst.is_there()) {
      row.hardest = campaign::hardest_case(property, row.executor, *asker, made(row.tally.worst), claim);
      store::write_case(store::folder_of_cases(options_.out), *row.hardest);
      add_to_corpus(*row.hardest);
    }
    if (row.tally.first_violated.is_there()) {
      const Record inputs = made(row.tally.first_violated);
      std::vector<std::size_t> claims{claim};
      for (const std::string& each : probe.implied) claims.push_back(claim_named(property.info(), each));
      const std::size_t broken = campaign::first_failing(*asker, inputs, claims);
      store::CaseFile failure = campaign::hardest_case(property, row.executor, *asker, inputs, broken);
      row.failure = shrunk_failure(property, *asker, std::move(failure), broken, options_);
      store::write_case(store::folder_of_cases(options_.out), *row.failure);
      add_to_corpus(*row.failure);
    }
  }

  void add_to_corpus(store::CaseFile file) const {
    if (!options_.update_corpus) return;
    file.date = store::today();
    store::Corpus(options_.corpus).add(file);
  }

  void tell(const store::ProbeRow& row, const std::string& name) {
    const ProbeTally& tally = row.tally;
    fmt::print("{}: device-judged {}, oracle-judged {}, violated {}, undecided {}, largest {} in {}  {:.0f} s{}\n",
               name, tally.judged, tally.oracle_judged, tally.violated, tally.undecided, tally.largest,
               tally.worst.is_there() ? row.classes[tally.worst.input_class].name : "no class", row.seconds,
               row.hardest ? "  " + store::case_id(*row.hardest) : "");
    if (row.failure) fmt::print("{}\n", replay_line(*row.failure, options_));
    if (tally.violated != 0) code_ = report::graver(code_, report::exit_violated);
    if (tally.undecided != 0) code_ = report::graver(code_, report::exit_trouble);
    if (tally.disagreeing != 0) {
      to_stderr("assay: {}: the probe and the oracle disagree in {} cases, first in case {} of class {}\n", name,
                tally.disagreeing, tally.first_disagreeing.number, tally.first_disagreeing.input_class);
      code_ = report::graver(code_, report::exit_trouble);
    }
  }

  const Options& options_;
  campaign::DeviceJudgeSettings settings_;
  store::ProbeRows rows_{};
  int code_ = report::exit_holds;
};

}  // namespace

int run_device_judge(const Options& options) {
  const std::optional<Run> run = begin_run(options);
  if (!run) return report::exit_trouble;
  load_probes();
  Probing probing(options, run->executors.back() == "cuda");
  bool any = false;
  for (const Selected& each : run->properties) {
    if (each.property->probe() == nullptr) {
      if (!options.arguments.empty() && !options.quiet) {
        to_stderr("assay: {} has no probe: no device judges it\n", each.property->info().name);
      }
      continue;
    }
    for (const std::string& executor : run->executors) {
      if (!each.property->info().runs_on(executor)) continue;
      any = true;
      probing.judge(*each.property, executor);
    }
  }
  if (!any) {
    to_stderr("assay: nothing to judge on {}\n", options.on == "all" ? "any executor" : options.on);
    return report::exit_skipped;
  }
  return probing.code();
}

}  // namespace assay::cli
