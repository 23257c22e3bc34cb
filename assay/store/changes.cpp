#include "assay/store/changes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "assay/store/entry_document.hpp"

namespace assay::store {
namespace {

constexpr std::array<std::string_view, 6> kind_words{"verdict", "tightness", "bits", "time", "gone", "added"};
constexpr std::array<std::string_view, 3> direction_words{"neutral", "better", "worse"};

/// The least change of a ratio that is reported.
constexpr double told_from = 0.01;

/// The rank of a verdict: a larger rank is worse.
int badness(Finding finding) {
  switch (finding) {
    case Finding::holds:
      return 0;
    case Finding::refuted_as_expected:
      return 1;
    case Finding::not_run:
      return 2;
    case Finding::not_refuted:
    case Finding::undecided:
      return 3;
    case Finding::broken:
      return 4;
    case Finding::out_of_memory:
    case Finding::hung:
    case Finding::crashed:
    case Finding::flaky:
    case Finding::violated:
      return 5;
  }
  return 5;
}

bool fails(const EntryClaim& claim) { return badness(claim.verdict) > badness(Finding::not_run); }

Change::Direction direction_of(int before, int after) {
  return after > before   ? Change::Direction::worse
         : after < before ? Change::Direction::better
                          : Change::Direction::neutral;
}

std::string text_of(double ratio) { return ratio < 0 ? "none" : compact(ratio_to_json(ratio)); }

bool moved(double before, double after) {
  if (std::isinf(before) || std::isinf(after)) return before != after;
  return std::abs(after - before) > told_from * std::abs(before);
}

bool is_before(const EntryProperty& a, const EntryProperty& b) {
  return std::tie(a.name, a.executor) < std::tie(b.name, b.executor);
}

/// Calls one function for each pair of elements with the same key, and another one for each element without a partner.
template <class T, class Less, class Both, class Only>
void match(std::vector<const T*> a, std::vector<const T*> b, const Less& less, const Both& both, const Only& gone,
           const Only& added) {
  const auto by_key = [&](const T* x, const T* y) { return less(*x, *y); };
  std::sort(a.begin(), a.end(), by_key);
  std::sort(b.begin(), b.end(), by_key);
  auto at = a.begin();
  auto other = b.begin();
  while (at != a.end() || other != b.end()) {
    if (other == b.end() || (at != a.end() && less(**at, **other))) {
      gone(**at++);
    } else if (at == a.end() || less(**other, **at)) {
      added(**other++);
    } else {
      both(**at++, **other++);
    }
  }
}

template <class T>
std::vector<const T*> pointers(const std::vector<T>& values) {
  std::vector<const T*> all;
  for (const T& each : values) all.push_back(&each);
  return all;
}

/// The changes of one property that both runs have.
class OfProperty {
 public:
  OfProperty(const EntryProperty& before, const EntryProperty& after) : before_(before), after_(after) {}

  std::vector<Change> changes(std::uint64_t& claims) {
    const auto less = [](const EntryClaim& a, const EntryClaim& b) { return a.id < b.id; };
    using Only = std::function<void(const EntryClaim&)>;
    match(
        pointers(before_.claims), pointers(after_.claims), less,
        [&](const EntryClaim& a, const EntryClaim& b) {
          ++claims;
          compare(a, b);
        },
        Only([&](const EntryClaim& a) {
          add(Change::Kind::gone, Change::Direction::worse, a.id, "", std::string(word(a.verdict)), "");
        }),
        Only([&](const EntryClaim& b) {
          add(Change::Kind::added, fails(b) ? Change::Direction::worse : Change::Direction::neutral, b.id, "", "",
              std::string(word(b.verdict)));
        }));
    if (same_inputs() && before_.bits.outputs != after_.bits.outputs) {
      const auto has = [&](Change::Direction direction) {
        return std::any_of(changes_.begin(), changes_.end(),
                           [&](const Change& each) { return each.direction == direction; });
      };
      const bool better = has(Change::Direction::better) && !has(Change::Direction::worse);
      add(Change::Kind::bits, better ? Change::Direction::neutral : Change::Direction::worse, "", "",
          hex16(before_.bits.outputs), hex16(after_.bits.outputs));
    }
    return std::move(changes_);
  }

  bool same_inputs() const { return before_.bits.inputs == after_.bits.inputs && !(before_.bits == BitSums{}); }

 private:
  void add(Change::Kind kind, Change::Direction direction, std::string claim, std::string term, std::string before,
           std::string after) {
    changes_.push_back({kind, direction, after_.name, after_.executor, std::move(claim), std::move(term),
                        std::move(before), std::move(after)});
  }

  void compare(const EntryClaim& a, const EntryClaim& b) {
    if (a.verdict != b.verdict) {
      add(Change::Kind::verdict, direction_of(badness(a.verdict), badness(b.verdict)), a.id, "",
          std::string(word(a.verdict)), std::string(word(b.verdict)));
    }
    if (!same_inputs()) return;
    compare(a, b, "", a.tightness, b.tightness);
    for (const auto& [term, ratio] : a.terms) {
      const auto found = b.terms.find(term);
      if (found != b.terms.end()) compare(a, b, term, ratio, found->second);
    }
  }

  void compare(const EntryClaim& a, const EntryClaim& b, const std::string& term, double before, double after) {
    if (!moved(before, after)) return;
    const bool control = a.expected_refuted || b.expected_refuted || before < 0 || after < 0;
    const auto direction = control          ? Change::Direction::neutral
                           : after > before ? Change::Direction::worse
                                            : Change::Direction::better;
    add(Change::Kind::tightness, direction, a.id, term, text_of(before), text_of(after));
  }

  const EntryProperty& before_;
  const EntryProperty& after_;
  std::vector<Change> changes_;
};

/// One kernel on one executor: a point for each size that both runs have.
struct SizeTimes {
  std::uint64_t size;
  double before, after;
};

std::string time_text(double seconds, std::uint64_t size) {
  return compact(Json(seconds)) + " s at n = " + std::to_string(size);
}

/// The change of a kernel's times, if it exceeds the fraction `slower` at two neighboring sizes or at the only one.
std::optional<Change> change_of(const EntryTime& of, const std::vector<SizeTimes>& times, double slower) {
  const double least = 1 + slower;
  const SizeTimes* told = nullptr;
  double most = least;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const SizeTimes& here = times[i];
    const SizeTimes& there = times.size() == 1 ? here : times[i == 0 ? 1 : i - 1];
    const double grown = std::min(here.after / here.before, there.after / there.before);
    if (grown > most) {
      most = grown;
      told = &here;
    }
  }
  if (told != nullptr) {
    return Change{Change::Kind::time,
                  Change::Direction::worse,
                  of.kernel,
                  of.executor,
                  "",
                  "",
                  time_text(told->before, told->size),
                  time_text(told->after, told->size)};
  }
  return std::nullopt;
}

/// The changes of times that both runs have. `count`: the number of these times.
std::vector<Change> changes_of_times(const Entry& before, const Entry& after, double slower, std::uint64_t& count) {
  const auto place = [](const EntryTime& time) {
    return std::tie(time.kernel, time.executor, time.machine, time.threads);
  };
  const auto less = [&](const EntryTime& a, const EntryTime& b) {
    return std::tuple_cat(place(a), std::tie(a.size)) < std::tuple_cat(place(b), std::tie(b.size));
  };
  std::vector<Change> changes;
  std::vector<SizeTimes> times;
  const EntryTime* of = nullptr;
  const auto finish = [&] {
    if (of == nullptr) return;
    if (std::optional<Change> worse = change_of(*of, times, slower)) {
      changes.push_back(*std::move(worse));
    } else {
      for (SizeTimes& each : times) std::swap(each.before, each.after);
      if (std::optional<Change> better = change_of(*of, times, slower)) {
        std::swap(better->before, better->after);
        better->direction = Change::Direction::better;
        changes.push_back(*std::move(better));
      }
    }
    times.clear();
  };
  using Only = std::function<void(const EntryTime&)>;
  match(
      pointers(before.times), pointers(after.times), less,
      [&](const EntryTime& a, const EntryTime& b) {
        ++count;
        if (of == nullptr || place(*of) != place(b)) {
          finish();
          of = &b;
        }
        times.push_back({b.size, a.seconds, b.seconds});
      },
      Only([](const EntryTime&) {}), Only([](const EntryTime&) {}));
  finish();
  return changes;
}

Entry without_properties(Entry entry) {
  entry.properties.clear();
  entry.times.clear();
  return entry;
}

}  // namespace

bool Changes::worse() const {
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& each) { return each.direction == Change::Direction::worse; });
}

Changes changes_between(const Entry& before, const Entry& after, double slower) {
  Changes all;
  all.before = without_properties(before);
  all.after = without_properties(after);
  using Only = std::function<void(const EntryProperty&)>;
  const auto add = [&all](Change::Kind kind, bool worse, const EntryProperty& property) {
    const auto direction = worse ? Change::Direction::worse : Change::Direction::neutral;
    all.changes.push_back({kind, direction, property.name, property.executor, "", "", "", ""});
  };
  match(
      pointers(before.properties), pointers(after.properties), is_before,
      [&](const EntryProperty& a, const EntryProperty& b) {
        ++all.properties;
        OfProperty of(a, b);
        if (!of.same_inputs()) all.other_inputs.push_back(a.name + " on " + a.executor);
        for (Change& each : of.changes(all.claims)) all.changes.push_back(std::move(each));
      },
      Only([&](const EntryProperty& property) { add(Change::Kind::gone, true, property); }),
      Only([&](const EntryProperty& property) {
        add(Change::Kind::added, std::any_of(property.claims.begin(), property.claims.end(), fails), property);
      }));
  for (Change& each : changes_of_times(before, after, slower, all.times)) all.changes.push_back(std::move(each));
  std::stable_sort(all.changes.begin(), all.changes.end(),
                   [](const Change& a, const Change& b) { return a.kind < b.kind; });
  return all;
}

Json changes_document(const Changes& changes) { return to_json(changes); }

std::string_view word(Change::Kind kind) { return kind_words.at(static_cast<std::size_t>(kind)); }
std::string_view word(Change::Direction direction) { return direction_words.at(static_cast<std::size_t>(direction)); }
std::span<const std::string_view> words_of(Change::Kind) { return kind_words; }
std::span<const std::string_view> words_of(Change::Direction) { return direction_words; }

}  // namespace assay::store
