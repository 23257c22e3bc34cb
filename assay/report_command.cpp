#include <fmt/core.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "assay/case_file.hpp"
#include "assay/commands.hpp"
#include "assay/exit_codes.hpp"
#include "assay/report_html.hpp"
#include "assay/report_junit.hpp"
#include "assay/report_markdown.hpp"
#include "assay/screen.hpp"
#include "assay/selftest.hpp"
#include "assay/summary_io.hpp"

namespace assay {

int run_report(const Options& options) {
  std::vector<Summary> summaries;
  for (const std::string& argument : options.arguments) {
    const std::filesystem::path folder(argument);
    if (!std::filesystem::exists(folder / "summary.json")) {
      throw UsageError("no run in " + argument);
    }
    Summary summary = read_summary(folder);
    if (std::filesystem::exists(folder / "selftest.json")) {
      summary.mutants = mutant_rows(folder / "selftest.json");
    }
    summaries.push_back(std::move(summary));
  }
  Summary merged;
  try {
    merged = merge(summaries);
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
        write_file_atomically(path, bytes);
      }
    }
  };
  write(options.html, [&] { return report_html(merged); });
  write(options.markdown, [&] { return report_markdown(merged); });
  write(options.junit, [&] { return report_junit(merged); });
  write(options.json_file, [&] { return pretty(summary_to_json(merged)); });
  if (const char* const page = std::getenv("GITHUB_STEP_SUMMARY"); page != nullptr && *page != '\0') {
    if (std::FILE* file = std::fopen(page, "ae")) {
      fmt::print(file, "{}", report_markdown(merged));
      std::fclose(file);
    }
  }
  if (!wrote) {
    print_summary(merged, options);
  }
  return exit_holds;
}

}  // namespace assay
