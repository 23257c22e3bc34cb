// Loads the catalog and the probes, which are shared libraries (docs/decisions/loaded_libraries.md).

#include <dlfcn.h>

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

std::string loaded(const char* what, const char* name, int mode) {
  const process::OpenedLibrary library = process::open_library(name, places, mode);
  return library.handle != nullptr ? std::string() : std::string(what) + " cannot be loaded: " + library.why;
}

/// The catalog needs functions of the probes, which are resolved when they are called: load_probes() comes before that.
/// A process that must resolve all symbols at once (LD_BIND_NOW) needs the probes first.
std::string load_catalog() {
  if (loaded("", "libassay_catalog.so", RTLD_LAZY).empty()) return {};
  loaded("", "libassay_probes.so", RTLD_LAZY | RTLD_GLOBAL);
  return loaded("the catalog", "libassay_catalog.so", RTLD_LAZY);
}

std::string load_probes_library() { return loaded("the probes", "libassay_probes.so", RTLD_LAZY | RTLD_GLOBAL); }

std::vector<std::string> families() {
  std::istringstream words(ASSAY_CATALOG_FAMILIES);
  std::vector<std::string> found;
  for (std::string each; words >> each;) found.push_back(each);
  return found;
}

const bool registered = [] {
  register_library(families(), load_catalog);
  register_probes(load_probes_library);
  return true;
}();

}  // namespace
}  // namespace assay
