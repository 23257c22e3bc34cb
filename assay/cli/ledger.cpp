#include "assay/ledger/ledger.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "assay/campaign/match.hpp"
#include "assay/cli/bench.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/runs.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/report/entries.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/changes.hpp"

namespace assay::cli {
namespace {

/// The entry made from folders of runs, from files that `assay bench` wrote, or from both.
store::Entry entry_of_paths(const std::vector<std::string>& arguments) {
  std::vector<store::Summary> summaries;
  std::vector<std::filesystem::path> folders;
  std::vector<std::string> files;
  for (const std::string& each : arguments) {
    if (std::filesystem::is_regular_file(each)) {
      files.push_back(each);
    } else {
      summaries.push_back(read_run(folders.emplace_back(each)));
    }
  }
  if (summaries.empty()) return store::entry_of(read_benches(files));
  store::Entry entry = store::entry_of(merged_runs(summaries), folders);
  if (!files.empty()) store::add_times(entry, read_benches(files));
  return entry;
}

/// The entry that a word names: the number of an entry, or `last`. Errors: UsageError if there is none.
store::Entry entry_in_ledger(const std::string& word, const Options& options) {
  if (!std::filesystem::exists(options.ledger)) {
    throw UsageError(fmt::format("no ledger {}: `assay ledger add DIR` creates one", options.ledger.string()));
  }
  const ledger::Ledger opened(options.ledger, false);
  const auto id = word == "last" ? opened.newest() : campaign::parse_count(word);
  std::optional<store::Entry> entry = id ? opened.entry(*id) : std::nullopt;
  if (!entry) throw UsageError(fmt::format("{} has no entry {}", options.ledger.string(), word));
  return *std::move(entry);
}

bool names_entry(const std::string& word) { return word == "last" || campaign::parse_count(word).has_value(); }

/// The entry that a word names: a folder of a run, its summary.json, a file of times, or an entry of the ledger.
store::Entry entry_named(const std::string& word, const Options& options) {
  if (names_entry(word)) return entry_in_ledger(word, options);
  const std::filesystem::path path(word);
  const bool is_file = path.filename() == "summary.json" && std::filesystem::is_regular_file(path);
  return entry_of_paths({is_file ? path.parent_path() / "." : path});
}

}  // namespace

int run_ledger(const Options& options) {
  if (options.action == "add") {
    store::Entry entry = entry_of_paths(options.arguments);
    if (!options.label.empty()) entry.knobs["label"] = options.label;
    const ledger::Ledger::Added added = ledger::Ledger(options.ledger, true).add(entry);
    fmt::print("entry {} {}\n", added.id, added.is_new ? "added" : "is this run: nothing was added");
    return report::exit_holds;
  }
  std::vector<store::Entry> entries;
  if (options.action == "list") {
    if (std::filesystem::exists(options.ledger)) entries = ledger::Ledger(options.ledger, false).list();
  } else {
    for (const std::string& each : options.arguments) entries.push_back(entry_in_ledger(each, options));
  }
  if (options.json) {
    fmt::print("{}", store::pretty(store::ledger_document(entries)));
    return report::exit_holds;
  }
  for (const store::Entry& each : entries) {
    fmt::print("{}", options.action == "list" ? report::headline(each) + "\n" : report::entry_text(each));
  }
  return report::exit_holds;
}

int run_compare(const Options& options) {
  const store::Changes changes = store::changes_between(entry_named(options.arguments.at(0), options),
                                                        entry_named(options.arguments.at(1), options), options.slower);
  if (!options.json_file.empty()) write_text(options.json_file, store::pretty(store::changes_document(changes)));
  if (!options.html.empty()) write_text(options.html, report::changes_html(changes));
  if (options.json_file != "-" && options.html != "-") fmt::print("{}", report::changes_text(changes));
  if (changes.properties == 0 && changes.times == 0) {
    to_stderr("assay: the two runs share no property and no time: nothing was compared\n");
    return report::exit_trouble;
  }
  return options.strict && changes.worse() ? report::exit_violated : report::exit_holds;
}

}  // namespace assay::cli
