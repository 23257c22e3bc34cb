#include "assay/ranks/mpi.hpp"

namespace assay::ranks {

struct Mpi::Sending {};

Mpi::Mpi() {
  throw NoMpi("--mpi: this build has no MPI; CMake found none when it was configured (libopenmpi-dev on Debian)");
}
Mpi::~Mpi() = default;
void Mpi::send(unsigned, std::string) {}
std::optional<Mpi::Received> Mpi::receive() { return std::nullopt; }

}  // namespace assay::ranks
