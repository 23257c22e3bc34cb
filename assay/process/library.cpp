#include "assay/process/library.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace assay::process {

OpenedLibrary open_library(const std::string& name, const LibraryPlaces& places, int mode) {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  OpenedLibrary opened;
  for (const std::filesystem::path& place : {program.parent_path() / places.beside / name, std::filesystem::path(name),
                                             std::filesystem::path(places.built) / name}) {
    opened.handle = ::dlopen(place.c_str(), mode);
    if (opened.handle != nullptr) return {opened.handle};
    const std::string why = ::dlerror();
    if (opened.why.empty() || std::filesystem::exists(place, failed)) opened.why = why;
  }
  return opened;
}

}  // namespace assay::process
