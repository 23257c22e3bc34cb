#include "properties/framework/climb.hpp"

#include <algorithm>
#include <cstddef>

#include "properties/framework/libraries.hpp"
#include "properties/framework/neighbour.hpp"
#include "properties/framework/probed.hpp"

namespace assay {

namespace {

constexpr std::size_t population = 32;
constexpr std::size_t tries = 8;
constexpr std::uint64_t patience = 4096;
/// The limits on the case numbers that are tried for a start, and on the generations in a row without a case to judge.
constexpr std::uint64_t most_looked_at = 100000;
constexpr int most_barren = 1000;

class Search {
 public:
  Search(const PropertyModel& property, const Executor& on, const ClimbGoal& goal, std::uint64_t seed,
         const PropertyModel::BatchObserver& before_batch, ClimbState& state)
      : property_(property),
        on_(on),
        goal_(goal),
        seed_(seed),
        before_batch_(before_batch),
        state_(state),
        random_{state.random} {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() { state_.random = random_.state; }

  /// Whether there is any climber.
  bool populate() {
    if (!state_.climbers.empty()) return true;
    std::vector<Record> starts = std::move(state_.starts);
    state_.starts.clear();
    while (starts.size() < population) {
      std::optional<Record> start = draw();
      if (!start) break;
      starts.push_back(std::move(*start));
    }
    if (starts.empty()) return false;
    const std::vector<Height> heights = judge(starts);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      state_.climbers.push_back({std::move(starts[i]), heights[i], 0});
      keep_best(state_.climbers.back());
    }
    return true;
  }

  /// One step of all climbers. False: no candidate was a case of the domain.
  bool generation() {
    std::vector<Record> candidates;
    std::vector<std::size_t> of;
    for (std::size_t c = 0; c < state_.climbers.size(); ++c) {
      for (std::size_t i = 0; i < tries; ++i) {
        const Record& other = state_.climbers[random_() % state_.climbers.size()].at;
        Record candidate = neighbour(state_.climbers[c].at, other, random_);
        if (!property_.contains(candidate)) continue;
        candidates.push_back(std::move(candidate));
        of.push_back(c);
      }
    }
    if (candidates.empty()) return false;
    const std::vector<Height> heights = judge(candidates);
    for (std::size_t i = 0; i < candidates.size();) {
      const std::size_t c = of[i];
      std::size_t worst = i;
      std::size_t end = i;
      for (; end < candidates.size() && of[end] == c; ++end) {
        if (heights[worst] < heights[end]) worst = end;
      }
      Climber& climber = state_.climbers[c];
      climber.idle += end - i;
      if (!(heights[worst] < climber.height)) {
        if (climber.height < heights[worst]) climber.idle = 0;
        climber.at = std::move(candidates[worst]);
        climber.height = heights[worst];
        keep_best(climber);
      }
      i = end;
    }
    restart_the_stuck();
    return true;
  }

  /// One climb of the probe; then the judge judges the cases that it found.
  void round_of_probe() {
    std::vector<Record> starts = std::move(state_.starts);
    state_.starts.clear();
    for (const Climber& each : state_.climbers) starts.push_back(each.at);
    if (before_batch_) before_batch_({0, 1, population});
    load_probes();
    Climbed climbed = property_.probe()->climb(on_, random_(), starts);
    std::erase_if(climbed.highest, [&](const Record& each) { return !property_.contains(each); });
    const std::vector<Height> heights = judge(climbed.highest);
    state_.evaluations += climbed.evaluations - heights.size();
    for (std::size_t i = 0; i < heights.size(); ++i) {
      state_.climbers.push_back({std::move(climbed.highest[i]), heights[i], 0});
      keep_best(state_.climbers.back());
    }
    std::stable_sort(state_.climbers.begin(), state_.climbers.end(),
                     [](const Climber& a, const Climber& b) { return b.height < a.height; });
    if (state_.climbers.size() > population) state_.climbers.resize(population);
  }

 private:
  std::vector<Height> judge(const std::vector<Record>& cases) {
    if (before_batch_) before_batch_({0, 1, cases.size()});
    state_.evaluations += cases.size();
    std::vector<Height> heights;
    const std::vector<std::optional<Judgement>> judgements = property_.judge_claim(on_, cases, goal_.claim);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      heights.push_back(height_of(judgements[i], goal_.term));
      if (!judgements[i]) continue;
      note_terms(*judgements[i]);
      if (judgements[i]->verdict != Verdict::undecided) continue;
      ++state_.undecided;
      if (!state_.first_undecided) state_.first_undecided = cases[i];
    }
    return heights;
  }

  void note_terms(const Judgement& judgement) {
    for (const TermTightness& each : judgement.terms) {
      if (each.name == nullptr) break;
      if (std::find(state_.terms.begin(), state_.terms.end(), each.name) == state_.terms.end()) {
        state_.terms.emplace_back(each.name);
      }
    }
  }

  void keep_best(const Climber& climber) {
    if (!state_.best || state_.best->height < climber.height) state_.best = climber;
  }

  std::optional<Record> draw() {
    const auto& classes = property_.info().classes;
    for (std::uint64_t looked_at = 0; looked_at < most_looked_at; ++looked_at) {
      const std::uint64_t number = state_.drawn++;
      if (goal_.blind && classes[property_.class_of(number)].constructed) continue;
      if (std::optional<Record> found = property_.make(seed_, number)) return found;
    }
    return std::nullopt;
  }

  void restart_the_stuck() {
    std::vector<Record> starts;
    std::vector<std::size_t> of;
    for (std::size_t c = 0; c < state_.climbers.size(); ++c) {
      if (state_.climbers[c].idle < patience) continue;
      state_.climbers[c].idle = 0;
      std::optional<Record> start;
      if (random_() % 2 == 0) {
        start = draw();
      } else {
        Record beside = state_.best->at;
        for (int moves = 0; moves < 3; ++moves) beside = neighbour(beside, state_.climbers[c].at, random_);
        if (property_.contains(beside)) start = std::move(beside);
      }
      if (!start) continue;
      starts.push_back(std::move(*start));
      of.push_back(c);
    }
    if (starts.empty()) return;
    const std::vector<Height> heights = judge(starts);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      state_.climbers[of[i]] = {std::move(starts[i]), heights[i], 0};
      keep_best(state_.climbers[of[i]]);
    }
  }

  const PropertyModel& property_;
  const Executor& on_;
  const ClimbGoal& goal_;
  std::uint64_t seed_;
  const PropertyModel::BatchObserver& before_batch_;
  ClimbState& state_;
  bits::SplitMix64 random_;
};

}  // namespace

Height height_of(const std::optional<Judgement>& judgement, const std::string& term) {
  if (!judgement) return {};
  if (judgement->verdict == Verdict::undecided) return {0, no_boundary};
  if (term.empty()) return {judgement->tightness, judgement->boundary};
  for (const TermTightness& each : judgement->terms) {
    if (each.name == nullptr) break;
    if (each.name == term) return {each.value, no_boundary};
  }
  return {0, no_boundary};
}

void climb(const PropertyModel& property, const Executor& on, const ClimbGoal& goal, std::uint64_t seed,
           std::uint64_t until, const PropertyModel::BatchObserver& before_batch, ClimbState& state) {
  Search search(property, on, goal, seed, before_batch, state);
  if (goal.by_probe) {
    while (state.evaluations < until) search.round_of_probe();
    return;
  }
  if (!search.populate()) return;
  for (int barren = 0; state.evaluations < until && barren < most_barren;) {
    barren = search.generation() ? 0 : barren + 1;
  }
}

}  // namespace assay
