// Results of attention that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "enclosures/attention.hpp"
#include "enclosures/rows.hpp"
#include "properties/formulas/door/attention.hpp"

namespace assay::judge {
namespace {

using enclosures::Attention;
using enclosures::BlockCount;
using enclosures::NoDevice;

void refuse(bool fits) {
  if (!fits) throw NoDevice("attention of these arrays is judged on the host alone");
}

/// The arguments q, k, v and scale of a formula, and the result. Its axes are n of the queries, m of the keys, d and e
/// of their numbers; all others tell heads apart, as do the axes that all arrays have before those of the formula.
class Arrays {
 public:
  /// Errors: NoDevice for what the host alone judges, or refuses.
  Arrays(const formulas::Formula& formula, std::span<const assay_tensor> arguments, const assay_tensor& result)
      : arguments_(arguments.begin(), arguments.end()) {
    refuse(arguments.size() == 4 && arguments[3].ndim == 0);
    const auto add = [&](const assay_tensor& tensor, const std::vector<std::size_t>& axes) {
      Array& array = arrays_.emplace_back(Array{tensor, layout_of(tensor), {}});
      for (const std::size_t axis : axes) array.names.push_back(formula.axes[axis].name);
    };
    for (std::size_t i = 0; i < 3; ++i) add(arguments[i], formula.parameters[i].axes);
    add(result, formula.result_axes());
    const assay_tensor& q = arguments[0];
    const std::size_t leading = arrays_[0].leading();
    for (const Array& each : arrays_) {
      refuse(each.tensor.code == q.code && each.tensor.bits == q.bits && each.leading() == leading);
      for (std::size_t d = 0; d < each.layout.shape.size(); ++d) {
        const auto [at, is_new] = lengths_.emplace(each.name(d), each.layout.shape[d]);
        refuse(each.layout.shape[d] != 0 && at->second == each.layout.shape[d]);
      }
      refuse(each.layout.shape.back() == 1 || each.layout.strides.back() == 1);
    }
    for (std::size_t d = 0; d < arrays_[3].layout.shape.size(); ++d) {
      const std::string name = arrays_[3].name(d);
      if (name != "n" && name != "e") heads_.push_back(name);
    }
    refuse(heads_.size() <= enclosures::head_axes);
  }

  [[nodiscard]] Attention on_device(bool is_causal) const {
    const double scale = enclosures::number_at(element_of(arguments_[3], "scale"), arguments_[3].data, 0);
    Attention of{rows_of(0),  rows_of(1),       rows_of(2),       rows_of(3), {1, 1, 1, 1},     length("n"),
                 length("m"), lengths_.at("d"), lengths_.at("e"), scale,      is_causal ? 1 : 0};
    for (std::size_t i = 0; i < heads_.size(); ++i) of.heads[i] = length(heads_[i]);
    return of;
  }

  /// An array of one head, or its only row, as the formula has it, in the memory of the host.
  struct Copy {
    std::vector<std::byte> memory;
    std::vector<std::int64_t> shape, strides;
    assay_tensor tensor;
  };
  /// Array i: q, k, v or the result.
  [[nodiscard]] std::unique_ptr<Copy> copy(std::size_t i, std::int64_t start, std::int64_t rows) const {
    const Array& array = arrays_[i];
    const std::int64_t step = rows_of(i).row_step, columns = array.layout.shape.back();
    auto own = std::make_unique<Copy>();
    own->memory = copied(array.tensor.data, start, (rows - 1) * step + columns, array.tensor.bits / 8U);
    for (const std::string& name : array.names) {
      own->shape.push_back(name == "m" ? rows : 1);
      own->strides.push_back(name == "m" ? step : 1);
    }
    own->shape.back() = columns;
    own->tensor = judge::on_host(array.tensor, own->memory.data(), own->shape, own->strides);
    return own;
  }
  [[nodiscard]] const assay_tensor& scale() const { return arguments_[3]; }

 private:
  struct Array {
    assay_tensor tensor;
    Layout layout;
    std::vector<std::string> names;  ///< of the formula's axes

    [[nodiscard]] std::size_t leading() const {
      refuse(layout.shape.size() >= names.size());
      return layout.shape.size() - names.size();
    }
    /// Of any of its axes: digits for those before the formula's.
    [[nodiscard]] std::string name(std::size_t axis) const {
      return axis < leading() ? std::to_string(axis) : names[axis - leading()];
    }
    /// Its step along an axis; 0 where it does not have the axis.
    [[nodiscard]] std::int64_t step(const std::string& axis) const {
      for (std::size_t d = 0; d < layout.shape.size(); ++d) {
        if (name(d) == axis) return layout.strides[d];
      }
      return 0;
    }
  };
  [[nodiscard]] std::int64_t length(const std::string& axis) const {
    const auto at = lengths_.find(axis);
    return at == lengths_.end() ? 1 : at->second;
  }
  [[nodiscard]] enclosures::Heads rows_of(std::size_t i) const {
    const Array& array = arrays_[i];
    enclosures::Heads heads{array.tensor.data, {}, array.step(i == 1 || i == 2 ? "m" : "n")};
    for (std::size_t axis = 0; axis < heads_.size(); ++axis) heads.steps[axis] = array.step(heads_[axis]);
    return heads;
  }

  std::vector<assay_tensor> arguments_;
  std::vector<Array> arrays_{};
  std::map<std::string, std::int64_t> lengths_{};
  std::vector<std::string> heads_{};  ///< the axes of heads in the order of the result's
};

/// The rule of a contract. Errors: NoDevice for one that the host alone judges.
enclosures::AttentionRule rule_of(const assay_judge& judge, const std::string& contract, std::int64_t keys,
                                  const oracle::Format& format) {
  enclosures::AttentionRule rule{enclosures::rule_within, format.precision, format.emin, false, {}};
  if (contract == "correctly_rounded" || contract == "faithful") {
    rule.kind = contract == "faithful" ? enclosures::rule_faithful : enclosures::rule_rounded;
    return rule;
  }
  for (const formulas::Machine& machine : judge.formula->machines(judge.question.format, contract)) {
    if (machine.name != contract) continue;
    const auto floor = formulas::attention_floor(machine, format, keys);
    if (!floor) break;
    rule.is_stored = machine.wide != format;
    rule.floor = *floor;
    return rule;
  }
  throw NoDevice(judge.operation.name + ": " + contract + " is judged on the host alone");
}

/// A case with the judge of its formula.
struct OwnCase {
  std::unique_ptr<assay_judge> judge;
  std::unique_ptr<assay_case> of;
};

/// The judgments of single rows on the host.
class RowsOfAttention {
 public:
  static constexpr std::int64_t most_open = 8;    ///< rows that no enclosure decides
  static constexpr std::int64_t most_broken = 2;  ///< rows that are worth to be counted

  RowsOfAttention(const assay_judge& judge, const Arrays& arrays, const Attention& device)
      : judge_(judge), arrays_(arrays), device_(device) {}

  /// Judges a row by its own formula, once.
  void judge(std::int64_t row, const Contract& contract) {
    if (!rows_.insert(row).second) return;
    const std::int64_t head = row / device_.queries, query = row % device_.queries;
    const auto copy = [&](std::size_t i, const enclosures::Heads& of, std::int64_t first, std::int64_t rows) {
      return arrays_.copy(i, enclosures::start_of(of, device_, head) + first * of.row_step, rows);
    };
    const auto q = copy(0, device_.q, query, 1), k = copy(1, device_.k, 0, device_.keys),
               v = copy(2, device_.v, 0, device_.keys), got = copy(3, device_.got, query, 1);
    const std::array given{q->tensor, k->tensor, v->tensor, arrays_.scale()};
    auto own = std::make_shared<OwnCase>();
    own->judge = judge_of(enclosures::keys_of_query(device_, query));
    own->of = case_of(*own->judge, given);
    const std::vector<std::uint64_t> bits = bits_of_result(*own->of, got->tensor);
    const auto verdict_by = [&](const std::string& id) {
      own->judge->kernel->answer(own->of->record, bits);
      assay_verdict verdict{};
      verdict.struct_size = sizeof verdict;
      const std::array told{&verdict};
      judge_case(*own->of, told, own->judge->operation.find(id));
      return verdict;
    };
    assay_verdict verdict = verdict_by(contract.id);
    // A contract about an error is kept only where infinities and NaNs give what IEEE arithmetic does.
    if (verdict.verdict == ASSAY_NO_CLAIM && contract.is_about_error) {
      const assay_verdict of_special = verdict_by("exceptional");
      verdict = of_special.verdict == ASSAY_NO_CLAIM ? verdict_by(contract.id) : of_special;
    }
    const auto rank = [](const assay_verdict& each) {
      return each.verdict == ASSAY_BROKEN ? 2 : each.verdict == ASSAY_KEPT ? 1 : 0;
    };
    if (rank(verdict) != 0) judged_ += verdict.judged;
    if (rank(verdict) == 2) ++broken_;
    violated_ += verdict.violated;
    if (case_ != nullptr && std::pair(rank(verdict), verdict.ratio) <= std::pair(rank(worst_), worst_.ratio)) return;
    verdict.component += static_cast<std::size_t>(row * device_.columns);
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
  const Arrays& arrays_;
  const Attention& device_;
  assay_verdict worst_{};
  std::shared_ptr<assay_case> case_{};
  std::set<std::int64_t> rows_{};
  std::int64_t broken_ = 0;
  std::size_t judged_ = 0, violated_ = 0;
};

}  // namespace

assay_verdict judged_attention(assay_judge& judge, std::span<const assay_tensor> arguments, const assay_tensor& result,
                               const Contract& contract) {
  const auto is_causal = formulas::is_causal_attention(judge.formula->formula());
  if (!is_causal) throw NoDevice(judge.operation.name + ": it is judged on the host alone");
  const Arrays arrays(judge.formula->formula(), arguments, result);
  const Attention device = arrays.on_device(*is_causal);
  const enclosures::ElementType type = element_of(arguments[0], "q");
  // Products of binary64 are not exact there.
  refuse(type != enclosures::ElementType::binary64 && format_of(type) == judge.question.format);
  const oracle::Format format = formulas::format_of_name(judge.question.format);
  const enclosures::AttentionRule rule = rule_of(judge, contract.id, device.keys, format);
  const std::vector<BlockCount> counts = enclosures::AttentionScreen(device, type).screen(rule);

  std::vector<std::int64_t> open;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (counts[row].kept != device.columns) open.push_back(static_cast<std::int64_t>(row));
  }
  RowsOfAttention exactly(judge, arrays, device);
  // Of many open rows some all over the result, the first and the last among them.
  const auto rows = static_cast<std::int64_t>(open.size());
  for (std::int64_t i = 0;
       i < std::min(rows, RowsOfAttention::most_open) && exactly.broken() < RowsOfAttention::most_broken; ++i) {
    const std::int64_t at = rows <= RowsOfAttention::most_open ? i : i * (rows - 1) / (RowsOfAttention::most_open - 1);
    exactly.judge(open[static_cast<std::size_t>(at)], contract);
  }
  if (exactly.broken() == 0) {
    exactly.judge(std::ranges::max_element(counts, {}, &BlockCount::nearest) - counts.begin(), contract);
    exactly.judge(static_cast<std::int64_t>(counts.size()) - 1, contract);
  }
  std::size_t judged = exactly.judged();
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (!exactly.rows().contains(static_cast<std::int64_t>(row))) judged += static_cast<std::size_t>(counts[row].kept);
  }
  assay_verdict told = exactly.worst();
  told.contract = contract.id.c_str();
  told.components = counts.size() * static_cast<std::size_t>(device.columns);
  told.exactly = exactly.judged();
  told.judged = judged;
  told.violated = exactly.violated();
  judge.in_place.of = exactly.take();
  return told;
}

}  // namespace assay::judge
