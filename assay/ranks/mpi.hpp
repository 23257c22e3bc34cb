#pragma once
// The only interface to MPI: texts between the ranks of a job.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace assay::ranks {

/// There is no MPI, or no usable one (exit code 2).
class NoMpi : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// This process as a rank of its job. Only one thread at a time may call it. The destructor leaves the job; it waits
/// until every rank leaves it.
class Mpi {
 public:
  Mpi() = default;
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  virtual ~Mpi() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned ranks() const = 0;
  /// The number of this rank among the ranks of its machine, and how many these are.
  virtual unsigned place() const = 0;
  virtual unsigned places() const = 0;

  /// Does not wait for the receiver.
  virtual void send(unsigned to, std::string text) = 0;

  struct Received {
    unsigned from = 0;
    std::string text;
  };
  /// The next text; empty if none has come.
  virtual std::optional<Received> receive() = 0;
};

/// Joins the job that started this process. Errors: NoMpi. MPI itself ends the program if the job cannot be joined.
std::unique_ptr<Mpi> join_mpi();

}  // namespace assay::ranks
