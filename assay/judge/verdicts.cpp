// The verdicts on one result of a case. A contract counts as kept only if another result would have broken it.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "assay/judge/objects.hpp"
#include "assay/store/json.hpp"
#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/gemm_theorems.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/entries.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/silent.hpp"

namespace assay::judge {
namespace {

constexpr const char* exceptional = "exceptional";
constexpr const char* special_values = "special_values";

/// The result of one contract.
struct Told {
  const Contract* contract = nullptr;
  std::optional<std::size_t> claim{};  ///< of the format of the judge
  ClaimOutcome outcome{};
  std::string exact{};  ///< for a number that must be infinite or NaN
  const ClaimInfo* info = nullptr;
  std::string preconditions{};
  double bound = std::numeric_limits<double>::quiet_NaN();
  bool has_all_bounds = false;  ///< a bound was applied to every number of the result
  bool is_joined = false;       ///< its judgement has that of infinities and NaNs
  std::string derivation{};     ///< of the bound of the worst number
  std::string why_silent{};     ///< why the contract says nothing of some numbers

  [[nodiscard]] bool holds() const { return outcome.applies && outcome.judgement.verdict == Verdict::holds; }
  [[nodiscard]] bool fails() const { return outcome.applies && outcome.judgement.verdict == Verdict::violated; }
  void exclude(std::string why) {
    outcome.applies = false;
    preconditions = std::move(why);
  }
};

/// What a machine asks of a result of which it says nothing for some numbers.
std::string unbounded(std::size_t silent, std::size_t entries, const std::string& why) {
  return "the machine bounds every number: it has no bound for " + std::to_string(silent) + " of " +
         std::to_string(entries) + (why.empty() ? "" : ": " + why);
}

class Judging {
 public:
  explicit Judging(assay_case& of) : of_(of), batch_(of.judge.batch()) {
    batch_->add(of.record);
    was_answered_ = kernel().has_answer();
    batch_->run(Executor::host());
    batch_->refer(0);
    if (was_answered_) kernel().fall_silent();
    words_ = batch_->words(0);
    components_ = batch_->components(0);
  }

  [[nodiscard]] const Words& words() const { return words_; }
  [[nodiscard]] std::size_t components() const { return components_; }

  /// The judgment of the result.
  Told told(const Contract& contract) {
    Told told{.contract = &contract, .claim = of_.judge.claim_in_format(contract)};
    if (!told.claim) {
      told.exclude("the numbers have another format");
      return told;
    }
    told.info = &of_.judge.info().claims[*told.claim];
    told.preconditions = told.info->preconditions;
    NotedBounds noted(components_);
    why_silent.clear();
    told.outcome = outcome_of(*told.claim, told.preconditions);
    told.why_silent = why_silent;
    if (!told.outcome.applies) return told;
    const std::size_t at = told.outcome.judgement.component;
    told.outcome.exact = batch_->exact(at);
    told.outcome.ulps = batch_->ulps(at);
    if (at < components_) told.bound = noted.all()[at];
    told.has_all_bounds = told.outcome.judgement.judged != 0 && noted.has_all();
    if (const auto* const derives = dynamic_cast<const formulas::Derives*>(batch_.get()); derives && told.fails()) {
      told.derivation = derives->derivation(*told.claim, at);
    }
    const std::string why = told.why_silent.empty() ? breakable : told.why_silent;
    if (told.holds() && at >= components_ && components_ != 0) {  // the claim says so itself
      told.exclude(of_.judge.formula == nullptr ? why
                   : contract.is_about_error    ? unbounded(told.outcome.judgement.silent, components_, told.why_silent)
                                                : told.preconditions);
    }
    // Of these no number is passed over but those that a bound leaves open.
    const bool is_of_vector = name() == "axpy" || name() == "cumsum" || name() == "spmv";
    if (told.holds() && is_of_vector && contract.is_about_error && told.outcome.judgement.judged < components_) {
      told.exclude(why);
    }
    return told;
  }

  /// Withdraws verdicts that mean nothing: of contracts that any result keeps, and for numbers that a bound does not
  /// cover.
  void doubt(std::span<Told> all) {
    const Contract* const special = of_.judge.operation.find(exceptional);
    Told of_special;
    const auto is_outside = [](const Told& each) {
      return each.claim && !each.outcome.applies && each.contract->is_about_error;
    };
    const bool has_special_inputs = std::ranges::any_of(all, is_outside) && has_special_numbers();
    const auto may_be_special = [&](const Told& each) {
      return each.holds() || (is_outside(each) && has_special_inputs);
    };
    if (special != nullptr && std::ranges::any_of(all, may_be_special)) of_special = told(*special);
    if (of_special.fails()) tell_special(of_special);
    const bool has_spoken = of_special.claim && of_special.outcome.applies;
    const std::size_t special_numbers = has_spoken ? of_special.outcome.judgement.judged : 0;
    for (Told& each : all) {
      if (!has_special_inputs || special_numbers == 0 || !is_outside(each) || each.contract == special) continue;
      if (is_sum()) {
        speak_of_special(each, of_special);
      } else if (special_numbers == components_) {  // no number is left for a bound
        take_over(each, of_special);
      }
    }
    for (Told& each : all) {
      if (each.fails() && (each.contract == special || each.contract->id == special_values)) tell_special(each);
    }
    std::vector<Told*> open;
    for (Told& each : all) {
      if (each.holds() && !each.has_all_bounds) open.push_back(&each);
    }
    const bool has_special = of_special.fails() || (of_special.holds() && of_special.outcome.judgement.judged != 0);
    drop_empty(open, has_special);
    for (Told& each : all) {
      if (each.holds() && !each.is_joined && each.contract->is_about_error && each.contract != special) {
        join(each, of_special, has_special);
      }
    }
  }

  /// The bounds of the contract by component, for a result of zeros.
  std::vector<double> bounds(const Contract& contract) {
    NotedBounds noted(components_, true);
    const std::size_t claim = of_.judge.claim(contract.id);
    std::string why = of_.judge.info().claims[claim].preconditions;
    if (!outcome_of(claim, why).applies) {
      throw OutsideDomain(of_.judge.operation.name + " " + of_.judge.question.format + ": " + contract.id +
                          " asks that " + why);
    }
    return noted.all();
  }

 private:
  /// The operation of the program; empty for a formula, whatever its name.
  [[nodiscard]] std::string name() const { return of_.judge.formula ? "" : of_.judge.operation.name; }
  [[nodiscard]] bool is_matmul() const { return name().starts_with("matmul"); }
  /// Whether its numbers are sums, in which what is no number makes no other number of the result; or a formula. The
  /// theorem of its contract `exceptional` says so.
  [[nodiscard]] bool is_sum() const {
    static constexpr std::array of_sums{&contract_exceptional_1.words, &contract_exceptional_2.words,
                                        &contract_exceptional_5.words, &contract_exceptional_6.words,
                                        &gemm_exceptional_1.words};
    const Contract* const special = of_.judge.operation.find(exceptional);
    return of_.judge.formula != nullptr ||
           (special != nullptr && std::ranges::find(of_sums, special->theorem) != of_sums.end());
  }
  /// Whether a number of the inputs is an infinity or a NaN.
  [[nodiscard]] bool has_special_numbers() const {
    return std::ranges::any_of(of_.record.fields, [](const FieldValue& field) {
      const auto* const words = std::get_if<Words>(&field.value);
      return words != nullptr && !std::ranges::all_of(words->bits, [words](std::uint64_t bits) {
               return oracle::is_finite(words->format, bits);
             });
    });
  }
  Kernel& kernel() { return *of_.judge.kernel; }

  /// `why`: the reason if a claim does not apply.
  ClaimOutcome outcome_of(std::size_t claim, std::string& why) const {
    ClaimOutcome outcome;
    try {
      outcome.applies = batch_->applies(claim);
      if (outcome.applies) outcome.judgement = batch_->judge(claim);
    } catch (const NeedsKernel&) {
      outcome.judgement.verdict = Verdict::undecided;
    } catch (const std::domain_error& error) {  // a hypothesis of the bound about sizes
      outcome.applies = false;
      why = error.what();
    }
    return outcome;
  }

  /// The judgment of another result.
  ClaimOutcome outcome_of(std::size_t claim, const std::vector<std::uint64_t>& result) {
    run(result);
    std::string why;
    return outcome_of(claim, why);
  }
  void run(const std::vector<std::uint64_t>& result) {
    kernel().answer(of_.record, result);
    batch_->run(Executor::host());
    kernel().fall_silent();
  }

  /// A result with pattern(i) for entry i; a kernel that ran may have written between the entries, too.
  template <class Pattern>
  std::vector<std::uint64_t> result_with(const Pattern& pattern) {
    std::vector<std::uint64_t> bits = bits_of(result_of(of_));
    std::size_t i = 0;
    if (was_answered_) {
      result_of(of_).layout.for_each([&](std::int64_t place) { bits[static_cast<std::size_t>(place)] = pattern(i++); });
    } else {
      for (std::uint64_t& each : bits) each = pattern(i++);
    }
    return bits;
  }

  /// Results that no right kernel gives: NaNs, 77, −77, both in turn.
  std::vector<std::vector<std::uint64_t>> absurd_results() {
    const oracle::Format& format = kernel().format();
    const bool integers = kernel().integers();
    const auto pattern = [&](int number) {
      return integers ? static_cast<std::uint64_t>(static_cast<std::uint32_t>(number))
                      : oracle::round(oracle::Dyadic(number), format, oracle::Rounding::nearest);
    };
    const std::uint64_t plus = pattern(77);
    const std::uint64_t minus = pattern(-77);
    return {result_with([&](std::size_t) { return format.nan(); }), result_with([&](std::size_t) { return plus; }),
            result_with([&](std::size_t) { return minus; }),
            result_with([&](std::size_t i) { return i % 2 == 0 ? plus : minus; })};
  }

  /// Excludes the contracts that all absurd results keep, and contracts about an error that do not cover all numbers.
  void drop_empty(std::vector<Told*> open, bool has_special) {
    if (open.empty() || components_ == 0) return;
    bool is_first = true;
    for (const std::vector<std::uint64_t>& absurd : absurd_results()) {
      run(absurd);
      std::erase_if(open, [&](Told* each) {
        // The special values of a function are not about whether a number is a NaN.
        if (is_first && each->contract->id == special_values) return false;
        std::string why;
        const ClaimOutcome outcome = outcome_of(*each->claim, why);
        const Judgement& of_nan = outcome.judgement;
        const bool is_refused = outcome.applies && of_nan.verdict != Verdict::holds;
        if (is_refused && is_first && each->contract->is_about_error && !has_special && !is_matmul() &&
            of_nan.verdict == Verdict::violated && of_nan.violations() < of_nan.judged) {
          each->exclude("the theorem bounds every number of the result: it bounds " +
                        std::to_string(of_nan.violations()) + " of " + std::to_string(components_));
        }
        return is_refused;
      });
      is_first = false;
      if (open.empty()) return;
    }
    for (Told* const each : open) each->exclude(breakable);
  }

  /// The required value of a number that is neither right nor finite: the candidate that is accepted in its place.
  void tell_special(Told& special) {
    const std::size_t at = special.outcome.judgement.component;
    const oracle::Format& format = kernel().format();
    const std::uint64_t infinity = format.has_infinity() ? format.infinity() : format.nan();
    for (const auto& [text, pattern] :
         {std::pair{"NaN", format.nan()}, {"inf", infinity}, {"-inf", format.sign_mask() | infinity}}) {
      std::vector<std::uint64_t> other = words_.bits;
      if (at >= other.size()) break;
      other[at] = pattern;
      const Judgement judgement = outcome_of(*special.claim, other).judgement;
      if (judgement.verdict == Verdict::violated && judgement.component == at) continue;
      special.exact = text;
      special.outcome.ulps.reset();
      return;
    }
  }

  /// A contract about an error, of which a case with infinities or NaNs is outside. `special`: the judgement of
  /// `exceptional`. The numbers that these make infinite or NaN are judged by it; the others are those of the case with
  /// zeros in their place, which are judged by the contract.
  void speak_of_special(Told& each, const Told& special) {
    const auto is_special = [this](std::size_t i) {
      return i < words_.bits.size() && !oracle::is_finite(words_.format, words_.bits[i]);
    };
    const std::string preconditions = each.preconditions;
    if (special.fails()) {
      take_over(each, special);
    } else if (special.holds() && components_ == 1 && is_special(0)) {
      take_over(each, special);
      each.has_all_bounds = true;  // no other result keeps it
    } else if (!special.holds() || of_.judge.formula || words_.bits.size() != components_ ||
               !judge_finite_part(each, is_special)) {
      each.exclude(preconditions);
    }
  }
  static void take_over(Told& each, const Told& special) {
    const Contract* const contract = each.contract;
    each = special;
    each.contract = contract;
    each.is_joined = true;
  }

  /// Judges the numbers that are not special, for the case with zeros in the place of infinities and NaNs. False: that
  /// is no case of the contract, or its numbers are not known in decimal.
  bool judge_finite_part(Told& each, const auto& is_special) {
    Record finite = of_.record;
    for (FieldValue& field : finite.fields) {
      auto* const words = std::get_if<Words>(&field.value);
      if (words == nullptr) continue;
      for (std::uint64_t& bits : words->bits) {
        if (!oracle::is_finite(words->format, bits)) bits = 0;
      }
    }
    const std::unique_ptr<Batch> batch = of_.judge.batch();
    if (!batch->add(finite) || !batch->contains(0)) return false;
    const auto run_with = [&](const std::vector<std::uint64_t>& result) {
      kernel().answer(finite, result);
      batch->run(Executor::host());
      kernel().fall_silent();
      batch->refer(0);
    };
    std::vector<std::uint64_t> result = words_.bits;
    run_with(result);
    for (std::size_t i = 0; i < components_; ++i) {
      if (!is_special(i)) continue;
      const std::string text = batch->exact(i);
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size()) return false;
      result[i] = oracle::round(oracle::exact(value), words_.format, oracle::Rounding::nearest);
    }
    run_with(result);
    if (!batch->applies(*each.claim)) return false;
    NotedBounds noted(components_);
    each.outcome.judgement = batch->judge(*each.claim);
    const std::size_t at = each.outcome.judgement.component;
    if (at >= components_) return false;
    each.outcome.applies = true;
    each.outcome.exact = batch->exact(at);
    each.outcome.ulps = batch->ulps(at);
    each.bound = noted.all()[at];
    each.has_all_bounds = each.is_joined = true;  // a NaN in the place of a number breaks it
    return true;
  }

  /// A contract about an error leaves out the numbers that infinities and NaNs make so: they are judged by
  /// `exceptional`.
  void join(Told& each, const Told& special, bool has_special) {
    if (has_special && !special.holds()) {
      const Contract* const contract = each.contract;
      each = special;
      each.contract = contract;
      return;
    }
    const std::size_t entries = result_of(of_).layout.entries();
    const std::size_t judged = each.outcome.judgement.judged;
    const bool is_sample = is_matmul();
    const bool is_formula = of_.judge.formula != nullptr;
    const std::size_t all =
        has_special && (is_sample || is_formula) ? judged + special.outcome.judgement.judged : judged;
    if (is_formula && all < entries) {
      each.exclude(unbounded(entries - all, entries, each.why_silent));
    } else if (is_formula) {
      each.outcome.judgement.judged = all;
    }
    const bool leaves_out =
        !is_sample && (name() == "gemm" || is_vector_product(name())) && !has_special && judged < entries;
    if (leaves_out) {
      each.exclude("no infinity or NaN is among the inputs: " + std::to_string(all) + " of " + std::to_string(entries) +
                   " numbers were judged");
    } else if (has_special && is_sample) {
      each.outcome.judgement.judged = all;
    }
  }

  assay_case& of_;
  std::unique_ptr<Batch> batch_;
  bool was_answered_ = false;
  Words words_{};
  std::size_t components_ = 0;
};

/// A number of a result in readable form.
std::string text_of_number(const Words& words, std::size_t at, bool integers) {
  if (at >= words.bits.size()) return {};
  if (integers) {
    const double number = oracle::decode_finite(words.format, words.bits[at]).to_double_nearest();
    return std::to_string(static_cast<std::int64_t>(number));
  }
  return store::hex_words({words.format, words.shape, {words.bits[at]}}).front();
}

}  // namespace

void judge_case(assay_case& of, std::span<assay_verdict* const> verdicts, const Contract* only) {
  const std::vector<Contract>& contracts = of.judge.operation.contracts;
  if (verdicts.size() > contracts.size()) throw std::invalid_argument("count: the operation has fewer contracts");
  const AnySize any;
  const formulas::Threads threads(std::thread::hardware_concurrency());
  Judging judging(of);
  std::vector<Told> all;
  for (const Contract& each : contracts) {
    if (only == nullptr || only == &each) all.push_back(judging.told(each));
  }
  CaseOutcome outcome;
  outcome.got = judging.words();
  outcome.components = judging.components();
  judging.doubt(all);
  for (const Contract& each : contracts) {
    const auto told = std::ranges::find(all, &each, &Told::contract);
    ClaimOutcome& claim = outcome.claims.emplace_back();
    claim.applies = false;
    if (told != all.end()) claim = told->outcome;
  }
  of.judged.assign(verdicts.size(), {});
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const Told& told = all[i];
    const ClaimOutcome& is = told.outcome;
    static const auto& of_another_format = *new ClaimInfo();
    const ClaimInfo& info = told.info == nullptr ? of_another_format : *told.info;
    of.judged[i] = {told.exact.empty() ? is.exact : told.exact,
                    text_of_number(outcome.got, is.judgement.component, of.judge.kernel->integers()),
                    told.preconditions, told.derivation};
    give({.struct_size = 0,
          .contract = told.contract->id.c_str(),
          .verdict = verdict_of(is),
          .ratio = is.judgement.tightness,
          .exact = of.judged[i].exact.c_str(),
          .got = of.judged[i].got.c_str(),
          .ulps = is.ulps.value_or(std::numeric_limits<double>::quiet_NaN()),
          .component = is.judgement.component,
          .components = outcome.components,
          .statement = info.statement.c_str(),
          .source = info.source.c_str(),
          .preconditions = of.judged[i].preconditions.c_str(),
          .bound = told.bound,
          .judged = is.applies ? is.judgement.judged : 0,
          .violated = is.applies ? is.judgement.violations() : 0,
          .derivation = of.judged[i].derivation.c_str(),
          .exactly = 0},
         verdicts[i]);
  }
  of.outcome = std::move(outcome);
}

namespace {

/// The bounds of a contract by component, and how many numbers a component has.
struct Bounds {
  std::vector<double> by_component{};
  std::size_t words = 1;
};
Bounds bounds_of_components(assay_case& of, const Contract& contract) {
  std::vector<std::uint64_t> zeros(bits_of(result_of(of)).size(), 0);
  of.judge.kernel->answer(of.record, std::move(zeros));
  Judging judging(of);
  Bounds bounds{judging.bounds(contract)};
  bounds.words =
      std::max<std::size_t>(1, judging.words().bits.size() / std::max<std::size_t>(1, bounds.by_component.size()));
  return bounds;
}

}  // namespace

double bound_at(assay_case& of, const Contract& contract, std::size_t component) {
  const std::vector<double> bounds = bounds_of_components(of, contract).by_component;
  return component < bounds.size() ? bounds[component] : std::numeric_limits<double>::quiet_NaN();
}

void bounds_of(assay_case& of, const Contract& contract, std::span<double> bounds) {
  const AnySize any;
  const formulas::Threads threads(std::thread::hardware_concurrency());
  const Array& result = result_of(of);
  if (bounds.size() != result.layout.entries()) throw std::invalid_argument("count: not that of the result's entries");
  const auto [by_component, words] = bounds_of_components(of, contract);
  if (std::ranges::all_of(by_component, [](double each) { return std::isnan(each); })) {
    throw std::invalid_argument(contract.id + ": it does not bound the error by a number");
  }
  std::size_t i = 0;
  result.layout.for_each([&, &by = by_component, of_one = words](std::int64_t place) {
    bounds[i++] = by[static_cast<std::size_t>(place) / of_one];
  });
}

}  // namespace assay::judge
