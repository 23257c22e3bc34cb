#pragma once
// A subject may crash, hang or use up all memory: it runs in a process of its own.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "assay/store/json.hpp"
#include "assay/store/summary.hpp"
#include "properties/framework/climb.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/probe_run.hpp"

namespace assay::process {

/// A signal requested the end of the program.
struct Interrupted {
  int signal = 0;
};

/// Makes the first SIGINT and the first SIGTERM only set a flag that every wait checks; a second one ends the program.
/// Call once, before a campaign.
void watch_signals();
/// The signal that came in, or 0.
int pending_signal();

/// A subject gave no answer. `kind` is crashed, hung or out_of_memory.
struct Stop {
  store::Finding kind = store::Finding::crashed;
  std::string what;  ///< one line
  CaseRange batch;   ///< the batch that was announced last; empty if none was announced
};

struct WorkerLimits {
  std::chrono::milliseconds timeout_case{
      10000};  ///< for a single case; a batch has twice this time, and is then repeated case by case
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< bytes of a worker
};

template <class T>
using Answer = std::variant<T, Stop>;

/// Runs the subject of one property on one executor. After a Stop the next question goes to a fresh subject.
class Asker {
 public:
  virtual ~Asker() = default;
  /// Errors: Interrupted; std::runtime_error if no subject can be started at all (a failure of the harness).
  virtual Answer<Tally> run(const CaseRange& range) = 0;
  /// `claim`: only this claim is judged, see PropertyModel::judge.
  virtual Answer<std::vector<CaseOutcome>> judge(std::span<const Record> cases,
                                                 std::optional<std::size_t> claim = std::nullopt) = 0;
  virtual Answer<std::vector<Words>> evaluate(std::span<const Record> cases) = 0;
  /// The state after climb().
  virtual Answer<ClimbState> climb(const ClimbGoal& goal, std::uint64_t until, const ClimbState& state) = 0;
  /// run_probe().
  virtual Answer<ProbeTally> probe(std::size_t input_class, std::uint64_t first, std::size_t count) = 0;
  /// The next question goes to a fresh subject.
  virtual void retire() = 0;
  /// Events since the last call that are not the subject's fault, one sentence each.
  std::vector<std::string> take_remarks() { return std::exchange(remarks_, {}); }

 protected:
  std::vector<std::string> remarks_;
};

/// Answers questions through a channel, each a document of one line.
class QuestionAsker : public Asker {
 public:
  Answer<Tally> run(const CaseRange& range) final;
  Answer<std::vector<CaseOutcome>> judge(std::span<const Record> cases, std::optional<std::size_t> claim) final;
  Answer<std::vector<Words>> evaluate(std::span<const Record> cases) final;
  Answer<ClimbState> climb(const ClimbGoal& goal, std::uint64_t until, const ClimbState& state) final;
  Answer<ProbeTally> probe(std::size_t input_class, std::uint64_t first, std::size_t count) final;
  virtual Answer<store::Json> reply(const store::Json& question) = 0;
};

/// "host" or "cuda". Errors: ExecutorError.
Executor executor_named(const std::string& name);

/// In this process: a subject that throws is a Stop, but a subject that crashes ends this program.
std::unique_ptr<Asker> ask_in_process(const PropertyModel& property, const std::string& executor, std::uint64_t seed);

/// The state that the workers of one campaign share: they take turns on a device, and a worker on a device that is done
/// with its property waits here for another property, because a process needs about half a second to open a device. So
/// does a worker on the host if `on_host`. Only a worker that answered all its questions comes here. The destructor
/// ends the workers.
class SharedWorkers {
 public:
  explicit SharedWorkers(bool on_host = false);
  ~SharedWorkers();
  SharedWorkers(const SharedWorkers&) = delete;
  SharedWorkers& operator=(const SharedWorkers&) = delete;

 private:
  friend class InWorker;
  struct State;
  std::unique_ptr<State> state_;
};

/// In a worker: this program itself, started by exec with the hidden command `worker`. A worker that ends before its
/// answer may have been ended from outside: the next worker gets the same question, and only if that one ends, too, it
/// is a Stop. The worker ends with the thread that uses it. If `shared` is given and has workers of this executor, the
/// worker may come from there, and goes back there at the end.
std::unique_ptr<QuestionAsker> ask_in_worker(const PropertyModel& property, const std::string& executor,
                                             std::uint64_t seed, const WorkerLimits& limits,
                                             SharedWorkers* shared = nullptr);

/// An estimate of the bytes of a host batch: 64 cases, each as large as the largest of the first cases, and three
/// results of the same size for each. It is only used for budgets; the system enforces the limit of a worker.
std::uint64_t predicted_bytes(const PropertyModel& property, std::uint64_t seed);

/// The worker's side: answers on descriptor 3 until it is closed. Returns the exit code.
int worker_main();

}  // namespace assay::process
