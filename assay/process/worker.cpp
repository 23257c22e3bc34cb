#include "assay/process/worker.hpp"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "assay/process/process.hpp"
#include "assay/process/wire.hpp"

namespace assay::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds start_limit{60000};
constexpr std::chrono::milliseconds look_every{100};

std::atomic<int> signal_seen{0};

class InProcess final : public Asker {
 public:
  InProcess(const PropertyModel& property, const std::string& executor, std::uint64_t seed)
      : property_(property), on_(executor_named(executor)), seed_(seed) {}

  Answer<Tally> run(const CaseRange& range) override {
    return guarded<Tally>([&](const auto& observer) { return property_.run(on_, seed_, range, observer); });
  }
  Answer<std::vector<CaseOutcome>> judge(std::span<const Record> cases, std::optional<std::size_t> claim) override {
    return guarded<std::vector<CaseOutcome>>([&](const auto&) { return property_.judge(on_, cases, claim); });
  }
  Answer<std::vector<Words>> evaluate(std::span<const Record> cases) override {
    return guarded<std::vector<Words>>([&](const auto&) { return property_.evaluate(on_, cases); });
  }
  Answer<ClimbState> climb(const ClimbGoal& goal, std::uint64_t until, const ClimbState& state) override {
    return guarded<ClimbState>([&](const auto& observer) {
      ClimbState next = state;
      assay::climb(property_, on_, goal, seed_, until, observer, next);
      return next;
    });
  }
  Answer<ProbeTally> probe(std::size_t input_class, std::uint64_t first, std::size_t count) override {
    return guarded<ProbeTally>(
        [&](const auto& observer) { return run_probe(property_, on_, seed_, input_class, first, count, observer); });
  }
  void retire() override {}

 private:
  template <class T, class F>
  Answer<T> guarded(const F& f) {
    CaseRange batch{0, 1, 0};
    const PropertyModel::BatchObserver observer = [&](const CaseRange& range) {
      batch = range;
      if (const int signal = pending_signal(); signal != 0) {
        throw Interrupted{signal};
      }
    };
    // A subject without memory is a finding; the program's own handler would end the program.
    struct WithoutHandler {
      std::new_handler before = std::set_new_handler(nullptr);
      ~WithoutHandler() { std::set_new_handler(before); }
    } const without_handler;
    try {
      return f(observer);
    } catch (const SubjectOutOfMemory&) {
      return Stop{store::Finding::out_of_memory, "out of memory", batch};
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const PathsDisagree&) {
      throw;
    } catch (const std::exception& error) {
      return Stop{store::Finding::crashed, std::string("threw: ") + error.what(), batch};
    }
  }

  const PropertyModel& property_;
  Executor on_;
  std::uint64_t seed_;
};

/// This program as a worker, and the lines to and from it.
class Worker {
 public:
  /// `turns` is the file by which workers take turns on a device, or a negative number.
  explicit Worker(int turns) : Worker(channel(), turns) {}

  bool send(const std::string& line) const { return lines_.send(line); }
  Lines::Got receive(std::string& line) { return lines_.receive(line, look_every); }
  Memory memory() const { return memory_of(child_.id()); }
  int end() { return child_.end(); }

  /// The wait status of a worker that closed its channel.
  int ended() {
    const std::optional<int> status = child_.wait(std::chrono::seconds(5));
    return status ? *status : child_.end();
  }

 private:
  struct Channel {
    Descriptor ours;
    Descriptor its;
  };

  static Channel channel() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw std::runtime_error(std::string("no channel to a worker: ") + std::strerror(errno));
    }
    return {Descriptor(ends[0]), Descriptor(ends[1])};
  }

  static Command command(int socket, int turns) {
    Command made{"/proc/self/exe",
                 {"assay", "worker", std::to_string(::getpid())},
                 {{socket, worker_descriptor}, {STDERR_FILENO, STDOUT_FILENO}}};
    if (turns >= 0) made.descriptors.emplace_back(turns, turn_descriptor);
    return made;
  }

  Worker(Channel channel, int turns) : child_(command(channel.its.number(), turns)), lines_(std::move(channel.ours)) {}

  Child child_;
  Lines lines_;  ///< closed before the child is ended
};

}  // namespace

struct SharedWorkers::State {
  std::mutex mutex;
  bool on_host = false;
  std::map<std::string, std::vector<std::unique_ptr<Worker>>> idle;  ///< by executor
  Descriptor turns{::memfd_create("turns", MFD_CLOEXEC)};
};

SharedWorkers::SharedWorkers(bool on_host) : state_(std::make_unique<State>()) {
  state_->on_host = on_host;
  if (state_->turns.number() < 0) {
    throw std::runtime_error(std::string("no file for the turns on a device: ") + std::strerror(errno));
  }
}
SharedWorkers::~SharedWorkers() = default;

class InWorker final : public QuestionAsker {
 public:
  InWorker(const PropertyModel& property, std::string executor, std::uint64_t seed, const WorkerLimits& limits,
           SharedWorkers* shared)
      : property_(property),
        executor_(std::move(executor)),
        seed_(seed),
        limits_(limits),
        shared_(shared != nullptr && (executor_ == "cuda" || shared->state_->on_host) ? shared->state_.get()
                                                                                      : nullptr) {}
  InWorker(const InWorker&) = delete;
  InWorker& operator=(const InWorker&) = delete;
  ~InWorker() override {
    if (worker_ && answered_ && shared_ != nullptr) {
      const std::scoped_lock lock(shared_->mutex);
      shared_->idle[executor_].push_back(std::move(worker_));
    }
  }

  Answer<store::Json> reply(const store::Json& question) override {
    Answer<store::Json> answer = ask(question);
    if (const auto* stop = std::get_if<Stop>(&answer); stop != nullptr && ended_without_answer_) {
      const std::string how = stop->what;
      worker_.reset();
      answer = ask(question);
      if (answer.index() == 0) {
        remarks_.push_back(property_.info().name + " on " + executor_ + ": a worker was " + how +
                           ", and another worker answered the same question: no case is blamed");
      }
    }
    if (answer.index() == 1) worker_.reset();
    return answer;
  }
  void retire() override { worker_.reset(); }

 private:
  bool takes_turns() const { return shared_ != nullptr && executor_ == "cuda"; }

  std::unique_ptr<Worker> idle_worker() const {
    if (shared_ == nullptr) {
      return nullptr;
    }
    const std::scoped_lock lock(shared_->mutex);
    auto& idle = shared_->idle[executor_];
    if (idle.empty()) {
      return nullptr;
    }
    std::unique_ptr<Worker> worker = std::move(idle.back());
    idle.pop_back();
    return worker;
  }

  void start() {
    if (worker_ = idle_worker(); worker_ && greet().empty()) {
      return;
    }
    // Another process may end a worker at its start, too.
    constexpr int attempts = 3;
    for (int attempt = 1;; ++attempt) {
      worker_ = std::make_unique<Worker>(takes_turns() ? shared_->turns.number() : -1);
      const std::string fault = greet();
      if (fault.empty()) return;
      worker_.reset();
      if (!fault.starts_with("it ended") || attempt == attempts) {
        throw std::runtime_error("no worker for " + property_.info().name + " on " + executor_ + ": " + fault);
      }
    }
  }

  /// Tells worker_ the next property. Returns the error, or empty.
  std::string greet() {
    const store::Json greeting{{"property", property_.info().name},
                               {"executor", executor_},
                               {"seed", seed_},
                               {"memory", limits_.memory},
                               {"turns", takes_turns()}};
    if (!worker_->send(line_of(greeting))) {
      return "it ended";
    }
    std::string line;
    const Clock::time_point until = Clock::now() + start_limit;
    while (Clock::now() < until) {
      stop_if_interrupted();
      const Lines::Got got = worker_->receive(line);
      if (got == Lines::Got::line) {
        return line == "ready" ? "" : line;
      }
      if (got == Lines::Got::closed) {
        return "it ended at its start";
      }
    }
    return "it gave no answer";
  }

  void stop_if_interrupted() {
    if (const int signal = pending_signal(); signal != 0) {
      worker_.reset();
      throw Interrupted{signal};
    }
  }

  Answer<store::Json> ask(const store::Json& question) {
    if (!worker_) {
      start();
    }
    if (!worker_->send(line_of(question))) {
      worker_.reset();
      start();
      worker_->send(line_of(question));
    }
    answered_ = false;
    ended_without_answer_ = false;
    CaseRange batch{0, 1, 0};
    bool memory_ran_out = false;
    std::uint64_t most_addresses = 0;  ///< largest observed number of bytes of address space
    Clock::time_point since = Clock::now();
    std::string line;
    for (;;) {
      stop_if_interrupted();
      const Lines::Got got = worker_->receive(line);
      if (got == Lines::Got::line) {
        since = Clock::now();
        if (line.starts_with('[') || line.starts_with('{')) {
          store::Json reply = document_of(line);
          if (reply.is_object() && reply.contains("stop")) {
            if (reply.at("stop").get<std::string>() == "paths") {
              throw PathsDisagree(reply.at("what").get<std::string>());
            }
            if (reply.at("stop").get<std::string>() == "harness") {
              throw std::runtime_error(property_.info().name + " on " + executor_ + ": " +
                                       reply.at("what").get<std::string>());
            }
            const bool out_of_memory = reply.at("stop").get<std::string>() == "memory";
            return Stop{out_of_memory ? store::Finding::out_of_memory : store::Finding::crashed,
                        reply.at("what").get<std::string>(), batch};
          }
          answered_ = true;
          return reply;
        }
        if (line == "m") {
          memory_ran_out = true;
        } else if (line != "w") {
          read_batch(line, batch);
        }
        continue;
      }
      if (got == Lines::Got::closed) {
        return died(batch, memory_ran_out || most_addresses > limits_.memory / 10 * 9);
      }
      // A process that is ending may have no memory left before its channel closes.
      const Memory memory = worker_->memory();
      most_addresses = std::max(most_addresses, memory.address_space);
      if (memory.resident > limits_.memory) {
        worker_->end();
        return Stop{store::Finding::out_of_memory, "used more than its memory limit", batch};
      }
      const auto limit = batch.count > 1 ? 2 * limits_.timeout_case : limits_.timeout_case;
      if (Clock::now() - since > (batch.count == 0 ? limit + start_limit : limit)) {
        worker_->end();
        return Stop{store::Finding::hung, "gave no answer in " + std::to_string(limit.count()) + " ms", batch};
      }
    }
  }

  Stop died(const CaseRange& batch, bool memory_ran_out) {
    const int status = worker_->ended();
    ended_without_answer_ = true;
    Stop stop{store::Finding::crashed, "", batch};
    if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      const char* abbreviation = ::sigabbrev_np(signal);
      stop.what = std::string("ended by SIG") + (abbreviation != nullptr ? abbreviation : "?");
    } else {
      stop.what = "ended with exit code " + std::to_string(WEXITSTATUS(status));
    }
    if (memory_ran_out) {
      stop.kind = store::Finding::out_of_memory;
      stop.what = "out of memory, " + stop.what;
    }
    return stop;
  }

  static void read_batch(const std::string& line, CaseRange& batch) {
    const char* at = line.data();
    const char* const end = at + line.size();
    for (std::uint64_t* const number : {&batch.first, &batch.stride, &batch.count}) {
      at = std::from_chars(at, end, *number).ptr;
      at += at != end ? 1 : 0;
    }
  }

  const PropertyModel& property_;
  std::string executor_;
  std::uint64_t seed_;
  WorkerLimits limits_;
  SharedWorkers::State* shared_;
  std::unique_ptr<Worker> worker_;
  bool answered_ = false;              ///< whether the last question to worker_ was such a question
  bool ended_without_answer_ = false;  ///< whether the last worker ended by itself or was ended from outside
};

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    // A second signal of a kind ends a program that does not react to the first.
    if (signal_seen.exchange(signal) != signal) return;
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // The reader of standard error may leave; the campaign continues.
  std::signal(SIGPIPE, SIG_IGN);
}

int pending_signal() { return signal_seen.load(); }

Executor executor_named(const std::string& name) { return name == "cuda" ? Executor::cuda() : Executor::host(); }

std::unique_ptr<Asker> ask_in_process(const PropertyModel& property, const std::string& executor, std::uint64_t seed) {
  return std::make_unique<InProcess>(property, executor, seed);
}

std::unique_ptr<QuestionAsker> ask_in_worker(const PropertyModel& property, const std::string& executor,
                                             std::uint64_t seed, const WorkerLimits& limits, SharedWorkers* shared) {
  return std::make_unique<InWorker>(property, executor, seed, limits, shared);
}

}  // namespace assay::process
