#include "assay/campaign/ask_cases.hpp"

#include <algorithm>

namespace assay::campaign {
namespace {

void ask_single(const PropertyModel& property, std::uint64_t number, process::Asker& asker, AskedCases& into) {
  process::Answer<Tally> answer = asker.run({number, 1, 1});
  if (auto* tally = std::get_if<Tally>(&answer)) {
    into.tally.merge(*tally);
    return;
  }
  const process::Stop& stop = std::get<process::Stop>(answer);
  into.offenders.push_back({number, stop.kind, stop.what});
  Tally::ByClass& by_class = into.tally.classes[property.class_of(number)];
  ++by_class.planned;
  ++by_class.executed;
}

/// `left` was run and `stop` came back. Runs again the cases before the announced batch, then that batch one case at a
/// time. `left` becomes the range after it.
void search(const PropertyModel& property, const process::Stop& stop, process::Asker& asker, CaseRange& left,
            AskedCases& into) {
  constexpr std::uint64_t first_batch = 1024;
  CaseRange batch = stop.batch.count == 0 ? CaseRange{left.first, left.stride, first_batch} : stop.batch;
  const std::uint64_t before = (batch.first - left.first) / left.stride;
  batch.count = std::min(batch.count, left.count - before);
  if (before != 0) {
    process::Answer<Tally> answer = asker.run({left.first, left.stride, before});
    if (auto* tally = std::get_if<Tally>(&answer)) {
      into.tally.merge(*tally);
    } else {
      // A batch that passed the first time may stop now: look there first.
      CaseRange earlier{left.first, left.stride, before};
      search(property, std::get<process::Stop>(answer), asker, earlier, into);
      left = behind(left, before - earlier.count);
      return;
    }
  }
  const std::size_t known = into.offenders.size();
  const auto ask_singly = [&](const CaseRange& range) {
    for (std::uint64_t k = 0; k < range.count && into.offenders.size() < into.most; ++k) {
      ask_single(property, range.at(k), asker, into);
    }
  };
  ask_singly(batch);
  if (into.offenders.size() == known) {
    // The subject may have stopped while the next batch was drawn; the cases of that batch are not announced yet.
    const CaseRange rest = behind(left, before + batch.count);
    const CaseRange next{rest.first, rest.stride, std::min(rest.count, batch.count)};
    ask_singly(next);
    batch.count += next.count;
  }
  if (into.offenders.size() == known && stop.kind != store::Finding::hung && asker.run(batch).index() == 1) {
    // Every case alone gives an answer, but the batch gives none again: its first case is reported for it.
    into.offenders.push_back({batch.first, stop.kind, stop.what + " (in a batch only)"});
  }
  left = behind(left, before + batch.count);
}

}  // namespace

CaseRange behind(const CaseRange& range, std::uint64_t count) {
  return {range.at(count), range.stride, range.count - count};
}

void ask_cases(const PropertyModel& property, Isolation isolation, CaseRange range, process::Asker& asker,
               AskedCases& into) {
  while (range.count != 0 && into.offenders.size() < into.most) {
    if (isolation == Isolation::one_case) {
      asker.retire();
      ask_single(property, range.first, asker, into);
      range = behind(range, 1);
      continue;
    }
    process::Answer<Tally> answer = asker.run(range);
    if (auto* tally = std::get_if<Tally>(&answer)) {
      into.tally.merge(*tally);
      break;
    }
    search(property, std::get<process::Stop>(answer), asker, range, into);
  }
}

}  // namespace assay::campaign
