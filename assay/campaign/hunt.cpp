#include "assay/campaign/hunt.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>

#include "properties/framework/fnv.hpp"

namespace assay::campaign {
namespace {

using Clock = std::chrono::steady_clock;

/// After this many cases without an error there is nothing to search from.
constexpr std::uint64_t flat = 4096;
constexpr std::uint64_t first_round = 512;
constexpr std::chrono::milliseconds round_time{500};

/// The islands of one search and the processes that work on them.
class Hunt {
 public:
  Hunt(const HuntSettings& settings, const PropertyModel& property, const std::string& executor, const ClimbGoal& goal,
       const std::vector<Record>& starts)
      : settings_(settings), property_(property), executor_(executor), goal_(goal) {
    const std::uint64_t key =
        fnv1a(property.info().name + '/' + property.info().claims[goal.claim].id + '/' + goal.term);
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      islands_[i].state.random = bits::SplitMix64::mixed(settings.seed ^ key) + i;
      islands_[i].state.drawn = static_cast<std::uint64_t>(i) << 32;
    }
    if (!goal.blind) islands_.front().state.starts = starts;
  }

  HuntFound run() {
    const std::size_t workers = std::min<std::size_t>(crew_.slots().size(), hunt_islands);
    in_slots(workers, [this](std::size_t slot) { work(crew_.slots()[slot]); });
    if (failure_) std::rethrow_exception(failure_);
    return found();
  }

 private:
  struct Island {
    ClimbState state;
    std::uint64_t round = first_round;
    bool busy = false;
    bool done = false;
  };

  void work(unsigned machine) {
    try {
      const std::unique_ptr<process::Asker> asker = crew_.asker(machine, property_, executor_, settings_.seed);
      while (Island* const island = next()) {
        advance(*asker, *island);
        const std::scoped_lock lock(mutex_);
        island->busy = false;
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  /// Of the islands that no worker has, the one that has made the least progress; none if this worker is not needed any
  /// more.
  Island* next() {
    const std::scoped_lock lock(mutex_);
    if (failure_ || stop_) return nullptr;
    Island* chosen = nullptr;
    for (Island& each : islands_) {
      if (each.busy || each.done) continue;
      if (chosen == nullptr || each.state.evaluations < chosen->state.evaluations) chosen = &each;
    }
    if (chosen != nullptr) chosen->busy = true;
    return chosen;
  }

  /// One round of an island.
  void advance(process::Asker& asker, Island& island) {
    std::uint64_t until = island.state.evaluations + island.round;
    if (!has_slope(island.state.best)) until = std::min(until, std::max(flat, island.state.evaluations + 1));
    if (settings_.evaluations) until = std::min(until, share());
    const Clock::time_point from = Clock::now();
    process::Answer<ClimbState> answer = asker.climb(goal_, until, island.state);
    if (auto* const stop = std::get_if<process::Stop>(&answer)) {
      const std::scoped_lock lock(mutex_);
      stop_ = *stop;
      return;
    }
    const bool moved = std::get<ClimbState>(answer).evaluations > island.state.evaluations;
    island.state = std::move(std::get<ClimbState>(answer));
    if (Clock::now() - from < round_time) island.round *= 2;
    const bool over =
        settings_.evaluations ? island.state.evaluations >= share() : Clock::now() - begun_ >= settings_.time;
    island.done = over || !moved || (!has_slope(island.state.best) && island.state.evaluations >= flat);
  }

  std::uint64_t share() const { return (*settings_.evaluations + hunt_islands - 1) / hunt_islands; }

  HuntFound found() {
    HuntFound found;
    for (Island& each : islands_) {
      found.evaluations += each.state.evaluations;
      found.undecided += each.state.undecided;
      if (!found.first_undecided) found.first_undecided = std::move(each.state.first_undecided);
      if (each.state.best && (!found.best || found.best->height < each.state.best->height)) {
        found.best = std::move(each.state.best);
      }
      for (std::string& term : each.state.terms) {
        if (std::find(found.terms.begin(), found.terms.end(), term) == found.terms.end()) {
          found.terms.push_back(std::move(term));
        }
      }
    }
    found.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    found.stop = std::move(stop_);
    return found;
  }

  const HuntSettings& settings_;
  Crew crew_{settings_.crew, false};
  const PropertyModel& property_;
  const std::string& executor_;
  const ClimbGoal& goal_;
  Clock::time_point begun_ = Clock::now();
  std::array<Island, hunt_islands> islands_{};
  std::mutex mutex_{};
  std::exception_ptr failure_{};
  std::optional<process::Stop> stop_{};
};

}  // namespace

bool has_slope(const std::optional<Climber>& best) {
  return best && (best->height.ratio > 0 || best->height.boundary != no_boundary);
}

HuntFound hunt(const HuntSettings& settings, const PropertyModel& property, const std::string& executor,
               const ClimbGoal& goal, const std::vector<Record>& starts) {
  return Hunt(settings, property, executor, goal, starts).run();
}

}  // namespace assay::campaign
