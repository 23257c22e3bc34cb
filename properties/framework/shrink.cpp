#include "properties/framework/shrink.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "arith/bits/split_mix64.hpp"
#include "properties/framework/model.hpp"

namespace assay {

namespace {

/// A pass with more steps than this is deferred; the limit then grows by this factor.
constexpr std::size_t first_longest = 128;
constexpr std::size_t growth = 4;

/// The number of values of a record. Two records of one case type are the same if they have one hash (not quite
/// certain).
std::uint64_t hash_of(const Record& record) {
  std::uint64_t state = 0;
  const auto add = [&](std::uint64_t word) { state = bits::SplitMix64{state ^ word}(); };
  for (const FieldValue& field : record.fields) {
    if (const auto* words = std::get_if<Words>(&field.value)) {
      add(words->bits.size());
      for (const std::uint64_t each : words->bits) add(each);
    } else {
      add(static_cast<std::uint64_t>(std::get<std::int64_t>(field.value)));
    }
  }
  return state;
}

}  // namespace

std::size_t numbers_in(const Record& record) {
  std::size_t size = 0;
  for (const FieldValue& each : record.fields) {
    if (const auto* const words = std::get_if<Words>(&each.value)) size += words->bits.size();
  }
  return size;
}

Shrinking::Shrinking(const PropertyModel& property, Record start, bool backward, PassedOver tried)
    : property_(property),
      record_(std::move(start)),
      backward_(backward),
      cursors_(property.shrink_passes()),
      longest_(first_longest),
      seen_(std::move(tried)) {
  enter(0);
}

void Shrinking::enter(std::size_t which) {
  which_ = which;
  pass_ = property_.shrink(record_, which);
  const bool is_long = pass_.size > longest_;
  put_off_ = put_off_ || is_long;
  untried_ = is_long ? 0 : pass_.size;
  if (pass_.size != 0) cursors_[which] %= pass_.size;
}

std::span<const Record> Shrinking::next(std::size_t most) {
  seen_.all.insert(hashes_.begin(), hashes_.end());
  offered_.clear();
  hashes_.clear();
  last_step_.clear();
  if (idle_ < cursors_.size()) {
    cursors_[which_] += std::exchange(passed_, 0);
  }
  while (idle_ < cursors_.size()) {
    for (; untried_ > 0 && offered_.size() < most; --untried_, ++passed_) {
      const std::size_t step = (cursors_[which_] + passed_) % pass_.size;
      std::optional<Record> candidate = pass_.at(backward_ && !pass_.restarts ? pass_.size - 1 - step : step);
      if (!candidate) continue;
      const std::uint64_t hash = hash_of(*candidate);
      has_others_ = has_others_ || seen_.others.contains(hash);
      if (seen_.all.contains(hash)) continue;
      offered_.push_back(std::move(*candidate));
      hashes_.push_back(hash);
      last_step_.push_back(passed_);
    }
    if (!offered_.empty()) return offered_;
    cursors_[which_] += std::exchange(passed_, 0);
    if (++idle_ == cursors_.size() && std::exchange(put_off_, false)) {
      idle_ = 0;
      longest_ *= growth;
    }
    if (idle_ < cursors_.size()) enter((which_ + 1) % cursors_.size());
  }
  return {};
}

void Shrinking::note_other(std::size_t i) {
  seen_.others.insert(hashes_[i]);
  has_others_ = true;
}

void Shrinking::take(std::size_t i) {
  seen_.all.insert(hashes_.begin(), hashes_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  taken_.push_back(hashes_[i]);
  record_ = std::move(offered_[i]);
  const std::size_t cursor = pass_.restarts ? 0 : (cursors_[which_] + last_step_[i]) % pass_.size;
  offered_.clear();
  hashes_.clear();
  passed_ = 0;
  idle_ = 0;
  put_off_ = false;
  has_others_ = false;
  cursors_[which_] = cursor;
  longest_ = std::max(first_longest, pass_.size);
  enter(which_);
  longest_ = first_longest;
}

PassedOver Shrinking::passed_over() {
  seen_.all.insert(hashes_.begin(), hashes_.end());
  for (const std::uint64_t each : taken_) seen_.all.erase(each);
  return std::move(seen_);
}

}  // namespace assay
