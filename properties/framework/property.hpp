#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/executor.hpp"
#include "oracle/decimal.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/environment.hpp"
#include "properties/framework/model.hpp"

namespace assay {

/// The kernel under test, a batch at a time: (executor, cases) → results in the same order.
/// Made from a batch callable, or from one that takes a single case.
template <class Case, class Result>
class Subject {
 public:
  Subject() = default;
  template <class F>
    requires std::is_invocable_r_v<std::vector<Result>, const F&, const Executor&, std::span<const Case>>
  // NOLINTNEXTLINE(google-explicit-constructor)
  Subject(F batch) : call_(std::move(batch)) {}
  template <class F>
    requires std::is_invocable_r_v<Result, const F&, const Executor&, const Case&>
  // NOLINTNEXTLINE(google-explicit-constructor)
  Subject(F single)
      : call_([single = std::move(single)](const Executor& on, std::span<const Case> cases) {
          std::vector<Result> results;
          results.reserve(cases.size());
          for (const Case& each : cases) {
            results.push_back(single(on, each));
          }
          return results;
        }) {}

  /// Errors: what the subject throws, SubjectOutOfMemory for std::bad_alloc; std::runtime_error if the number of
  /// results is not that of the cases.
  std::vector<Result> operator()(const Executor& on, std::span<const Case> cases) const {
    std::vector<Result> results;
    try {
      results = call_(on, cases);
    } catch (const std::bad_alloc&) {
      throw SubjectOutOfMemory();
    }
    if (results.size() != cases.size()) {
      throw std::runtime_error("the subject returned " + std::to_string(results.size()) + " results for " +
                               std::to_string(cases.size()) + " cases");
    }
    return results;
  }

 private:
  std::function<std::vector<Result>(const Executor&, std::span<const Case>)> call_;
};

/// On this domain of inputs, this subject fulfils these claims, judged against this reference.
/// Case: a struct with fields(). Result: a type with ResultTraits. Truth: oracle::Dyadic, oracle::Exact, or a vector of
/// one of them, a component each.
template <class Case, class Result = std::vector<double>, class Truth = std::vector<oracle::Dyadic>>
struct Property {
  std::string name;  ///< family.kernel, with a format suffix unless binary64
  Domain<Case> domain;
  Subject<Case, Result> subject;
  std::function<Truth(const Case&)> reference;
  std::vector<Claim<Case, Result, Truth>> claims;
  /// Whether an operation was inexact: the run counts these, since exact operations test nothing. Default: the first
  /// word differs from the truth.
  std::function<bool(const Case&, const Truth&, const Result&)> inexact = {};
  std::uint64_t quick_cases = 10000;  ///< of the quick tier: 10⁴ element-wise, 10³ for vectors and matrices
  bool host_only = false;             ///< the subject ignores the executor: a library that has no device side
  bool device_only = false;           ///< the subject has no host side: a device's library
};

/// Text of a truth for evidence: 40 significant digits of a dyadic, a fraction, or a root of one.
std::string describe(const oracle::Exact& truth);
std::string describe(const oracle::Dyadic& truth);
template <class T>
std::string describe_at(const T& truth, std::size_t i) {
  return describe(detail::truth_at(truth, i));
}
template <class T>
std::string describe_at(const std::vector<T>& truth, std::size_t i) {
  return i < truth.size() ? describe(truth[i]) : std::string();
}

/// (got − truth)/ulp(truth), signed, with oracle::ulp() of the truth in the format: for display, relative error at most
/// 2⁻⁴⁰, deterministic. Nothing where an Enclosure leaves the sign of the error open.
std::optional<double> error_in_ulps(const oracle::Dyadic& got, const oracle::Exact& truth,
                                    const oracle::Format& format);
/// The same of component i; nothing where there is none, or it is not finite.
template <class Result, class Truth>
std::optional<double> error_in_ulps_at(const Result& result, const Truth& truth, std::size_t i) {
  if constexpr (requires { truth.size(); }) {
    if (i >= truth.size()) {
      return std::nullopt;
    }
  }
  oracle::Dyadic got;
  if (i >= ResultTraits<Result>::components(result) || !component_value(result, i, got)) {
    return std::nullopt;
  }
  return error_in_ulps(got, detail::truth_at(truth, i), detail::result_format<Result>());
}

/// The 256-bit key of case `number`: rc::Random(key) is its whole source of randomness.
rc::Random random_for(std::uint64_t seed, const std::string& property, std::uint64_t number);

namespace detail {

inline constexpr std::size_t unasked_claims = static_cast<std::size_t>(Unasked::count);

/// One batch, run in every way the unasked claims need.
template <class Case, class Result>
struct BatchRun {
  std::vector<Result> results;
  /// By unasked claim: the positions in the batch at which it is violated.
  std::vector<std::size_t> violated[unasked_claims];
  std::vector<std::size_t> alone;  ///< positions that were also run alone
};

template <class Case, class Result>
std::vector<Result> fenced(const Subject<Case, Result>& subject, const Executor& on, std::span<const Case> cases,
                           bool& clean) {
  const DeviceTurn turn(on.kind() == Executor::Kind::cuda);
  EnvironmentFence fence;
  std::vector<Result> results = subject(on, cases);
  clean = fence.restore();
  return results;
}

template <class Case, class Result>
BatchRun<Case, Result> run_batch(const Subject<Case, Result>& subject, const Executor& on, std::span<const Case> cases,
                                 const std::function<bool(std::size_t)>& also_alone, std::uint64_t shuffle_seed,
                                 bool device_only) {
  BatchRun<Case, Result> run;
  const auto violated = [&](Unasked claim) -> std::vector<std::size_t>& {
    return run.violated[static_cast<std::size_t>(claim)];
  };
  const auto compare = [&](const std::vector<Result>& other) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!same_bits(run.results[i], other[i])) {
        violated(Unasked::same_bits).push_back(i);
      }
    }
  };
  on.reset_audit();
  bool clean = true;
  run.results = fenced(subject, on, cases, clean);
  const Audit audit = on.audit();
  if (!clean || audit.guard_zone_violations != 0 || audit.input_changes != 0) {
    // Find the cases one at a time; a fault that shows in the batch alone is the first case's.
    for (std::size_t i = 0; i < cases.size(); ++i) {
      on.reset_audit();
      bool clean_alone = true;
      fenced(subject, on, cases.subspan(i, 1), clean_alone);
      if (!clean_alone) violated(Unasked::environment).push_back(i);
      if (on.audit().guard_zone_violations != 0) violated(Unasked::guard_zones).push_back(i);
      if (on.audit().input_changes != 0) violated(Unasked::inputs_unchanged).push_back(i);
    }
    if (!clean && violated(Unasked::environment).empty()) violated(Unasked::environment).push_back(0);
    if (audit.guard_zone_violations != 0 && violated(Unasked::guard_zones).empty()) {
      violated(Unasked::guard_zones).push_back(0);
    }
    if (audit.input_changes != 0 && violated(Unasked::inputs_unchanged).empty()) {
      violated(Unasked::inputs_unchanged).push_back(0);
    }
  }
  bool ignored = true;
  if (on.kind() == Executor::Kind::host) {
    compare(fenced(subject, Executor::host(Order::descending), cases, ignored));
    compare(fenced(subject, Executor::host(Order::shuffled, shuffle_seed), cases, ignored));
  } else {
    compare(fenced(subject, on, cases, ignored));
    compare(fenced(subject, device_only ? on : Executor::host(), cases, ignored));
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (also_alone(i)) {
      run.alone.push_back(i);
      if (!same_bits(run.results[i], fenced(subject, on, cases.subspan(i, 1), ignored)[0])) {
        violated(Unasked::batch).push_back(i);
      }
    }
  }
  return run;
}

}  // namespace detail

/// The erased form of a Property.
template <class Case, class Result, class Truth>
class TypedModel final : public PropertyModel {
 public:
  explicit TypedModel(Property<Case, Result, Truth> property) : property_(std::move(property)) {
    info_.name = property_.name;
    info_.format = oracle::name(input_format().value_or(detail::result_format<Result>()));
    info_.accepts = property_.domain.accepts;
    info_.quick_cases = property_.quick_cases;
    info_.host_only = property_.host_only;
    info_.device_only = property_.device_only;
    info_.enumeration_size = property_.domain.enumeration.size;
    for (const auto& claim : property_.claims) {
      info_.claims.push_back(claim.info);
    }
    for (const auto& each : property_.domain.classes) {
      info_.classes.push_back({each.name, each.weight});
    }
    for (const auto& each : property_.domain.features) {
      info_.features.push_back({each.name, each.low, each.high, each.bins});
    }
    finish();
  }

  Tally run(const Executor& on, std::uint64_t seed, const CaseRange& range,
            const BatchObserver& before_batch) const override {
    Tally tally = empty_tally();
    const std::size_t batch = batch_size(on);
    std::vector<Case> cases;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t k = 0; k < range.count; k += batch) {
      const CaseRange part{range.at(k), range.stride, std::min<std::uint64_t>(batch, range.count - k)};
      cases.clear();
      numbers.clear();
      for (std::uint64_t j = 0; j < part.count; ++j) {
        const std::uint64_t number = part.at(j);
        Tally::ByClass& by_class = tally.classes[class_of(number)];
        ++by_class.planned;
        Case drawn{};
        if (draw(seed, number, drawn)) {
          ++by_class.executed;
          cases.push_back(std::move(drawn));
          numbers.push_back(number);
        } else {
          ++by_class.rejected;
        }
      }
      if (before_batch) {
        before_batch(part);
      }
      if (!cases.empty()) {
        tally_batch(on, cases, numbers, tally);
      }
    }
    return tally;
  }

  std::optional<Record> make(std::uint64_t seed, std::uint64_t number) const override {
    Case drawn{};
    if (!draw(seed, number, drawn)) {
      return std::nullopt;
    }
    return record_of(drawn);
  }

  bool fits(const Record& record) const override { return from_record<Case>(record).has_value(); }

  bool contains(const Record& record) const override {
    const std::optional<Case> decoded = from_record<Case>(record);
    return decoded && property_.domain.contains(*decoded);
  }

  std::vector<CaseOutcome> judge(const Executor& on, std::span<const Record> records) const override {
    const std::vector<Case> cases = decode(records);
    const auto run = detail::run_batch<Case, Result>(
        property_.subject, on, cases, [](std::size_t) { return true; }, 1, property_.device_only);
    std::vector<CaseOutcome> outcomes;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      CaseOutcome outcome;
      outcome.got = words_of(run.results[i]);
      outcome.components = ResultTraits<Result>::components(run.results[i]);
      const Truth truth = property_.reference(cases[i]);
      for (const auto& claim : property_.claims) {
        ClaimOutcome& of_claim = outcome.claims.emplace_back();
        of_claim.applies = !claim.applies || claim.applies(cases[i]);
        if (of_claim.applies) {
          of_claim.judgement = claim.judge(cases[i], truth, run.results[i]);
          of_claim.exact = describe_at(truth, of_claim.judgement.component);
          of_claim.ulps = error_in_ulps_at(run.results[i], truth, of_claim.judgement.component);
        }
      }
      for (const auto& violated : run.violated) {
        outcome.claims.emplace_back().judgement =
            Judgement::of(std::find(violated.begin(), violated.end(), i) == violated.end());
      }
      outcomes.push_back(std::move(outcome));
    }
    return outcomes;
  }

  std::vector<Words> evaluate(const Executor& on, std::span<const Record> records) const override {
    const std::vector<Case> cases = decode(records);
    std::vector<Words> words;
    const DeviceTurn turn(on.kind() == Executor::Kind::cuda);
    for (const Result& each : property_.subject(on, cases)) {
      words.push_back(words_of(each));
    }
    return words;
  }

  Candidates shrink(const Record& record) const override {
    Candidates smaller;
    const std::optional<Case> decoded = from_record<Case>(record);
    if (decoded && property_.domain.shrink_shape) {
      const Complexity limit = complexity(record);
      for (const Case& each : property_.domain.shrink_shape(*decoded)) {
        Record candidate = record_of(each);
        if (complexity(candidate) < limit && property_.domain.contains(each)) {
          smaller.records.push_back(std::move(candidate));
        }
      }
    }
    Candidates general = shrink_candidates(record);
    smaller.complete = general.complete;
    for (Record& candidate : general.records) {
      if (contains(candidate)) {
        smaller.records.push_back(std::move(candidate));
      }
    }
    return smaller;
  }

 private:
  /// How many cases there are for one that is also run alone. A launch for a single case costs a device much more.
  static std::uint64_t alone_every(const Executor& on) { return on.kind() == Executor::Kind::host ? 16 : 1024; }

  /// The format of the case's first numbers; nothing for a case without numbers.
  static std::optional<oracle::Format> input_format() {
    for (const FieldValue& field : record_of(Case{}).fields) {
      if (const auto* words = std::get_if<Words>(&field.value)) {
        return words->format;
      }
    }
    return std::nullopt;
  }

  static std::size_t batch_size(const Executor& on) {
    const bool on_host = on.kind() == Executor::Kind::host;
    if constexpr (std::is_trivially_copyable_v<Case>) {
      return on_host ? 1024 : 65536;
    } else {
      return on_host ? 64 : 1024;
    }
  }

  bool draw(std::uint64_t seed, std::uint64_t number, Case& out) const {
    if (info_.enumeration_size != 0) {
      return property_.domain.enumeration.at(number, out);
    }
    const auto& input_class = property_.domain.classes[class_of(number)];
    out = input_class.generator(random_for(seed, info_.name, number), 0).value();
    return true;
  }

  std::vector<Case> decode(std::span<const Record> records) const {
    std::vector<Case> cases;
    cases.reserve(records.size());
    for (const Record& each : records) {
      std::optional<Case> decoded = from_record<Case>(each);
      if (!decoded) {
        throw std::invalid_argument("not a case of " + info_.name);
      }
      cases.push_back(std::move(*decoded));
    }
    return cases;
  }

  bool inexact(const Case& c, const Truth& truth, const Result& result) const {
    if (property_.inexact) {
      return property_.inexact(c, truth, result);
    }
    using Traits = ResultTraits<Result>;
    constexpr oracle::Format format = detail::result_format<Result>();
    thread_local oracle::Dyadic first;
    for (std::size_t i = 0; i < Traits::components(result); ++i) {
      const std::uint64_t bits = bits_of(Traits::word(result, i * words_per_component(result)));
      if (!oracle::is_finite(format, bits)) {
        return true;
      }
      oracle::decode_finite(format, bits, first);
      if (judge_exact(first, detail::truth_at(truth, i)).verdict != Verdict::holds) {
        return true;
      }
    }
    return false;
  }

  void tally_batch(const Executor& on, const std::vector<Case>& cases, const std::vector<std::uint64_t>& numbers,
                   Tally& tally) const {
    const auto run = detail::run_batch<Case, Result>(
        property_.subject, on, cases, [&](std::size_t i) { return numbers[i] % alone_every(on) == 0; }, numbers[0],
        property_.device_only);
    const std::size_t own = property_.claims.size();
    std::vector<std::size_t> bins(info_.features.size());
    std::vector<std::uint64_t> by_class(info_.classes.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t in_class = class_of(numbers[i]);
      ++by_class[in_class];
      const Truth truth = property_.reference(cases[i]);
      if (inexact(cases[i], truth, run.results[i])) {
        ++tally.classes[in_class].inexact;
      }
      for (std::size_t f = 0; f < bins.size(); ++f) {
        bins[f] = feature_bin(info_.features[f], property_.domain.features[f].of(cases[i]));
      }
      for (std::size_t c = 0; c < own; ++c) {
        const auto& claim = property_.claims[c];
        ClaimTally& of_claim = tally.claims[c];
        if (claim.applies && !claim.applies(cases[i])) {
          ++of_claim.rejected;
          continue;
        }
        const Judgement judgement = claim.judge(cases[i], truth, run.results[i]);
        of_claim.add(judgement, numbers[i], in_class);
        for (std::size_t f = 0; f < bins.size(); ++f) {
          of_claim.features[f][bins[f]].take(judgement.tightness, numbers[i]);
        }
      }
    }
    for (std::size_t u = 0; u < detail::unasked_claims; ++u) {
      if (u != static_cast<std::size_t>(Unasked::batch)) {
        tally_unasked(run.violated[u], numbers, by_class, tally.claims[own + u]);
      }
    }
    std::vector<std::uint64_t> alone_by_class(info_.classes.size());
    std::vector<std::uint64_t> alone_numbers;
    for (const std::size_t i : run.alone) {
      ++alone_by_class[class_of(numbers[i])];
      alone_numbers.push_back(numbers[i]);
    }
    std::vector<std::size_t> violated;
    for (std::size_t k = 0; k < run.alone.size(); ++k) {
      const auto& found = run.violated[static_cast<std::size_t>(Unasked::batch)];
      if (std::find(found.begin(), found.end(), run.alone[k]) != found.end()) violated.push_back(k);
    }
    tally.claims[own + static_cast<std::size_t>(Unasked::batch)].rejected += cases.size() - run.alone.size();
    if (!alone_numbers.empty()) {
      tally_unasked(violated, alone_numbers, alone_by_class,
                    tally.claims[own + static_cast<std::size_t>(Unasked::batch)]);
    }
  }

  Property<Case, Result, Truth> property_;
};

/// A namespace-scope Registration adds its property to the program before main.
class Registration {
 public:
  template <class Case, class Result, class Truth>
  explicit Registration(Property<Case, Result, Truth> property) {
    register_property(std::make_unique<TypedModel<Case, Result, Truth>>(std::move(property)));
  }
};

}  // namespace assay
