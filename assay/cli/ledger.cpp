#include "assay/ledger/ledger.hpp"

#include <fmt/core.h>

#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "assay/campaign/match.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/runs.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/changes.hpp"

namespace assay::cli {
namespace {


std::string date_of(const store::Entry& entry) {
  if (!entry.begun) return "no date";
  const auto seconds = static_cast<std::time_t>(*entry.begun);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min);
}

/// "entry 3: 2026-11-23 10:00, 0.1.0, commit 0123abc, host, quick tier, seed 1, 1234 cases a second".
std::string headline(const store::Entry& entry) {
  std::string line = entry.id == 0 ? "" : fmt::format("entry {}: ", entry.id);
  line += fmt::format("{}, {}, commit {}", date_of(entry), entry.version, entry.commit);
  if (!entry.device.empty()) line += ", " + entry.device;
  if (!entry.driver.empty()) line += ", driver " + entry.driver;
  line += fmt::format(", {} tier, seed {}, {} claims", entry.tier, entry.seed, entry.claims);
  if (entry.cases_per_second) line += fmt::format(", {:.4g} cases a second", *entry.cases_per_second);
  return line;
}

store::Entry entry_of_folders(const std::vector<std::string>& arguments) {
  std::vector<store::Summary> summaries;
  std::vector<std::filesystem::path> folders;
  for (const std::string& each : arguments) summaries.push_back(read_run(folders.emplace_back(each)));
  return store::entry_of(merged_runs(summaries), folders);
}

/// The entry that a word names: the number of an entry, or `last`. Errors: UsageError where there is none.
store::Entry entry_in_ledger(const std::string& word, const Options& options) {
  if (!std::filesystem::exists(options.ledger)) {
    throw UsageError(fmt::format("no ledger {}: `assay ledger add DIR` makes one", options.ledger.string()));
  }
  const ledger::Ledger opened(options.ledger, false);
  const auto id = word == "last" ? opened.newest() : campaign::parse_count(word);
  std::optional<store::Entry> entry = id ? opened.entry(*id) : std::nullopt;
  if (!entry) throw UsageError(fmt::format("{} has no entry {}", options.ledger.string(), word));
  return *std::move(entry);
}

bool names_entry(const std::string& word) { return word == "last" || campaign::parse_count(word).has_value(); }

/// The entry that a word names: a folder of a run, its summary.json, or an entry of the ledger.
store::Entry entry_named(const std::string& word, const Options& options) {
  if (names_entry(word)) return entry_in_ledger(word, options);
  const std::filesystem::path path(word);
  const bool is_file = path.filename() == "summary.json" && std::filesystem::is_regular_file(path);
  return entry_of_folders({is_file ? path.parent_path() / "." : path});
}

std::string terms_of(const std::map<std::string, double>& terms) {
  std::string text;
  for (const auto& [name, ratio] : terms) {
    text += (text.empty() ? " (" : ", ") + name + " " + report::ratio_text(ratio);
  }
  return text.empty() ? text : text + ")";
}

void print_entry(const store::Entry& entry) {
  fmt::print("{}\n", headline(entry));
  for (const auto& [key, text] : entry.knobs) fmt::print("  {}: {}\n", key, text);
  for (const store::EntryProperty& property : entry.properties) {
    fmt::print("{}  {}  {}  {} cases  bits {}\n", property.name, property.executor, property.rigor, property.executed,
               store::hex16(property.bits.outputs));
    for (const store::EntryClaim& claim : property.claims) {
      fmt::print("    {:<20} {}  {}{}\n", claim.id, store::word(claim.verdict), report::ratio_text(claim.tightness),
                 terms_of(claim.terms));
    }
  }
}

std::string subject_of(const store::Change& change) {
  return change.property + (change.claim.empty() ? "" : "/" + change.claim) + " on " + change.executor +
         (change.term.empty() ? "" : ", term " + change.term);
}

void print_changes(const store::Changes& changes) {
  constexpr std::pair<store::Change::Kind, const char*> sections[] = {
      {store::Change::Kind::verdict, "verdicts that changed"},
      {store::Change::Kind::tightness, "error/bound that moved by more than 1 %"},
      {store::Change::Kind::bits, "bits that changed on the same inputs"},
      {store::Change::Kind::gone, "only in the first"},
      {store::Change::Kind::added, "only in the second"},
  };
  fmt::print("A  {}\nB  {}\n", headline(changes.before), headline(changes.after));
  for (const auto& [kind, title] : sections) {
    bool first = true;
    for (const store::Change& each : changes.changes) {
      if (each.kind != kind) continue;
      if (std::exchange(first, false)) fmt::print("{}:\n", title);
      const bool both = !each.before.empty() && !each.after.empty();
      fmt::print("  {:<7}  {}{}{}{}{}\n", store::word(each.direction), subject_of(each),
                 each.before.empty() && each.after.empty() ? "" : ": ", each.before, both ? " -> " : "", each.after);
    }
  }
  if (!changes.other_inputs.empty()) {
    fmt::print("other inputs, so that tightness and bits are not compared:\n");
    for (const std::string& each : changes.other_inputs) fmt::print("  {}\n", each);
  }
  fmt::print("{} changes, {} claims of {} properties compared\n", changes.changes.size(), changes.claims,
             changes.properties);
}

}  // namespace

int run_ledger(const Options& options) {
  if (options.action == "add") {
    const store::Entry entry = entry_of_folders(options.arguments);
    const ledger::Ledger::Added added = ledger::Ledger(options.ledger, true).add(entry);
    fmt::print("entry {} {}\n", added.id, added.is_new ? "added" : "is this run already");
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
    options.action == "list" ? fmt::print("{}\n", headline(each)) : print_entry(each);
  }
  return report::exit_holds;
}

int run_compare(const Options& options) {
  const store::Changes changes = store::changes_between(entry_named(options.arguments.at(0), options),
                                                        entry_named(options.arguments.at(1), options));
  if (!options.json_file.empty()) write_text(options.json_file, store::pretty(store::changes_document(changes)));
  if (options.json_file != "-") print_changes(changes);
  if (changes.properties == 0) {
    fmt::print(stderr, "assay: no property is in both: nothing was compared\n");
    return report::exit_trouble;
  }
  return options.strict && changes.worse() ? report::exit_violated : report::exit_holds;
}

}  // namespace assay::cli
