#include "assay/cli/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "assay/cli/progress.hpp"
#include "assay/report/exit_codes.hpp"

namespace assay::cli {
namespace {

/// The seconds that a worker needs for a case, measured at its second question: the first one includes its start.
/// Empty if the subject gives no answer.
std::optional<double> seconds_of_case(const campaign::Planned& planned, const Options& options) {
  constexpr std::uint64_t sample = 16;
  const CaseRange few{0, 1, std::min(planned.requested, sample)};
  const auto asker = process::ask_in_worker(*planned.property, planned.executor, options.seed, options.limits);
  if (asker->run({0, 1, 1}).index() != 0) return std::nullopt;
  const auto begun = std::chrono::steady_clock::now();
  if (asker->run(few).index() != 0) return std::nullopt;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() /
         static_cast<double>(few.count);
}

}  // namespace

int print_plan(std::span<const campaign::Planned> plan, const Options& options) {
  constexpr double megabyte = 1e6;
  double all = 0;
  for (const campaign::Planned& each : plan) {
    const std::uint64_t cases = campaign::share_of(options.shard, each.requested);
    const std::optional<double> per_case = seconds_of_case(each, options);
    const double seconds = per_case.value_or(0) * static_cast<double>(cases);
    const double bytes = static_cast<double>(process::predicted_bytes(*each.property, options.seed));
    all += options.time ? std::min(seconds, std::chrono::duration<double>(*options.time).count()) : seconds;
    fmt::print("{} on {}: {} cases, {}, {:.1f} MB\n", each.property->info().name, each.executor, cases,
               per_case ? duration_text(seconds) : "no answer to the first cases", bytes / megabyte);
  }
  fmt::print("{} in all, about {} with {} {}\n", plan.size(), duration_text(all / options.jobs), options.jobs,
             options.jobs == 1 ? "worker" : "workers");
  return report::exit_holds;
}

}  // namespace assay::cli
