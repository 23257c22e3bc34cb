#include "assay/cli/runs.hpp"

#include <fmt/core.h>

#include "assay/cli/options.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/summary_io.hpp"

namespace assay::cli {

store::Summary read_run(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "summary.json")) throw UsageError("no run in " + folder.string());
  return store::read_summary(folder);
}

store::Summary merged_runs(std::span<const store::Summary> runs) {
  try {
    return store::merge(runs);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
  } else {
    store::write_named_file(path, text);
  }
}

}  // namespace assay::cli
