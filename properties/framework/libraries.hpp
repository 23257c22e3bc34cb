#pragma once
// Libraries of properties, operations and probes that a program loads when it needs them
// (docs/decisions/loaded_libraries.md).

#include <stdexcept>
#include <string>
#include <vector>

namespace assay {

/// A needed library cannot be loaded, with the reason.
class MissingLibrary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads a library. The result is empty, or one line with the reason why the library cannot be loaded.
using LoadLibrary = std::string (*)();

/// Calls `load`, which registers properties of these families, when a function of model.hpp first needs one of them.
void register_library(std::vector<std::string> families, LoadLibrary load);

/// The reason why properties that were needed so far are missing; empty if none is.
std::string missing_properties();

/// Sets `load` as the function that registers operations, called when a function of operation.hpp first needs one that
/// the program does not have.
void register_operations(LoadLibrary load);

/// Sets `load` as the function that load_probes() calls.
void register_probes(LoadLibrary load);

/// Call it before the first function of a probe (properties/framework/probed.hpp) that runs many cases. Errors:
/// MissingLibrary.
void load_probes();

}  // namespace assay
