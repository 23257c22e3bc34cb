#pragma once
// A subject may crash, hang or eat all memory: it is asked in a process of its own.

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

/// A signal asked the program to end.
struct Interrupted {
  int signal = 0;
};

/// Lets the first SIGINT and the first SIGTERM only set a flag that every wait looks at; a second one ends the program.
/// Call once, before a campaign.
void watch_signals();
/// The signal that came in, or 0.
int pending_signal();

/// A subject gave no answer. `kind` is crashed, hung or out_of_memory.
struct Stop {
  store::Finding kind = store::Finding::crashed;
  std::string what;  ///< one line
  CaseRange batch;   ///< the batch that was announced last; empty when nothing was announced
};

struct WorkerLimits {
  std::chrono::milliseconds timeout_case{10000};  ///< a single case; a batch has twice that, then is repeated by case
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< bytes of a worker
};

template <class T>
using Answer = std::variant<T, Stop>;

/// Asks the subject of one property on one executor. After a Stop the next question meets a fresh subject.
class Asker {
 public:
  virtual ~Asker() = default;
  /// Errors: Interrupted; std::runtime_error where no subject can be reached at all (a failure of the harness).
  virtual Answer<Tally> run(const CaseRange& range) = 0;
  /// `claim`: only this one is judged, as PropertyModel::judge() says.
  virtual Answer<std::vector<CaseOutcome>> judge(std::span<const Record> cases,
                                                 std::optional<std::size_t> claim = std::nullopt) = 0;
  virtual Answer<std::vector<Words>> evaluate(std::span<const Record> cases) = 0;
  /// The state after climb().
  virtual Answer<ClimbState> climb(const ClimbGoal& goal, std::uint64_t until, const ClimbState& state) = 0;
  /// run_probe().
  virtual Answer<ProbeTally> probe(std::size_t input_class, std::uint64_t first, std::size_t count) = 0;
  /// The next question meets a fresh subject.
  virtual void retire() = 0;
  /// What has happened since the last call without being the subject's fault, a sentence each.
  std::vector<std::string> take_remarks() { return std::exchange(remarks_, {}); }

 protected:
  std::vector<std::string> remarks_;
};

/// Asks by questions that a process understands, each a document of one line.
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

/// In this process: a subject that throws is a Stop, a subject that crashes ends this program.
std::unique_ptr<Asker> ask_in_process(const PropertyModel& property, const std::string& executor, std::uint64_t seed);

/// What the workers of one campaign share on a device: they take turns on it, and one that is done with its property
/// waits here for another, since to open a device takes a process about half a second. Only a worker whose every
/// question was answered comes here. The destructor ends the workers.
class DeviceWorkers {
 public:
  DeviceWorkers();
  ~DeviceWorkers();
  DeviceWorkers(const DeviceWorkers&) = delete;
  DeviceWorkers& operator=(const DeviceWorkers&) = delete;

 private:
  friend class InWorker;
  struct State;
  std::unique_ptr<State> state_;
};

/// In a worker: this program once more, started by exec with the hidden command `worker`. A worker that ends before its
/// answer may have been ended from outside: the next one gets the same question, and only its end is a Stop. It ends
/// with the thread that asks. On a device, where `shared` is given, the worker may come from there and goes there at
/// the end.
std::unique_ptr<QuestionAsker> ask_in_worker(const PropertyModel& property, const std::string& executor,
                                             std::uint64_t seed, const WorkerLimits& limits,
                                             DeviceWorkers* shared = nullptr);

/// An estimate of the bytes of a host batch: 64 cases, each as large as the largest of the first cases, and three
/// results of the same size for each. It serves budgets alone; the system enforces the limit of a worker.
std::uint64_t predicted_bytes(const PropertyModel& property, std::uint64_t seed);

/// The other side: answers on descriptor 3 until it is closed. Returns the exit code.
int worker_main();

}  // namespace assay::process
