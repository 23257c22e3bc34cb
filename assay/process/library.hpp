#pragma once
// Shared libraries of Assay that a program loads when it needs them (docs/decisions/loaded_libraries.md).

#include <string>

namespace assay::process {

/// The folders that are searched for Assay's libraries: `beside`, relative to the program's folder; the folders that
/// the loader searches for this program's libraries; the folder `built`.
struct LibraryPlaces {
  const char* beside;
  const char* built;
};

/// A library, or why there is none.
struct OpenedLibrary {
  void* handle = nullptr;
  std::string why{};  ///< the loader's path or, if there is one, the file in that folder
};

/// Opens the library with the given name once. `mode`: of dlopen().
OpenedLibrary open_library(const std::string& name, const LibraryPlaces& places, int mode);

}  // namespace assay::process
