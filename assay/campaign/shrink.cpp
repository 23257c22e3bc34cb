#include "assay/campaign/shrink.hpp"

#include <algorithm>
#include <vector>

#include "oracle/decode.hpp"
#include "properties/framework/shrink.hpp"

namespace assay::campaign {
namespace {

constexpr std::uint64_t most_together = 32;
/// A case without an answer costs a worker or two, and a hanging case costs its time limit as well: at most this many
/// smaller cases may replace the case.
constexpr std::uint64_t most_hangs = 4;
constexpr std::uint64_t most_other_stops = 16;

/// The candidates of one call up to the first that fails in the same way.
struct Tried {
  std::uint64_t count = 0;
  std::optional<std::size_t> accepted{};  ///< it
  std::optional<CaseOutcome> outcome{};   ///< of it
  std::vector<std::size_t> others{};      ///< those that fail in another way

  /// Whether candidate i fails in the same way.
  bool take(std::size_t i, CaseOutcome& found, const FailureKind& failure) {
    ++count;
    const std::optional<FailureKind> kind = failure_of(found, failure.claim);
    if (kind && kind != failure) others.push_back(i);
    if (kind != failure) return false;
    accepted = i;
    outcome = std::move(found);
    return true;
  }
  bool take(std::size_t i, const process::Stop& stop, const FailureKind& failure) {
    ++count;
    if (failure.stop != stop.kind) {
      others.push_back(i);
      return false;
    }
    accepted = i;
    return true;
  }
};

/// Judges the candidates one at a time, in order.
Tried try_alone(process::Asker& asker, std::span<const Record> candidates, const FailureKind& failure) {
  const std::optional<std::size_t> claim = failure.stop ? std::nullopt : std::optional(failure.claim);
  Tried tried;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    process::Answer<std::vector<CaseOutcome>> answer = asker.judge(candidates.subspan(i, 1), claim);
    if (const auto* stop = std::get_if<process::Stop>(&answer)) {
      if (tried.take(i, *stop, failure)) break;
    } else if (failure.stop) {
      ++tried.count;
    } else if (tried.take(i, std::get<std::vector<CaseOutcome>>(answer).front(), failure)) {
      break;
    }
  }
  return tried;
}

Tried try_batch(process::Asker& asker, std::span<const Record> candidates, const FailureKind& failure) {
  if (failure.stop) return try_alone(asker, candidates, failure);
  process::Answer<std::vector<CaseOutcome>> answer = asker.judge(candidates, failure.claim);
  if (std::holds_alternative<process::Stop>(answer)) return try_alone(asker, candidates, failure);
  std::vector<CaseOutcome>& outcomes = std::get<std::vector<CaseOutcome>>(answer);
  Tried tried;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (tried.take(i, outcomes[i], failure)) break;
  }
  return tried;
}

}  // namespace

std::optional<FailureKind> failure_of(const CaseOutcome& outcome, std::size_t claim) {
  const ClaimOutcome& of_claim = outcome.claims.at(claim);
  if (!of_claim.applies || of_claim.judgement.verdict != Verdict::violated) {
    return std::nullopt;
  }
  // Of the worst component alone: a NaN of another row must not bind that row to the case.
  std::span<const std::uint64_t> words = outcome.got.bits;
  const std::size_t width = outcome.components == 0 ? 0 : words.size() / outcome.components;
  const std::size_t at = of_claim.judgement.component;
  if (width != 0 && at < outcome.components) words = words.subspan(at * width, width);
  const bool is_finite =
      std::ranges::all_of(words, [&](std::uint64_t bits) { return oracle::is_finite(outcome.got.format, bits); });
  return FailureKind{claim, !is_finite, std::nullopt};
}

namespace {

/// Candidates that are judged together have at most this many numbers in total.
constexpr std::uint64_t most_numbers_together = 1U << 20U;

/// One descent, with at most `steps` candidates and `numbers` numbers in them. `passed`: candidates of an earlier
/// descent; this one adds its own.
Shrunk descend(const PropertyModel& property, process::Asker& asker, const Record& start, const FailureKind& failure,
               std::uint64_t steps, std::uint64_t numbers, bool backward, PassedOver& passed) {
  Shrinking shrinking(property, start, backward, std::move(passed));
  Shrunk shrunk;
  std::uint64_t accepted = 0;
  const std::uint64_t most_accepted = !failure.stop                          ? steps
                                      : failure.stop == store::Finding::hung ? most_hangs
                                                                             : most_other_stops;
  // The longer none fails, the more are judged together.
  for (std::uint64_t together = 1;;) {
    const std::uint64_t left = numbers == 0 ? 0 : steps - shrunk.tried;
    const std::uint64_t room = most_numbers_together / (numbers_in(shrinking.record()) + 1) + 1;
    const std::span<const Record> candidates =
        shrinking.next(std::clamp<std::uint64_t>(left, 1, std::min(together, room)));
    shrunk.whole = candidates.empty();
    shrunk.minimal = shrunk.whole && !shrinking.has_others();
    if (shrunk.whole || left == 0) break;
    for (const Record& each : candidates) numbers -= std::min<std::uint64_t>(numbers, numbers_in(each));
    Tried tried = try_batch(asker, candidates, failure);
    shrunk.tried += tried.count;
    together = tried.accepted ? 1 : std::min(2 * together, most_together);
    for (const std::size_t each : tried.others) shrinking.note_other(each);
    if (!tried.accepted) continue;
    shrunk.outcome = std::move(tried.outcome);
    shrinking.take(*tried.accepted);
    if (++accepted == most_accepted) break;
  }
  shrunk.record = shrinking.record();
  passed = shrinking.passed_over();
  return shrunk;
}

}  // namespace

std::uint64_t numbers_for(const Record& start) {
  constexpr std::uint64_t least = 1U << 22U;
  return std::max<std::uint64_t>(least, 4 * numbers_in(start));
}

Shrunk shrink_case(const PropertyModel& property, process::Asker& asker, const Record& start,
                   const FailureKind& failure, std::uint64_t steps, std::uint64_t numbers) {
  PassedOver passed;
  Shrunk shrunk = descend(property, asker, start, failure, steps, numbers, false, passed);
  if (failure.stop || !shrunk.whole || shrunk.record == start) return shrunk;
  Shrunk other = descend(property, asker, start, failure, steps - shrunk.tried, numbers, true, passed);
  other.tried += shrunk.tried;
  if (complexity(other.record) < complexity(shrunk.record)) return other;
  shrunk.tried = other.tried;
  return shrunk;
}

}  // namespace assay::campaign
