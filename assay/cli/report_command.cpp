#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "assay/campaign/match.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/screen.hpp"
#include "assay/cli/selftest.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/outcome.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
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

/// The shard that the run in a folder was, by its run.json; nothing where the folder has none. Throws DamagedFile
/// where that file does not say it.
std::optional<campaign::Shard> shard_of_run(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "run.json";
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::string text = store::read_file(file);
  try {
    const std::string word = store::parse_json(text).at("shard").get<std::string>();
    if (const auto shard = campaign::parse_shard(word)) return shard;
    throw store::DamagedFile(file, "\"shard\" is '" + word + "' and has to be INDEX/COUNT");
  } catch (const store::JsonError& error) {
    throw store::DamagedFile(file, error.what());
  } catch (const nlohmann::json::exception&) {
    throw store::DamagedFile(file, "\"shard\" has to be a string INDEX/COUNT");
  }
}

/// The score of systematic mutants in a file. Throws DamagedFile.
store::Systematic systematic_of_run(const std::filesystem::path& file) {
  return store::read_document(file, store::systematic_from_json);
}

}  // namespace

int run_report(const Options& options) {
  std::vector<store::Summary> summaries;
  std::optional<store::Systematic> systematic;
  std::vector<std::string> lost;
  for (const std::string& argument : options.arguments) {
    const std::filesystem::path folder(argument);
    if (!std::filesystem::exists(folder / "summary.json")) {
      throw UsageError("no run in " + argument);
    }
    store::Summary summary = store::read_summary(folder);
    if (std::filesystem::exists(folder / "selftest.json")) {
      summary.mutants = mutant_rows(folder / "selftest.json");
    }
    if (const std::filesystem::path file = folder / "systematic.json"; std::filesystem::exists(file)) {
      systematic = systematic_of_run(file);
    }
    if (const auto shard = shard_of_run(folder)) {
      for (std::string& each : report::wrong_shares(summary, shard->index, shard->count)) {
        lost.push_back(std::move(each));
      }
    }
    summaries.push_back(std::move(summary));
  }
  store::Summary merged;
  try {
    merged = store::merge(summaries);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  bool wrote = false;
  const auto write = [&](const std::string& path, const auto& text) {
    if (!path.empty()) {
      wrote = true;
      const std::string bytes = text();
      if (path == "-") {
        fmt::print("{}", bytes);
      } else {
        store::write_named_file(path, bytes);
      }
    }
  };
  write(options.html, [&] { return report::report_html(merged, systematic); });
  write(options.markdown, [&] { return report::report_markdown(merged, systematic); });
  write(options.junit, [&] { return report::report_junit(merged); });
  write(options.json_file, [&] { return store::summary_bytes(merged); });
  if (const char* const page = std::getenv("GITHUB_STEP_SUMMARY"); page != nullptr && *page != '\0') {
    append(page, report::report_markdown(merged, systematic));
  }
  if (!wrote) {
    print_summary(merged, options);
  }
  int code = report::exit_code(merged);
  std::vector<std::string> lines = report::shortcomings(merged);
  lines.insert(lines.end(), lost.begin(), lost.end());
  if (!lines.empty()) {
    code = report::graver(code, report::exit_trouble);
  }
  for (const store::PropertySummary& property : merged.properties) {
    if (!report::is_whole(property) && !property.partial && !property.stopped_by) {
      lines.push_back(fmt::format("{} on {}: {} of {} cases are not in these runs", property.info.name,
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
