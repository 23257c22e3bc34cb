#include "assay/campaign/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>

#include "assay/campaign/ask_cases.hpp"
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

/// So long about is a worker asked at once: after each such piece of a chunk the clock is looked at, progress is told,
/// and the journal gets what is known once a second.
constexpr std::chrono::milliseconds piece_length{500};
constexpr std::chrono::seconds note_every{1};

/// Workers take turns on a device; more than these only wait for one another.
constexpr std::uint64_t device_slots = 4;

struct ChunkResult : AskedCases {
  std::uint64_t done = 0;  ///< the first so many cases of the chunk are in it
};

/// How far one property on one executor has come.
struct Item {
  enum class Stage { corpus, cases, conclusion, done };
  Planned planned;
  std::uint64_t cases = 0;  ///< of this shard
  std::uint64_t chunk = 1;  ///< cases a chunk
  std::uint64_t chunks = 0;
  Stage stage = Stage::corpus;
  bool busy = false;  ///< somebody works on the corpus or the conclusion
  std::uint64_t next_chunk = 0;
  std::uint64_t running = 0;
  std::map<std::uint64_t, ChunkResult> waiting;       ///< finished, but an earlier chunk is not
  std::map<std::uint64_t, ChunkResult> begun_chunks;  ///< known in part, by a journal or when time was up
  std::uint64_t piece = 0;                            ///< cases that a worker is asked at once; 0 before the first
  std::uint64_t merged = 0;                           ///< chunks 0 … merged − 1 are in `gathered`
  std::uint64_t cases_done = 0;
  Gathered gathered;
  std::optional<Clock::time_point> begun;
  std::vector<store::Json> unwritten;  ///< lines of the first note_every, which the line of a quick conclusion replaces
  std::optional<store::PropertySummary> summary;
};

class Campaign {
 public:
  Campaign(const CampaignSettings& settings, std::span<const Planned> plan) : settings_(settings) {
    items_.reserve(plan.size());
    for (const Planned& planned : plan) {
      Item& item = items_.emplace_back();
      item.planned = planned;
      item.cases = share_of(settings.shard, planned.requested);
      item.chunk = chunk_size(planned.executor, item.cases);
      item.chunks = (item.cases + item.chunk - 1) / item.chunk;
      item.gathered.tally = planned.property->empty_tally();
      if (settings.shard.index != 0 || !settings.corpus) {
        item.stage = Item::Stage::cases;
      }
      advance(item);
    }
  }

  CampaignResult run() {
    journal_.emplace(settings_.out, header(), settings_.resume, [&](const store::Json& line) { recall(line); });
    in_slots(crew_.slots().size(), [this](std::size_t slot) { work(crew_.slots()[slot]); });
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    CampaignResult result;
    result.lines = std::move(lines_);
    std::sort(result.lines.begin(), result.lines.end());
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
    std::uint64_t chunk = 0;
  };

  store::Json header() const {
    store::Json plan = store::Json::array();
    for (const Item& item : items_) {
      plan.push_back(store::Json::array(
          {item.planned.property->info().name, item.planned.executor, item.planned.requested, item.planned.claims}));
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

  /// A line of an earlier run.
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
    ChunkResult result;
    result.done = line.at("n").get<std::uint64_t>();
    result.tally = store::tally_from_json(line.at("tally"));
    for (const store::Json& each : line.at("stops")) {
      result.offenders.push_back(store::read_json<Offender>(each));
    }
    const auto chunk = line.at("c").get<std::uint64_t>();
    if (const auto part = item->begun_chunks.extract(chunk)) item->cases_done -= part.mapped().done;
    item->cases_done += result.done;
    take(*item, chunk, std::move(result));
  }

  Item* find(const std::string& property, const std::string& executor) {
    for (Item& item : items_) {
      if (item.planned.property->info().name == property && item.planned.executor == executor) {
        return &item;
      }
    }
    return nullptr;
  }

  /// Adds what is known of a chunk. One that is finished is merged in the order of chunks, so that what comes after too
  /// many offenders never counts.
  void take(Item& item, std::uint64_t chunk, ChunkResult&& result) {
    if (chunk < item.merged) {
      return;
    }
    if (result.done != range_of(item, chunk).count && result.offenders.size() < most_offenders) {
      item.begun_chunks.insert_or_assign(chunk, std::move(result));
      return;
    }
    item.waiting.insert_or_assign(chunk, std::move(result));
    while (!item.gathered.cut_short && !item.waiting.empty() && item.waiting.begin()->first == item.merged) {
      merge_first(item);
      ++item.merged;
    }
  }

  static void merge_first(Item& item) {
    ChunkResult first = std::move(item.waiting.begin()->second);
    item.waiting.erase(item.waiting.begin());
    item.gathered.tally.merge(first.tally);
    auto& offenders = item.gathered.offenders;
    offenders.insert(offenders.end(), first.offenders.begin(), first.offenders.end());
    if (offenders.size() >= most_offenders) {
      item.gathered.cut_short = item.merged + 1 != item.chunks || offenders.size() > most_offenders;
    }
  }

  bool time_is_up(const Item& item) const {
    return settings_.time && item.begun && Clock::now() - *item.begun > *settings_.time;
  }

  /// Moves the item to its next stage where nothing of the present one is left.
  void advance(Item& item) {
    if (item.stage != Item::Stage::cases || item.running != 0) {
      return;
    }
    const bool all = item.merged == item.chunks || item.gathered.cut_short;
    if (!all && time_is_up(item)) {
      item.gathered.partial = true;
      item.waiting.merge(item.begun_chunks);
      for (auto& [chunk, result] : item.waiting) {
        item.gathered.tally.merge(result.tally);
        item.gathered.offenders.insert(item.gathered.offenders.end(), result.offenders.begin(), result.offenders.end());
      }
      item.waiting.clear();
    }
    if (all || item.gathered.partial) {
      item.stage = Item::Stage::conclusion;
    }
  }

  /// The next piece of work; nothing while all that is left waits for others, or when all is done.
  std::optional<Task> next(unsigned machine) {
    const bool device_taken = on_device_[machine] >= device_slots;
    for (Item& item : items_) {
      advance(item);
      if (item.stage == Item::Stage::done || item.busy || (device_taken && item.planned.executor == "cuda")) {
        continue;
      }
      if (item.stage != Item::Stage::cases) {
        item.busy = true;
        return Task{&item, item.stage, 0};
      }
      while (item.next_chunk < item.chunks &&
             (item.next_chunk < item.merged || item.waiting.contains(item.next_chunk))) {
        ++item.next_chunk;
      }
      if (item.next_chunk < item.chunks && !item.gathered.cut_short && !time_is_up(item)) {
        if (!item.begun) {
          item.begun = Clock::now();
        }
        ++item.running;
        return Task{&item, item.stage, item.next_chunk++};
      }
    }
    return std::nullopt;
  }

  bool all_done() const {
    return std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.stage == Item::Stage::done; });
  }

  /// One slot: takes work until there is none.
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
        const bool on_device = task->item->planned.executor == "cuda";
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
      lock.lock();
      auto part = item.begun_chunks.extract(task.chunk);
      lock.unlock();
      ChunkResult result = run_chunk(item, task.chunk, asker, part ? std::move(part.mapped()) : empty_chunk(item));
      note(item, task.chunk, result);
      lock.lock();
      --item.running;
      take(item, task.chunk, std::move(result));
      keep_remarks(asker);
      advance(item);
    } else if (task.stage == Item::Stage::corpus) {
      CorpusFindings found = replay_corpus(*item.planned.property, item.planned.executor, asker, *settings_.corpus);
      lock.lock();
      keep_remarks(asker);
      item.gathered.corpus = std::move(found);
      item.stage = Item::Stage::cases;
      item.busy = false;
    } else {
      std::vector<std::string> lines = item.gathered.corpus.lines;
      const bool damaged = item.gathered.corpus.damaged;
      store::PropertySummary summary = conclude(settings_, item.planned, asker, std::move(item.gathered));
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

  CaseRange range_of(const Item& item, std::uint64_t chunk) const {
    const Shard& shard = settings_.shard;
    const std::uint64_t begin = chunk * item.chunk;
    return {shard.index + begin * shard.count, shard.count, std::min(item.chunk, item.cases - begin)};
  }

  static ChunkResult empty_chunk(const Item& item) { return {{item.planned.property->empty_tally(), {}}, 0}; }

  /// Requires: the lock (not checked).
  void keep_remarks(process::Asker& asker) {
    for (std::string& each : asker.take_remarks()) lines_.push_back(std::move(each));
  }

  /// Writes what is known of a chunk to the journal, or keeps it where the property has only begun.
  void note(Item& item, std::uint64_t chunk, const ChunkResult& result) {
    store::Json stops = store::Json::array();
    for (const Offender& each : result.offenders) {
      stops.push_back(store::to_json(each));
    }
    store::Json line{{"p", item.planned.property->info().name},
                     {"x", item.planned.executor},
                     {"c", chunk},
                     {"n", result.done},
                     {"stops", std::move(stops)},
                     {"tally", store::tally_to_json(result.tally)}};
    const std::scoped_lock lock(mutex_);
    item.unwritten.push_back(std::move(line));
    if (Clock::now() - *item.begun > note_every) write_lines(item, false);
  }

  /// Requires: the lock (not checked).
  void write_lines(Item& item, bool durable) {
    for (const store::Json& each : item.unwritten) journal_->append(each, durable);
    item.unwritten.clear();
  }

  /// Goes on with a chunk until it is finished, its offenders are too many, or time is up.
  ChunkResult run_chunk(Item& item, std::uint64_t chunk, process::Asker& asker, ChunkResult result) {
    const CaseRange all = range_of(item, chunk);
    Clock::time_point noted = Clock::now();
    while (result.done != all.count && result.offenders.size() < most_offenders) {
      const CaseRange left = behind(all, result.done);
      const CaseRange piece{left.first, left.stride, std::min(left.count, piece_size(item))};
      const Clock::time_point begun = Clock::now();
      ask_cases(*item.planned.property, settings_.crew.isolation, piece, asker, result);
      const Clock::time_point now = Clock::now();
      result.done += piece.count;
      tell_of_piece(item, piece.count, now - begun);
      if (result.done == all.count || time_is_up(item)) break;
      if (now - noted > note_every) {
        note(item, chunk, result);
        noted = now;
      }
    }
    return result;
  }

  std::uint64_t piece_size(const Item& item) {
    constexpr std::uint64_t first = 16;
    constexpr std::uint64_t first_on_device = 4096;
    const std::scoped_lock lock(mutex_);
    return item.piece != 0 ? item.piece : item.planned.executor == "cuda" ? first_on_device : first;
  }

  /// A piece took so long: the next one has as many cases as take piece_length at this speed, within a factor of 64.
  void tell_of_piece(Item& item, std::uint64_t cases, Clock::duration took) {
    constexpr double factor = 64;
    const double fit = std::chrono::duration<double>(piece_length) / std::chrono::duration<double>(took);
    const double next = static_cast<double>(cases) * std::clamp(fit, 1 / factor, factor);
    const std::scoped_lock lock(mutex_);
    item.piece = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(next), 1, item.chunk);
    item.cases_done += cases;
    if (settings_.progress) {
      settings_.progress(static_cast<std::size_t>(&item - items_.data()), item.cases_done, item.cases);
    }
  }

  const CampaignSettings& settings_;
  Crew crew_{settings_.crew, true};
  std::vector<std::uint64_t> on_device_ = std::vector<std::uint64_t>(crew_.machines());  ///< tasks on each one's device
  std::vector<Item> items_;
  std::optional<store::Journal> journal_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  bool damaged_ = false;
  int interrupted_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::uint64_t chunk_size(const std::string& executor, std::uint64_t cases) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 22;
  return executor == "cuda" ? std::clamp(cases / 8, std::uint64_t{65536}, largest)
                            : std::clamp(cases / 32, std::uint64_t{1024}, largest);
}

CampaignResult run_campaign(const CampaignSettings& settings, std::span<const Planned> plan) {
  return Campaign(settings, plan).run();
}

}  // namespace assay::campaign
