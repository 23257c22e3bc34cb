#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/digests.hpp"
#include "assay/cli/matrix_cases.hpp"
#include "assay/cli/plan.hpp"
#include "assay/cli/progress.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/cli/screen.hpp"
#include "assay/cli/selection.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/doors/conversion.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/outputs.hpp"
#include "assay/report/replay.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/corpus.hpp"
#include "assay/store/day.hpp"
#include "assay/store/journal.hpp"
#include "assay/store/summary_io.hpp"
#include "exec/memory.hpp"
#include "exec/self_test.hpp"
#include "oracle/self_test.hpp"
#include "properties/framework/giant.hpp"
#include "properties/framework/self_test.hpp"

namespace assay::cli {
namespace {

int rank_of(const std::string& tier) { return tier == "quick" ? 0 : tier == "nightly" ? 1 : 2; }

/// Whether a property of one tier runs in another: `giant` runs only giant properties.
bool belongs(const std::string& of_property, const std::string& tier) {
  if (of_property == "giant" || tier == "giant") return of_property == tier;
  return rank_of(of_property) <= rank_of(tier);
}

/// Why memory is too small for a giant property, in one line; empty if it suffices.
std::string lack_of_memory(const PropertyInfo& info, const std::string& executor) {
  const GiantNeed* const need = giant_need(info.name);
  if (need == nullptr) return {};
  constexpr double gigabyte = 1e9;
  const auto short_of = [&](const std::string& name, std::uint64_t bytes) -> std::string {
    const std::size_t free = free_memory(process::executor_named(name));
    if (free >= bytes) return {};
    return fmt::format("{} on {} needs {:.1f} GB on the {}, {:.1f} GB are free: it is not run", info.name, executor,
                       static_cast<double>(bytes) / gigabyte, name == "host" ? "host" : "device",
                       static_cast<double>(free) / gigabyte);
  };
  std::string lack = short_of("host", need->host);
  if (lack.empty() && executor == "cuda") lack = short_of("cuda", need->device);
  return lack;
}

/// The version of NVIDIA's driver; empty if there is none.
std::string driver_version() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string version;
  std::getline(file, version);
  return version;
}

/// What the kernels from outside cost: "PROPERTY on EXECUTOR", and the two times in nanoseconds.
store::Json costs_of(const store::Summary& summary) {
  store::Json costs = store::Json::object();
  for (const store::PropertySummary& each : summary.properties) {
    const Cost& cost = each.tally.cost;
    if (cost.kernel == 0) continue;
    costs[each.info.name + " on " + each.executor] = {{"kernel", cost.kernel}, {"judge", cost.judge}};
  }
  return costs;
}

void write_run_json(const store::Summary& summary, const Options& options, bool with_device,
                    std::chrono::system_clock::time_point begun) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const auto seconds = [](std::chrono::system_clock::time_point when) {
    return std::chrono::duration_cast<std::chrono::seconds>(when.time_since_epoch()).count();
  };
  const auto now = std::chrono::system_clock::now();
  const store::Json document{
      {"schema", store::schema_number},
      {"begun", seconds(begun)},
      {"ended", seconds(now)},
      {"milliseconds", std::chrono::duration_cast<std::chrono::milliseconds>(now - begun).count()},
      {"host", std::string(host.data())},
      {"processor", Executor::host().model()},
      {"driver", with_device ? driver_version() : ""},
      {"command", options.command_line},
      {"locale", std::string(std::setlocale(LC_ALL, nullptr))},
      {"jobs", options.jobs},
      {"shard", fmt::format("{}/{}", options.shard.index, options.shard.count)},
      {"resumed", options.resume},
      {"replay", calls_here(options)},
      {"costs", costs_of(summary)},
  };
  store::write_file_atomically(options.out / "run.json", store::pretty(document));
}

/// Whether the folder has more of a run than the settings at the head of its journal.
bool holds_results(const std::filesystem::path& out) {
  std::error_code failed;
  if (std::filesystem::exists(out / "summary.json", failed)) return true;
  if (!std::filesystem::is_regular_file(out / "journal.jsonl", failed)) return false;
  std::ifstream journal(out / "journal.jsonl");
  std::string line;
  return std::getline(journal, line) && std::getline(journal, line);
}

/// Removes the files of an earlier run, so that they are not taken for files of this run.
void clear_earlier_run(const std::filesystem::path& out) {
  std::error_code failed;
  if (!std::filesystem::exists(out / "journal.jsonl", failed)) {
    return;
  }
  for (const char* name : {"summary.json", "run.json", "report.html", "report.md", "junit.xml", "orders.json"}) {
    std::filesystem::remove(out / name, failed);
  }
  std::vector<std::filesystem::path> cases;
  for (const auto& each : std::filesystem::directory_iterator(store::folder_of_cases(out), failed)) {
    const std::string stem = each.path().stem().string();
    if (each.path().extension() == ".json" && stem.size() == 16 &&
        stem.find_first_not_of("0123456789abcdef") == std::string::npos) {
      cases.push_back(each.path());
    }
  }
  for (const std::filesystem::path& each : cases) {
    std::filesystem::remove(each, failed);
  }
}

void update_corpus(const store::Summary& summary, const Options& options) {
  const store::Corpus corpus(options.corpus);
  for (store::CaseFile file : store::saved_cases(summary)) {
    file.date = store::today();
    corpus.add(file);
  }
}

/// The last line: the command that reproduces the gravest failure.
void say_replay_line(const store::Summary& summary, const Options& options) {
  for (const bool refuted_too : {false, true}) {
    for (const store::PropertySummary& property : summary.properties) {
      for (const store::ClaimFinding& finding : property.findings) {
        const bool failed = finding.verdict == store::Finding::violated || finding.verdict == store::Finding::flaky;
        if (finding.failure && failed && !refuted_too) {
          fmt::print("{}\n", replay_line(*finding.failure, options));
          return;
        }
      }
      if (property.stopped_by && refuted_too) {
        fmt::print("{}\n", replay_line(*property.stopped_by, options));
        return;
      }
    }
  }
}

}  // namespace

std::vector<std::string> executors(const Options& options) {
  const bool device = options.on != "host" && Executor::cuda_device_count() > 0;
  if (!device && options.on != "host" && !(options.quiet && options.on == "all")) {
    const char* const why =
        Executor::built_with_cuda() ? "no CUDA device is present" : "this build is for the host alone";
    to_stderr("assay: {}: nothing runs on cuda\n", why);
  }
  std::vector<std::string> names;
  if (options.on != "cuda") {
    names.emplace_back("host");
  }
  if (device) {
    names.emplace_back("cuda");
  }
  return names;
}

std::vector<std::string> cheap_self_tests(const std::vector<std::string>& executors) {
  std::vector<std::string> wrong;
  for (const std::string& each : oracle::self_test()) {
    wrong.push_back("oracle: " + each);
  }
  for (const std::string& each : framework_self_test()) {
    wrong.push_back("framework: " + each);
  }
  for (const std::string& name : executors) {
    for (const std::string& each : self_test(process::executor_named(name))) {
      wrong.push_back(fmt::format("{}: {}", name, each));
    }
  }
  return wrong;
}

bool passes_self_tests(const std::vector<std::string>& executors) {
  const std::vector<std::string> wrong = cheap_self_tests(executors);
  for (const std::string& each : wrong) to_stderr("assay: self-test: {}\n", each);
  return wrong.empty();
}

std::optional<Run> begin_run(const Options& options) {
  Run run{select_to_run(options), executors(options)};
  if (!passes_self_tests(run.executors)) return std::nullopt;
  process::watch_signals();
  return run;
}

namespace {

/// `check` with the oracle as judge. Errors: as run_campaign().
int run_plan(const Options& options) {
  const auto begun = std::chrono::system_clock::now();
  const std::vector<Selected> selected = select_to_run(options);
  const std::vector<std::string> on = executors(options);
  int code = report::exit_holds;
  if (on.empty()) {
    return options.fail_on_skip ? report::exit_trouble : report::exit_skipped;
  }
  if (options.fail_on_skip && options.on == "all" && on.size() == 1) {
    code = report::exit_trouble;
  }
  std::vector<campaign::Planned> plan;
  for (const Selected& each : selected) {
    const PropertyInfo& info = each.property->info();
    if (!belongs(tier_of(info), options.tier)) {
      if (!options.arguments.empty() && !options.quiet) {
        to_stderr("assay: {} has {} cases: it belongs to the {} tier and is not run\n", info.name,
                  info.enumeration_size != 0 ? info.enumeration_size : info.quick_cases, tier_of(info));
      }
      code = options.fail_on_skip ? report::graver(code, report::exit_trouble) : code;
      continue;
    }
    for (const std::string& executor : on) {
      if (!info.runs_on(executor)) {
        continue;
      }
      if (const std::string lack = lack_of_memory(info, executor); !lack.empty()) {
        to_stderr("assay: {}\n", lack);
        code = options.fail_on_skip ? report::graver(code, report::exit_trouble) : code;
        continue;
      }
      plan.push_back({each.property, executor, cases_to_run(*each.property, options), each.claims});
    }
  }
  if (plan.empty()) {
    to_stderr("assay: nothing to run\n");
    return options.fail_on_skip ? report::exit_trouble : report::exit_skipped;
  }
  DigestFile digests(options, plan);
  if (options.dry_run) return print_plan(plan, options);
  if (!passes_self_tests(on)) return report::exit_trouble;
  if (!options.quiet)
    to_stderr("assay: seed {}, tier {}, shard {}/{}\n", options.seed, options.tier, options.shard.index,
              options.shard.count);

  Progress progress(options);
  for (const campaign::Planned& each : plan) progress.add(each.property->info().name + " on " + each.executor);
  const campaign::CampaignSettings settings{
      .seed = options.seed,
      .tier = options.tier,
      .shard = options.shard,
      .out = options.out,
      .resume = options.resume,
      .corpus = options.corpus.empty() ? std::nullopt : std::optional<std::filesystem::path>(options.corpus),
      .crew = crew_of(options),
      .shrink_steps = options.shrink_steps,
      .shrink = options.shrink,
      .has_large_shapes = !options.shape.empty() || (options.tier == "nightly" && !options.kernels.empty()),
      .time = options.time,
      .provenance = provenance_of_run(options, on.back() == "cuda"),
      .progress = [&](std::size_t item, std::uint64_t done, std::uint64_t planned) {
        progress.show(item, done, planned);
      }};
  if (!options.resume) {
    if (!options.overwrite && holds_results(options.out)) {
      throw UsageError(fmt::format(
          "{} holds the results of another run: --resume continues it, --overwrite replaces it", options.out.string()));
    }
    clear_earlier_run(options.out);
  }
  process::watch_signals();
  campaign::CampaignResult result;
  try {
    result = campaign::run_campaign(settings, plan);
  } catch (const store::OtherSettings& error) {
    throw UsageError(error.what());
  }
  progress.erase();
  if (result.interrupted != 0) {
    to_stderr("assay: interrupted; continue with --resume --out {}\n", options.out.string());
    return 128 + result.interrupted;
  }
  std::vector<std::string> shortcomings =
      report::wrong_shares(result.summary, options.shard.index, options.shard.count);
  for (std::string& each : report::shortcomings(result.summary)) shortcomings.push_back(std::move(each));
  for (std::string& each : result.disagreements) shortcomings.push_back(std::move(each));
  const std::optional<Answer> answer = answer_of(result.summary, options);
  if (answer) shortcomings.insert(shortcomings.end(), answer->passed.begin(), answer->passed.end());
  for (const auto& lines : {result.lines, shortcomings}) {
    for (const std::string& line : lines) {
      to_stderr("assay: {}\n", line);
    }
  }
  result.summary.provenance.merge(call_of_run(options));
  code = report::graver(code, digests.ask(options, plan, result.summary));
  report::write_outputs(result.summary, options.out);
  write_run_json(result.summary, options, on.back() == "cuda", begun);
  print_summary(result.summary, options);
  say_replay_line(result.summary, options);
  print_ladders(result.summary, options);
  if (answer && !options.quiet) fmt::print("{}", answer->text);
  if (options.update_corpus) {
    update_corpus(result.summary, options);
  }
  digests.finish(options);
  code = report::graver(code, report::exit_code(result.summary));
  if (!shortcomings.empty()) {
    code = report::graver(code, report::exit_trouble);
  }
  return result.damaged ? report::graver(code, report::exit_damaged) : code;
}

}  // namespace

int run_check(const Options& options) {
  if (!options.case_files.empty()) return run_matrix_cases(options);
  const bool is_judged_by_device = options.judge == "device" || options.tier == "bulk";
  if (!options.digests.empty() && (doors::has_rules(options.operation) || is_judged_by_device)) {
    throw UsageError("--digests: not of --operation convert or quantize, and not with --judge device or --tier bulk");
  }
  if (options.operation == doors::conversion_operation) {
    return command_about_kernels_from_outside("convert")(options);
  }
  if (options.operation == doors::quantization_operation) {
    return command_about_kernels_from_outside("quantize")(options);
  }
  if (is_judged_by_device) return run_device_judge(options);
  try {
    return run_plan(options);
  } catch (const store::OutputError& error) {
    if (!std::filesystem::is_directory(options.out)) throw;
    throw std::runtime_error(
        fmt::format("{}; continue with --resume --out {}", error.what(), report::shell_word(options.out.string())));
  }
}

}  // namespace assay::cli
