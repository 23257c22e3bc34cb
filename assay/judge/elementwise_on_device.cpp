// Results of formulas of elementwise operations and reductions of rows, judged where they lie, in the memory of a
// device.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/judge/formula_arrays.hpp"

namespace assay::judge {
namespace {

using enclosures::ElementwiseRule;
using enclosures::ElementwiseScreen;
using enclosures::Integer;
using enclosures::KnownEntry;
using enclosures::NoDevice;
using enclosures::Refuted;
using enclosures::StretchCount;

constexpr std::size_t most_open_entries = 1024;                  // entries that no enclosure decides
constexpr std::size_t most_at_a_time = 64;                       // after which a wrong one ends the search
constexpr std::size_t most_of_sample = 8;                        // entries that are judged exactly in any case
constexpr std::size_t most_stretches = 64;                       // in which open entries are sought
constexpr Integer most_of_the_host = Integer{1} << 20;           // entries of which the host judges all
constexpr Integer few_columns = Integer{1} << 14;                // of a row in which the host soon judges an entry
constexpr Integer most_columns_of_the_host = Integer{1} << 21;   // of a row that it judges
constexpr Integer most_numbers_of_open_rows = Integer{1} << 22;  // of rows that no enclosure decides
constexpr Integer most_row_numbers = Integer{1} << 25;           // that the device keeps: 1.3 GB
constexpr Integer most_numbers_of_sample = Integer{1} << 18;     // of rows that are judged without need

/// Errors: NoDevice for a formula, or a contract, that the host alone judges.
ElementwiseRule elementwise_rule_of(const assay_judge& judge, const std::string& contract,
                                    const FormulaOnDevice& inputs) {
  const std::string& formats = judge.question.format;
  const oracle::Format format = formulas::format_of_name(formats.substr(formats.find(':') + 1));
  ElementwiseRule rule{enclosures::rule_within, format.precision, format.emin, false, {}};
  std::optional<formulas::Machine> machine;
  if (contract == "correctly_rounded" || contract == "faithful") {
    rule.kind = contract == "faithful" ? enclosures::rule_faithful : enclosures::rule_rounded;
  } else {
    const std::vector<formulas::Machine> all = judge.formula->machines(formats, contract);
    const auto at = std::ranges::find(all, contract, &formulas::Machine::name);
    if (at == all.end()) throw NoDevice(judge.operation.name + ": " + contract + " is judged on the host alone");
    machine = *at;
    rule.is_stored = machine->wide != format;
  }
  auto program = formulas::elementwise_formula(judge.formula->typed(formats), machine ? &*machine : nullptr,
                                               inputs.scalars(), inputs.lengths());
  if (!program) throw NoDevice(judge.operation.name + ": " + contract + " is judged on the host alone");
  rule.floor = std::move(*program);
  return rule;
}

/// The judgments of single entries, or rows, on the host.
class EntriesOfHost {
 public:
  EntriesOfHost(assay_judge& judge, const FormulaOnDevice& inputs, const ElementwiseScreen& screen,
                const Contract& contract)
      : judge_(judge), inputs_(inputs), screen_(screen), contract_(contract) {}

  /// Judges these entries: as one case, or with their rows. `most_numbers`: of the rows; one is judged in any case.
  void judge(const std::vector<Integer>& places, Integer most_numbers) {
    last_ = 0;
    if (inputs_.is_flat()) {
      last_ = judge_case(inputs_.entries(places), [&](std::size_t i) { return places[i]; });
      judged_ += last_;
      return;
    }
    const Integer of_row = inputs_.device().entries_of_row;
    for (const Integer place : places) {
      const Integer row = place / of_row;
      if (is_broken_ || (numbers_ >= most_numbers && !rows_.empty())) return;
      if (!rows_.insert(row).second) continue;
      numbers_ += inputs_.device().columns;
      const auto entry_of = [&](std::size_t i) { return row * of_row + static_cast<Integer>(i); };
      const std::size_t decided = judge_case(inputs_.row(row), entry_of);
      exactly_ += decided;
      const std::size_t kept = kept_of_device(row * of_row, of_row);
      if (decided > kept) judged_ += decided - kept;
    }
  }

  /// Beside those that the device has shown to be kept.
  [[nodiscard]] std::size_t judged() const { return judged_; }
  [[nodiscard]] std::size_t exactly() const { return inputs_.is_flat() ? judged_ : exactly_; }
  /// Of the last entries.
  [[nodiscard]] std::size_t last() const { return last_; }
  [[nodiscard]] std::size_t violated() const { return violated_; }
  [[nodiscard]] bool is_broken() const { return is_broken_; }
  [[nodiscard]] const assay_verdict& worst() const { return worst_; }
  [[nodiscard]] std::shared_ptr<assay_case> take() { return std::move(case_); }

 private:
  template <class EntryOf>
  std::size_t judge_case(FormulaOnDevice::Copies copies, const EntryOf& entry_of) {
    std::unique_ptr<assay_case> of = case_of(judge_, copies.arguments);
    const std::vector<std::uint64_t> bits = bits_of_result(*of, copies.result);
    // Beside entries of which the contract speaks, those of infinities and NaN are judged with them.
    assay_verdict verdict = verdict_with_specials(judge_, *of, bits, contract_);
    const bool is_judged = verdict.verdict == ASSAY_KEPT || verdict.verdict == ASSAY_BROKEN;
    is_broken_ = is_broken_ || verdict.verdict == ASSAY_BROKEN;
    violated_ += verdict.violated;
    if (case_ == nullptr || !is_no_worse(verdict, worst_)) {
      verdict.component = inputs_.component_of(entry_of(verdict.component));
      worst_ = verdict;
      case_ = std::move(of);
    }
    return is_judged ? verdict.judged : 0;
  }
  [[nodiscard]] std::size_t kept_of_device(Integer first, Integer count) const {
    std::size_t kept = 0;
    for (Integer stretch = first / enclosures::stretch_of_entries;
         stretch * enclosures::stretch_of_entries < first + count; ++stretch) {
      const std::vector<double> shares = screen_.shares(stretch);
      for (std::size_t i = 0; i < shares.size(); ++i) {
        const Integer entry = stretch * enclosures::stretch_of_entries + static_cast<Integer>(i);
        if (entry >= first && entry < first + count && shares[i] >= 0) ++kept;
      }
    }
    return kept;
  }

  assay_judge& judge_;
  const FormulaOnDevice& inputs_;
  const ElementwiseScreen& screen_;
  const Contract& contract_;
  assay_verdict worst_{};
  std::shared_ptr<assay_case> case_{};
  std::set<Integer> rows_{};
  Integer numbers_ = 0;
  std::size_t judged_ = 0, exactly_ = 0, last_ = 0, violated_ = 0;
  bool is_broken_ = false;
};

Integer entries_of(Integer stretch, Integer entries) {
  return std::min(enclosures::stretch_of_entries, entries - stretch * enclosures::stretch_of_entries);
}

/// The places of entries that are not shown to be kept, those farthest from it first: of the stretches with such.
std::vector<Integer> open_places(const ElementwiseScreen& screen, const std::vector<StretchCount>& counts,
                                 Integer entries) {
  std::vector<Integer> stretches;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const auto stretch = static_cast<Integer>(s);
    if (counts[s].kept + counts[s].nans != entries_of(stretch, entries)) stretches.push_back(stretch);
  }
  std::ranges::stable_sort(stretches, {}, [&](Integer s) { return counts[static_cast<std::size_t>(s)].farthest; });
  std::vector<std::pair<double, Integer>> open;
  for (const Integer stretch : stretches | std::views::take(most_stretches)) {
    const std::vector<double> shares = screen.shares(stretch);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] >= 0 || shares[i] == enclosures::nan_of_a_nan) continue;
      open.emplace_back(shares[i], stretch * enclosures::stretch_of_entries + static_cast<Integer>(i));
    }
  }
  std::ranges::sort(open);
  std::vector<Integer> places;
  for (const auto& [share, place] : open | std::views::take(most_open_entries)) places.push_back(place);
  return places;
}

/// The place of the first entry of a stretch with this share.
std::optional<Integer> place_with_share(const ElementwiseScreen& screen, Integer stretch, double share) {
  const std::vector<double> shares = screen.shares(stretch);
  const auto at = std::ranges::find(shares, share);
  if (at == shares.end()) return std::nullopt;
  return stretch * enclosures::stretch_of_entries + static_cast<Integer>(at - shares.begin());
}

/// The place with the largest share of its bound, the last one, some all over the result.
std::vector<Integer> sample_of_formula(const ElementwiseScreen& screen, const std::vector<StretchCount>& counts,
                                       Integer entries, std::uint64_t seed) {
  std::vector<Integer> places;
  const auto add = [&](Integer place) {
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  };
  const auto nearest = std::ranges::max_element(counts, {}, &StretchCount::nearest);
  if (const auto place = place_with_share(screen, nearest - counts.begin(), nearest->nearest)) add(*place);
  add(entries - 1);
  SamplePlaces others(seed);
  for (std::size_t i = 1; i < std::min<std::size_t>(most_of_sample, static_cast<std::size_t>(entries)); ++i) {
    add(static_cast<Integer>(others.next(static_cast<std::uint64_t>(entries))));
  }
  return places;
}

/// How an entry of a row breaks a contract, by what all its graphs know of it; nothing where it may keep it.
std::optional<Refuted> refuted(const ElementwiseScreen& screen, const FormulaOnDevice& inputs,
                               const ElementwiseRule& rule, Integer entry) {
  const bool is_within = rule.kind == enclosures::rule_within;
  if (is_within && !rule.floor.may_refute) return std::nullopt;
  const double got = inputs.got(entry);
  const enclosures::Numbers numbers{rule.precision, rule.emin, 0, 0};
  std::optional<Refuted> least;
  for (const KnownEntry& each : screen.known(entry)) {
    const double before = is_within ? each.most : 0;
    const double error = enclosures::least_error(each.known, got, before, rule.is_stored, numbers);
    const double most = is_within ? each.most : enclosures::most_distance(got, rule.kind, numbers);
    if (!(error > most)) return std::nullopt;
    const double ratio = error / most;
    if (!least || ratio < least->ratio) {
      least = Refuted{};
      least->broken = 1;
      least->ratio = ratio;
      least->value = each.known.value;
      least->radius = each.known.radius;
      least->bound = most;
      least->got = got;
    }
  }
  return least;
}

/// The verdict on rows that are too long for the host, by the device alone.
assay_verdict judged_long_rows(assay_judge& judge, const ElementwiseScreen& screen, const FormulaOnDevice& inputs,
                               const ElementwiseRule& rule, const std::vector<Integer>& open, double nearest,
                               const Contract& contract) {
  if (open.empty()) return verdict_of_device(judge, contract, nearest);
  const auto broken = refuted(screen, inputs, rule, open.front());
  const std::size_t component = inputs.component_of(open.front());
  if (broken) {
    assay_verdict told = verdict_of_refuted(judge, contract, *broken, static_cast<std::int64_t>(component));
    told.violated = told.judged = static_cast<std::size_t>(
        std::ranges::count_if(open, [&](Integer entry) { return refuted(screen, inputs, rule, entry).has_value(); }));
    return told;
  }
  assay_verdict told = verdict_of_device(judge, contract, nearest);
  told.verdict = ASSAY_UNDECIDED;
  told.component = component;
  told.preconditions = "this number is shown neither to be right nor wrong, and the host would take hours";
  return told;
}

}  // namespace

assay_verdict judged_elementwise(assay_judge& judge, std::span<const assay_tensor> arguments,
                                 const assay_tensor& result, const Contract& contract) {
  require_fit(judge.formula->typed(judge.question.format).lengths.empty(), "lengths that a caller gives");
  const FormulaOnDevice inputs(judge, arguments, result);
  const Integer entries = inputs.device().entries, columns = inputs.device().columns;
  const ElementwiseRule rule = elementwise_rule_of(judge, contract.id, inputs);
  require_fit(inputs.device().rows * rule.floor.row_numbers <= most_row_numbers, "so many rows");
  const ElementwiseScreen screen(inputs.device(), rule);
  const std::vector<StretchCount> counts = screen.counts();
  EntriesOfHost exactly(judge, inputs, screen, contract);
  Integer kept = 0, nans = 0;
  for (const StretchCount& each : counts) {
    kept += each.kept;
    nans += each.nans;
  }
  std::vector<Integer> open = open_places(screen, counts, entries);
  bool is_wrong = false;
  const auto finished = [&](assay_verdict told, std::size_t judged) {
    told.contract = contract.id.c_str();
    told.components = static_cast<std::size_t>(entries);
    told.exactly = exactly.exactly();
    told.judged = judged;
    return told;
  };
  if (!inputs.is_flat() && columns > few_columns) {
    // The host would take seconds for one entry of such a row: what the device shows to be wrong comes first.
    const auto end = open.begin() + static_cast<std::ptrdiff_t>(std::min(open.size(), most_at_a_time));
    const auto wrong =
        std::find_if(open.begin(), end, [&](Integer entry) { return refuted(screen, inputs, rule, entry); });
    is_wrong = wrong != end;
    if (is_wrong) std::iter_swap(open.begin(), wrong);
  }
  if (!inputs.is_flat() && (is_wrong || columns > most_columns_of_the_host)) {
    const double nearest = std::ranges::max_element(counts, {}, &StretchCount::nearest)->nearest;
    const assay_verdict told = judged_long_rows(judge, screen, inputs, rule, open, nearest, contract);
    return finished(told, told.judged + static_cast<std::size_t>(kept));
  }
  for (std::size_t at = 0; at < open.size() && !exactly.is_broken(); at += most_at_a_time) {
    const auto begin = open.begin() + static_cast<std::ptrdiff_t>(at);
    exactly.judge({begin, begin + static_cast<std::ptrdiff_t>(std::min(most_at_a_time, open.size() - at))},
                  most_numbers_of_open_rows);
  }
  const bool has_more = inputs.is_flat() ? entries - kept - nans > static_cast<Integer>(open.size())
                                         : entries - kept > static_cast<Integer>(exactly.judged());
  const Integer numbers = inputs.is_flat() ? entries : inputs.device().rows * columns;
  if (has_more && !exactly.is_broken() && numbers <= most_of_the_host) {
    throw NoDevice("too many entries are open on the device");
  }
  std::size_t judged = static_cast<std::size_t>(kept) + exactly.judged();
  if (nans != 0 && !exactly.is_broken()) {
    // The kinds of an entry of a NaN do not depend on its bits: one stands for all.
    const auto stretch = std::ranges::find_if(counts, [](const StretchCount& each) { return each.nans != 0; });
    const auto place = place_with_share(screen, stretch - counts.begin(), enclosures::nan_of_a_nan);
    if (place) exactly.judge({*place}, 0);
    if (place && exactly.last() == 1) judged += static_cast<std::size_t>(nans);
  }
  if (!exactly.is_broken()) {
    exactly.judge(sample_of_formula(screen, counts, entries, judge.seed), most_numbers_of_sample);
  }
  assay_verdict told = finished(exactly.worst(), judged);
  told.violated = exactly.violated();
  judge.in_place.of = exactly.take();
  return told;
}

}  // namespace assay::judge
