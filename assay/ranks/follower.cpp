#include <csignal>
#include <functional>

#include "assay/ranks/letters.hpp"

namespace assay::ranks {
namespace {

/// Messages of several threads to the leader.
class Outbox {
 public:
  void put(std::string letter) {
    {
      const std::scoped_lock lock(mutex_);
      letters_.push_back(std::move(letter));
    }
    written_.notify_one();
  }
  /// All letters. Waits this long for the first message.
  std::deque<std::string> take(std::chrono::microseconds wait) {
    std::unique_lock lock(mutex_);
    written_.wait_for(lock, wait, [this] { return !letters_.empty(); });
    return std::exchange(letters_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable written_;
  std::deque<std::string> letters_;
};

/// A thread that answers the questions of one channel one after the other, with a worker of its own. A worker ends with
/// the thread that started it, and may wait for another thread's property: so threads are kept.
class Desk {
 public:
  Desk(Outbox& outbox, const process::WorkerLimits& limits, process::SharedWorkers& shared_workers)
      : outbox_(outbox), limits_(limits), shared_workers_(shared_workers), thread_([this] { work(); }) {}
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  ~Desk() {
    put({});
    thread_.join();
  }

  /// A question; null for the end of its channel; empty for the end of the job.
  void put(std::optional<store::Json> letter) {
    {
      const std::scoped_lock lock(mutex_);
      letters_.push_back(std::move(letter));
    }
    came_.notify_one();
  }

 private:
  std::optional<store::Json> next() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [this] { return !letters_.empty(); });
    std::optional<store::Json> letter = std::move(letters_.front());
    letters_.pop_front();
    return letter;
  }

  void work() {
    std::unique_ptr<process::QuestionAsker> asker;
    while (const std::optional<store::Json> letter = next()) {
      if (letter->is_null()) {
        asker.reset();
        continue;
      }
      try {
        outbox_.put(std::to_string(letter->at("channel").get<std::uint64_t>()) + " " +
                    process::line_of(answer(*letter, asker)));
      } catch (const process::Interrupted&) {
        return;
      }
    }
  }

  store::Json answer(const store::Json& letter, std::unique_ptr<process::QuestionAsker>& asker) {
    store::Json answer{{"remarks", store::Json::array()}};
    try {
      if (!asker) {
        const std::string name = letter.at("property").get<std::string>();
        const PropertyModel* const property = find_property(name);
        if (property == nullptr) throw std::runtime_error("no property " + name);
        asker = process::ask_in_worker(*property, letter.at("executor").get<std::string>(),
                                       letter.at("seed").get<std::uint64_t>(), limits_, &shared_workers_);
      }
      if (letter.at("fresh").get<bool>()) asker->retire();
      process::Answer<store::Json> given = asker->reply(letter.at("question"));
      if (const auto* const stop = std::get_if<process::Stop>(&given)) {
        answer["stop"] = to_letter(*stop);
      } else {
        answer["answer"] = std::move(std::get<store::Json>(given));
      }
      for (std::string& each : asker->take_remarks()) answer["remarks"].push_back(std::move(each));
    } catch (const PathsDisagree& error) {
      answer.update({{"fault", error.what()}, {"paths", true}});
    } catch (const std::exception& error) {
      answer.update({{"fault", error.what()}, {"paths", false}});
    }
    return answer;
  }

  Outbox& outbox_;
  const process::WorkerLimits& limits_;
  process::SharedWorkers& shared_workers_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::optional<store::Json>> letters_;
  std::thread thread_;
};

/// The desks of a rank: one for each open channel, and idle ones that wait for another channel.
class Desks {
 public:
  Desks(Outbox& outbox, const process::WorkerLimits& limits) : outbox_(outbox), limits_(limits) {}

  void take(store::Json letter) {
    if (letter.contains("close")) {
      if (const auto desk = open_.extract(letter.at("close").get<std::uint64_t>())) {
        desk.mapped()->put(store::Json());
        idle_.push_back(std::move(desk.mapped()));
      }
      return;
    }
    std::unique_ptr<Desk>& desk = open_[letter.at("channel").get<std::uint64_t>()];
    if (!desk && !idle_.empty()) {
      desk = std::move(idle_.back());
      idle_.pop_back();
    } else if (!desk) {
      desk = std::make_unique<Desk>(outbox_, limits_, shared_workers_);
    }
    desk->put(std::move(letter));
  }
  bool busy() const { return !open_.empty(); }

 private:
  Outbox& outbox_;
  const process::WorkerLimits& limits_;
  process::SharedWorkers shared_workers_;
  std::map<std::uint64_t, std::unique_ptr<Desk>> open_;
  std::vector<std::unique_ptr<Desk>> idle_;
};

}  // namespace

void follow(Mpi& mpi, const Greeting& greeting, const process::WorkerLimits& limits) {
  process::watch_signals();
  mpi.send(0, process::line_of(to_letter(greeting)));
  Outbox outbox;
  Desks desks(outbox, limits);
  Pause pause;
  int told = 0;
  for (;;) {
    const std::optional<Mpi::Received> received = mpi.receive();
    if (received && received->text == over) break;
    if (received) desks.take(process::document_of(received->text));
    if (received) pause.reset();
    std::deque<std::string> letters = outbox.take(received ? std::chrono::microseconds(0) : pause.next());
    if (!letters.empty()) pause.reset();
    for (std::string& each : letters) mpi.send(0, std::move(each));
    if (const int signal = process::pending_signal(); signal != told) {
      mpi.send(0, std::to_string(no_channel) + " " + std::to_string(signal));
      told = signal;
    }
  }
  if (desks.busy()) std::raise(SIGTERM);  // the leader was interrupted: every question ends at once
}

}  // namespace assay::ranks
