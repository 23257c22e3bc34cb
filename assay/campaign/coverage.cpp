#include "assay/campaign/coverage.hpp"

#include <algorithm>

namespace assay::campaign {

double seconds_of_chunk(double left, std::size_t slots) {
  constexpr double shortest = 1;
  constexpr double part = 4;
  return std::max(shortest, left / (part * static_cast<double>(slots)));
}

Coverage::Coverage(std::uint64_t cases, Tally empty) : cases_(cases) {
  gathered.tally = std::move(empty);
  reopen(0, cases);
}

Chunk Coverage::cut(std::uint64_t most) {
  if (open_.empty()) return {};
  const auto [first, end] = *open_.begin();
  const Chunk chunk{first, std::min(most, end - first)};
  open_.erase(open_.begin());
  open_cases_ -= end - first;
  reopen(first + chunk.count, end);
  return chunk;
}

std::size_t Coverage::offenders_of(const Chunk& chunk) const {
  return chunk.first == merged_ ? most_offenders - gathered.offenders.size() : most_offenders;
}

void Coverage::take(const Chunk& chunk, std::uint64_t done, AskedCases&& shown) {
  const bool full = shown.offenders.size() >= shown.most;
  if (!full) reopen(chunk.first + done, chunk.first + chunk.count);
  if (done != 0) known_.insert_or_assign(chunk.first, Known{full ? chunk.count : done, std::move(shown)});
  merge_known();
}

void Coverage::recall(std::uint64_t first, std::uint64_t done, AskedCases&& shown) {
  known_.insert_or_assign(first, Known{done, std::move(shown)});
}

void Coverage::recalled() {
  open_.clear();
  open_cases_ = 0;
  std::uint64_t end = 0;
  for (auto at = known_.begin(); at != known_.end();) {
    if (at->first < end) {
      at = known_.erase(at);
      continue;
    }
    reopen(end, at->first);
    end = at->first + at->second.count;
    ++at;
  }
  reopen(end, cases_);
  merge_known();
}

void Coverage::end_early() {
  gathered.partial = true;
  for (auto& [first, known] : known_) {
    gathered.tally.merge(known.shown.tally);
    gathered.offenders.insert(gathered.offenders.end(), known.shown.offenders.begin(), known.shown.offenders.end());
  }
  known_.clear();
}

void Coverage::reopen(std::uint64_t first, std::uint64_t end) {
  if (first >= end) return;
  open_[first] = end;
  open_cases_ += end - first;
}

void Coverage::merge_known() {
  while (!complete() && !known_.empty() && known_.begin()->first == merged_) {
    Known known = std::move(known_.begin()->second);
    known_.erase(known_.begin());
    auto& offenders = gathered.offenders;
    const std::size_t count = offenders.size() + known.shown.offenders.size();
    const bool goes_on_behind_the_last = count == most_offenders && known.shown.offenders.size() < known.shown.most;
    if (count > most_offenders || goes_on_behind_the_last) {
      // The chunk did not know how many offenders came before it. It is run again and ends earlier.
      reopen(merged_, merged_ + known.count);
      return;
    }
    gathered.tally.merge(known.shown.tally);
    offenders.insert(offenders.end(), known.shown.offenders.begin(), known.shown.offenders.end());
    merged_ += known.count;
    if (offenders.size() == most_offenders) {
      gathered.cut_short = total(gathered.tally).planned < cases_;
      merged_ = cases_;
    }
  }
}

}  // namespace assay::campaign
