#pragma once

#include <map>
#include <string>

namespace assay::cli {

/// What a summary says of the program: commit, compiler, flags, libraries with versions, and the device's model where
/// `with_device`.
std::map<std::string, std::string> provenance(bool with_device);

/// The lines of --version.
std::string version_text();

/// What the linker wrote into this program, the user's kernels included: another build has another one. Where the
/// linker writes nothing, a hash of the program's file.
std::string build_id();

}  // namespace assay::cli
