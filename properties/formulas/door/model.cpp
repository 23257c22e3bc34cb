// The property of a kernel that is to compute a formula: its cases have the fields of the formula's axes and
// parameters.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <iterator>
#include <utility>

#include "errorbounds/any_zero.hpp"
#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/formula_theorems.hpp"
#include "errorbounds/judge.hpp"
#include "exec/fenced.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/door/call.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/batch.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/property.hpp"
#include "properties/framework/remark.hpp"
#include "properties/framework/silent.hpp"

namespace assay::formulas {
namespace {

using oracle::Dyadic;
using oracle::Exact;
using oracle::Magnitude;

using Result = std::vector<std::uint64_t>;

/// Whether no operation of a formula rounds.
bool is_exact(const Formula& formula) {
  static constexpr std::array exact{Op::input,   Op::constant, Op::neg,          Op::abs,    Op::relu,      Op::sign,
                                    Op::maximum, Op::minimum,  Op::maximum_over, Op::gather, Op::pick,      Op::stack,
                                    Op::where,   Op::sort,     Op::argmax,       Op::fmod,   Op::remainder, Op::spread};
  return std::ranges::all_of(formula.nodes,
                             [](const Node& node) { return std::ranges::find(exact, node.op) != exact.end(); });
}

std::size_t bytes_of(const oracle::Format& format) { return static_cast<std::size_t>(format.width()) / 8; }

/// The exact values of the last case: the claims share them, and so do the controls. Kernels that flush to zero have
/// other kinds of special values.
const Truth& truth_of(const Typed& typed, const Case& c, const std::vector<Machine>& machines, bool flushes = false) {
  struct Last {
    std::shared_ptr<const Formula> formula;
    oracle::Format result;
    Case c;
    std::unique_ptr<Truth> truth;
  };
  thread_local std::array<Last, 2> lasts;
  Last& last = lasts[flushes ? 1 : 0];
  if (last.truth == nullptr || last.formula != typed.formula || last.result != typed.result || last.c != c) {
    last.truth = std::make_unique<Truth>(typed, c, machines);
    last.formula = typed.formula;
    last.result = typed.result;
    last.c = c;
  }
  return *last.truth;
}

class FormulaModel final : public BatchModel {
 public:
  FormulaModel(Typed typed, const oracle::Format& inputs, const Question& question, const ForeignKernel& kernel)
      : typed_(std::move(typed)),
        machines_(ladder(*typed_.formula, inputs)),
        flushing_{flushing_machine(*typed_.formula, inputs)},
        promises_flush_(std::ranges::find(question.promised, flushing) != question.promised.end()),
        kernel_(kernel) {
    info_.name =
        question.family + "." + typed_.formula->name + (question.format == "f64" ? "" : "." + suffix(question.format));
    info_.format = oracle::name(typed_.parameters.front());
    info_.accepts = "lengths from 1 to " + std::to_string(longest_axis) + " with at most 2^22 operations, ";
    for (const Parameter& each : typed_.formula->parameters) {
      if (each.is_one_hot) info_.accepts += "for " + each.name + " rows with a 1 and zeros, ";
    }
    info_.accepts += "all numbers";
    const auto large = std::ranges::count_if(typed_.classes, [](const auto& each) { return !each.lengths.empty(); });
    if (large != 0) info_.accepts += ", and " + std::to_string(large) + " large shapes";
    info_.quick_cases = cases_of(typed_);
    info_.host_only = !question.on_device;
    info_.device_only = question.on_device;
    const auto claim = [&](const std::string& id, const TheoremWords& theorem, const std::string& instance) {
      ClaimInfo info = claim_info(id, theorem);
      if (!instance.empty()) info.statement += ": " + instance;
      info.is_open = question.is_open;
      add_claim(info);
    };
    claim("correctly_rounded", contract_correctly_rounded_1.words, "");
    claim("faithful", contract_faithful_1.words, "");
    for (const Machine& each : machines_) claim(each.name, formula_forward_1.words, describe(each));
    claim(flushing, formula_forward_1.words, describe(flushing_.front()));
    claim("exceptional", formula_exceptional_1.words, "");
    std::uint64_t round = 0;
    for (const FormulaClass& each : typed_.classes) round += each.lengths.empty() ? each.weight : 0;
    // Few cases are one of each class.
    const bool has_few = info_.quick_cases < round;
    for (const FormulaClass& each : typed_.classes) {
      add_class({.name = each.name, .weight = has_few ? 1 : each.weight, .is_late = !each.lengths.empty()});
    }
    add_feature("log2 of the number of entries of the result", 0, 16, 16);
    finish();
  }

  std::unique_ptr<Batch> make_batch() const override;

  const Typed& typed() const { return typed_; }
  const std::vector<Machine>& machines() const { return machines_; }
  /// The machine `flushing`.
  const std::vector<Machine>& flushing_alone() const { return flushing_; }
  bool promises_flush() const { return promises_flush_; }
  const ForeignKernel& kernel() const { return kernel_; }

 private:
  /// The number of cases: a thousand, or fewer for large shapes that a user names, but at least one of each class.
  /// Errors: ShapeError if a case of a shape needs too much memory; FormulaError if a shape does not fit the formula.
  static std::uint64_t cases_of(const Typed& typed) {
    constexpr double most = 1000;
    constexpr double all_work = 0x1p21;
    constexpr double bytes = 500;  // a number, with its data for each machine
    double largest = 1;
    const auto count = [&](const AskedShape& shape, const std::vector<std::int64_t>& lengths) {
      double volume = 1;
      for (const std::int64_t each : lengths) volume *= static_cast<double>(each);
      require_memory(shape, volume, 1);  // checked before tables of that size are made
      const Shaped shaped(*typed.formula, lengths);
      require_memory(shape, static_cast<double>(numbers(shaped)), bytes);
      largest = std::max(largest, static_cast<double>(work(shaped)));
    };
    for (const AskedShape& shape : typed.shapes) {
      std::vector<std::int64_t> lengths;
      for (const std::size_t a : typed.free_axes()) {
        lengths.push_back(std::ranges::find(shape, typed.formula->axes[a].name, &Dimension::name)->high);
      }
      count(shape, lengths);
    }
    if (!typed.lengths.empty()) {
      AskedShape shape;
      const std::vector<std::size_t> free = typed.free_axes();
      for (std::size_t a = 0; a < free.size(); ++a) {
        shape.push_back({typed.formula->axes[free[a]].name, typed.lengths[a], typed.lengths[a]});
      }
      count(shape, typed.lengths);
    }
    return static_cast<std::uint64_t>(std::clamp(all_work / largest, static_cast<double>(typed.classes.size()), most));
  }
  static std::string suffix(std::string format) {
    std::ranges::replace(format, ':', '_');
    return format;
  }
  Typed typed_;
  std::vector<Machine> machines_;
  std::vector<Machine> flushing_;
  bool promises_flush_;
  ForeignKernel kernel_;
};

class FormulaBatch final : public Batch, public Derives {
 public:
  explicit FormulaBatch(const FormulaModel& model) : model_(model), typed_(model.typed()) {}

  std::size_t size() const override { return cases_.size(); }
  void clear() override { cases_.clear(); }
  bool draw(std::uint64_t seed, std::uint64_t number) override {
    Draw draw(random_for(seed, model_.info().name, number));
    cases_.push_back(draw_case(typed_, model_.class_of(number), draw, number / mixture_round(model_.info())));
    return true;
  }
  bool add(const Record& record) override {
    std::optional<Case> decoded = case_of(typed_, record);
    if (!decoded) return false;
    cases_.push_back(std::move(*decoded));
    return true;
  }
  Record record(std::size_t i) const override { return record_of(typed_, cases_[i]); }
  bool contains(std::size_t i) const override { return formulas::contains(typed_, cases_[i]); }

  std::optional<Axes> axes(std::size_t i) const override {
    static_cast<void>(i);
    const Formula& formula = *typed_.formula;
    Axes axes;
    for (const Parameter& each : formula.parameters) {
      if (each.axes.empty()) continue;
      Axes::List list{each.name, {}};
      for (std::size_t a = each.axes.size(); a-- > 0;) list.sides.push_back({formula.axes[each.axes[a]].name});
      axes.lists.push_back(std::move(list));
    }
    for (const std::size_t each : typed_.free_axes())
      axes.lengths.push_back({formula.axes[each].name, formula.axes[each].name});
    return axes;
  }
  std::vector<Record> smaller_shapes(std::size_t) const override { return {}; }

  void run(const Executor& on) override { results_ = computed(on, 0, cases_.size()); }
  void run_again(const Executor& on, std::size_t first, std::size_t count) override {
    again_ = computed(on, first, count);
  }
  bool same_bits(std::size_t i, std::size_t j) const override {
    return std::ranges::equal(results_[i], again_[j], [&](std::uint64_t a, std::uint64_t b) {
      return a == b || (oracle::is_nan(typed_.result, a) && oracle::is_nan(typed_.result, b));
    });
  }

  Words words(std::size_t i) const override {
    return {typed_.result, results_[i].size() == 1 ? Words::Shape::scalar : Words::Shape::fixed, results_[i]};
  }
  std::size_t components(std::size_t i) const override { return results_[i].size(); }
  double feature(std::size_t, std::size_t i) const override {
    return static_cast<double>(std::bit_width(numbers_of(cases_[i]) - 1));
  }
  void add_trait_values(std::size_t, TraitRow&) const override {}

  void refer(std::size_t i) override {
    at_ = i;
    truth_ = &truth_of(typed_, cases_[i], model_.machines());
    truth_of_flushing_ = nullptr;
  }
  /// A formula whose operations never round needs no inexact case.
  bool inexact() const override {
    if (is_exact(*typed_.formula)) return true;
    for (std::size_t i = 0; i < results_[at_].size(); ++i) {
      if (!truth_->is_number(i)) continue;
      if (!oracle::is_finite(typed_.result, results_[at_][i])) return true;
      const Dyadic got = oracle::decode_finite(typed_.result, results_[at_][i]);
      if (judge_exact(got, truth_->exact()[i]).verdict != Verdict::holds) return true;
    }
    return false;
  }
  /// A machine, and `exceptional`, apply to cases of which they say nothing, too: judge() counts such entries.
  bool applies(std::size_t c) const override {
    for (std::size_t i = 0; i < results_[at_].size(); ++i) {
      if (is_judged(c, i) || is_unsaid(c, i)) return true;
    }
    return false;
  }
  Judgement judge(std::size_t c) const override {
    Judgement worst;
    std::size_t judged = 0;
    std::optional<std::size_t> unsaid;
    std::vector<std::pair<double, std::size_t>> suspects;
    for (std::size_t i = 0; i < results_[at_].size(); ++i) {
      if (!is_judged(c, i)) {
        if (!is_unsaid(c, i)) continue;
        ++worst.silent;
        if (!unsaid) unsaid = i;
        continue;
      }
      ++judged;
      const Judgement judgement = judge_entry(c, i, nullptr);
      if (is_machine(c) && judgement.verdict == Verdict::holds && truth(c).bounds(place(c))[i].is_finite())
        suspects.emplace_back(judgement.tightness, i);
      worst.worsen(judgement);
    }
    // formula.mean.1 for the entries that came nearest to the bound of FORWARD.
    constexpr std::size_t large_result =
        50000;  // one reverse pass of it takes about a tenth of the time of the judgment
    const std::size_t most_suspects = results_[at_].size() > large_result ? 1 : 3;
    if (unsaid && !is_told_[c]) {
      is_told_[c] = true;
      why_silent = why_unsaid(c, *unsaid);
    }
    if (judged == 0) return silent_of(worst.silent);
    std::ranges::sort(suspects, std::greater<>());
    for (std::size_t s = 0; s < std::min(suspects.size(), most_suspects) && suspects[s].first > 0; ++s) {
      const Magnitude bound = truth(c).bound(place(c), suspects[s].second);
      worst.worsen(judge_entry(c, suspects[s].second, &bound));
    }
    worst.judged = judged;
    return worst;
  }
  std::string exact(std::size_t component) const override {
    if (component >= truth_->exact().size()) return "";
    return truth_->is_number(component) ? assay::describe(truth_->exact()[component])
                                        : describe_kinds(truth_->kinds(component));
  }
  std::optional<double> ulps(std::size_t i) const override {
    if (i >= results_[at_].size() || !truth_->is_number(i) || !oracle::is_finite(typed_.result, results_[at_][i])) {
      return std::nullopt;
    }
    try {
      return error_in_ulps(oracle::decode_finite(typed_.result, results_[at_][i]), truth_->exact()[i], typed_.result);
    } catch (const oracle::Undecided&) {
      return std::nullopt;
    }
  }
  int further_bits() const override { return 0; }
  std::string derivation(std::size_t c, std::size_t component) const override {
    if (!is_machine(c) || component >= truth_->exact().size() || !is_judged(c, component)) return "";
    return truth(c).derivation(place(c), component);
  }

 private:
  bool is_flushing(std::size_t c) const { return c == 2 + model_.machines().size(); }
  bool is_machine(std::size_t c) const { return c >= 2 && !is_exceptional(c); }
  bool is_exceptional(std::size_t c) const { return c == 3 + model_.machines().size(); }
  const Truth& truth(std::size_t c) const {
    if (!is_flushing(c) && !(is_exceptional(c) && model_.promises_flush())) return *truth_;
    if (truth_of_flushing_ == nullptr) {
      truth_of_flushing_ = &truth_of(typed_, cases_[at_], model_.flushing_alone(), true);
    }
    return *truth_of_flushing_;
  }
  /// The place of a machine in its truth.
  std::size_t place(std::size_t c) const { return is_flushing(c) ? 0 : c - 2; }
  bool is_judged(std::size_t c, std::size_t i) const {
    if (is_exceptional(c)) return truth(c).kinds(i) != every_kind;
    return truth(c).is_number(i) && (!is_machine(c) || is_said(c, i));
  }
  /// Whether a machine says something of the result of an entry. Where every program of it overflows it says nothing of
  /// a number: other operations may give the exact one.
  bool is_said(std::size_t c, std::size_t i) const {
    return truth(c).is_said(place(c), i) &&
           (truth(c).bounds(place(c))[i].is_finite() || truth(c).outcomes(place(c))[i].is_number ||
            !oracle::is_finite(typed_.result, results_[at_][i]));
  }
  /// Whether an entry is one that the claim is about, but of which it says nothing.
  bool is_unsaid(std::size_t c, std::size_t i) const {
    if (is_judged(c, i)) return false;
    return is_machine(c) ? truth(c).is_number(i) : is_exceptional(c) && !truth(c).is_number(i);
  }
  std::string why_unsaid(std::size_t c, std::size_t i) const {
    if (!is_machine(c)) return "an infinity or NaN, or a value that is not defined, leaves all kinds of numbers open";
    if (!truth(c).is_said(place(c), i)) return truth(c).why_unsaid(place(c), i);
    return "every program of it overflows there, so that a number comes of other operations";
  }
  static Judgement silent_of(std::size_t components) {
    Judgement judgement = says_nothing();
    judgement.silent = components;
    return judgement;
  }
  Judgement judge_entry(std::size_t c, std::size_t i, const Magnitude* sharper) const {
    const std::uint64_t got = results_[at_][i];
    const oracle::Format& format = typed_.result;
    const Exact& exact = truth_->exact()[i];
    if (is_exceptional(c)) return judge_kind(got, truth(c).kinds(i), i);
    if (!is_machine(c)) return judge_rounding(c == 0, got, exact, i);
    const Machine& machine = (is_flushing(c) ? model_.flushing_alone() : model_.machines())[place(c)];
    if (sharper != nullptr) return judge_machine(got, exact, *sharper, machine, format, i);
    const Magnitude& bound = truth(c).bounds(place(c))[i];
    if (bound.is_finite()) return judge_machine(got, exact, bound, machine, format, i);
    return judge_outcome(got, exact, truth(c).outcomes(place(c))[i], machine, format, i);
  }
  /// If no precision can tell an exact value from a rounding boundary, for example 1 − e^−(2^60), the result counts as
  /// right.
  Judgement judge_rounding(bool to_nearest, std::uint64_t got, const Exact& exact, std::size_t i) const {
    try {
      return to_nearest ? judge_rounded_to_any_zero(got, exact, typed_.result, i)
                        : judge_faithful(got, exact, typed_.result, i);
    } catch (const oracle::Undecided&) {
      return Judgement::pass();
    }
  }
  /// A number may be small enough to be stored as 0, so 0 is right where a number is.
  Judgement judge_kind(std::uint64_t got, Kinds kinds, std::size_t i) const {
    return Judgement::of((kinds & kinds_of_result(typed_.result, got)) != 0, i);
  }

  std::size_t numbers_of(const Case& c) const {
    return Shaped(*typed_.formula, c.lengths).size(typed_.formula->result);
  }

  std::vector<Result> computed(const Executor& on, std::size_t first, std::size_t count) const {
    const std::span<const Case> cases = std::span(cases_).subspan(first, count);
    const ForeignKernel& kernel = model_.kernel();
    if (kernel.program != nullptr) return by_program(on, cases);
    std::vector<Result> results;
    for (const Case& c : cases) results.push_back(kernel.control ? controlled(c) : called(on, c));
    return results;
  }
  std::vector<Result> by_program(const Executor& on, std::span<const Case> cases) const {
    std::vector<Record> records;
    std::vector<std::size_t> numbers;
    for (const Case& each : cases) {
      records.push_back(record_of(typed_, each));
      numbers.push_back(numbers_of(each));
    }
    const std::vector<std::uint64_t> bits = model_.kernel().program->compute(on, records, numbers, typed_.result);
    std::vector<Result> results;
    std::size_t at = 0;
    for (const std::size_t n : numbers) {
      results.emplace_back(bits.begin() + static_cast<std::ptrdiff_t>(at),
                           bits.begin() + static_cast<std::ptrdiff_t>(at + n));
      at += n;
    }
    return results;
  }
  /// f(lengths…, parameters…, result): lengths as size_t, everything else by its address.
  Result called(const Executor& on, const Case& c) const {
    thread_local std::vector<std::unique_ptr<FencedMemory>> memory;
    const std::size_t parameters = c.words.size();
    while (memory.size() <= parameters) memory.push_back(std::make_unique<FencedMemory>());
    std::vector<std::uint64_t> words(c.lengths.begin(), c.lengths.end());
    std::vector<std::vector<std::uint8_t>> inputs;
    std::deque<FencedArray<std::uint8_t>> arrays;
    for (std::size_t p = 0; p < parameters; ++p) {
      const bool is_index = typed_.formula->parameters[p].index_of.has_value();
      inputs.push_back(raw(c.words[p], is_index ? sizeof(std::int64_t) : bytes_of(typed_.parameters[p])));
      arrays.emplace_back(*memory[p], on, inputs.back());
      words.push_back(reinterpret_cast<std::uintptr_t>(arrays.back().data()));
    }
    const std::size_t width = bytes_of(typed_.result);
    const std::vector<std::uint8_t> unwritten = raw(Result(numbers_of(c), typed_.result.nan()), width);
    const FencedArray<std::uint8_t> result(*memory[parameters], on, unwritten);
    words.push_back(reinterpret_cast<std::uintptr_t>(result.data()));
    call(model_.kernel().function, words);
    for (std::size_t p = 0; p < parameters; ++p) {
      if (const auto at = arrays[p].check_input(on, inputs[p])) {
        remark(typed_.formula->parameters[p].name + " was changed at its byte " + std::to_string(*at));
      }
    }
    const std::vector<std::uint8_t> bytes = result.take(on);
    Result numbers(bytes.size() / width);
    for (std::size_t i = 0; i < numbers.size(); ++i) std::memcpy(&numbers[i], bytes.data() + i * width, width);
    return numbers;
  }

  std::uint64_t nearest_to(const Exact& exact) const {
    try {
      return oracle::round(exact, typed_.result, oracle::Rounding::nearest);
    } catch (const oracle::Undecided&) {
      return oracle::round(std::get<oracle::Enclosure>(exact).at(128).upper(), typed_.result,
                           oracle::Rounding::nearest);
    }
  }
  Result controlled(const Case& c) const {
    thread_local Result last;
    const oracle::Format& format = typed_.result;
    Result result(numbers_of(c), format.nan());
    const auto right = [&] {
      const Truth& truth = truth_of(typed_, c, model_.machines());
      Result nearest;
      for (std::size_t i = 0; i < truth.exact().size(); ++i) {
        nearest.push_back(truth.is_number(i) ? nearest_to(truth.exact()[i]) : format.nan());
      }
      return nearest;
    };
    switch (*model_.kernel().control) {
      case Control::zeros:
        std::ranges::fill(result, 0);
        break;
      case Control::ones:
        std::ranges::fill(result, oracle::round(Dyadic(1), format, oracle::Rounding::nearest));
        break;
      case Control::first_term:
        result.front() = right().front();
        break;
      case Control::copy: {
        const auto& first = c.words.front();
        for (std::size_t i = 0; i < result.size() && i < first.size(); ++i)
          result[i] = first[i] & ((format.sign_mask() << 1U) - 1);
        break;
      }
      case Control::previous: {
        const std::size_t size = result.size();
        result = std::exchange(last, right());
        result.resize(size, format.nan());
        break;
      }
      case Control::nan:
      case Control::unwritten:
      case Control::last_product:
        break;
    }
    return result;
  }

  const FormulaModel& model_;
  const Typed& typed_;
  std::vector<Case> cases_;
  std::vector<Result> results_;
  std::vector<Result> again_;
  mutable std::vector<bool> is_told_ = std::vector<bool>(4 + model_.machines().size());  ///< by claim: why it is silent
  const Truth* truth_ = nullptr;
  mutable const Truth* truth_of_flushing_ = nullptr;  ///< computed on demand
  std::size_t at_ = 0;
};

std::unique_ptr<Batch> FormulaModel::make_batch() const { return std::make_unique<FormulaBatch>(*this); }

}  // namespace

std::unique_ptr<PropertyModel> property_of(const std::shared_ptr<const Formula>& formula,
                                           const std::vector<std::int64_t>& lengths, const Question& question,
                                           const ForeignKernel& kernel) {
  Typed of_formula = typed(formula, question.format);
  of_formula.lengths = lengths;
  of_formula.shapes = several_shapes_of(*formula, question.shapes);
  if (question.has_large && lengths.empty() && of_formula.shapes.empty()) {
    std::ranges::move(large_classes(*formula), std::back_inserter(of_formula.classes));
  }
  const oracle::Format inputs = format_of_name(question.format.substr(0, question.format.find(':')));
  return std::make_unique<FormulaModel>(std::move(of_formula), inputs, question, kernel);
}

}  // namespace assay::formulas
