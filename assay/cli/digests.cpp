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

/// Nothing where the cases of the two are not the same.
std::optional<store::SameOn> compared(const store::DigestRow& now, const store::DigestRow& kept) {
  if (now.inputs != kept.inputs) return std::nullopt;
  store::SameOn row{now.property, now.executor, now.model, kept.executor, kept.model, now.results.size(), 0, no_case};
  for (std::size_t i = now.results.size(); i-- > 0;) {
    if (now.results[i] == kept.results[i]) continue;
    ++row.different;
    row.first = i;
  }
  return row;
}

/// `kept`: where the other results are kept.
std::string line_of(const store::SameOn& row, const std::string& kept) {
  const std::string where = fmt::format("same_on: {} on {} ({})", row.property, row.executor, row.model);
  const std::string other = fmt::format("{} has of {} ({})", kept, row.other_executor, row.other_model);
  if (row.different == 0) {
    return fmt::format("{}: the bits of all {} results are those that {}\n", where, row.results, other);
  }
  return fmt::format("{}: violated: {} of {} results have other bits than {}, the first is of case {}\n", where,
                     row.different, row.results, other, row.first);
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
      throw UsageError(fmt::format(
          "--digests {0}: it has {1} cases of seed {2} of {3}, not {4} of seed {5}; --cases {1} --seed {2} asks these",
          file, row->results.size(), row->seed, name, each.requested, options.seed));
    }
  }
}

int DigestFile::ask(const Options& options, const std::vector<campaign::Planned>& plan, store::Summary& summary) {
  int code = report::exit_holds;
  if (options.digests.empty()) return code;
  const std::string file = is_there_ ? options.digests.string() : "this run";
  for (const campaign::Planned& each : plan) {
    std::optional<store::DigestRow> row = computed(each, options);
    if (!row) {
      code = report::graver(code, report::exit_stopped);
      continue;
    }
    const store::DigestRow* const kept = row_of(digests_, row->property);
    if (kept == nullptr) {
      digests_.rows.push_back(std::move(*row));
      continue;
    }
    const std::optional<store::SameOn> found = compared(*row, *kept);
    if (!found) {
      to_stderr(
          "assay: same_on: {} on {} ({}): the cases are not those of {}: another build of the program drew them\n",
          row->property, row->executor, row->model, file);
      code = report::graver(code, report::exit_trouble);
      continue;
    }
    if (!options.quiet || found->different != 0) lines_ += line_of(*found, file);
    summary.same_on.push_back(*found);
    code = report::graver(code, found->different == 0 ? report::exit_holds : report::exit_violated);
  }
  std::ranges::sort(summary.same_on);
  return code;
}

void DigestFile::finish(const Options& options) const {
  fmt::print("{}", lines_);
  if (options.digests.empty() || is_there_ || digests_.rows.empty()) return;
  store::write_file_atomically(options.digests, store::sealed(store::pretty(store::digests_to_json(digests_))));
  if (options.quiet) return;
  fmt::print("same_on: the digests of {} {} are in {}, which was missing: nothing was compared with it\n",
             digests_.rows.size(), digests_.rows.size() == 1 ? "kernel" : "kernels", options.digests.string());
}

}  // namespace assay::cli
