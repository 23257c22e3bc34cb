#pragma once
// The one door to MPI: texts between the ranks of a job.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace assay::ranks {

/// This build has no MPI (exit code 2).
class NoMpi : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// This process as a rank of its job. One thread at a time calls it.
class Mpi {
 public:
  /// Errors: NoMpi. MPI itself ends the program where the job cannot be joined.
  Mpi();
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  /// Leaves the job. Waits until every rank leaves it.
  ~Mpi();

  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }
  /// The number of this rank among those of its machine, and how many these are.
  unsigned place() const { return place_; }
  unsigned places() const { return places_; }

  /// Does not wait for the receiver.
  void send(unsigned to, std::string text);

  struct Received {
    unsigned from = 0;
    std::string text;
  };
  /// The next text; nothing where none has come.
  std::optional<Received> receive();

 private:
  struct Sending;
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  unsigned place_ = 0;
  unsigned places_ = 1;
  std::unique_ptr<Sending> sending_;
};

}  // namespace assay::ranks
