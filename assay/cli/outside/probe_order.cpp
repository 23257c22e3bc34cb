#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/runs.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/orders/document.hpp"
#include "assay/orders/operations.hpp"
#include "assay/orders/picture.hpp"
#include "assay/process/worker.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/kernel_trees.hpp"
#include "assay/store/probed_order.hpp"
#include "assay/store/read_document.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

/// The kernel in a process of its own. Errors of what it returns: ExecutorError.
orders::AskRecords asked_in_worker(const Options& options) {
  const std::shared_ptr<process::Asker> asker = process::ask_in_worker(
      *properties_of(options.family).front(), options.on == "cuda" ? "cuda" : "host", options.seed, options.limits);
  return [asker](std::span<const Record> cases) {
    const process::Answer<std::vector<Words>> answer = asker->evaluate(cases);
    if (const auto* stop = std::get_if<process::Stop>(&answer)) throw ExecutorError(stop->what);
    return std::get<std::vector<Words>>(answer);
  };
}

/// Errors: UsageError.
void compare_with(store::ProbedOrder& document, const std::string& path) {
  const store::ProbedOrder other = store::read_probed_order(path);
  try {
    orders::compare(document, other);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--with {}: {}", path, error.what()));
  }
}

/// "sum.f32" of "subject.sum.f32".
std::string without_family(const std::string& property) { return property.substr(property.find('.') + 1); }

/// The property as which the run judged this kernel; empty without --run. Errors: UsageError, DamagedFile.
std::string property_in_run(const Options& options) {
  if (options.run.empty()) return "";
  const std::string key = store::subject_key("");
  const std::map<std::string, std::string> facts = provenance_of_run(options, false);
  const auto fact = std::ranges::find_if(facts, [&](const auto& each) { return each.first.starts_with(key); });
  const std::string what = without_family(fact->first.substr(key.size()));
  const store::Summary run = read_run(options.run);
  std::string other;
  for (const store::PropertySummary& property : run.properties) {
    const auto there = run.provenance.find(store::subject_key(property.info.name));
    if (there == run.provenance.end() || without_family(property.info.name) != what) continue;
    if (there->second.starts_with(fact->second)) return property.info.name;
    other = fmt::format("{} there is {}, not {}", property.info.name, there->second, fact->second);
  }
  throw UsageError(fmt::format("--run {}: {}; `assay check` judges this kernel first", options.run.string(),
                               other.empty() ? fmt::format("it judged no kernel from outside for {}", what) : other));
}

/// Errors: DamagedFile, OutputError.
void keep_in_run(const store::ProbedOrder& order, const std::string& property, const std::filesystem::path& run) {
  const std::filesystem::path file = run / "orders.json";
  store::KernelTrees trees;
  if (std::filesystem::exists(file)) trees = store::read_sealed_document(file, store::kernel_trees_from_json);
  std::erase_if(trees.rows,
                [&](const store::KernelTree& each) { return each.property == property && each.terms == order.terms; });
  trees.rows.push_back(
      {property, order.terms, order.verdict, order.order, order.why, order.predicted, order.checked, order.sampled});
  std::ranges::sort(trees.rows);
  store::write_file_atomically(file, store::sealed(store::pretty(store::kernel_trees_to_json(trees))));
}

}  // namespace

int run_probe_order(const Options& options) {
  const auto& [operation, format] = options.kernels.front();
  try {
    // What is wrong with operation and format is told before anything runs.
    orders::reduction_of(operation, format, options.rows, nullptr);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--") + error.what());
  }
  const std::string property = property_in_run(options);
  if (options.on == "cuda" && executors(options).empty()) return report::exit_skipped;
  process::watch_signals();
  const orders::Asked asked{operation, options.subject + (options.symbol.empty() ? "" : " " + options.symbol), format,
                            options.terms, options.seed};
  orders::Answer answer;
  try {
    answer = orders::probe(orders::reduction_of(operation, format, options.rows, asked_in_worker(options)),
                           options.terms, options.seed);
  } catch (const ExecutorError& error) {
    to_stderr("assay: {}: {}\n", options.subject, error.what());
    return report::exit_stopped;
  }
  store::ProbedOrder document = orders::document_of(asked, answer);
  if (!options.with.empty()) compare_with(document, options.with);
  if (!property.empty()) keep_in_run(document, property, options.run);
  if (!options.svg.empty()) {
    if (answer.tree) {
      store::write_file_atomically(
          options.svg, orders::picture_of(*answer.tree, fmt::format("{}: {}", asked.subject, answer.words)));
    } else {
      to_stderr("assay: --svg {}: not written, there is no tree: {}\n", options.svg, document.verdict);
    }
  }
  fmt::print("{}", options.json ? store::pretty(store::probed_order_document(document)) : orders::text_of(document));
  return report::exit_holds;
}

}  // namespace assay::cli
