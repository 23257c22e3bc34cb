#include "assay/campaign/device_judge.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>
#include <vector>

namespace assay::campaign {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t unlimited = std::uint64_t{1} << 40;
constexpr std::chrono::seconds save_every{1};
/// The cells of a chunk until the speed of its class is known. A core needs some tenths of a second for such a chunk, a
/// device 20 µs with a fast probe.
constexpr std::uint64_t first_chunk = 1;
constexpr std::uint64_t first_chunk_on_device = 256;
/// The seconds of later chunks: long compared with the latency to another rank, but short at the end, so that all
/// machines finish together.
constexpr double longest_chunk = 0.5;
constexpr double shortest_chunk = 0.05;
constexpr double part_of_a_machine = 1.0 / 4;  ///< fraction of the remaining time

/// The processes that judge one row. Chunks of a class are merged in their order, so that `done` is a range.
class Judging {
 public:
  Judging(const DeviceJudgeSettings& settings, const PropertyModel& property, store::ProbeRow& row)
      : settings_(settings), property_(property), row_(row), next_(row.classes.size()) {
    for (std::size_t k = 0; k < next_.size(); ++k) next_[k] = row.classes[k].done;
  }

  std::optional<process::Stop> run() {
    in_slots(workers_, [this](std::size_t slot) { work(crew_.slots()[slot]); });
    merge_what_is_ready();
    if (failure_) std::rethrow_exception(failure_);
    return stop_;
  }

 private:
  struct Chunk {
    std::size_t input_class = 0;
    std::uint64_t first = 0;  ///< counted from the first cell of the row
    std::uint64_t count = 0;
  };
  struct Ready {
    Chunk chunk;
    ProbeTally tally;
  };

  void work(unsigned machine) {
    try {
      const std::unique_ptr<process::Asker> asker = crew_.asker(machine, property_, row_.executor, settings_.seed);
      while (const std::optional<Chunk> chunk = next()) {
        const std::uint64_t first = row_.classes[chunk->input_class].first + chunk->first;
        const Clock::time_point asked = Clock::now();
        process::Answer<ProbeTally> answer =
            asker->probe(chunk->input_class, first, static_cast<std::size_t>(chunk->count));
        const double took = std::chrono::duration<double>(Clock::now() - asked).count();
        const std::scoped_lock lock(mutex_);
        seconds_of_cell_[chunk->input_class] = took / static_cast<double>(chunk->count);
        if (auto* const stop = std::get_if<process::Stop>(&answer)) {
          stop_ = *stop;
          return;
        }
        ready_.push_back({*chunk, std::get<ProbeTally>(answer)});
        if (Clock::now() - saved_ >= save_every) {
          merge_what_is_ready();
          saved_ = Clock::now();
          if (settings_.save) settings_.save(row_);
        }
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  /// The next chunk of the class that is furthest behind its share.
  std::optional<Chunk> next() {
    const std::scoped_lock lock(mutex_);
    if (failure_ || stop_ || (!settings_.cases && Clock::now() - begun_ >= settings_.time)) return std::nullopt;
    std::optional<std::size_t> chosen;
    double least = 2;
    for (std::size_t k = 0; k < next_.size(); ++k) {
      const store::ProbeRow::Class& of = row_.classes[k];
      if (next_[k] == of.count) continue;
      const double share = static_cast<double>(next_[k]) / static_cast<double>(of.count);
      if (share < least) {
        least = share;
        chosen = k;
      }
    }
    if (!chosen) return std::nullopt;
    const Chunk chunk{*chosen, next_[*chosen],
                      std::min(cells_of_chunk(*chosen), row_.classes[*chosen].count - next_[*chosen])};
    next_[*chosen] += chunk.count;
    return chunk;
  }

  /// The cells of one class may take much longer than those of another.
  std::uint64_t cells_of_chunk(std::size_t input_class) const {
    const double of_cell = seconds_of_cell_[input_class];
    if (of_cell == 0) return row_.executor == "cuda" ? first_chunk_on_device : first_chunk;
    double left = 0;
    for (std::size_t k = 0; k < next_.size(); ++k) {
      left += static_cast<double>(row_.classes[k].count - next_[k]) * seconds_of_cell_[k];
    }
    const double seconds =
        std::clamp(left / static_cast<double>(workers_) * part_of_a_machine, shortest_chunk, longest_chunk);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(seconds / of_cell));
  }

  void merge_what_is_ready() {
    std::sort(ready_.begin(), ready_.end(),
              [](const Ready& a, const Ready& b) { return a.chunk.first < b.chunk.first; });
    std::vector<Ready> early;
    for (Ready& each : ready_) {
      store::ProbeRow::Class& of = row_.classes[each.chunk.input_class];
      if (each.chunk.first != of.done) {
        early.push_back(each);
        continue;
      }
      of.done += each.chunk.count;
      row_.tally.merge(each.tally);
    }
    ready_ = std::move(early);
    row_.seconds += std::chrono::duration<double>(Clock::now() - counted_).count();
    counted_ = Clock::now();
  }

  const DeviceJudgeSettings& settings_;
  Crew crew_{settings_.crew, false};
  const PropertyModel& property_;
  store::ProbeRow& row_;
  std::size_t workers_ = row_.executor == "cuda" ? crew_.machines() : crew_.slots().size();
  std::vector<std::uint64_t> next_;
  std::vector<Ready> ready_{};
  std::vector<double> seconds_of_cell_ = std::vector<double>(row_.classes.size());  ///< of a class's last chunk, or 0
  Clock::time_point begun_ = Clock::now();
  Clock::time_point counted_ = begun_;
  Clock::time_point saved_ = begun_;
  std::mutex mutex_{};
  std::exception_ptr failure_{};
  std::optional<process::Stop> stop_{};
};

}  // namespace

store::ProbeRow planned_row(const DeviceJudgeSettings& settings, const PropertyModel& property,
                            const std::string& executor) {
  const Probed& probe = *property.probe();
  const PropertyInfo& info = property.info();
  store::ProbeRow row;
  row.property = info.name;
  row.claim = probe.claim;
  row.executor = executor;
  row.cell = probe.cell;
  for (const ClaimInfo& each : info.claims) {
    if (each.id == probe.claim) row.statement = each.statement;
  }
  for (const std::string& id : probe.implied) {
    for (const ClaimInfo& each : info.claims) {
      if (each.id == id) row.statement += "; " + each.statement;
    }
  }
  std::uint64_t weights = 0;
  for (const Probed::InputClass& each : probe.classes) weights += each.weight;
  const std::uint64_t cells = settings.cases ? (*settings.cases + probe.cell - 1) / probe.cell : unlimited;
  for (const Probed::InputClass& each : probe.classes) {
    // Every class has a cell. 2⁴⁰ cells times a weight are far below 2⁶⁴.
    const std::uint64_t share = std::max<std::uint64_t>(1, cells * each.weight / weights);
    const std::uint64_t all = each.size == 0 ? share : std::min(share, (each.size + probe.cell - 1) / probe.cell);
    const std::uint64_t first = all * settings.shard.index / settings.shard.count;
    const std::uint64_t end = all * (settings.shard.index + 1) / settings.shard.count;
    row.classes.push_back({each.name, first, end - first, 0});
  }
  return row;
}

std::optional<process::Stop> judge_cells(const DeviceJudgeSettings& settings, const PropertyModel& property,
                                         store::ProbeRow& row) {
  return Judging(settings, property, row).run();
}

}  // namespace assay::campaign
