#include "assay/campaign/shrink.hpp"

#include <algorithm>
#include <unordered_set>

#include "oracle/decode.hpp"
#include "properties/framework/shrink.hpp"

namespace assay::campaign {
namespace {

constexpr std::uint64_t most_together = 32;
/// A case without an answer costs a worker or two, and a hanging case costs its time limit as well: at most this many
/// smaller cases may replace the case.
constexpr std::uint64_t most_hangs = 4;
constexpr std::uint64_t most_other_stops = 16;

/// Judges the candidates one at a time, in order, and returns how many were tried; `accepted` is the first that fails.
std::uint64_t try_alone(process::Asker& asker, std::span<const Record> candidates, const FailureKind& failure,
                        std::optional<std::size_t>& accepted, std::optional<CaseOutcome>& outcome) {
  const std::optional<std::size_t> claim = failure.stop ? std::nullopt : std::optional(failure.claim);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    process::Answer<std::vector<CaseOutcome>> answer = asker.judge(candidates.subspan(i, 1), claim);
    if (const auto* stop = std::get_if<process::Stop>(&answer)) {
      if (failure.stop && stop->kind == *failure.stop) {
        accepted = i;
        outcome.reset();
        return i + 1;
      }
    } else if (!failure.stop) {
      CaseOutcome& found = std::get<std::vector<CaseOutcome>>(answer).front();
      if (failure_of(found, failure.claim) == failure) {
        accepted = i;
        outcome = std::move(found);
        return i + 1;
      }
    }
  }
  return candidates.size();
}

std::uint64_t try_batch(process::Asker& asker, std::span<const Record> candidates, const FailureKind& failure,
                        std::optional<std::size_t>& accepted, std::optional<CaseOutcome>& outcome) {
  if (failure.stop) {
    return try_alone(asker, candidates, failure, accepted, outcome);
  }
  process::Answer<std::vector<CaseOutcome>> answer = asker.judge(candidates, failure.claim);
  if (std::holds_alternative<process::Stop>(answer)) {
    return try_alone(asker, candidates, failure, accepted, outcome);
  }
  std::vector<CaseOutcome>& outcomes = std::get<std::vector<CaseOutcome>>(answer);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (failure_of(outcomes[i], failure.claim) == failure) {
      accepted = i;
      outcome = std::move(outcomes[i]);
      return i + 1;
    }
  }
  return candidates.size();
}

}  // namespace

std::optional<FailureKind> failure_of(const CaseOutcome& outcome, std::size_t claim) {
  const ClaimOutcome& of_claim = outcome.claims.at(claim);
  if (!of_claim.applies || of_claim.judgement.verdict != Verdict::violated) {
    return std::nullopt;
  }
  const bool finite = std::all_of(outcome.got.bits.begin(), outcome.got.bits.end(),
                                  [&](std::uint64_t bits) { return oracle::is_finite(outcome.got.format, bits); });
  return FailureKind{claim, !finite, std::nullopt};
}

namespace {

/// Candidates that are judged together have at most this many numbers in total.
constexpr std::uint64_t most_numbers_together = 1U << 20U;

/// One descent, with at most `steps` candidates and `numbers` numbers in them. `harmless`: the hashes of candidates
/// that do not fail; the descent adds its own.
Shrunk descend(const PropertyModel& property, process::Asker& asker, const Record& start, const FailureKind& failure,
               std::uint64_t steps, std::uint64_t numbers, bool backward, std::unordered_set<std::uint64_t>& harmless) {
  Shrinking shrinking(property, start, backward, std::move(harmless));
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
    shrunk.minimal = candidates.empty();
    if (shrunk.minimal || left == 0) break;
    for (const Record& each : candidates) numbers -= std::min<std::uint64_t>(numbers, numbers_in(each));
    std::optional<std::size_t> smaller;
    shrunk.tried += try_batch(asker, candidates, failure, smaller, shrunk.outcome);
    together = smaller ? 1 : std::min(2 * together, most_together);
    if (!smaller) continue;
    shrinking.take(*smaller);
    if (++accepted == most_accepted) break;
  }
  shrunk.record = shrinking.record();
  harmless = shrinking.passed_over();
  return shrunk;
}

}  // namespace

std::uint64_t numbers_for(const Record& start) {
  constexpr std::uint64_t least = 1U << 22U;
  return std::max<std::uint64_t>(least, 4 * numbers_in(start));
}

Shrunk shrink_case(const PropertyModel& property, process::Asker& asker, const Record& start,
                   const FailureKind& failure, std::uint64_t steps, std::uint64_t numbers) {
  std::unordered_set<std::uint64_t> harmless;
  Shrunk shrunk = descend(property, asker, start, failure, steps, numbers, false, harmless);
  if (failure.stop || !shrunk.minimal || shrunk.record == start) return shrunk;
  Shrunk other = descend(property, asker, start, failure, steps - shrunk.tried, numbers, true, harmless);
  other.tried += shrunk.tried;
  if (complexity(other.record) < complexity(shrunk.record)) return other;
  shrunk.tried = other.tried;
  return shrunk;
}

}  // namespace assay::campaign
