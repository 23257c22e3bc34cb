#pragma once
// Shared libraries of Assay that a program loads when it needs them (docs/decisions/loaded_libraries.md).

#include <string>

namespace assay::process {

/// Where Assay's libraries are looked for: in `beside`, from the program's folder; where the loader looks for this
/// program's libraries; in the folder `built`.
struct LibraryPlaces {
  const char* beside;
  const char* built;
};

/// A library, or why there is none.
struct OpenedLibrary {
  void* handle = nullptr;
  std::string why{};  ///< as the loader has it, for the place where the library lies if there is one
};

/// Opens the library with the given name once. `mode`: of dlopen().
OpenedLibrary open_library(const std::string& name, const LibraryPlaces& places, int mode);

}  // namespace assay::process
