#include <dlfcn.h>

#include <filesystem>

#include "assay/ranks/mpi.hpp"

namespace assay::ranks {
namespace {

/// The library with the given name: beside this program's folder, where the loader looks for this program's libraries,
/// or where it was built. Its symbols are global: an MPI loads parts of itself later, and these may use them.
/// Errors: NoMpi with the loader's reason, for the place where the library lies if there is one.
void* opened(const std::string& name) {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  std::string reason;
  for (const std::filesystem::path& place :
       {program.parent_path() / ASSAY_MPI_BESIDE / name, std::filesystem::path(name),
        std::filesystem::path(ASSAY_MPI_BUILT) / name}) {
    if (void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
    const std::string why = ::dlerror();
    if (reason.empty() || std::filesystem::exists(place, failed)) reason = why;
  }
  throw NoMpi("--mpi: " + reason);
}

}  // namespace

std::unique_ptr<Mpi> join_mpi() {
  void* const library = opened("libassay_mpi.so");
  const auto join = reinterpret_cast<Mpi* (*)()>(::dlsym(library, "assay_join_mpi"));
  if (join == nullptr) throw NoMpi(std::string("--mpi: ") + ::dlerror());
  return std::unique_ptr<Mpi>(join());
}

}  // namespace assay::ranks
