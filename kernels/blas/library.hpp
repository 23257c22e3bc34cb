#pragma once
// Libraries that are loaded when they are needed (docs/decisions/cublas_at_run_time.md).

#include <dlfcn.h>

#include <string>

#include "exec/executor.hpp"

namespace assay::blas {

/// The library of that file, which is never unloaded. `name`: in messages. Throws ExecutorError.
inline void* open_library(const std::string& file, const std::string& name) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw ExecutorError("loading " + name + ": " + std::string(reason == nullptr ? file : reason));
  }
  return library;
}

/// Looks up the function with that name in the library itself, so that interposed functions are not taken. `of`: the
/// library's name in messages. Throws ExecutorError.
template <class Function>
void look_up(void* library, const std::string& of, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw ExecutorError(of + " has no function " + name);
}

}  // namespace assay::blas
