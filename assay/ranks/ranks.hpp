#pragma once
// The ranks of an MPI job: rank 0 leads a run, the others lend it their workers.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "assay/campaign/crew.hpp"
#include "assay/ranks/mpi.hpp"

namespace assay::ranks {

/// The data that a rank sends about itself before the run.
struct Greeting {
  unsigned jobs = 1;   ///< its worker processes
  std::string build;   ///< its program's build id
  std::string device;  ///< the model of its device; empty if it has none
  std::string fault;   ///< why it cannot work, one line; empty if it can
};

/// Rank 0. Its questions go to the other ranks, which answer them in workers of their own.
class Leader final : public campaign::Helpers {
 public:
  /// Waits for the greetings of the others. Errors: std::runtime_error where a rank cannot work, or is another program
  /// or on another device than `mine`.
  Leader(Mpi& mpi, const Greeting& mine);
  /// The other ranks leave the job.
  ~Leader() override;

  const std::vector<unsigned>& jobs() const override { return jobs_; }
  std::unique_ptr<process::Asker> asker(unsigned rank, const PropertyModel& property, const std::string& executor,
                                        std::uint64_t seed) override;

 private:
  friend class RemoteAsker;
  struct Letter {
    unsigned to;
    std::string text;
  };

  std::uint64_t open();
  void close(unsigned rank, std::uint64_t channel);
  /// Sends a question and waits for its answer. Errors: process::Interrupted.
  std::string ask(unsigned rank, std::uint64_t channel, std::string question);
  void carry();
  void deliver(std::string& text);
  void end();

  Mpi& mpi_;
  std::vector<unsigned> jobs_;
  std::mutex mutex_;
  std::condition_variable written_;
  std::condition_variable answered_;
  std::deque<Letter> letters_;                    ///< to be sent
  std::map<std::uint64_t, std::string> answers_;  ///< by channel
  std::uint64_t next_channel_ = 0;
  int interrupted_ = 0;  ///< the signal that a rank has got
  bool over_ = false;
  std::thread carrier_;  ///< between the askers and MPI
};

/// Any other rank: answers questions until the leader says that the run is over.
void follow(Mpi& mpi, const Greeting& greeting, const process::WorkerLimits& limits);

}  // namespace assay::ranks
