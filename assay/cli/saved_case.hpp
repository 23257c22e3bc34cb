#pragma once
// A saved case that the command line names. Each function throws UsageError, with a message of one line, if it finds
// nothing.

#include <cstddef>
#include <filesystem>
#include <string>

#include "assay/cli/options.hpp"
#include "assay/store/summary.hpp"
#include "properties/framework/model.hpp"

namespace assay::cli {

/// The file of a case, given by path or id. An id is searched in the folder of the run, then in the corpus, then in the
/// runs below the current folder.
std::filesystem::path locate(const std::string& text, const Options& options);

/// The property with this name: of the program, or of the kernel from outside that the options name.
const PropertyModel& property_named(const std::string& name);

/// The case as the property reads it. The case is in the domain of the property.
store::CaseFile admitted(store::CaseFile file, const PropertyModel& property, const std::filesystem::path& path);

/// The index of a claim among the claims of the property.
std::size_t claim_index(const PropertyInfo& info, const std::string& id, const std::filesystem::path& path);

}  // namespace assay::cli
