#include <dlfcn.h>

#include "assay/process/library.hpp"
#include "assay/ranks/mpi.hpp"

namespace assay::ranks {

std::unique_ptr<Mpi> join_mpi() {
  // Its symbols are global: an MPI loads parts of itself later, and these may use them.
  const process::OpenedLibrary library =
      process::open_library("libassay_mpi.so", {ASSAY_MPI_BESIDE, ASSAY_MPI_BUILT}, RTLD_NOW | RTLD_GLOBAL);
  if (library.handle == nullptr) throw NoMpi("--mpi: " + library.why);
  const auto join = reinterpret_cast<Mpi* (*)()>(::dlsym(library.handle, "assay_join_mpi"));
  if (join == nullptr) throw NoMpi(std::string("--mpi: ") + ::dlerror());
  return std::unique_ptr<Mpi>(join());
}

}  // namespace assay::ranks
