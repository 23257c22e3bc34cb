#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "assay/campaign/match.hpp"
#include "assay/cli/bench.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/runs.hpp"
#include "assay/cli/screen.hpp"
#include "assay/cli/selftest.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/ledger/ledger.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/exports.hpp"
#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/known.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/changes.hpp"
#include "assay/store/day.hpp"
#include "assay/store/entry.hpp"
#include "assay/store/hunt.hpp"
#include "assay/store/kernel_trees.hpp"
#include "assay/store/outside_score.hpp"
#include "assay/store/read_document.hpp"
#include "assay/store/summary_io.hpp"
#include "assay/store/systematic.hpp"

namespace assay::cli {
namespace {

void append(const std::filesystem::path& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "ae");
  if (file == nullptr) {
    throw store::OutputError(path, std::strerror(errno));
  }
  const bool wrote = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !wrote) {
    throw store::OutputError(path, std::strerror(errno));
  }
}

/// The shard of the run in a folder, from its run.json; empty if the folder has none. Throws DamagedFile if that file
/// does not name the shard.
std::optional<campaign::Shard> shard_of_run(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "run.json";
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::string text = store::read_file(file);
  try {
    const std::string word = store::parse_json(text).at("shard").get<std::string>();
    if (const auto shard = campaign::parse_shard(word)) return shard;
    throw store::DamagedFile(file, "\"shard\" is '" + word + "' and must be INDEX/COUNT");
  } catch (const store::JsonError& error) {
    throw store::DamagedFile(file, error.what());
  } catch (const nlohmann::json::exception&) {
    throw store::DamagedFile(file, "\"shard\" must be a string INDEX/COUNT");
  }
}

/// The changes since the newest entry of the ledger that is not one of these runs. Throws DamagedFile, OutputError.
void compare_with_ledger(const store::Summary& merged, const Options& options, report::Beside& beside) {
  if (!std::filesystem::exists(options.ledger)) {
    const bool was_named = options.ledger != Options{}.ledger;
    if (was_named) to_stderr("assay: no ledger {}: the report compares with nothing\n", options.ledger.string());
    return;
  }
  const std::vector<std::filesystem::path> folders(options.arguments.begin(), options.arguments.end());
  const store::Entry present = store::entry_of(merged, folders);
  const ledger::Ledger opened(options.ledger, false);
  const std::vector<store::Entry> entries = opened.list();
  for (auto each = entries.rbegin(); each != entries.rend(); ++each) {
    const std::optional<store::Entry> entry = opened.entry(each->id);
    if (!entry || store::same_run(*entry, present)) continue;
    beside.changes = store::changes_between(*entry, present);
    return;
  }
  beside.no_changes = "The ledger has no entry of another run.";
}

/// The options of `replay` for each property: from the folder's run.json for this machine, otherwise from the summary.
std::map<std::string, std::string> calls_of_runs(const store::Summary& merged, const Options& options) {
  std::map<std::string, std::string> calls;
  for (const std::string& folder : options.arguments) {
    const std::filesystem::path file = std::filesystem::path(folder) / "run.json";
    if (!std::filesystem::exists(file)) continue;
    const store::Json run = store::parse_json(store::read_file(file));
    if (!run.is_object() || !run.contains("replay")) continue;
    for (const auto& [property, words] : run.at("replay").items()) {
      if (words.is_string()) calls.try_emplace(property, words.get<std::string>());
    }
  }
  for (const store::PropertySummary& property : merged.properties) {
    const auto recorded = merged.provenance.find(store::options_key(property.info.name));
    if (recorded != merged.provenance.end()) calls.try_emplace(property.info.name, recorded->second);
  }
  return calls;
}

/// The claims that the patterns of --only select; all without one. Errors: UsageError for a pattern without a claim.
store::Summary chosen(store::Summary summary, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return summary;
  for (const std::string& pattern : patterns) {
    const auto matches = [&](const store::PropertySummary& property) {
      return !campaign::selected_claims(property.info, std::span(&pattern, 1)).empty();
    };
    if (std::none_of(summary.properties.begin(), summary.properties.end(), matches)) {
      throw UsageError("--only " + pattern + ": these runs have no such property or claim");
    }
  }
  for (store::PropertySummary& property : summary.properties) {
    store::keep_claims(property, campaign::selected_claims(property.info, patterns));
  }
  std::erase_if(summary.properties, [](const store::PropertySummary& each) { return each.info.claims.empty(); });
  return summary;
}

}  // namespace

int run_report(const Options& options) {
  std::vector<store::Summary> summaries;
  report::Beside beside;
  std::vector<std::string> lost;
  for (const std::string& argument : options.arguments) {
    const std::filesystem::path folder(argument);
    store::Summary summary = read_run(folder);
    if (std::filesystem::exists(folder / "selftest.json")) {
      summary.mutants = mutant_rows(folder / "selftest.json");
    }
    if (const std::filesystem::path file = folder / "orders.json"; std::filesystem::exists(file)) {
      summary.orders = store::read_sealed_document(file, store::kernel_trees_from_json).rows;
    }
    if (const std::filesystem::path file = folder / "systematic.json"; std::filesystem::exists(file)) {
      beside.systematic = store::read_document(file, store::systematic_from_json);
    }
    if (const std::filesystem::path file = folder / "outside.json"; std::filesystem::exists(file)) {
      beside.outside = store::read_document(file, store::outside_score_from_json);
    }
    if (const std::filesystem::path file = folder / "hunt.json"; std::filesystem::exists(file)) {
      store::HuntRows hunt = store::read_sealed_document(file, store::hunt_from_json);
      std::ranges::move(hunt.rows, std::back_inserter(beside.hunted));
    }
    if (const std::filesystem::path file = folder / "bench.json"; std::filesystem::exists(file)) {
      std::vector<std::string> left_out;
      store::append(beside.costs, store::read_bench(file, left_out));
    }
    if (const auto shard = shard_of_run(folder)) {
      for (std::string& each : report::wrong_shares(summary, shard->index, shard->count)) {
        lost.push_back(std::move(each));
      }
    }
    summaries.push_back(std::move(summary));
  }
  const store::Summary merged = merged_runs(summaries);
  const auto known = [&] {
    std::vector<report::DatedRun> runs;
    for (std::size_t i = 0; i < summaries.size(); ++i) {
      const std::filesystem::path folder(options.arguments[i]);
      const store::Entry entry = store::entry_of(summaries[i], std::span(&folder, 1));
      runs.push_back({&summaries[i], entry.begun ? store::day_of(*entry.begun) : ""});
    }
    return store::pretty(store::known_document(report::known_errors(merged, beside.hunted, runs)));
  };
  if (!options.bench.empty()) store::append(beside.costs, read_benches(options.bench));
  if (!beside.costs.curves.empty()) store::relate(beside.costs);
  bool wrote = false;
  const auto write = [&](const std::string& path, const auto& text) {
    if (!path.empty()) {
      wrote = true;
      write_text(path, text());
    }
  };
  if (!options.html.empty()) {
    compare_with_ledger(merged, options, beside);
  }
  write(options.html, [&] {
    return report::report_html(merged, beside, options.full ? report::Detail::full : report::Detail::brief);
  });
  write(options.markdown, [&] { return report::report_markdown(merged, beside.systematic, beside.outside); });
  write(options.junit, [&] { return report::report_junit(merged); });
  write(options.json_file, [&] { return store::summary_bytes(merged); });
  write(options.known, known);
  const bool exports =
      !(options.latex.empty() && options.csv.empty() && options.bibtex.empty() && options.plots.empty());
  if (!exports && !options.only.empty())
    throw UsageError(
        "--only selects properties for --latex, --csv, "
        "--bibtex and --plots");
  if (exports) {
    const store::Summary part = chosen(merged, options.only);
    write(options.latex, [&] { return report::report_latex(part); });
    write(options.csv, [&] { return report::report_csv(part); });
    write(options.bibtex, [&] { return report::report_bibtex(part); });
    if (!options.plots.empty()) {
      wrote = true;
      const std::vector<std::string> files = report::write_plots(part, options.plots);
      to_stderr("assay: {} pictures in {}\n", files.size(), options.plots.string());
    }
  }
  if (const char* const page = std::getenv("GITHUB_STEP_SUMMARY"); page != nullptr && *page != '\0') {
    append(page, report::report_markdown(merged, beside.systematic, beside.outside));
  }
  if (!wrote) {
    Options shown = options;
    shown.recorded = calls_of_runs(merged, options);
    print_summary(merged, shown);
    print_ladders(merged, shown);
  }
  int code = report::exit_code(merged);
  std::vector<std::string> lines = report::shortcomings(merged);
  lines.insert(lines.end(), lost.begin(), lost.end());
  if (!lines.empty()) {
    code = report::graver(code, report::exit_trouble);
  }
  for (const store::PropertySummary& property : merged.properties) {
    if (!report::is_whole(property) && !property.partial && !property.stopped_by) {
      lines.push_back(fmt::format("{} on {}: {} of {} cases are missing from these runs", property.info.name,
                                  property.executor, property.requested - total(property.tally).planned,
                                  property.requested));
    }
  }
  for (const std::string& line : lines) {
    to_stderr("assay: {}\n", line);
  }
  return code;
}

}  // namespace assay::cli
