#include "assay/campaign/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>

#include "assay/campaign/coverage.hpp"
#include "assay/campaign/findings.hpp"
#include "assay/store/documents.hpp"
#include "assay/store/journal.hpp"
#include "assay/store/summary_io.hpp"

namespace assay::store {

template <>
struct Document<campaign::Offender> {
  using Offender = campaign::Offender;
  static constexpr auto what = "a case without an answer";
  static constexpr bool as_array = true;
  static constexpr auto fields =
      std::tuple(field("number", &Offender::number), field("kind", &Offender::kind), field("what", &Offender::what));
};

}  // namespace assay::store

namespace assay::campaign {
namespace {

using Clock = std::chrono::steady_clock;

/// The approximate time for which a worker gets cases at once. After each such piece of a chunk the time limit is
/// checked, progress is reported, and once a second the results are written to the journal. With many slots pieces are
/// longer: at most 500 answers a second come in, and 20 chunks a second are written before they are finished.
constexpr std::chrono::milliseconds shortest_piece{500};
constexpr std::chrono::milliseconds piece_of_a_slot{2};
constexpr std::chrono::milliseconds shortest_note{1000};
constexpr std::chrono::milliseconds note_of_a_slot{50};

/// Workers take turns on a device; more workers than this would only wait for each other.
constexpr unsigned device_slots = 4;

/// The number of cases that a slot gets of a property before their speed is known. On a device the first cases also pay
/// for loading the kernels.
constexpr std::uint64_t first_piece = 16;
constexpr std::uint64_t first_piece_on_device = 512;

/// One of this many chunks is run a second time on another machine, if there are several.
constexpr std::uint64_t asked_once = 100;

/// If everything runs on devices, more slots would only wait for each other and for the lock.
unsigned slots_of_a_machine(std::span<const Planned> plan) {
  const bool on_devices =
      std::all_of(plan.begin(), plan.end(), [](const Planned& each) { return each.executor == "cuda"; });
  return on_devices ? device_slots : std::numeric_limits<unsigned>::max();
}

/// The progress of one property on one executor.
struct Item {
  enum class Stage { corpus, cases, conclusion, done };
  Item(const Planned& of, std::uint64_t count)
      : planned(of), cases(count), coverage(count, of.property->empty_tally()) {}

  Planned planned;
  std::uint64_t cases;  ///< of this shard
  Coverage coverage;
  Stage stage = Stage::corpus;
  bool busy = false;  ///< a slot works on the corpus or the conclusion
  std::uint64_t running = 0;
  std::uint64_t piece = 0;     ///< number of cases that a worker gets at once; 0 before the first
  double seconds_of_case = 0;  ///< measured on the last piece; 0 before the first
  std::uint64_t cases_done = 0;
  std::optional<Clock::time_point> begun;
  std::vector<store::Json> unwritten;  ///< journal lines of the first second; a quick conclusion replaces them
  std::optional<store::PropertySummary> summary;

  bool on_device() const { return planned.executor == "cuda"; }
};

class Campaign {
 public:
  Campaign(const CampaignSettings& settings, std::span<const Planned> plan)
      : settings_(settings), crew_(settings.crew, true, slots_of_a_machine(plan)) {
    items_.reserve(plan.size());
    for (const Planned& planned : plan) {
      Item& item = items_.emplace_back(planned, share_of(settings.shard, planned.requested));
      if (settings.shard.index != 0 || !settings.corpus) {
        item.stage = Item::Stage::cases;
      }
    }
  }

  CampaignResult run() {
    journal_.emplace(settings_.out, header(), settings_.resume, [&](const store::Json& line) { recall(line); });
    for (Item& item : items_) {
      item.coverage.recalled();
      advance(item);
    }
    in_slots(crew_.slots().size(), [this](std::size_t slot) { work(crew_.slots()[slot]); });
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    CampaignResult result;
    result.lines = std::move(lines_);
    std::sort(result.lines.begin(), result.lines.end());
    result.disagreements = std::move(disagreements_);
    std::sort(result.disagreements.begin(), result.disagreements.end());
    result.damaged = damaged_;
    result.interrupted = interrupted_;
    if (interrupted_ != 0) {
      for (Item& item : items_) write_lines(item, true);
      return result;
    }
    result.summary.seed = settings_.seed;
    result.summary.tier = settings_.tier;
    result.summary.provenance = settings_.provenance;
    for (Item& item : items_) {
      result.summary.properties.push_back(std::move(*item.summary));
    }
    store::sort(result.summary);
    return result;
  }

 private:
  struct Task {
    Item* item = nullptr;
    Item::Stage stage = Item::Stage::done;
    unsigned machine = 0;
    Chunk chunk{};
    std::size_t offenders = most_offenders;  ///< this many offenders end the chunk
    bool twice = false;                      ///< another machine runs the chunk, too
  };

  store::Json header() const {
    store::Json plan = store::Json::object();  // with words for a message about another plan
    for (const Item& item : items_) {
      plan[item.planned.property->info().name + " on " + item.planned.executor] = {{"cases", item.planned.requested},
                                                                                   {"claims", item.planned.claims}};
    }
    return {{"assay", store::schema_number},
            {"seed", settings_.seed},
            {"tier", settings_.tier},
            {"shard", store::Json::array({settings_.shard.index, settings_.shard.count})},
            {"shrink", settings_.shrink ? settings_.shrink_steps : 0},
            {"timeout", settings_.crew.limits.timeout_case.count()},
            {"memory", settings_.crew.limits.memory},
            {"time", settings_.time ? settings_.time->count() : -1},
            {"provenance", settings_.provenance},
            {"plan", std::move(plan)}};
  }

  /// A journal line of an earlier run.
  void recall(const store::Json& line) {
    Item* const item = find(line.at("p").get<std::string>(), line.at("x").get<std::string>());
    if (item == nullptr) {
      return;
    }
    if (line.contains("done")) {
      item->summary = store::property_summary_from_json(line.at("done"));
      item->stage = Item::Stage::done;
      for (const store::Json& each : line.at("lines")) {
        lines_.push_back(each.get<std::string>());
      }
      damaged_ = damaged_ || line.at("damaged").get<bool>();
      return;
    }
    if (line.contains("disagreement")) {
      disagreements_.push_back(line.at("disagreement").get<std::string>());
      return;
    }
    AskedCases shown{store::tally_from_json(line.at("tally")), {}};
    for (const store::Json& each : line.at("stops")) {
      shown.offenders.push_back(store::read_json<Offender>(each));
    }
    item->coverage.recall(line.at("c").get<std::uint64_t>(), line.at("n").get<std::uint64_t>(), std::move(shown));
  }

  Item* find(const std::string& property, const std::string& executor) {
    for (Item& item : items_) {
      if (item.planned.property->info().name == property && item.planned.executor == executor) {
        return &item;
      }
    }
    return nullptr;
  }

  bool time_is_up(const Item& item) const {
    return settings_.time && item.begun && Clock::now() - *item.begun > *settings_.time;
  }

  /// Moves the item to its next stage if its present stage has no work left.
  void advance(Item& item) {
    if (item.stage != Item::Stage::cases || item.running != 0) {
      return;
    }
    if (!item.coverage.complete()) {
      if (!time_is_up(item)) return;
      item.coverage.end_early();
    }
    item.stage = Item::Stage::conclusion;
  }

  /// Seconds that one slot would need for all cases that no slot has. Items that have not begun count as average items.
  double seconds_left() const {
    double known = 0;
    double whole = 0;
    std::size_t measured = 0;
    std::size_t others = 0;
    for (const Item& item : items_) {
      measured += item.seconds_of_case > 0 ? 1 : 0;
      others += item.seconds_of_case == 0 && item.coverage.open() != 0 ? 1 : 0;
      known += item.seconds_of_case * static_cast<double>(item.coverage.open());
      whole += item.seconds_of_case * static_cast<double>(item.cases);
    }
    return known + (measured == 0 ? 0 : whole / static_cast<double>(measured) * static_cast<double>(others));
  }

  /// The number of cases of the item that a slot gets at once.
  std::uint64_t chunk_size(const Item& item) const {
    if (item.seconds_of_case == 0) return item.on_device() ? first_piece_on_device : first_piece;
    double seconds = seconds_of_chunk(seconds_left(), crew_.slots().size());
    if (settings_.time) seconds = std::min(seconds, std::chrono::duration<double>(*settings_.time).count() / 16);
    return static_cast<std::uint64_t>(std::clamp(seconds / item.seconds_of_case, 1.0, static_cast<double>(item.cases)));
  }

  /// The next piece of work; empty if all remaining work waits for other slots, or if all is done. While another slot
  /// measures the speed of an item's cases, a later item comes first.
  std::optional<Task> next(unsigned machine) {
    std::optional<Task> task = next(machine, true);
    return task ? task : next(machine, false);
  }

  std::optional<Task> next(unsigned machine, bool measured_alone) {
    const bool device_taken = on_device_[machine] >= device_slots;
    for (Item& item : items_) {
      advance(item);
      if (item.stage == Item::Stage::done || item.busy || (device_taken && item.on_device())) {
        continue;
      }
      if (item.stage != Item::Stage::cases) {
        item.busy = true;
        return Task{&item, item.stage, machine};
      }
      const bool is_measured = item.seconds_of_case == 0 && item.running != 0;
      if (item.coverage.open() == 0 || item.coverage.complete() || time_is_up(item) || (measured_alone && is_measured))
        continue;
      if (!item.begun) {
        item.begun = Clock::now();
      }
      ++item.running;
      const Chunk chunk = item.coverage.cut(chunk_size(item));
      const bool twice = crew_.machines() > 1 && chunks_++ % asked_once == 0;
      return Task{&item, item.stage, machine, chunk, item.coverage.offenders_of(chunk), twice};
    }
    return std::nullopt;
  }

  bool all_done() const {
    return std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.stage == Item::Stage::done; });
  }

  /// The loop of one slot: takes work until there is none.
  void work(unsigned machine) {
    std::unique_ptr<process::Asker> asker;
    const Item* asked = nullptr;
    std::unique_lock lock(mutex_);
    try {
      while (!failure_ && interrupted_ == 0) {
        if (const int signal = process::pending_signal(); signal != 0) {
          throw process::Interrupted{signal};
        }
        const std::optional<Task> task = next(machine);
        if (!task) {
          if (all_done()) {
            break;
          }
          changed_.wait_for(lock, std::chrono::milliseconds(100));
          continue;
        }
        const bool on_device = task->item->on_device();
        on_device_[machine] += on_device ? 1 : 0;
        lock.unlock();
        if (asked != task->item) {
          const Planned& planned = task->item->planned;
          asker = crew_.asker(machine, *planned.property, planned.executor, settings_.seed);
          asked = task->item;
        }
        perform(*task, *asker, lock);
        on_device_[machine] -= on_device ? 1 : 0;
        changed_.notify_all();
      }
    } catch (const process::Interrupted& interrupted) {
      retake(lock);
      interrupted_ = interrupted.signal;
    } catch (...) {
      retake(lock);
      failure_ = std::current_exception();
    }
    changed_.notify_all();
  }

  static void retake(std::unique_lock<std::mutex>& lock) {
    if (!lock.owns_lock()) {
      lock.lock();
    }
  }

  /// Does the task without the lock, then takes it and notes the result.
  void perform(const Task& task, process::Asker& asker, std::unique_lock<std::mutex>& lock) {
    Item& item = *task.item;
    const std::string& name = item.planned.property->info().name;
    if (task.stage == Item::Stage::cases) {
      AskedCases shown{item.planned.property->empty_tally(), {}, task.offenders};
      const std::uint64_t done = run_chunk(item, task.chunk, asker, shown);
      if (task.twice) ask_elsewhere(task, done, shown);
      note(item, task.chunk, done, shown);
      lock.lock();
      --item.running;
      item.coverage.take(task.chunk, done, std::move(shown));
      keep_remarks(asker);
      advance(item);
    } else if (task.stage == Item::Stage::corpus) {
      CorpusFindings found = replay_corpus(*item.planned.property, item.planned.executor, asker, *settings_.corpus);
      lock.lock();
      keep_remarks(asker);
      item.coverage.gathered.corpus = std::move(found);
      item.stage = Item::Stage::cases;
      item.busy = false;
    } else {
      std::vector<std::string> lines = item.coverage.gathered.corpus.lines;
      const bool damaged = item.coverage.gathered.corpus.damaged;
      store::PropertySummary summary = conclude(settings_, item.planned, asker, std::move(item.coverage.gathered));
      journal_->append({{"p", name},
                        {"x", item.planned.executor},
                        {"lines", lines},
                        {"damaged", damaged},
                        {"done", store::property_summary_to_json(summary)}},
                       true);
      lock.lock();
      keep_remarks(asker);
      lines_.insert(lines_.end(), lines.begin(), lines.end());
      damaged_ = damaged_ || damaged;
      item.summary = std::move(summary);
      item.unwritten.clear();
      item.stage = Item::Stage::done;
      item.busy = false;
    }
  }

  CaseRange range_of(const Chunk& chunk) const {
    const Shard& shard = settings_.shard;
    return {shard.index + chunk.first * shard.count, shard.count, chunk.count};
  }

  /// Runs the first `done` cases of a chunk on another machine. A difference in the bits of inputs or results is
  /// reported.
  void ask_elsewhere(const Task& task, std::uint64_t done, const AskedCases& shown) {
    const Planned& planned = task.item->planned;
    const unsigned other = (task.machine + 1) % crew_.machines();
    const std::unique_ptr<process::Asker> asker =
        crew_.asker(other, *planned.property, planned.executor, settings_.seed);
    AskedCases again{planned.property->empty_tally(), {}, task.offenders};
    run_chunk(*task.item, {task.chunk.first, done}, *asker, again, false);
    if (again.tally.bits == shown.tally.bits) return;
    const CaseRange range = range_of({task.chunk.first, done});
    const auto bits = [](const AskedCases& of) {
      return store::hex16(of.tally.bits.inputs) + " and " + store::hex16(of.tally.bits.outputs);
    };
    const std::string& name = planned.property->info().name;
    std::string text = name + " on " + planned.executor + ": the bits of cases " + std::to_string(range.first) +
                       " to " + std::to_string(range.at(done - 1)) + " differ: rank " + std::to_string(task.machine) +
                       " has inputs and results " + bits(shown) + ", rank " + std::to_string(other) + " has " +
                       bits(again);
    journal_->append({{"p", name}, {"x", planned.executor}, {"disagreement", text}}, true);
    const std::scoped_lock lock(mutex_);
    disagreements_.push_back(std::move(text));
  }

  /// Requires: the lock (not checked).
  void keep_remarks(process::Asker& asker) {
    for (std::string& each : asker.take_remarks()) lines_.push_back(std::move(each));
  }

  /// Writes the results of the first `done` cases of a chunk to the journal, or keeps them if the property has only
  /// begun.
  void note(Item& item, const Chunk& chunk, std::uint64_t done, const AskedCases& shown) {
    store::Json stops = store::Json::array();
    for (const Offender& each : shown.offenders) {
      stops.push_back(store::to_json(each));
    }
    store::Json line{{"p", item.planned.property->info().name},
                     {"x", item.planned.executor},
                     {"c", chunk.first},
                     {"n", done},
                     {"stops", std::move(stops)},
                     {"tally", store::tally_to_json(shown.tally)}};
    const std::scoped_lock lock(mutex_);
    item.unwritten.push_back(std::move(line));
    if (Clock::now() - *item.begun > shortest_note) write_lines(item, false);
  }

  /// Requires: the lock (not checked).
  void write_lines(Item& item, bool durable) {
    for (const store::Json& each : item.unwritten) journal_->append(each, durable);
    item.unwritten.clear();
  }

  /// Runs the cases of a chunk until all are run, there are too many offenders, or time is up. Returns how many cases
  /// are done. If `noted`, reports progress and writes to the journal on the way.
  std::uint64_t run_chunk(Item& item, const Chunk& chunk, process::Asker& asker, AskedCases& shown, bool noted = true) {
    Clock::time_point last_note = Clock::now();
    std::uint64_t done = 0;
    while (done != chunk.count && shown.offenders.size() < shown.most) {
      const std::uint64_t count = std::min(chunk.count - done, piece_size(item));
      const Clock::time_point begun = Clock::now();
      ask_cases(*item.planned.property, settings_.crew.isolation, range_of({chunk.first + done, count}), asker, shown);
      const Clock::time_point now = Clock::now();
      done += count;
      if (!noted) continue;
      tell_of_piece(item, count, now - begun);
      if (done == chunk.count || time_is_up(item) || is_decided(item)) break;
      if (now - last_note > note_every_) {
        note(item, chunk, done, shown);
        last_note = now;
      }
    }
    return done;
  }

  /// Whether so many earlier cases gave no answer that later ones do not count.
  bool is_decided(const Item& item) {
    const std::scoped_lock lock(mutex_);
    return item.coverage.complete();
  }

  std::uint64_t piece_size(const Item& item) {
    const std::scoped_lock lock(mutex_);
    return item.piece != 0 ? item.piece : item.on_device() ? first_piece_on_device : first_piece;
  }

  /// A piece took this long: the next one has as many cases as fit into piece_length_ at this speed, within a factor of
  /// 64, and at least 128 where these take two seconds or less: a busy machine leaves kernels long calls, too.
  void tell_of_piece(Item& item, std::uint64_t cases, Clock::duration took) {
    constexpr double factor = 64;
    const double fit = std::chrono::duration<double>(piece_length_) / std::chrono::duration<double>(took);
    const double next = static_cast<double>(cases) * std::clamp(fit, 1 / factor, factor);
    const std::scoped_lock lock(mutex_);
    item.seconds_of_case = std::chrono::duration<double>(took).count() / static_cast<double>(cases);
    constexpr double of_long_calls = 128;
    const double least = item.seconds_of_case * of_long_calls <= 2 ? of_long_calls : 1;
    item.piece = std::min(static_cast<std::uint64_t>(std::max(next, least)), item.cases);
    item.cases_done += cases;
    if (settings_.progress) {
      settings_.progress(static_cast<std::size_t>(&item - items_.data()), item.cases_done, item.cases);
    }
  }

  const CampaignSettings& settings_;
  Crew crew_;
  std::chrono::milliseconds::rep slots_ = static_cast<std::chrono::milliseconds::rep>(crew_.slots().size());
  std::chrono::milliseconds piece_length_ = std::max(shortest_piece, slots_* piece_of_a_slot);
  std::chrono::milliseconds note_every_ = std::max(shortest_note, slots_* note_of_a_slot);
  std::vector<std::uint64_t> on_device_ = std::vector<std::uint64_t>(crew_.machines());  ///< tasks on each device
  std::vector<Item> items_;
  std::optional<store::Journal> journal_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::vector<std::string> disagreements_;
  std::uint64_t chunks_ = 0;  ///< that were cut
  bool damaged_ = false;
  int interrupted_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

CampaignResult run_campaign(const CampaignSettings& settings, std::span<const Planned> plan) {
  return Campaign(settings, plan).run();
}

}  // namespace assay::campaign
