// Results of attention and its gradients that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "assay/judge/attention_arrays.hpp"
#include "enclosures/gradient.hpp"
#include "properties/formulas/door/attention.hpp"

namespace assay::judge {
namespace {

using enclosures::Attention;
using enclosures::BlockCount;
using enclosures::ElementType;
using enclosures::GradientArrays;
using enclosures::NoDevice;
using enclosures::Refuted;

/// The rule of a contract; bound(machine, format, rule) adds what is known of the bounds of a machine, if anything is.
/// Errors: NoDevice for a contract that the host alone judges.
template <class Rule, class Bound>
Rule rule_of(const assay_judge& judge, const std::string& contract, const Bound& bound) {
  const oracle::Format format = formulas::format_of_name(judge.question.format);
  Rule rule{};
  rule.kind = enclosures::rule_within;
  rule.precision = format.precision;
  rule.emin = format.emin;
  if (contract == "correctly_rounded" || contract == "faithful") {
    rule.kind = contract == "faithful" ? enclosures::rule_faithful : enclosures::rule_rounded;
    return rule;
  }
  for (const formulas::Machine& machine : judge.formula->machines(judge.question.format, contract)) {
    if (machine.name != contract) continue;
    if (!bound(machine, format, rule)) break;
    rule.is_stored = machine.wide != format;
    return rule;
  }
  throw NoDevice(judge.operation.name + ": " + contract + " is judged on the host alone");
}

/// The multiplications of the host for a result of so many queries, keys and numbers, in the formula and all its ways.
double work_of(const formulas::Formula& formula, const Attention& of, std::int64_t queries) {
  const auto products = static_cast<double>(std::ranges::count(formula.nodes, formulas::Op::dot, &formulas::Node::op));
  return products * static_cast<double>(1 + formula.ways.size()) * static_cast<double>(queries) *
         static_cast<double>(of.keys) * static_cast<double>(std::max(of.width, of.columns));
}

/// A case with the judge of its formula.
struct OwnCase {
  std::unique_ptr<assay_judge> judge;
  std::unique_ptr<assay_case> of;
};

/// The judgments of single rows on the host, one for each query.
class RowsOfQueries {
 public:
  static constexpr double most_work = 0x1p23;     ///< of all rows that are judged, but of the first
  static constexpr double most = 8;               ///< rows
  static constexpr std::int64_t most_broken = 2;  ///< rows that are worth to be counted

  RowsOfQueries(const assay_judge& judge, const AttentionArrays& arrays, const Attention& device, std::int64_t columns)
      : judge_(judge),
        arrays_(arrays),
        device_(device),
        columns_(columns),
        work_(work_of(judge.formula->formula(), device, 1)) {}

  /// How many rows are worth to be judged.
  [[nodiscard]] std::int64_t most_rows() const { return static_cast<std::int64_t>(std::min(most, most_work / work_)); }

  /// Judges a row by its own formula, once.
  void judge(std::int64_t row, const Contract& contract) {
    if (!rows_.insert(row).second) return;
    const std::int64_t query = row % device_.queries;
    const auto copies = arrays_.row(row / device_.queries, query);
    std::vector<assay_tensor> given;
    for (const auto& each : copies) given.push_back(each->tensor);
    given.back() = arrays_.scale();
    auto own = std::make_shared<OwnCase>();
    own->judge = judge_of(enclosures::keys_of_query(device_, query));
    own->of = case_of(*own->judge, given);
    const std::vector<std::uint64_t> bits = bits_of_result(*own->of, copies.back()->tensor);
    const Contract& own_contract = *own->judge->operation.find(contract.id);
    assay_verdict verdict = verdict_with_specials(*own->judge, *own->of, bits, own_contract);
    if (verdict.verdict == ASSAY_KEPT || verdict.verdict == ASSAY_BROKEN) judged_ += verdict.judged;
    if (verdict.verdict == ASSAY_BROKEN) ++broken_;
    violated_ += verdict.violated;
    // The worst verdict of a row is that of the result.
    if (case_ != nullptr && is_no_worse(verdict, worst_)) return;
    verdict.component += static_cast<std::size_t>(row * columns_);
    worst_ = verdict;
    case_ = std::shared_ptr<assay_case>(own, own->of.get());
  }

  [[nodiscard]] const std::set<std::int64_t>& rows() const { return rows_; }
  [[nodiscard]] std::int64_t broken() const { return broken_; }
  [[nodiscard]] std::size_t judged() const { return judged_; }
  [[nodiscard]] std::size_t violated() const { return violated_; }
  [[nodiscard]] const assay_verdict& worst() const { return worst_; }
  [[nodiscard]] std::shared_ptr<assay_case> take() { return std::move(case_); }

 private:
  [[nodiscard]] std::unique_ptr<assay_judge> judge_of(std::int64_t seen) const {
    const formulas::Formula& formula = judge_.formula->formula();
    const std::string text = formulas::attention_of_query(formula, seen);
    std::vector<const char*> formats;
    for (const formulas::Parameter& each : formula.parameters) {
      formats.push_back(each.format.empty() ? nullptr : each.format.c_str());
    }
    assay_judge_options options{};
    options.struct_size = sizeof options;
    options.format = judge_.question.format.c_str();
    options.formula = text.c_str();
    options.format_of_parameter = formats.data();
    options.parameter_count = formats.size();
    return opened(options);
  }

  const assay_judge& judge_;
  const AttentionArrays& arrays_;
  const Attention& device_;
  std::int64_t columns_;
  double work_;
  assay_verdict worst_{};
  std::shared_ptr<assay_case> case_{};
  std::set<std::int64_t> rows_{};
  std::int64_t broken_ = 0;
  std::size_t judged_ = 0, violated_ = 0;
};

/// Rows with numbers that are not shown to be kept, those farthest from it first.
std::vector<std::int64_t> open_rows(const std::vector<BlockCount>& counts, std::int64_t columns) {
  std::vector<std::int64_t> open;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (counts[row].kept != columns) open.push_back(static_cast<std::int64_t>(row));
  }
  std::ranges::stable_sort(open, std::greater(),
                           [&](std::int64_t row) { return counts[static_cast<std::size_t>(row)].nearest; });
  return open;
}

/// Rows of which some numbers are shown to break a rule.
using AllRefuted = std::function<std::vector<Refuted>()>;

/// The verdict by them, if there are any: on all numbers that are shown to keep the rule or to break it.
std::optional<assay_verdict> refuted(assay_judge& judge, const Contract& contract, std::int64_t columns,
                                     const std::vector<BlockCount>& counts, const AllRefuted& find) {
  const std::vector<Refuted> all = find();
  const auto worst = std::ranges::max_element(all, {}, &Refuted::ratio);
  if (worst->broken == 0) return std::nullopt;
  assay_verdict told = verdict_of_refuted(judge, contract, *worst, (worst - all.begin()) * columns);
  for (const Refuted& each : all) told.violated += static_cast<std::size_t>(each.broken);
  told.judged = told.violated;
  for (const BlockCount& each : counts) told.judged += static_cast<std::size_t>(each.kept);
  return told;
}

/// Of rows that belong to queries: those that are open are judged by the host, and without such ones the last and the
/// nearest. Where the host has no time for a row, one that is refuted is told without it.
assay_verdict judged_by_query(assay_judge& judge, const AttentionArrays& arrays, const Attention& device,
                              std::int64_t columns, const std::vector<BlockCount>& counts, const Contract& contract,
                              const AllRefuted& find = {}) {
  RowsOfQueries exactly(judge, arrays, device, columns);
  const std::vector<std::int64_t> open = open_rows(counts, columns);
  if (find && !open.empty() && exactly.most_rows() == 0) {
    if (const auto told = refuted(judge, contract, columns, counts, find)) return *told;
  }
  const std::int64_t most = std::max<std::int64_t>(exactly.most_rows(), 1);
  for (const std::int64_t row : open | std::views::take(most)) {
    if (exactly.broken() == RowsOfQueries::most_broken) break;
    exactly.judge(row, contract);
  }
  const auto nearest = std::ranges::max_element(counts, {}, &BlockCount::nearest);
  if (exactly.broken() == 0 && exactly.most_rows() > 1) {
    exactly.judge(nearest - counts.begin(), contract);
    exactly.judge(static_cast<std::int64_t>(counts.size()) - 1, contract);
  }
  std::size_t judged = exactly.judged();
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (!exactly.rows().contains(static_cast<std::int64_t>(row))) judged += static_cast<std::size_t>(counts[row].kept);
  }
  assay_verdict told = exactly.rows().empty() ? verdict_of_device(judge, contract, nearest->nearest) : exactly.worst();
  told.exactly = exactly.judged();
  told.judged = judged;
  told.violated = exactly.violated();
  judge.in_place.of = exactly.take();
  return told;
}

/// Of rows that belong to keys, which depend on all queries: the host judges all of them, or none.
assay_verdict judged_by_key(assay_judge& judge, const Attention& device, std::int64_t columns,
                            const std::vector<BlockCount>& counts, const Contract& contract, const AllRefuted& find) {
  constexpr double most_work = 0x1p26;
  const std::vector<std::int64_t> open = open_rows(counts, columns);
  double nearest = -1;
  for (const BlockCount& each : counts) nearest = each.kept == columns ? std::max(nearest, each.nearest) : nearest;
  assay_verdict told = verdict_of_device(judge, contract, nearest);
  for (const BlockCount& each : counts) told.judged += static_cast<std::size_t>(each.kept);
  if (open.empty()) return told;
  const double work = work_of(judge.formula->formula(), device, device.queries);
  if (work * static_cast<double>(enclosures::all_heads(device)) <= most_work) {
    throw NoDevice("all gradients are judged on the host where one is not shown to be right");
  }
  if (const auto broken = refuted(judge, contract, columns, counts, find)) return *broken;
  told.verdict = ASSAY_UNDECIDED;
  told.component = static_cast<std::size_t>(open.front() * columns);
  told.preconditions = "a number of this row is shown neither to be right nor wrong, and the host would take hours";
  return told;
}

assay_verdict judged_gradient(assay_judge& judge, enclosures::Gradient gradient, const AttentionArrays& arrays,
                              const Contract& contract) {
  const GradientArrays device = arrays.on_device(true);
  const std::int64_t columns = enclosures::columns_of_gradient(device, gradient);
  const auto rule = rule_of<enclosures::GradientRule>(
      judge, contract.id,
      [&](const formulas::Machine& machine, const oracle::Format& format, enclosures::GradientRule& of) {
        const auto floor =
            formulas::gradient_floor(machine, gradient, format, device.of.queries, device.of.keys, device.of.columns);
        of.floor = floor.value_or(enclosures::GradientFloor{});
        of.ceiling = formulas::gradient_ceiling(machine);
        return floor.has_value();
      });
  const enclosures::GradientScreen screen(device, gradient, arrays.type());
  const std::vector<BlockCount> counts = screen.screen(rule);
  const AllRefuted find = [&] { return screen.refuted(rule); };
  assay_verdict told = gradient == enclosures::of_queries
                           ? judged_by_query(judge, arrays, device.of, columns, counts, contract, find)
                           : judged_by_key(judge, device.of, columns, counts, contract, find);
  told.components = counts.size() * static_cast<std::size_t>(columns);
  return told;
}

}  // namespace

assay_verdict judged_attention(assay_judge& judge, std::span<const assay_tensor> arguments, const assay_tensor& result,
                               const Contract& contract) {
  const formulas::Formula& formula = judge.formula->formula();
  const auto is_causal = formulas::is_causal_attention(formula);
  const auto gradient = formulas::gradient_of_attention(formula);
  const bool is_complete = arguments.size() == formula.parameters.size();
  if ((!is_causal && !gradient) || !is_complete)
    throw NoDevice(judge.operation.name + ": it is judged on the host alone");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const formulas::Parameter& parameter = formula.parameters[i];
    const std::string& format = parameter.format.empty() ? judge.question.format : parameter.format;
    if (format_of(element_of(arguments[i], parameter.name.c_str())) != format) {
      throw NoDevice(judge.operation.name + ": " + parameter.name + " has another format");
    }
  }
  const AttentionArrays arrays(formula, arguments, result);
  const ElementType type = arrays.type();
  // Products of binary64 are not exact there.
  if (type == ElementType::binary64 || format_of(type) != judge.question.format) {
    throw NoDevice("attention in this format is judged on the host alone");
  }
  assay_verdict told{};
  if (gradient) {
    told = judged_gradient(judge, *gradient, arrays, contract);
  } else {
    const Attention device = arrays.on_device(*is_causal).of;
    const auto rule = rule_of<enclosures::AttentionRule>(
        judge, contract.id,
        [&](const formulas::Machine& machine, const oracle::Format& format, enclosures::AttentionRule& of) {
          const auto floor = formulas::attention_floor(machine, format, device.keys);
          of.floor = floor.value_or(enclosures::AttentionFloor{});
          return floor.has_value();
        });
    const std::vector<BlockCount> counts = enclosures::AttentionScreen(device, type).screen(rule);
    told = judged_by_query(judge, arrays, device, device.columns, counts, contract);
    told.components = counts.size() * static_cast<std::size_t>(device.columns);
  }
  told.contract = contract.id.c_str();
  return told;
}

}  // namespace assay::judge
