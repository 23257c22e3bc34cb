#pragma once
// Failures that a search or a probe met, as the files of cases.

#include <cstddef>
#include <string>

#include "assay/cli/options.hpp"
#include "assay/process/worker.hpp"

namespace assay::cli {

/// The index of a claim of the property. Requires: it has one of that id.
std::size_t claim_named(const PropertyInfo& info, const std::string& id);

/// A case that violates a claim, made smaller unless --no-shrink says otherwise.
store::CaseFile shrunk_failure(const PropertyModel& property, process::Asker& asker, store::CaseFile file,
                               std::size_t claim, const Options& options);

}  // namespace assay::cli
