#include "assay/ranks/mpi.hpp"

namespace assay::ranks {

std::unique_ptr<Mpi> join_mpi() {
  throw NoMpi("--mpi: this build has no MPI; CMake found none when it was configured (libopenmpi-dev on Debian)");
}

}  // namespace assay::ranks
