#include "properties/framework/laid.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay {

namespace {

std::optional<std::size_t> field_named(const Record& record, const std::string& name) {
  for (std::size_t f = 0; f < record.fields.size(); ++f) {
    if (record.fields[f].name == name) return f;
  }
  return std::nullopt;
}

const std::int64_t* integer_in(const Record& record, const std::string& name) {
  const auto f = field_named(record, name);
  return f ? std::get_if<std::int64_t>(&record.fields[*f].value) : nullptr;
}

constexpr std::size_t unknown = ~std::size_t{0};

}  // namespace

// ------------------------------------------------------------------------------------------------- reading a layout

std::size_t Laid::axis_named(const std::string& name) {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at != names_.end()) return static_cast<std::size_t>(at - names_.begin());
  names_.push_back(name);
  lengths_.push_back(unknown);
  return names_.size() - 1;
}

std::optional<Laid::List> Laid::list_of(const Record& record, const Axes::List& described, Laid& laid) {
  const auto field = field_named(record, described.field);
  const auto* words = field ? std::get_if<Words>(&record.fields[*field].value) : nullptr;
  if (words == nullptr || words->bits.size() % described.words != 0) return std::nullopt;
  const std::size_t entries = words->bits.size() / described.words;
  List list{*field, described.words, described.adds_up, {}};
  std::size_t taken = 1;  // for one place of the side
  for (const Axes::Side& each : described.sides) {
    Side side{laid.axis_named(each.axis), taken, 0, false, std::nullopt, each.step_of_one_0};
    if (laid.has_axis(list, side.axis)) return std::nullopt;  // a place has one number on each axis
    std::size_t& length = laid.lengths_[side.axis];
    if (!each.step.empty()) {
      const std::int64_t* step = integer_in(record, each.step);
      if (step == nullptr) return std::nullopt;
      side.field = field_named(record, each.step);
      laid.bound_[*side.field] = true;
      side.backward = *step < 0;
      if (*step != 0 || !each.step_of_one_0) side.step = static_cast<std::size_t>(std::abs(*step));
      if (side.step < taken) return std::nullopt;
      side.gap = side.step - taken;
    }
    if (length == unknown) {
      if (&each != &described.sides.back() || (!side.field && entries % taken != 0)) return std::nullopt;
      length = entries < taken ? 0 : 1 + (entries - taken) / side.step;
    }
    taken += side.step * (std::max<std::size_t>(length, 1) - 1);
    list.sides.push_back(side);
  }
  const std::size_t used = laid.extent(list);
  if (list.sides.empty() || used > entries) return std::nullopt;
  list.tail = entries - used;
  list.ends_in_gap = list.tail != 0 && list.tail == list.sides.back().gap;
  return list;
}

std::optional<Laid> Laid::of(const Record& record, const Axes& axes) {
  Laid laid;
  laid.record_ = record;
  laid.described_ = axes;
  laid.bound_.resize(record.fields.size());
  for (const Axes::Length& each : axes.lengths) {
    const std::int64_t* length = integer_in(record, each.field);
    if (length == nullptr || *length < 0) return std::nullopt;
    laid.lengths_[laid.axis_named(each.axis)] = static_cast<std::size_t>(*length);
    laid.bound_[*field_named(record, each.field)] = true;
  }
  for (const Axes::List& each : axes.lists) {
    std::optional<List> list = list_of(record, each, laid);
    if (!list) return std::nullopt;
    laid.lists_.push_back(std::move(*list));
  }
  for (const std::string& name : laid.names_) {
    laid.is_sum_.push_back(std::find(axes.sums.begin(), axes.sums.end(), name) != axes.sums.end());
  }
  return laid;
}

std::set<std::size_t> Laid::loose_steps() const {
  std::set<std::size_t> fields;
  for (const List& list : lists_) {
    for (const Side& side : list.sides) {
      if (side.field && (side.gap != 0 || side.backward)) fields.insert(*side.field);
    }
  }
  return fields;
}

std::size_t Laid::extent(const List& list) const {
  std::size_t extent = 1;
  for (const Side& side : list.sides) {
    if (lengths_[side.axis] == 0) return 0;
    extent += side.step * (lengths_[side.axis] - 1);
  }
  return extent;
}

bool Laid::has_axis(const List& list, std::size_t axis) const {
  return std::any_of(list.sides.begin(), list.sides.end(), [axis](const Side& side) { return side.axis == axis; });
}

std::size_t Laid::place(const List& list, const Places& at) const {
  std::size_t place = 0;
  for (const Side& side : list.sides) {
    place += side.step * (side.backward ? lengths_[side.axis] - 1 - at[side.axis] : at[side.axis]);
  }
  return place;
}

// ------------------------------------------------------------------------------------------------- writing a layout

void Laid::lay_out() {
  for (const Axes::Length& each : described_.lengths) {
    record_.fields[*field_named(record_, each.field)].value =
        static_cast<std::int64_t>(lengths_[axis_named(each.axis)]);
  }
  for (List& list : lists_) {
    std::size_t taken = 1;
    for (Side& side : list.sides) {
      const std::size_t length = lengths_[side.axis];
      side.step = taken + side.gap;
      taken += side.step * (std::max<std::size_t>(length, 1) - 1);
      if (side.field) {
        const auto step = static_cast<std::int64_t>(side.step_of_one_0 && length <= 1 ? 0 : side.step);
        record_.fields[*side.field].value = side.backward ? -step : step;
      }
    }
    if (list.ends_in_gap) list.tail = list.sides.back().gap;
    const std::size_t used = extent(list);
    std::get<Words>(record_.fields[list.field].value).bits.assign((used == 0 ? 0 : used + list.tail) * list.words, 0);
  }
}

void Laid::copy_from(const Laid& before, std::size_t axis, const std::vector<std::size_t>* places) {
  std::vector<std::size_t> index;
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    const List& to = lists_[l];
    const List& from = before.lists_[l];
    const std::vector<std::uint64_t>& source = before.words(from).bits;
    std::vector<std::uint64_t>& target = std::get<Words>(record_.fields[to.field].value).bits;
    index.resize(to.sides.size());
    for (std::size_t entry = 0; entry < target.size() / to.words; ++entry) {
      std::size_t behind = entry;  // the entry that this number is a part of
      for (std::size_t d = to.sides.size(); d-- > 0;) {
        index[d] = std::min(behind / to.sides[d].step, lengths_[to.sides[d].axis] - 1);
        behind -= index[d] * to.sides[d].step;
      }
      std::size_t was = behind;
      for (std::size_t d = 0; d < to.sides.size(); ++d) {
        const Side& side = from.sides[d];
        const std::size_t last = before.lengths_[side.axis] - 1;
        if (behind >= to.sides[d].step) {  // in a gap after the last place of this side
          was += last * side.step;
          continue;
        }
        std::size_t place = to.sides[d].backward ? lengths_[side.axis] - 1 - index[d] : index[d];
        if (side.axis == axis && places != nullptr) place = (*places)[place];
        was += (side.backward ? last - place : place) * side.step;
      }
      if (was < source.size() / from.words) {
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(was * to.words), to.words,
                    target.begin() + static_cast<std::ptrdiff_t>(entry * to.words));
      }
    }
  }
}

Record Laid::kept(std::size_t axis, const std::vector<std::size_t>& places) const {
  Laid to = *this;
  to.lengths_[axis] = places.size();
  to.lay_out();
  to.copy_from(*this, axis, &places);
  return std::move(to.record_);
}

Record Laid::packed(const std::set<std::size_t>& steps) const {
  Laid to = *this;
  for (List& list : to.lists_) {
    for (Side& side : list.sides) {
      if (!side.field || !steps.contains(*side.field)) continue;
      side.gap = 0;
      side.backward = false;
    }
  }
  to.lay_out();
  to.copy_from(*this, 0, nullptr);
  return std::move(to.record_);
}

std::optional<Record> Laid::moved_to(const Record& other, const Axes& axes) const {
  Laid to = *this;
  to.record_ = other;
  to.described_ = axes;
  if (axes.lists.size() != lists_.size()) return std::nullopt;
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    const std::vector<Axes::Side>& sides = axes.lists[l].sides;
    if (record_.fields[lists_[l].field].name != axes.lists[l].field || sides.size() != lists_[l].sides.size()) {
      return std::nullopt;
    }
    for (std::size_t d = 0; d < sides.size(); ++d) {
      to.lists_[l].sides[d].axis = to.axis_named(sides[d].axis);
      if (!has_axis(lists_[l], to.lists_[l].sides[d].axis)) return std::nullopt;
    }
  }
  to.lay_out();
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    const std::size_t words = lists_[l].words;
    std::vector<std::uint64_t>& target = std::get<Words>(to.record_.fields[to.lists_[l].field].value).bits;
    for_each_line(lists_[l], names_.size(), [&](const Places& at) {
      std::copy_n(this->words(lists_[l]).bits.begin() + static_cast<std::ptrdiff_t>(place(lists_[l], at) * words),
                  words, target.begin() + static_cast<std::ptrdiff_t>(to.place(to.lists_[l], at) * words));
    });
  }
  return std::move(to.record_);
}

// ------------------------------------------------------------------------------------------------------------- terms

template <class F>
void Laid::for_each_line(const List& list, std::size_t axis, F&& f) const {
  Places at(names_.size());
  for (const Side& side : list.sides) {
    if (lengths_[side.axis] == 0) return;
  }
  for (std::size_t d = 0; d < list.sides.size();) {
    if (d == 0) f(std::as_const(at));
    const std::size_t moved = list.sides[d].axis;
    if (moved != axis && ++at[moved] < lengths_[moved]) {
      d = 0;
    } else {
      at[moved] = 0;
      ++d;
    }
  }
}

std::optional<oracle::Dyadic> Laid::entry(std::size_t l, const Places& at) const {
  const List& list = lists_[l];
  const Words& all = words(list);
  if (!list.adds_up) return std::nullopt;
  oracle::Dyadic value;
  const std::size_t first = place(list, at) * list.words;
  for (std::size_t w = first; w < first + list.words; ++w) {
    if (!oracle::is_finite(all.format, all.bits[w])) return std::nullopt;
    value += oracle::decode_finite(all.format, all.bits[w]);
  }
  return value;
}

bool Laid::set_entry(std::size_t l, const Places& at, oracle::Dyadic value) {
  const List& list = lists_[l];
  Words& all = std::get<Words>(record_.fields[list.field].value);
  const std::size_t first = place(list, at) * list.words;
  for (std::size_t w = first; w < first + list.words; ++w) {
    all.bits[w] = oracle::round(value, all.format, oracle::Rounding::nearest);
    if (!oracle::is_finite(all.format, all.bits[w])) return false;
    value -= oracle::decode_finite(all.format, all.bits[w]);
  }
  return true;
}

std::vector<oracle::Dyadic> Laid::terms(std::size_t axis) const {
  std::vector<oracle::Dyadic> terms(lengths_[axis], 1);
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    if (!has_axis(lists_[l], axis)) continue;
    if (extent(lists_[l]) == 0) return {};
    Places at(names_.size());
    for (oracle::Dyadic& term : terms) {
      const auto factor = entry(l, at);
      if (!factor) return {};
      term *= *factor;
      ++at[axis];
    }
  }
  return terms;
}

std::optional<Record> Laid::merged(std::size_t axis, const std::vector<std::size_t>& places, bool exactly) const {
  std::vector<std::size_t> factors;  // the lists whose entries make up a term
  std::optional<std::size_t> unit;   // of two factors the one without another axis: it becomes 1
  bool is_one_line = true;
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    if (!has_axis(lists_[l], axis)) continue;
    factors.push_back(l);
    is_one_line = is_one_line && lists_[l].sides.size() == 1;
  }
  for (const std::size_t l : factors) {
    if (factors.size() == 2 && lists_[l].sides.size() == 1) unit = l;
  }
  if (factors.empty() || (exactly && (!is_one_line || factors.size() > 2))) return std::nullopt;
  // Without such a factor only the first list takes sums, and the others keep their first entry.
  const std::size_t taker = unit == factors.front() ? factors.back() : factors.front();
  const auto sum_along = [&](Places at) -> std::optional<oracle::Dyadic> {
    oracle::Dyadic sum;
    for (const std::size_t i : places) {
      at[axis] = i;
      const auto value = entry(taker, at);
      const auto factor = unit ? entry(*unit, at) : oracle::Dyadic(1);
      if (!value || !factor) return std::nullopt;
      sum.add_mul(*value, *factor);
    }
    return sum;
  };
  const auto without = [&](std::size_t first) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < lengths_[axis]; ++i) {
      if (!std::binary_search(places.begin() + static_cast<std::ptrdiff_t>(first), places.end(), i)) rest.push_back(i);
    }
    return of(kept(axis, rest), described_);
  };
  Places at(names_.size());
  if (exactly) {
    std::optional<oracle::Dyadic> rest = sum_along(at);
    std::vector<oracle::Dyadic> numbers;
    for (Laid scratch = *this; rest && !rest->is_zero() && numbers.size() + 1 < places.size();) {
      if (!scratch.set_entry(taker, at, *rest)) return std::nullopt;
      numbers.push_back(*scratch.entry(taker, at));
      *rest -= numbers.back();
    }
    if (!rest || !rest->is_zero() || numbers.size() < 2) return std::nullopt;
    std::optional<Laid> to = without(numbers.size());
    for (std::size_t j = 0; to && j < numbers.size(); ++j) {
      at[axis] = places[j];
      to->set_entry(taker, at, numbers[j]);
      if (unit) to->set_entry(*unit, at, 1);
    }
    return to ? std::optional(std::move(to->record_)) : std::nullopt;
  }
  std::optional<Laid> to = without(1);
  bool fits = to.has_value();
  for_each_line(lists_[taker], axis, [&](Places line) {
    const auto sum = sum_along(line);
    line[axis] = places.front();
    fits = fits && sum && to->set_entry(taker, line, *sum);
  });
  at[axis] = places.front();
  if (!fits || (unit && !to->set_entry(*unit, at, 1))) return std::nullopt;
  return std::move(to->record_);
}

}  // namespace assay
