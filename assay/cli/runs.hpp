#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "assay/store/summary.hpp"

namespace assay::cli {

/// The summary in the folder of a run. Errors: UsageError if there is none; DamagedFile.
store::Summary read_run(const std::filesystem::path& folder);

/// One summary of several runs and shards. Errors: UsageError if they do not belong together.
store::Summary merged_runs(std::span<const store::Summary> runs);

/// Writes a text to a file, or to standard output if the path is "-". Errors: OutputError.
void write_text(const std::string& path, const std::string& text);

}  // namespace assay::cli
