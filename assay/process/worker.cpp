#include "assay/process/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "assay/process/wire.hpp"
#include "properties/framework/device_turn.hpp"

namespace assay::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int worker_descriptor = 3;
constexpr int turn_descriptor = 4;
constexpr std::chrono::milliseconds start_limit{60000};
constexpr std::chrono::milliseconds grace_after_term{500};
constexpr std::chrono::milliseconds look_every{100};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool address_space_can_be_limited = false;
#else
constexpr bool address_space_can_be_limited = true;
#endif

std::atomic<int> signal_seen{0};

bool send_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string line_of(const store::Json& value) { return value.dump() + "\n"; }

/// Answers one question. The observer tells of each batch before the subject sees it.
store::Json answer(const PropertyModel& property, const Executor& on, std::uint64_t seed, const store::Json& question,
                   const PropertyModel::BatchObserver& observer) {
  const std::string what = question.at("ask").get<std::string>();
  if (what == "run") {
    return store::tally_to_json(property.run(on, seed, range_from_wire(question.at("range")), observer));
  }
  std::vector<Record> cases;
  for (const store::Json& each : question.at("cases")) {
    cases.push_back(record_from_wire(each));
  }
  store::Json answers = store::Json::array();
  observer({0, 1, cases.size()});
  if (what == "judge") {
    for (const CaseOutcome& outcome : property.judge(on, cases)) {
      answers.push_back(to_wire(outcome));
    }
  } else {
    for (const Words& words : property.evaluate(on, cases)) {
      answers.push_back(to_wire(words));
    }
  }
  return answers;
}

class InProcess final : public Asker {
 public:
  InProcess(const PropertyModel& property, const std::string& executor, std::uint64_t seed)
      : property_(property), on_(executor_named(executor)), seed_(seed) {}

  Answer<Tally> run(const CaseRange& range) override {
    return guarded<Tally>([&](const auto& observer) { return property_.run(on_, seed_, range, observer); });
  }
  Answer<std::vector<CaseOutcome>> judge(std::span<const Record> cases) override {
    return guarded<std::vector<CaseOutcome>>([&](const auto&) { return property_.judge(on_, cases); });
  }
  Answer<std::vector<Words>> evaluate(std::span<const Record> cases) override {
    return guarded<std::vector<Words>>([&](const auto&) { return property_.evaluate(on_, cases); });
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
    try {
      return f(observer);
    } catch (const SubjectOutOfMemory&) {
      return Stop{store::Finding::out_of_memory, "out of memory", batch};
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      return Stop{store::Finding::crashed, std::string("threw: ") + error.what(), batch};
    }
  }

  const PropertyModel& property_;
  Executor on_;
  std::uint64_t seed_;
};

struct Memory {
  std::uint64_t address_space = 0;
  std::uint64_t resident = 0;
};

Memory memory_of(pid_t process) {
  Memory found;
  const std::string path = "/proc/" + std::to_string(process) + "/statm";
  if (std::FILE* file = std::fopen(path.c_str(), "re")) {
    unsigned long pages = 0;
    unsigned long resident = 0;
    if (std::fscanf(file, "%lu %lu", &pages, &resident) == 2) {
      const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
      found = {pages * page, resident * page};
    }
    std::fclose(file);
  }
  return found;
}

/// Bytes of a host batch: the largest of the first cases, its result as large again, three runs compared, 64 such cases
/// at a time. A guess for the budget alone; the limit itself is the system's.
std::uint64_t predicted_bytes(const PropertyModel& property, std::uint64_t seed) {
  constexpr std::uint64_t sample = 64;
  constexpr std::uint64_t copies = 4;
  const std::uint64_t all = property.info().enumeration_size;
  const std::uint64_t looked_at = all == 0 ? sample : std::min(all, sample);
  std::uint64_t largest = 0;
  for (std::uint64_t number = 0; number < looked_at; ++number) {
    std::uint64_t bytes = 0;
    if (const std::optional<Record> record = property.make(seed, number)) {
      for (const FieldValue& field : record->fields) {
        const auto* const words = std::get_if<Words>(&field.value);
        bytes += sizeof(std::uint64_t) * (words != nullptr ? words->bits.size() : 1);
      }
    }
    largest = std::max(largest, bytes);
  }
  return largest * copies * sample;
}

/// A child process with a line-wise channel to it.
class Child {
 public:
  /// `turns` is the file of the turns on a device, or -1.
  explicit Child(int turns) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw std::runtime_error(std::string("no channel to a worker: ") + std::strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // dup2 onto itself keeps close-on-exec where the end is 3 already, so it goes by way of a high number.
    const int high = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 64);
    posix_spawn_file_actions_adddup2(&actions, high, worker_descriptor);
    const int high_turns = turns < 0 ? -1 : ::fcntl(turns, F_DUPFD_CLOEXEC, 64);
    if (high_turns >= 0) {
      posix_spawn_file_actions_adddup2(&actions, high_turns, turn_descriptor);
    }
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    std::string name = "assay";
    std::string command = "worker";
    std::string parent = std::to_string(::getpid());
    std::array<char*, 4> arguments{name.data(), command.data(), parent.data(), nullptr};
    const int failed = ::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    ::close(high);
    if (high_turns >= 0) {
      ::close(high_turns);
    }
    if (failed != 0) {
      ::close(ends[0]);
      throw std::runtime_error(std::string("no worker could be started: ") + std::strerror(failed));
    }
    descriptor_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    ::close(descriptor_);
    end();
  }

  bool send(std::string_view line) const { return send_all(descriptor_, line); }

  enum class Got { line, nothing, closed };
  /// The next line, waiting no longer than `wait`.
  Got receive(std::string& line, std::chrono::milliseconds wait) {
    const Clock::time_point until = Clock::now() + wait;
    for (;;) {
      if (const std::size_t end = buffer_.find('\n', searched_); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        return Got::line;
      }
      searched_ = buffer_.size();
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      pollfd ready{descriptor_, POLLIN, 0};
      const int count = ::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
      if (count <= 0) {
        return Got::nothing;
      }
      std::array<char, 65536> bytes{};
      const ssize_t size = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
      if (size == 0 || (size < 0 && errno != EINTR)) {
        return Got::closed;
      }
      if (size > 0) {
        buffer_.append(bytes.data(), static_cast<std::size_t>(size));
      }
    }
  }

  /// Ends the process by its id: TERM first, KILL when it stays. Returns its wait status.
  int end() {
    if (!status_) {
      ::kill(pid_, SIGTERM);
      if (!reap(grace_after_term)) {
        ::kill(pid_, SIGKILL);
        reap(std::chrono::hours(1));
      }
    }
    return *status_;
  }

  /// Waits for a process that closed its channel.
  int ended() {
    if (!reap(std::chrono::seconds(5))) {
      end();
    }
    return *status_;
  }

  Memory memory() const { return memory_of(pid_); }

 private:
  bool reap(std::chrono::milliseconds wait) {
    const Clock::time_point until = Clock::now() + wait;
    while (!status_) {
      int status = 0;
      const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
      if (ended == pid_ || (ended < 0 && errno == ECHILD)) {
        status_ = status;
        break;
      }
      if (Clock::now() >= until) {
        return false;
      }
      ::usleep(1000);
    }
    return true;
  }

  pid_t pid_ = -1;
  int descriptor_ = -1;
  std::string buffer_;
  std::size_t searched_ = 0;
  std::optional<int> status_;
};

}  // namespace

struct DeviceWorkers::State {
  std::mutex mutex;
  std::vector<std::unique_ptr<Child>> idle;
  int turns = ::memfd_create("turns", MFD_CLOEXEC);
};

DeviceWorkers::DeviceWorkers() : state_(std::make_unique<State>()) {
  if (state_->turns < 0) {
    throw std::runtime_error(std::string("no file for the turns on a device: ") + std::strerror(errno));
  }
}
DeviceWorkers::~DeviceWorkers() { ::close(state_->turns); }

class InWorker final : public Asker {
 public:
  InWorker(const PropertyModel& property, std::string executor, std::uint64_t seed, const WorkerLimits& limits,
           DeviceWorkers* shared)
      : property_(property),
        executor_(std::move(executor)),
        seed_(seed),
        limits_(limits),
        shared_(executor_ == "cuda" && shared != nullptr ? shared->state_.get() : nullptr) {}
  InWorker(const InWorker&) = delete;
  InWorker& operator=(const InWorker&) = delete;
  ~InWorker() override {
    if (child_ && answered_ && shared_ != nullptr) {
      const std::scoped_lock lock(shared_->mutex);
      shared_->idle.push_back(std::move(child_));
    }
  }

  Answer<Tally> run(const CaseRange& range) override {
    store::Json question{{"ask", "run"}, {"range", to_wire(range)}};
    return translated<Tally>(question, [](const store::Json& reply) { return store::tally_from_json(reply); });
  }
  Answer<std::vector<CaseOutcome>> judge(std::span<const Record> cases) override {
    return translated<std::vector<CaseOutcome>>(about("judge", cases), [](const store::Json& reply) {
      std::vector<CaseOutcome> outcomes;
      for (const store::Json& each : reply) {
        outcomes.push_back(outcome_from_wire(each));
      }
      return outcomes;
    });
  }
  Answer<std::vector<Words>> evaluate(std::span<const Record> cases) override {
    return translated<std::vector<Words>>(about("evaluate", cases), [](const store::Json& reply) {
      std::vector<Words> words;
      for (const store::Json& each : reply) {
        words.push_back(words_from_wire(each));
      }
      return words;
    });
  }
  void retire() override { child_.reset(); }

 private:
  static store::Json about(const char* ask, std::span<const Record> cases) {
    store::Json question{{"ask", ask}, {"cases", store::Json::array()}};
    for (const Record& each : cases) {
      question["cases"].push_back(to_wire(each));
    }
    return question;
  }

  template <class T, class F>
  Answer<T> translated(const store::Json& question, const F& translate) {
    std::variant<store::Json, Stop> reply = ask(question);
    if (auto* stop = std::get_if<Stop>(&reply)) {
      child_.reset();
      return *stop;
    }
    return translate(std::get<store::Json>(reply));
  }

  std::unique_ptr<Child> idle_child() const {
    if (shared_ == nullptr) {
      return nullptr;
    }
    const std::scoped_lock lock(shared_->mutex);
    if (shared_->idle.empty()) {
      return nullptr;
    }
    std::unique_ptr<Child> child = std::move(shared_->idle.back());
    shared_->idle.pop_back();
    return child;
  }

  void start() {
    if (child_ = idle_child(); child_ && greet().empty()) {
      return;
    }
    child_ = std::make_unique<Child>(shared_ != nullptr ? shared_->turns : -1);
    if (const std::string fault = greet(); !fault.empty()) {
      child_.reset();
      throw std::runtime_error("no worker for " + property_.info().name + " on " + executor_ + ": " + fault);
    }
  }

  /// Tells child_ which property comes. Returns what went wrong, or nothing.
  std::string greet() {
    const store::Json greeting{{"property", property_.info().name},
                               {"executor", executor_},
                               {"seed", seed_},
                               {"memory", limits_.memory},
                               {"turns", shared_ != nullptr}};
    if (!child_->send(line_of(greeting))) {
      return "it ended";
    }
    std::string line;
    const Clock::time_point until = Clock::now() + start_limit;
    while (Clock::now() < until) {
      stop_if_interrupted();
      const Child::Got got = child_->receive(line, look_every);
      if (got == Child::Got::line) {
        return line == "ready" ? "" : line;
      }
      if (got == Child::Got::closed) {
        return "it ended at its start";
      }
    }
    return "it gave no answer";
  }

  void stop_if_interrupted() {
    if (const int signal = pending_signal(); signal != 0) {
      child_.reset();
      throw Interrupted{signal};
    }
  }

  std::variant<store::Json, Stop> ask(const store::Json& question) {
    if (!child_) {
      start();
    }
    if (!child_->send(line_of(question))) {
      child_.reset();
      start();
      child_->send(line_of(question));
    }
    answered_ = false;
    CaseRange batch{0, 1, 0};
    bool memory_ran_out = false;
    Memory memory;
    Clock::time_point since = Clock::now();
    std::string line;
    for (;;) {
      stop_if_interrupted();
      const Child::Got got = child_->receive(line, look_every);
      if (got == Child::Got::line) {
        since = Clock::now();
        if (line.starts_with('[') || line.starts_with('{')) {
          store::Json reply = store::Json::parse(line);
          if (reply.is_object() && reply.contains("stop")) {
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
      if (got == Child::Got::closed) {
        return died(batch, memory_ran_out || memory.address_space > limits_.memory / 10 * 9);
      }
      memory = child_->memory();
      if (memory.resident > limits_.memory) {
        child_->end();
        return Stop{store::Finding::out_of_memory, "used more than its memory limit", batch};
      }
      const auto limit = batch.count > 1 ? 2 * limits_.timeout_case : limits_.timeout_case;
      if (Clock::now() - since > (batch.count == 0 ? limit + start_limit : limit)) {
        child_->end();
        return Stop{store::Finding::hung, "gave no answer in " + std::to_string(limit.count()) + " ms", batch};
      }
    }
  }

  Stop died(const CaseRange& batch, bool memory_ran_out) {
    const int status = child_->ended();
    Stop stop{store::Finding::crashed, "", batch};
    if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      const char* abbreviation = ::sigabbrev_np(signal);
      stop.what = std::string("ended by SIG") + (abbreviation != nullptr ? abbreviation : "?");
      memory_ran_out = memory_ran_out || signal == SIGKILL;
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
  DeviceWorkers::State* shared_;
  std::unique_ptr<Child> child_;
  bool answered_ = false;  ///< the last question to child_ was
};

namespace {

void tell_that_memory_ran_out() {
  std::set_new_handler(nullptr);
  send_all(worker_descriptor, "m\n");
}

void tell_of_waiting() { send_all(worker_descriptor, "w\n"); }

/// Lines of descriptor 3, blocking.
bool read_line(std::string& buffer, std::string& line) {
  for (;;) {
    if (const std::size_t end = buffer.find('\n'); end != std::string::npos) {
      line = buffer.substr(0, end);
      buffer.erase(0, end + 1);
      return true;
    }
    std::array<char, 65536> bytes{};
    const ssize_t size = ::recv(worker_descriptor, bytes.data(), bytes.size(), 0);
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size <= 0) {
      return false;
    }
    buffer.append(bytes.data(), static_cast<std::size_t>(size));
  }
}

void limit(decltype(RLIMIT_AS) resource, std::uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(resource, &both);
}

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { signal_seen.store(signal); };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

int pending_signal() { return signal_seen.load(); }

Executor executor_named(const std::string& name) { return name == "cuda" ? Executor::cuda() : Executor::host(); }

std::unique_ptr<Asker> ask_in_process(const PropertyModel& property, const std::string& executor, std::uint64_t seed) {
  return std::make_unique<InProcess>(property, executor, seed);
}

std::unique_ptr<Asker> ask_in_worker(const PropertyModel& property, const std::string& executor, std::uint64_t seed,
                                     const WorkerLimits& limits, DeviceWorkers* shared) {
  return std::make_unique<InWorker>(property, executor, seed, limits, shared);
}

int worker_main() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN);
  limit(RLIMIT_CORE, 0);
  std::string buffer;
  std::string line;
  if (!read_line(buffer, line)) {
    return 3;
  }
  const store::Json greeting = store::Json::parse(line);
  const PropertyModel* property = find_property(greeting.at("property").get<std::string>());
  const std::string name = greeting.at("executor").get<std::string>();
  const auto seed = greeting.at("seed").get<std::uint64_t>();
  std::optional<Executor> on;
  try {
    on = executor_named(name);
  } catch (const std::exception& error) {
    send_all(worker_descriptor, std::string(error.what()) + "\n");
    return 3;
  }
  if (property == nullptr) {
    send_all(worker_descriptor, "unknown property\n");
    return 3;
  }
  if (greeting.at("turns").get<bool>()) {
    take_turns(turn_descriptor, tell_of_waiting);
  }
  // CUDA reserves far more address space than it uses; there the asking side watches the resident memory alone.
  if (name == "host" && address_space_can_be_limited) {
    const auto budget = greeting.at("memory").get<std::uint64_t>();
    const std::uint64_t needed = memory_of(::getpid()).address_space + predicted_bytes(*property, seed);
    if (needed > budget) {
      send_all(worker_descriptor, "it would need " + std::to_string(needed) + " bytes, more than its memory limit of " +
                                      std::to_string(budget) + "\n");
      return 3;
    }
    limit(RLIMIT_AS, budget);
  }
  send_all(worker_descriptor, "ready\n");

  const PropertyModel::BatchObserver observer = [](const CaseRange& range) {
    std::array<char, 80> text{};
    char* at = text.data();
    for (const std::uint64_t number : {range.first, range.stride, range.count}) {
      at = std::to_chars(at, text.data() + text.size(), number).ptr;
      *at++ = ' ';
    }
    at[-1] = '\n';
    send_all(worker_descriptor, {text.data(), static_cast<std::size_t>(at - text.data())});
  };
  while (read_line(buffer, line)) {
    const store::Json question = store::Json::parse(line);
    if (question.contains("property")) {
      property = find_property(question.at("property").get<std::string>());
      if (!send_all(worker_descriptor, property == nullptr ? "unknown property\n" : "ready\n") || property == nullptr) {
        return 3;
      }
      continue;
    }
    std::set_new_handler(tell_that_memory_ran_out);
    std::string reply;
    bool over = false;
    const auto stop = [&](const char* kind, const std::string& what) {
      reply = line_of({{"stop", kind}, {"what", what}});
      over = true;
    };
    try {
      reply = line_of(answer(*property, *on, seed, question, observer));
    } catch (const SubjectOutOfMemory&) {
      stop("memory", "out of memory");
    } catch (const std::bad_alloc&) {
      stop("harness", "the reference or the judge ran out of the memory limit of a worker");
    } catch (const ExecutorError& error) {
      stop("crash", error.what());
    } catch (const std::exception& error) {
      stop("crash", std::string("threw: ") + error.what());
    }
    if (!send_all(worker_descriptor, reply) || over) {
      // No destructors: what the subject left behind may not bear them.
      std::_Exit(0);
    }
  }
  std::_Exit(0);
}

}  // namespace assay::process
