#include "properties/framework/batch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "errorbounds/verdicts_alone.hpp"
#include "oracle/decimal.hpp"
#include "oracle/watch.hpp"
#include "properties/framework/bit_sums.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/environment.hpp"
#include "properties/framework/giant.hpp"
#include "properties/framework/open_claims.hpp"
#include "properties/framework/remark.hpp"
#include "properties/framework/shrink.hpp"
#include "properties/framework/silent.hpp"

namespace assay {
namespace {

constexpr std::size_t unasked_claims = static_cast<std::size_t>(Unasked::count);

/// The positions in a batch at which each implicit claim is violated, and the positions that were also run alone.
struct Faults {
  std::vector<std::size_t> violated[unasked_claims];
  std::vector<std::size_t> alone;
  std::map<std::size_t, std::string> changes;  ///< by position: what the call reported

  std::vector<std::size_t>& of(Unasked claim) { return violated[static_cast<std::size_t>(claim)]; }
};

bool has(const std::vector<std::size_t>& positions, std::size_t i) {
  return std::find(positions.begin(), positions.end(), i) != positions.end();
}

/// Calls f. False: f changed the floating-point environment or the locale, which are restored.
template <class F>
bool leaves_environment(const Executor& on, F&& f) {
  const DeviceTurn turn(on.kind() == Executor::Kind::cuda);
  EnvironmentFence fence;
  f();
  return fence.restore();
}

/// The cases whose run alone shows the fault. A fault that only the whole batch shows is attributed to its first case.
void find_stray_cases(Batch& batch, const Executor& on, bool clean, const Audit& audit, Faults& faults) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    on.reset_audit();
    take_remark();
    const bool clean_alone = leaves_environment(on, [&] { batch.run_again(on, i, 1); });
    if (!clean_alone) faults.of(Unasked::environment).push_back(i);
    if (on.audit().guard_zone_violations != 0) faults.of(Unasked::guard_zones).push_back(i);
    if (on.audit().input_changes != 0) {
      faults.of(Unasked::inputs_unchanged).push_back(i);
      faults.changes[i] = take_remark();
    }
  }
  const auto first_if_none = [&](bool seen, Unasked claim) {
    if (seen && faults.of(claim).empty()) faults.of(claim).push_back(0);
  };
  first_if_none(!clean, Unasked::environment);
  first_if_none(audit.guard_zone_violations != 0, Unasked::guard_zones);
  first_if_none(audit.input_changes != 0, Unasked::inputs_unchanged);
}

/// So few blocks that the threads of a batch run several rounds (Executor::with_most_blocks). Giant arrays need several
/// rounds anyway, and would take too long.
constexpr std::size_t few_blocks = 2;

/// Runs a batch once, for claims of the property's own.
void run_once(Batch& batch, const Executor& on) {
  on.reset_audit();
  leaves_environment(on, [&] { batch.run(on); });
}

/// Runs a batch in all ways that the implicit claims need; once if these are not judged.
Faults run_batch(Batch& batch, const Executor& on, const std::function<bool(std::size_t)>& also_alone,
                 std::uint64_t shuffle_seed, const PropertyInfo& info) {
  Faults faults;
  if (OpenClaims::current() != nullptr) {
    run_once(batch, on);
    return faults;
  }
  on.reset_audit();
  const bool clean = leaves_environment(on, [&] { batch.run(on); });
  const Audit audit = on.audit();
  if (!clean || audit.guard_zone_violations != 0 || audit.input_changes != 0) {
    find_stray_cases(batch, on, clean, audit, faults);
  }
  const auto compare_on = [&](const Executor& other) {
    leaves_environment(other, [&] { batch.run_again(other, 0, batch.size()); });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!batch.same_bits(i, i)) faults.of(Unasked::same_bits).push_back(i);
    }
  };
  if (on.kind() == Executor::Kind::host) {
    compare_on(Executor::host(Order::descending));
    compare_on(Executor::host(Order::shuffled, shuffle_seed).with_most_blocks(few_blocks));
  } else {
    compare_on(on);
    if (giant_need(info.name) == nullptr) compare_on(on.with_most_blocks(few_blocks));
    compare_on(info.device_only ? on : Executor::host());
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!also_alone(i)) continue;
    faults.alone.push_back(i);
    leaves_environment(on, [&] { batch.run_again(on, i, 1); });
    if (!batch.same_bits(i, 0)) faults.of(Unasked::batch).push_back(i);
  }
  return faults;
}

/// For each case, the first result of another call that differs from its result in `batch`, with the place of the
/// number: "[2] 0x1p+0 in repetition 1". The calls are repeated, because only the results of `batch` were kept.
std::vector<std::string> other_results(const BatchModel& model, const Executor& on, std::span<const Record> cases,
                                       const Batch& batch) {
  constexpr int repetitions = 3;
  std::vector<std::string> texts(cases.size());
  const auto compare = [&](const Executor& other, std::size_t first, std::size_t count, const std::string& how) {
    const std::vector<Words> again = model.evaluate(other, cases.subspan(first, count));
    for (std::size_t i = first; i < first + count; ++i) {
      const Words got = with_one_nan(batch.words(i));
      const Words now = with_one_nan(again[i - first]);
      const auto at = std::mismatch(got.bits.begin(), got.bits.end(), now.bits.begin(), now.bits.end()).second;
      if (!texts[i].empty() || at == now.bits.end()) continue;
      const auto place = static_cast<std::size_t>(at - now.bits.begin());
      texts[i] = (now.bits.size() == 1 ? "" : "[" + std::to_string(place) + "] ") + oracle::to_hex(now.format, *at) +
                 " in " + how;
    }
  };
  for (int k = 1; k <= repetitions; ++k) compare(on, 0, cases.size(), "repetition " + std::to_string(k));
  if (on.kind() == Executor::Kind::host) {
    compare(Executor::host(Order::descending), 0, cases.size(), "the descending order of threads");
  } else {
    compare(on.with_most_blocks(few_blocks), 0, cases.size(), "a launch of few blocks");
    if (!model.info().device_only) compare(Executor::host(), 0, cases.size(), "a call on the host");
  }
  for (std::size_t i = 0; i < cases.size(); ++i) compare(on, i, 1, "a call of this case alone");
  for (std::string& each : texts) {
    if (each.empty()) each = "other bits in one call, and these in all that were made to show them";
  }
  return texts;
}

/// One case in this many is also run alone. A launch for a single case is much more expensive on a device.
std::uint64_t alone_every(const Executor& on) { return on.kind() == Executor::Kind::host ? 16 : 1024; }

}  // namespace

void BatchModel::add_claim(const ClaimInfo& claim) { info_.claims.push_back(claim); }
void BatchModel::add_class(const ClassInfo& info) { info_.classes.push_back(info); }
void BatchModel::add_feature(const std::string& name, double low, double high, int bins) {
  info_.features.push_back({name, low, high, bins});
}
void BatchModel::add_trait(const TraitInfo& trait) { info_.traits.push_back(trait); }
void BatchModel::add_impossible_pairs(const std::vector<ImpossiblePairs>& pairs) { info_.impossible_pairs = pairs; }

std::size_t BatchModel::batch_size(const Executor& on) const {
  const bool on_host = on.kind() == Executor::Kind::host;
  if (has_small_cases_) return on_host ? 1024 : 65536;
  return on_host ? 64 : 1024;
}

namespace {

/// A batch ends if all its cases together have more numbers than this, since cases may be large.
constexpr std::size_t most_numbers_together = std::size_t{1} << 20;

}  // namespace

Tally BatchModel::run(const Executor& on, std::uint64_t seed, const CaseRange& range,
                      const BatchObserver& before_batch) const {
  const CostClock clock;
  Tally tally = empty_tally();
  const std::size_t most = batch_size(on);
  const std::unique_ptr<Batch> batch = make_batch();
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t k = 0; k < range.count;) {
    CaseRange part{range.at(k), range.stride, std::min<std::uint64_t>(most, range.count - k)};
    batch->clear();
    numbers.clear();
    std::size_t together = 0;
    for (std::uint64_t j = 0; j < part.count; ++j) {
      const std::uint64_t number = part.at(j);
      Tally::ByClass& by_class = tally.classes[class_of(number)];
      ++by_class.planned;
      if (batch->draw(seed, number)) {
        ++by_class.executed;
        numbers.push_back(number);
      } else {
        ++by_class.rejected;
      }
      together += has_small_cases_ || numbers.empty() ? 0 : numbers_in(batch->record(numbers.size() - 1));
      if (together > most_numbers_together) part.count = j + 1;
    }
    k += part.count;
    if (before_batch) {
      before_batch(part);
    }
    if (!numbers.empty()) {
      tally_batch(on, *batch, numbers, tally);
    }
  }
  tally.cost = clock.taken();
  return tally;
}

void BatchModel::tally_batch(const Executor& on, Batch& batch, const std::vector<std::uint64_t>& numbers,
                             Tally& tally) const {
  Faults faults = run_batch(
      batch, on, [&](std::size_t i) { return numbers[i] % alone_every(on) == 0; }, numbers[0], info_);
  const OpenClaims* const open = OpenClaims::current();
  const std::size_t own = info_.claims.size() - unasked_claims;
  std::vector<std::size_t> bins(open == nullptr ? info_.features.size() : 0);
  std::vector<std::uint64_t> by_class(info_.classes.size());
  TraitRow values;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t in_class = class_of(numbers[i]);
    ++by_class[in_class];
    std::optional<oracle::Watch> watch;
    if (is_watched(numbers[i])) watch.emplace();
    const auto expect_agreement = [&](const std::string& where) {
      const std::string disagreement = watch ? watch->take() : "";
      if (disagreement.empty()) return;
      throw PathsDisagree(info_.name + ", case " + std::to_string(numbers[i]) + ", " + where + ": of the oracle " +
                          disagreement);
    };
    if (!info_.traits.empty()) {
      values.clear();
      batch.add_trait_values(i, values);
      trait_pairs().see(values, tally.pairs);
    }
    tally.bits.add(numbers[i], batch.record(i), batch.words(i));
    batch.refer(i);
    expect_agreement("the truth");
    if (open == nullptr && is_measured(numbers[i])) {
      const std::size_t components = std::max<std::size_t>(1, batch.components(i));
      const std::optional<double> ulps = batch.ulps(numbers[i] % components);
      if (ulps) ++tally.errors[ulp_bin(std::ldexp(*ulps, batch.further_bits()))];
      expect_agreement("the error in ulps");
    }
    if (open == nullptr && batch.inexact()) {
      ++tally.classes[in_class].inexact;
    }
    for (std::size_t f = 0; f < bins.size(); ++f) {
      bins[f] = feature_bin(info_.features[f], batch.feature(f, i));
    }
    for (std::size_t c = 0; c < own; ++c) {
      if (open != nullptr && !open->is_open(c)) continue;
      ClaimTally& of_claim = tally.claims[c];
      if (!batch.applies(c)) {
        ++of_claim.rejected;
        continue;
      }
      const Judgement judgement = batch.judge(c);
      expect_agreement("claim " + info_.claims[c].id);
      of_claim.silence.take(judgement.silent, numbers[i], why_silent);
      if (is_silent(judgement)) {
        ++of_claim.rejected;
        continue;
      }
      of_claim.add(judgement, numbers[i], in_class);
      for (std::size_t f = 0; f < bins.size(); ++f) {
        of_claim.features[f][bins[f]].take(judgement.tightness, numbers[i]);
      }
    }
  }
  for (std::size_t u = 0; u < unasked_claims && open == nullptr; ++u) {
    if (u != static_cast<std::size_t>(Unasked::batch)) {
      tally_unasked(faults.violated[u], numbers, by_class, tally.claims[own + u]);
    }
  }
  // The claim `batch` applies to the cases that were run alone; the others count as rejected.
  std::vector<std::uint64_t> alone_by_class(info_.classes.size());
  std::vector<std::uint64_t> alone_numbers;
  std::vector<std::size_t> violated;
  for (std::size_t k = 0; k < faults.alone.size(); ++k) {
    const std::uint64_t number = numbers[faults.alone[k]];
    ++alone_by_class[class_of(number)];
    alone_numbers.push_back(number);
    if (has(faults.of(Unasked::batch), faults.alone[k])) violated.push_back(k);
  }
  ClaimTally& of_batch = tally.claims[own + static_cast<std::size_t>(Unasked::batch)];
  of_batch.rejected += numbers.size() - faults.alone.size();
  if (!alone_numbers.empty()) {
    tally_unasked(violated, alone_numbers, alone_by_class, of_batch);
  }
}

std::unique_ptr<Batch> BatchModel::batch_of(std::span<const Record> records) const {
  std::unique_ptr<Batch> batch = make_batch();
  for (const Record& each : records) {
    if (!batch->add(each)) {
      throw std::invalid_argument("not a case of " + info_.name);
    }
  }
  return batch;
}

std::unique_ptr<Batch> BatchModel::computed(const Executor& on, std::span<const Record> cases) const {
  std::unique_ptr<Batch> batch = batch_of(cases);
  const DeviceTurn turn(on.kind() == Executor::Kind::cuda);
  batch->run(on);
  return batch;
}

std::optional<Record> BatchModel::make(std::uint64_t seed, std::uint64_t number) const {
  const std::unique_ptr<Batch> batch = make_batch();
  if (!batch->draw(seed, number)) {
    return std::nullopt;
  }
  return batch->record(0);
}

bool BatchModel::fits(const Record& record) const { return make_batch()->add(record); }

bool BatchModel::contains(const Record& record) const {
  const std::unique_ptr<Batch> batch = make_batch();
  return batch->add(record) && batch->contains(0);
}

namespace {

/// Judges the claim for the case that the batch referred to last, and takes the remark about its verdict.
void judge_in_words(const Batch& batch, std::size_t claim, ClaimOutcome& outcome) {
  take_remark();
  outcome.judgement = batch.judge(claim);
  outcome.applies = !is_silent(outcome.judgement);
  outcome.exact = batch.exact(outcome.judgement.component);
  outcome.ulps = batch.ulps(outcome.judgement.component);
  const std::string said = take_remark();
  if (said.ends_with(is_due)) {
    outcome.exact = said;
    outcome.ulps.reset();
  } else if (!said.empty()) {
    outcome.exact += "; " + said;
  }
}

/// The outcomes of a batch for one claim of `claims` only: the subject is run once. Among several cases, only those
/// that violate the claim get evidence and a result, because these take many times as long as a verdict.
std::vector<CaseOutcome> judged_by_one(Batch& batch, const Executor& on, std::size_t claim, std::size_t claims) {
  run_once(batch, on);
  std::vector<CaseOutcome> outcomes(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    CaseOutcome& outcome = outcomes[i];
    outcome.components = batch.components(i);
    outcome.claims.resize(claims);
    for (ClaimOutcome& each : outcome.claims) each.applies = false;
    const bool is_alone = batch.size() == 1;
    if (is_alone) outcome.got = batch.words(i);
    batch.refer(i);
    if (!batch.applies(claim)) continue;
    ClaimOutcome& of_claim = outcome.claims[claim];
    if (!is_alone) {
      const VerdictsAlone alone;
      of_claim.judgement = batch.judge(claim);
      of_claim.applies = !is_silent(of_claim.judgement);
      if (of_claim.judgement.verdict != Verdict::violated) continue;
      outcome.got = batch.words(i);
    }
    judge_in_words(batch, claim, of_claim);
  }
  return outcomes;
}

}  // namespace

std::vector<CaseOutcome> BatchModel::judge(const Executor& on, std::span<const Record> cases,
                                           std::optional<std::size_t> only) const {
  const CostClock clock;
  const std::unique_ptr<Batch> batch = batch_of(cases);
  const std::size_t own = info_.claims.size() - unasked_claims;
  if (only && *only < own) return judged_by_one(*batch, on, *only, info_.claims.size());
  Faults faults = run_batch(
      *batch, on, [](std::size_t) { return true; }, 1, info_);
  std::vector<std::string> others;
  std::vector<CaseOutcome> outcomes;
  for (std::size_t i = 0; i < batch->size(); ++i) {
    CaseOutcome outcome;
    outcome.got = batch->words(i);
    outcome.components = batch->components(i);
    batch->refer(i);
    for (std::size_t c = 0; c < own; ++c) {
      ClaimOutcome& of_claim = outcome.claims.emplace_back();
      of_claim.applies = !only && batch->applies(c);
      if (of_claim.applies) judge_in_words(*batch, c, of_claim);
    }
    for (const auto& violated : faults.violated) {
      outcome.claims.emplace_back().judgement = Judgement::of(!has(violated, i));
    }
    outcome.claims[own + static_cast<std::size_t>(Unasked::inputs_unchanged)].exact = faults.changes[i];
    for (const Unasked each : {Unasked::same_bits, Unasked::batch}) {
      if (!has(faults.of(each), i)) continue;
      if (others.empty()) others = other_results(*this, on, cases, *batch);
      outcome.claims[own + static_cast<std::size_t>(each)].exact = others[i];
    }
    outcomes.push_back(std::move(outcome));
  }
  if (outcomes.size() == 1) outcomes.front().cost = clock.taken();
  return outcomes;
}

std::vector<std::optional<Judgement>> BatchModel::judge_claim(const Executor& on, std::span<const Record> cases,
                                                              std::size_t claim) const {
  const std::unique_ptr<Batch> batch = computed(on, cases);
  std::vector<std::optional<Judgement>> judgements(cases.size());
  for (std::size_t i = 0; i < batch->size(); ++i) {
    batch->refer(i);
    if (batch->applies(claim)) judgements[i] = batch->judge(claim);
    if (judgements[i] && is_silent(*judgements[i])) judgements[i].reset();
  }
  return judgements;
}

std::vector<Words> BatchModel::evaluate(const Executor& on, std::span<const Record> cases) const {
  const std::unique_ptr<Batch> batch = computed(on, cases);
  std::vector<Words> words;
  for (std::size_t i = 0; i < batch->size(); ++i) {
    words.push_back(batch->words(i));
  }
  return words;
}

std::vector<Axes> BatchModel::axes(const Record& record) const {
  const std::unique_ptr<Batch> batch = make_batch();
  const std::optional<Axes> stated = batch->add(record) ? batch->axes(0) : std::nullopt;
  return stated ? std::vector{*stated} : axes_of(record);
}

std::size_t BatchModel::shrink_passes() const { return 1 + structure_passes + value_passes; }

ShrinkPass BatchModel::shape_pass(const Record& record) const {
  const std::unique_ptr<Batch> batch = make_batch();
  if (!batch->add(record)) return {};
  const auto shapes = std::make_shared<std::vector<Record>>(batch->smaller_shapes(0));
  return {shapes->size(), [shapes](std::size_t i) { return shapes->at(i); }, true};
}

ShrinkPass BatchModel::shrink(const Record& record, std::size_t which) const {
  constexpr std::size_t before_values = structure_passes - merge_passes;
  constexpr std::size_t before_merges = before_values + value_passes;
  ShrinkPass pass;
  if (which == 0) {
    pass = part_pass(record, [this](const Record& of) { return axes(of); });
    if (pass.size == 0) pass = shape_pass(record);
  } else if (which > before_values && which <= before_merges) {
    pass = value_pass(record, which - 1 - before_values);
  } else {
    pass = structure_pass(
        record, [this](const Record& of) { return axes(of); }, which - 1 - (which > before_merges ? value_passes : 0));
  }
  // Sums of numbers with few bits have many candidates: these are for cancellation and for long numbers.
  const bool merges = which > before_merges;
  pass.at = [this, merges, steps = std::move(pass.at),
             limit = complexity(record)](std::size_t i) -> std::optional<Record> {
    std::optional<Record> smaller = steps(i);
    if (!smaller) return std::nullopt;
    const Complexity size = complexity(*smaller);
    const bool is_smaller = size < limit && (!merges || size.significant_bits <= limit.significant_bits);
    return is_smaller && contains(*smaller) ? std::move(smaller) : std::nullopt;
  };
  return pass;
}

}  // namespace assay
