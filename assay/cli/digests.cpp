#include "assay/cli/digests.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "assay/cli/to_stderr.hpp"
#include "assay/process/worker.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/read_document.hpp"
#include "properties/framework/bit_sums.hpp"

namespace assay::cli {
namespace {

/// So many cases are computed in one call.
constexpr std::uint64_t cases_together = 16;

const store::DigestRow* row_of(const store::Digests& digests, const std::string& property) {
  const auto at = std::ranges::find(digests.rows, property, &store::DigestRow::property);
  return at == digests.rows.end() ? nullptr : &*at;
}

/// The digests of a planned property. Nothing where a case has no answer, of which a line is printed.
std::optional<store::DigestRow> computed(const campaign::Planned& planned, const Options& options) {
  const PropertyInfo& info = planned.property->info();
  store::DigestRow row{info.name, planned.executor, process::executor_named(planned.executor).model(), options.seed, 0,
                       {}};
  const auto asker = process::ask_in_worker(*planned.property, planned.executor, options.seed, options.limits);
  row.results.resize(planned.requested);
  BitSums all;
  for (std::uint64_t first = 0; first < planned.requested; first += cases_together) {
    std::vector<Record> cases;
    std::vector<std::uint64_t> numbers;
    const std::uint64_t last = std::min(planned.requested, first + cases_together);
    for (std::uint64_t number = first; number < last; ++number) {
      std::optional<Record> made = planned.property->make(options.seed, number);
      if (!made) continue;  // an enumeration leaves it out
      cases.push_back(std::move(*made));
      numbers.push_back(number);
    }
    const auto answer = asker->evaluate(cases);
    if (const auto* const stop = std::get_if<process::Stop>(&answer)) {
      to_stderr("assay: same_on: {} on {}: no digests, for a case from {} to {} has no answer: {}\n", info.name,
                planned.executor, first, last - 1, stop->what);
      return std::nullopt;
    }
    const std::vector<Words>& results = std::get<std::vector<Words>>(answer);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      BitSums one;
      one.add(numbers[i], cases[i], results[i]);
      row.results[numbers[i]] = one.outputs;
      all.merge(one);
    }
  }
  row.inputs = all.inputs;
  return row;
}

/// Compares, and prints what was found. Returns an exit code.
int compared(const store::DigestRow& now, const store::DigestRow& kept, const std::string& file) {
  const std::string where = fmt::format("same_on: {} on {} ({})", now.property, now.executor, now.model);
  const std::string other = fmt::format("{} has of {} ({})", file, kept.executor, kept.model);
  if (now.inputs != kept.inputs) {
    to_stderr("assay: {}: the cases are not those of {}: another build of the program drew them\n", where, file);
    return report::exit_trouble;
  }
  std::size_t different = 0;
  std::size_t first = 0;
  for (std::size_t i = now.results.size(); i-- > 0;) {
    if (now.results[i] == kept.results[i]) continue;
    ++different;
    first = i;
  }
  if (different == 0) {
    fmt::print("{}: the bits of all {} results are those that {}\n", where, now.results.size(), other);
    return report::exit_holds;
  }
  fmt::print("{}: violated: {} of {} results have other bits than {}, the first is of case {}\n", where, different,
             now.results.size(), other, first);
  return report::exit_violated;
}

}  // namespace

DigestFile::DigestFile(const Options& options, const std::vector<campaign::Planned>& plan) {
  if (options.digests.empty()) return;
  if (options.shard.count != 1) throw UsageError("--digests: of whole runs; --shard asks a part of the cases");
  is_there_ = std::filesystem::exists(options.digests);
  if (!is_there_) return;
  digests_ = store::read_sealed_document(options.digests, store::digests_from_json);
  for (const campaign::Planned& each : plan) {
    const std::string& name = each.property->info().name;
    const store::DigestRow* const row = row_of(digests_, name);
    const std::string file = options.digests.string();
    if (row == nullptr) throw UsageError(fmt::format("--digests {}: it has no digests of {}", file, name));
    if (row->seed != options.seed || row->results.size() != each.requested) {
      throw UsageError(fmt::format("--digests {}: it has {} cases of seed {} of {}, not {} of seed {}", file,
                                   row->results.size(), row->seed, name, each.requested, options.seed));
    }
  }
}

int DigestFile::ask(const Options& options, const std::vector<campaign::Planned>& plan) {
  int code = report::exit_holds;
  if (options.digests.empty()) return code;
  for (const campaign::Planned& each : plan) {
    std::optional<store::DigestRow> row = computed(each, options);
    if (!row) {
      code = report::graver(code, report::exit_stopped);
    } else if (const store::DigestRow* const kept = row_of(digests_, row->property)) {
      code = report::graver(code, compared(*row, *kept, is_there_ ? options.digests.string() : "this run"));
    } else {
      digests_.rows.push_back(std::move(*row));
    }
  }
  if (is_there_ || digests_.rows.empty()) return code;
  store::write_file_atomically(options.digests, store::sealed(store::pretty(store::digests_to_json(digests_))));
  fmt::print("same_on: the digests of {} {} are in {}\n", digests_.rows.size(),
             digests_.rows.size() == 1 ? "kernel" : "kernels", options.digests.string());
  return code;
}

}  // namespace assay::cli
