#pragma once
// Libraries of properties and probes that a program loads when it needs them (docs/decisions/loaded_libraries.md).

#include <stdexcept>
#include <string>
#include <vector>

namespace assay {

/// A library that is needed cannot be loaded: why.
class MissingLibrary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads a library. What it returns is empty, or says in a line why the library cannot be loaded.
using LoadLibrary = std::string (*)();

/// Has `load` register properties of these families when a function of model.hpp first needs one of them.
void register_library(std::vector<std::string> families, LoadLibrary load);

/// Why properties that were needed so far are not there; empty if none is missing.
std::string missing_properties();

/// Has load_probes() call `load`.
void register_probes(LoadLibrary load);

/// Comes before the first function of a probe (properties/framework/probed.hpp) that runs many cases.
/// Errors: MissingLibrary.
void load_probes();

}  // namespace assay
