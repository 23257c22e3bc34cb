#include "assay/cli/bench.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "assay/campaign/match.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/process/process.hpp"
#include "assay/report/costs.hpp"
#include "assay/report/exit_codes.hpp"

namespace assay::cli {
namespace {

/// The text of the benchmarks for a size that the time limit excludes: see bench/curves.cpp.
constexpr std::string_view past_the_limit = "past the limit of time";

/// The measurements of the benchmark program, which lies in the same folder as this program. Empty without that
/// program. Errors:
/// UsageError for a pattern that matches no kernel.
std::optional<store::Bench> measured(const std::vector<std::string>& patterns, const Options& options,
                                     std::vector<std::string>& left_out) {
  std::error_code failed;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / "assay-curves";
  if (!std::filesystem::exists(program, failed)) return std::nullopt;
  std::vector<std::string> words{program.string(), "--benchmark_format=json", "--benchmark_repetitions=3",
                                 "--benchmark_min_time=0.01", "--on=" + options.on};
  if (options.time) words.push_back(fmt::format("--most-milliseconds={}", options.time->count()));
  if (options.bench_memory) words.push_back(fmt::format("--most-bytes={}", *options.bench_memory));
  for (const std::string& each : options.exclude) words.push_back("--exclude=" + each);
  words.insert(words.end(), patterns.begin(), patterns.end());
  store::Bench bench;
  bench.begun = static_cast<std::uint64_t>(std::time(nullptr));
  const auto finished = process::run_to_end({program.string(), words});
  if (!finished) throw std::runtime_error(program.string() + " could not be started");
  if (finished->code == report::exit_usage) throw UsageError("no kernel with a cost curve matches");
  if (finished->code != 0) throw std::runtime_error(fmt::format("{} ended with {}", program.string(), finished->code));
  bench.curves = store::curves_of_google_benchmark(store::parse_json(finished->out), left_out);
  const bool on_device =
      std::ranges::any_of(bench.curves, [](const store::BenchCurve& each) { return each.executor == "cuda"; });
  bench.provenance = provenance(on_device);
  store::relate(bench);
  return bench;
}

void tell(const std::vector<std::string>& left_out, const Options& options) {
  for (const std::string& each : left_out) {
    if (options.verbose || !each.ends_with(past_the_limit)) to_stderr("assay: not measured: {}\n", each);
  }
}

/// The curves whose kernel a pattern selects and --exclude does not exclude.
void choose(store::Bench& bench, const std::vector<std::string>& patterns, const std::vector<std::string>& exclude) {
  const auto any = [](const std::vector<std::string>& all, const std::string& kernel) {
    return std::ranges::any_of(all, [&](const std::string& each) { return campaign::matches(each, kernel); });
  };
  std::erase_if(bench.curves, [&](const store::BenchCurve& curve) {
    return (!patterns.empty() && !any(patterns, curve.kernel)) || any(exclude, curve.kernel);
  });
}

}  // namespace

store::Bench read_benches(std::span<const std::string> files) {
  store::Bench bench;
  std::vector<std::string> left_out;
  for (const std::string& each : files) store::append(bench, store::read_bench(each, left_out));
  tell(left_out, {});
  store::relate(bench);
  return bench;
}

int run_bench(const Options& options) {
  std::vector<std::string> files;
  std::vector<std::string> patterns;
  for (const std::string& each : options.arguments) (each.ends_with(".json") ? files : patterns).push_back(each);
  store::Bench bench;
  if (files.empty()) {
    std::vector<std::string> left_out;
    std::optional<store::Bench> own = measured(patterns, options, left_out);
    if (!own) {
      to_stderr("assay: the program assay-curves is not in the folder of this one: nothing was measured\n");
      return report::exit_skipped;
    }
    bench = *std::move(own);
    tell(left_out, options);
  } else {
    bench = read_benches(files);
    choose(bench, patterns, options.exclude);
  }
  if (bench.curves.empty()) {
    to_stderr("assay: no time was measured\n");
    return report::exit_trouble;
  }
  fmt::print("{}", options.json ? store::bench_bytes(bench) : report::costs_text(bench));
  return report::exit_holds;
}

}  // namespace assay::cli
