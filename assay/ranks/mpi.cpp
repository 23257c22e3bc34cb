// A library of its own, which a program loads only for --mpi: on some systems the libraries of an MPI take a tenth of a
// second to load, and they catch signals.

#include "assay/ranks/mpi.hpp"

#include <mpi.h>

#include <list>

namespace assay::ranks {
namespace {

unsigned number(int (*ask)(MPI_Comm, int*), MPI_Comm of) {
  int answer = 0;
  ask(of, &answer);
  return static_cast<unsigned>(answer);
}

class JoinedMpi final : public Mpi {
 public:
  JoinedMpi() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) {
      MPI_Finalize();
      throw NoMpi("--mpi: this MPI supports one thread only; MPI_THREAD_SERIALIZED is needed");
    }
    rank_ = number(MPI_Comm_rank, MPI_COMM_WORLD);
    ranks_ = number(MPI_Comm_size, MPI_COMM_WORLD);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    place_ = number(MPI_Comm_rank, machine);
    places_ = number(MPI_Comm_size, machine);
    MPI_Comm_free(&machine);
  }
  ~JoinedMpi() override {
    while (!texts_.empty()) forget_arrived();
    MPI_Finalize();
  }

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return ranks_; }
  unsigned place() const override { return place_; }
  unsigned places() const override { return places_; }

  void send(unsigned to, std::string text) override {
    forget_arrived();
    Text& sent = texts_.emplace_back(Text{std::move(text), MPI_REQUEST_NULL});
    MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_CHAR, static_cast<int>(to), 0, MPI_COMM_WORLD,
              &sent.request);
  }

  std::optional<Received> receive() override {
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Received received{static_cast<unsigned>(status.MPI_SOURCE), std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(received.text.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return received;
  }

 private:
  /// A text that is being sent.
  struct Text {
    std::string bytes;
    MPI_Request request;
  };

  void forget_arrived() {
    for (auto at = texts_.begin(); at != texts_.end();) {
      int arrived = 0;
      MPI_Test(&at->request, &arrived, MPI_STATUS_IGNORE);
      at = arrived != 0 ? texts_.erase(at) : std::next(at);
    }
  }

  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  unsigned place_ = 0;
  unsigned places_ = 1;
  std::list<Text> texts_;
};

}  // namespace
}  // namespace assay::ranks

/// The functions that load_mpi.cpp looks up.
extern "C" assay::ranks::Mpi* assay_join_mpi() { return std::make_unique<assay::ranks::JoinedMpi>().release(); }
