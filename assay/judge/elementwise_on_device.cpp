// Results of formulas whose entries depend on one number of each array, judged where they lie, in the memory of a
// device.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "enclosures/rows.hpp"
#include "properties/formulas/door/elementwise.hpp"

namespace assay::judge {
namespace {

using enclosures::ElementwiseArrays;
using enclosures::ElementwiseRule;
using enclosures::ElementwiseScreen;
using enclosures::Integer;
using enclosures::NoDevice;
using enclosures::StretchCount;

constexpr std::size_t most_open_entries = 1024;         // entries that no enclosure decides
constexpr std::size_t most_at_a_time = 64;              // after which a wrong one ends the search
constexpr std::size_t most_of_sample = 8;               // entries that are judged exactly in any case
constexpr std::size_t most_stretches = 64;              // in which open entries are sought
constexpr Integer most_of_the_host = Integer{1} << 20;  // entries of which the host judges all
constexpr Integer most_entries = Integer{1} << 40;

/// The arguments of a formula, and where its arrays lie on the device.
struct FormulaInputs {
  std::vector<assay_tensor> arguments;
  assay_tensor result;
  std::vector<std::size_t> arrays;  ///< the places of arguments that have axes
  std::vector<double> scalars;
  ElementwiseArrays device{};
};

/// Whether the entries lie one after the other, the last index first.
bool is_contiguous(const assay_tensor& tensor) {
  const Layout layout = layout_of(tensor), wanted = contiguous(layout.shape);
  for (std::size_t d = 0; d < layout.shape.size(); ++d) {
    if (layout.shape[d] != 1 && layout.strides[d] != wanted.strides[d]) return false;
  }
  return true;
}

int element_type_of(const assay_tensor& tensor, const std::string& format, const std::string& name) {
  const enclosures::ElementType type = element_of(tensor, name.c_str());
  require_fit(judge::format_of(type) == format && type != enclosures::ElementType::binary64, "arrays of this format");
  return static_cast<int>(type);
}

/// Errors: NoDevice for what the host alone judges, or refuses.
FormulaInputs formula_inputs_of(const assay_judge& judge, std::span<const assay_tensor> arguments,
                                const assay_tensor& result) {
  const std::vector<formulas::Parameter>& parameters = judge.formula->formula().parameters;
  const std::string& formats = judge.question.format;
  const std::string format = formats.substr(0, formats.find(':'));
  const std::string of_result = formats.substr(formats.find(':') + 1);
  require_fit(arguments.size() == parameters.size(), "another number of arguments");
  FormulaInputs all{{arguments.begin(), arguments.end()}, result, {}, {}};
  const auto add = [&](const assay_tensor& array, const std::string& of) {
    const bool is_like_result = std::ranges::equal(shape_of(array), shape_of(result));
    require_fit(is_like_result && is_contiguous(array), "arrays of this layout");
    return element_type_of(array, of, "array");
  };
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    require_fit(!parameters[p].index_of, "integers");
    const std::string& of = parameters[p].format.empty() ? format : parameters[p].format;
    if (parameters[p].axes.empty()) {
      require_fit(layout_of(arguments[p]).entries() == 1, "arrays of this layout");
      all.scalars.push_back(enclosures::number_at(element_of(arguments[p], "number"), arguments[p].data, 0));
      continue;
    }
    require_fit(all.arrays.size() < enclosures::most_arrays, "so many arrays");
    all.device.types[all.arrays.size()] = add(arguments[p], of);
    all.device.inputs[all.arrays.size()] = arguments[p].data;
    all.arrays.push_back(p);
  }
  all.device.count = static_cast<int>(all.arrays.size());
  all.device.type_of_got = add(result, of_result);
  all.device.got = result.data;
  all.device.entries = static_cast<Integer>(layout_of(result).entries());
  require_fit(all.device.entries > 0 && all.device.entries < most_entries, "so many entries");
  return all;
}

/// Errors: NoDevice for a formula, or a contract, that the host alone judges.
ElementwiseRule elementwise_rule_of(const assay_judge& judge, const std::string& contract,
                                    const std::vector<double>& scalars) {
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
  auto program = formulas::elementwise_formula(judge.formula->formula(), machine ? &*machine : nullptr, scalars);
  if (!program) throw NoDevice(judge.operation.name + ": " + contract + " is judged on the host alone");
  rule.floor = std::move(*program);
  return rule;
}

/// The judgments of single entries on the host.
class EntriesOfHost {
 public:
  EntriesOfHost(assay_judge& judge, const FormulaInputs& inputs, const Contract& contract)
      : judge_(judge), inputs_(inputs), contract_(contract) {}

  /// Judges these entries as one case.
  void judge(const std::vector<Integer>& places) {
    const std::size_t axes = judge_.formula->formula().result_axes().size();
    std::vector<std::int64_t> shape(axes, 1);
    shape.front() = static_cast<std::int64_t>(places.size());
    const std::vector<std::int64_t> strides(axes, 1);
    std::vector<std::vector<std::byte>> memory;
    const auto gathered = [&](const assay_tensor& array) {
      const auto width = static_cast<std::size_t>(array.bits) / 8;
      std::vector<std::byte>& numbers = memory.emplace_back();
      for (const Integer place : places)
        std::ranges::copy(copied(array.data, place, 1, width), std::back_inserter(numbers));
      return on_host(array, numbers.data(), shape, strides);
    };
    std::vector<assay_tensor> given = inputs_.arguments;
    for (const std::size_t p : inputs_.arrays) given[p] = gathered(given[p]);
    std::unique_ptr<assay_case> of = case_of(judge_, given);
    const std::vector<std::uint64_t> bits = bits_of_result(*of, gathered(inputs_.result));
    // Beside entries of which the contract speaks, those of infinities and NaN are judged with them.
    assay_verdict verdict = verdict_with_specials(judge_, *of, bits, contract_);
    const bool is_judged = verdict.verdict == ASSAY_KEPT || verdict.verdict == ASSAY_BROKEN;
    last_ = is_judged ? verdict.judged : 0;
    judged_ += last_;
    is_broken_ = is_broken_ || verdict.verdict == ASSAY_BROKEN;
    violated_ += verdict.violated;
    if (case_ != nullptr && is_no_worse(verdict, worst_)) return;
    verdict.component = static_cast<std::size_t>(places[verdict.component]);
    worst_ = verdict;
    case_ = std::move(of);
  }

  [[nodiscard]] std::size_t judged() const { return judged_; }
  /// Of the last entries.
  [[nodiscard]] std::size_t last() const { return last_; }
  [[nodiscard]] std::size_t violated() const { return violated_; }
  [[nodiscard]] bool is_broken() const { return is_broken_; }
  [[nodiscard]] const assay_verdict& worst() const { return worst_; }
  [[nodiscard]] std::shared_ptr<assay_case> take() { return std::move(case_); }

 private:
  assay_judge& judge_;
  const FormulaInputs& inputs_;
  const Contract& contract_;
  assay_verdict worst_{};
  std::shared_ptr<assay_case> case_{};
  std::size_t judged_ = 0, last_ = 0, violated_ = 0;
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

/// The last place, some all over the result, and that with the largest share of its bound.
std::vector<Integer> sample_of_formula(const ElementwiseScreen& screen, const std::vector<StretchCount>& counts,
                                       Integer entries, std::uint64_t seed) {
  std::vector<Integer> places{entries - 1};
  SamplePlaces others(seed);
  while (places.size() < std::min<std::size_t>(most_of_sample, static_cast<std::size_t>(entries))) {
    places.push_back(static_cast<Integer>(others.next(static_cast<std::uint64_t>(entries))));
  }
  const auto nearest = std::ranges::max_element(counts, {}, &StretchCount::nearest);
  if (const auto place = place_with_share(screen, nearest - counts.begin(), nearest->nearest)) places.push_back(*place);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace

assay_verdict judged_elementwise(assay_judge& judge, std::span<const assay_tensor> arguments,
                                 const assay_tensor& result, const Contract& contract) {
  require_fit(judge.formula->typed(judge.question.format).lengths.empty(), "lengths that a caller gives");
  const FormulaInputs inputs = formula_inputs_of(judge, arguments, result);
  const Integer entries = inputs.device.entries;
  const ElementwiseScreen screen(inputs.device, elementwise_rule_of(judge, contract.id, inputs.scalars));
  const std::vector<StretchCount> counts = screen.counts();
  EntriesOfHost exactly(judge, inputs, contract);
  Integer kept = 0, nans = 0;
  for (const StretchCount& each : counts) {
    kept += each.kept;
    nans += each.nans;
  }
  const std::vector<Integer> open = open_places(screen, counts, entries);
  for (std::size_t at = 0; at < open.size() && !exactly.is_broken(); at += most_at_a_time) {
    const auto begin = open.begin() + static_cast<std::ptrdiff_t>(at);
    exactly.judge({begin, begin + static_cast<std::ptrdiff_t>(std::min(most_at_a_time, open.size() - at))});
  }
  const bool has_more = entries - kept - nans > static_cast<Integer>(open.size());
  if (has_more && !exactly.is_broken() && entries <= most_of_the_host) {
    throw NoDevice("too many entries are open on the device");
  }
  std::size_t judged = static_cast<std::size_t>(kept) + exactly.judged();
  if (nans != 0 && !exactly.is_broken()) {
    // The kinds of an entry of a NaN do not depend on its bits: one stands for all.
    const auto stretch = std::ranges::find_if(counts, [](const StretchCount& each) { return each.nans != 0; });
    const auto place = place_with_share(screen, stretch - counts.begin(), enclosures::nan_of_a_nan);
    if (place) exactly.judge({*place});
    if (place && exactly.last() == 1) judged += static_cast<std::size_t>(nans);
  }
  if (!exactly.is_broken()) exactly.judge(sample_of_formula(screen, counts, entries, judge.seed));
  assay_verdict told = exactly.worst();
  told.contract = contract.id.c_str();
  told.components = static_cast<std::size_t>(entries);
  told.exactly = exactly.judged();
  told.judged = judged;
  told.violated = exactly.violated();
  judge.in_place.of = exactly.take();
  return told;
}

}  // namespace assay::judge
