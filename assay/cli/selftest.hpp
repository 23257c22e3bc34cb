#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "assay/store/json.hpp"
#include "assay/store/summary.hpp"

namespace assay::cli {

/// The table of mutants in the document that `assay-mutants --json` and `assay selftest --mutants --json` print. Throws
/// JsonError.
std::vector<store::Summary::MutantRow> mutant_rows(const store::Json& document);

/// The same table from a file. Throws DamagedFile.
std::vector<store::Summary::MutantRow> mutant_rows(const std::filesystem::path& path);

}  // namespace assay::cli
