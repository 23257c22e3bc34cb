#include "assay/ranks/mpi.hpp"

#include <mpi.h>

#include <list>

namespace assay::ranks {

/// Texts that are on their way.
struct Mpi::Sending {
  struct Text {
    std::string bytes;
    MPI_Request request;
  };
  std::list<Text> texts;

  void forget_arrived() {
    for (auto at = texts.begin(); at != texts.end();) {
      int arrived = 0;
      MPI_Test(&at->request, &arrived, MPI_STATUS_IGNORE);
      at = arrived != 0 ? texts.erase(at) : std::next(at);
    }
  }
};

namespace {

unsigned number(int (*ask)(MPI_Comm, int*), MPI_Comm of) {
  int answer = 0;
  ask(of, &answer);
  return static_cast<unsigned>(answer);
}

}  // namespace

Mpi::Mpi() : sending_(std::make_unique<Sending>()) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    throw NoMpi("--mpi: this MPI serves one thread alone; MPI_THREAD_SERIALIZED is needed");
  }
  rank_ = number(MPI_Comm_rank, MPI_COMM_WORLD);
  ranks_ = number(MPI_Comm_size, MPI_COMM_WORLD);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  place_ = number(MPI_Comm_rank, machine);
  places_ = number(MPI_Comm_size, machine);
  MPI_Comm_free(&machine);
}

Mpi::~Mpi() {
  while (!sending_->texts.empty()) sending_->forget_arrived();
  MPI_Finalize();
}

void Mpi::send(unsigned to, std::string text) {
  sending_->forget_arrived();
  Sending::Text& sent = sending_->texts.emplace_back(Sending::Text{std::move(text), MPI_REQUEST_NULL});
  MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_CHAR, static_cast<int>(to), 0, MPI_COMM_WORLD,
            &sent.request);
}

std::optional<Mpi::Received> Mpi::receive() {
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

}  // namespace assay::ranks
