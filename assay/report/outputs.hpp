#pragma once

#include <filesystem>

#include "assay/store/summary.hpp"

namespace assay {

/// Writes cases/*.json, summary.json, report.html, report.md and junit.xml, each atomically. Throws OutputError.
void write_outputs(const Summary& summary, const std::filesystem::path& dir);

}  // namespace assay
