#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "assay/process/wire.hpp"
#include "assay/ranks/letters.hpp"
#include "assay/ranks/ranks.hpp"

namespace assay::ranks {

/// A worker of another rank.
class RemoteAsker final : public process::QuestionAsker {
 public:
  RemoteAsker(Leader& leader, unsigned rank, const PropertyModel& property, std::string executor, std::uint64_t seed)
      : leader_(leader),
        rank_(rank),
        property_(property.info().name),
        executor_(std::move(executor)),
        seed_(seed),
        channel_(leader.open()) {}
  RemoteAsker(const RemoteAsker&) = delete;
  RemoteAsker& operator=(const RemoteAsker&) = delete;
  ~RemoteAsker() override { leader_.close(rank_, channel_); }

  process::Answer<store::Json> reply(const store::Json& question) override {
    const store::Json asked{{"channel", channel_}, {"property", property_}, {"executor", executor_},
                            {"seed", seed_},       {"fresh", fresh_},       {"question", question}};
    fresh_ = false;
    store::Json answer = process::document_of(leader_.ask(rank_, channel_, process::line_of(asked)));
    for (const store::Json& each : answer.at("remarks")) {
      remarks_.push_back("rank " + std::to_string(rank_) + ": " + each.get<std::string>());
    }
    if (answer.contains("answer")) return std::move(answer.at("answer"));
    if (answer.contains("stop")) return stop_from(answer.at("stop"));
    const std::string what = answer.at("fault").get<std::string>();
    if (answer.at("paths").get<bool>()) throw PathsDisagree(what);
    throw std::runtime_error("rank " + std::to_string(rank_) + ": " + what);
  }
  void retire() override { fresh_ = true; }

 private:
  Leader& leader_;
  unsigned rank_;
  std::string property_;
  std::string executor_;
  std::uint64_t seed_;
  std::uint64_t channel_;
  bool fresh_ = false;  ///< the next question must go to a fresh subject
};

Leader::Leader(Mpi& mpi, const Greeting& mine) : mpi_(mpi), jobs_(mpi.ranks() - 1) {
  std::string fault = mine.fault.empty() ? "" : "rank 0: " + mine.fault;
  Pause pause;
  for (unsigned heard = 1; heard < mpi_.ranks();) {
    const std::optional<Mpi::Received> received = mpi_.receive();
    if (!received) {
      std::this_thread::sleep_for(pause.next());
      continue;
    }
    ++heard;
    const Greeting greeting = greeting_from(process::document_of(received->text));
    jobs_[received->from - 1] = greeting.jobs;
    const auto differs = [&](const std::string& what, const std::string& its, const std::string& ours) {
      return fmt::format("rank {} {} '{}', rank 0 '{}'", received->from, what, its, ours);
    };
    if (!fault.empty()) continue;
    if (!greeting.fault.empty()) {
      fault = "rank " + std::to_string(received->from) + ": " + greeting.fault;
    } else if (greeting.build != mine.build) {
      fault = differs("runs the program with the build id", greeting.build, mine.build);
    } else if (greeting.device != mine.device) {
      fault = differs("has the device", greeting.device, mine.device);
    }
  }
  carrier_ = std::thread([this] { carry(); });
  if (!fault.empty()) {
    end();
    throw std::runtime_error(fault);
  }
}

Leader::~Leader() { end(); }

void Leader::end() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  written_.notify_one();
  carrier_.join();
  for (unsigned rank = 1; rank < mpi_.ranks(); ++rank) mpi_.send(rank, std::string(over));
}

std::unique_ptr<process::Asker> Leader::asker(unsigned rank, const PropertyModel& property, const std::string& executor,
                                              std::uint64_t seed) {
  return std::make_unique<RemoteAsker>(*this, rank, property, executor, seed);
}

std::uint64_t Leader::open() {
  const std::scoped_lock lock(mutex_);
  return next_channel_++;
}

void Leader::close(unsigned rank, std::uint64_t channel) {
  const std::scoped_lock lock(mutex_);
  answers_.erase(channel);
  letters_.push_back({rank, process::line_of({{"close", channel}})});
}

std::string Leader::ask(unsigned rank, std::uint64_t channel, std::string question) {
  std::unique_lock lock(mutex_);
  letters_.push_back({rank, std::move(question)});
  written_.notify_one();
  for (;;) {
    if (const auto answer = answers_.extract(channel)) return std::move(answer.mapped());
    if (const int signal = interrupted_ != 0 ? interrupted_ : process::pending_signal(); signal != 0) {
      throw process::Interrupted{signal};
    }
    answered_.wait_for(lock, std::chrono::milliseconds(100));
  }
}

void Leader::carry() {
  Pause pause;
  std::unique_lock lock(mutex_);
  while (!over_) {
    std::deque<Letter> letters = std::exchange(letters_, {});
    lock.unlock();
    for (Letter& each : letters) mpi_.send(each.to, std::move(each.text));
    if (!letters.empty()) pause.reset();
    while (std::optional<Mpi::Received> received = mpi_.receive()) {
      pause.reset();
      deliver(received->text);
    }
    lock.lock();
    written_.wait_for(lock, pause.next(), [this] { return over_ || !letters_.empty(); });
  }
}

void Leader::deliver(std::string& text) {
  // The first word is the channel's number, so that the thread of that channel reads the rest.
  const std::size_t space = text.find(' ');
  const std::uint64_t number = std::stoull(text.substr(0, space));
  text.erase(0, space + 1);
  const std::scoped_lock lock(mutex_);
  if (number == no_channel) {
    interrupted_ = std::stoi(text);
  } else {
    answers_.insert_or_assign(number, std::move(text));
  }
  answered_.notify_all();
}

}  // namespace assay::ranks
