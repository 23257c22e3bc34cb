#pragma once
// A saved case that the command line names. Each function throws UsageError, one line, where it finds nothing.

#include <cstddef>
#include <filesystem>
#include <string>

#include "assay/cli/options.hpp"
#include "assay/store/summary.hpp"
#include "properties/framework/model.hpp"

namespace assay::cli {

/// The file that a path or an id names: an id is looked for in the folder of the run, then in the corpus, then in the
/// runs below the present folder.
std::filesystem::path locate(const std::string& text, const Options& options);

/// The property of the program, or of the kernel from outside that the options name.
const PropertyModel& property_named(const std::string& name);

/// The case as the property reads it, inside its domain.
store::CaseFile admitted(store::CaseFile file, const PropertyModel& property, const std::filesystem::path& path);

/// The place of a claim among those of the property.
std::size_t claim_index(const PropertyInfo& info, const std::string& id, const std::filesystem::path& path);

}  // namespace assay::cli
