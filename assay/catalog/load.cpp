// Loads the catalog, the probes and what judges kernels from outside: they are shared libraries
// (docs/decisions/loaded_libraries.md).

#include <dlfcn.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "assay/process/library.hpp"
#include "properties/framework/libraries.hpp"

/// The libraries need this symbol, so that a library of another version cannot be loaded.
extern "C" {
extern const char ASSAY_PROGRAM;
const char ASSAY_PROGRAM = 0;
}

namespace assay {
namespace {

constexpr process::LibraryPlaces places{ASSAY_LIBRARIES_BESIDE, ASSAY_LIBRARIES_BUILT};

/// The command that builds a target, where the folder in which the program was built exists; empty elsewhere.
std::string how_to_build(const std::string& target) {
  std::error_code failed;
  if (!std::filesystem::exists(ASSAY_BUILD "/CMakeCache.txt", failed)) return {};
  return "; to build it: cmake --build " ASSAY_BUILD " --target " + target;
}

/// Loads lib<name>.so.
std::string loaded(const std::string& what, const std::string& name, int mode) {
  const process::OpenedLibrary library = process::open_library("lib" + name + ".so", places, mode);
  if (library.handle != nullptr) return {};
  return what + " cannot be loaded: " + library.why + how_to_build(name + "_library");
}

/// The catalog needs functions of the probes, which are resolved when they are called: load_probes() comes before that.
/// A process that must resolve all symbols at once (LD_BIND_NOW) needs the probes first.
std::string load_catalog() {
  if (loaded("", "assay_catalog", RTLD_LAZY).empty()) return {};
  loaded("", "assay_probes", RTLD_LAZY | RTLD_GLOBAL);
  return loaded("the catalog", "assay_catalog", RTLD_LAZY);
}

std::string load_probes_library() { return loaded("the probes", "assay_probes", RTLD_LAZY | RTLD_GLOBAL); }

std::string load_outside() { return loaded("the judge of kernels from outside", "assay_outside", RTLD_LAZY); }

std::vector<std::string> families() {
  std::istringstream words(ASSAY_CATALOG_FAMILIES);
  std::vector<std::string> found;
  for (std::string each; words >> each;) found.push_back(each);
  return found;
}

const bool registered = [] {
  register_library(families(), load_catalog);
  register_probes(load_probes_library);
  register_operations(load_outside);
  return true;
}();

}  // namespace
}  // namespace assay
