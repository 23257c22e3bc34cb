#include "bench/curves/blas.hpp"

#include <dlfcn.h>

#include <type_traits>

namespace assay::bench {
namespace {

OpenBlas loaded() {
  OpenBlas blas;
  void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return blas;
  const auto find = [library](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
  };
  void (*set_threads)(int) = nullptr;
  find("openblas_set_num_threads", set_threads);
  if (set_threads == nullptr) return blas;
  set_threads(1);
  find("cblas_ddot", blas.ddot);
  find("cblas_dgemv", blas.dgemv);
  find("cblas_dgemm", blas.dgemm);
  return blas;
}

}  // namespace

const OpenBlas& open_blas() {
  static const OpenBlas blas = loaded();
  return blas;
}

}  // namespace assay::bench
