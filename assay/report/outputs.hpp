#pragma once

#include <filesystem>

#include "assay/store/summary.hpp"

namespace assay::report {

/// Writes cases/*.json, summary.json, report.html, report.md and junit.xml, each atomically. Throws OutputError.
void write_outputs(const store::Summary& summary, const std::filesystem::path& dir);

}  // namespace assay::report
