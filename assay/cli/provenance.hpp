#pragma once

#include <map>
#include <string>

namespace assay::cli {

/// The provenance in a summary: commit, compiler, flags, libraries with versions, and the device's model if
/// `with_device`.
std::map<std::string, std::string> provenance(bool with_device);

/// The lines of --version.
std::string version_text();

/// The build id that the linker wrote into this program, which includes the user's kernels: another build has another
/// id. If the linker wrote none, a hash of the program's file.
std::string build_id();

}  // namespace assay::cli
