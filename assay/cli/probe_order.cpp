#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/orders/document.hpp"
#include "assay/orders/operations.hpp"
#include "assay/orders/picture.hpp"
#include "assay/process/worker.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/probed_order.hpp"
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

}  // namespace

int run_probe_order(const Options& options) {
  if (options.subject.empty()) throw UsageError("probe-order: needs --subject, a library or a program");
  const auto& [operation, format] = options.kernels.front();
  try {
    // What is wrong with operation and format is told before anything runs.
    orders::reduction_of(operation, format, options.rows, nullptr);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--") + error.what());
  }
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
