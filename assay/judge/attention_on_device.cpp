// Results of attention that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cstdint>
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

/// Rows of an array with the heads in its first axes, if there are several.
enclosures::Heads heads_of(const assay_tensor& tensor) {
  const Layout layout = layout_of(tensor);
  const std::size_t leading = layout.shape.size() - 2;
  refuse(layout.shape.back() == 1 || layout.strides.back() == 1);
  return {tensor.data, leading == 2 ? layout.strides[0] : 0, leading == 0 ? 0 : layout.strides[leading - 1],
          layout.strides[leading]};
}

/// The arguments q, k, v and scale, and the result, on a device. Errors: NoDevice for what the host alone judges, or
/// refuses.
Attention attention_of(std::span<const assay_tensor> arguments, const assay_tensor& result, bool is_causal) {
  refuse(arguments.size() == 4 && arguments[3].ndim == 0);
  const std::array arrays{arguments[0], arguments[1], arguments[2], result};
  const assay_tensor& q = arrays[0];
  for (const assay_tensor& each : arrays) {
    refuse(each.ndim == q.ndim && each.ndim >= 2 && each.ndim <= 4 && each.code == q.code && each.bits == q.bits);
    refuse(std::ranges::none_of(shape_of(each), [](std::int64_t side) { return side == 0; }));
    refuse(std::ranges::equal(shape_of(each).first(each.ndim - 2), shape_of(q).first(q.ndim - 2)));
  }
  const auto side = [&](std::size_t array, std::int32_t from_end) { return arrays[array].shape[q.ndim - from_end]; };
  refuse(side(0, 1) == side(1, 1) && side(1, 2) == side(2, 2) && side(0, 2) == side(3, 2) && side(2, 1) == side(3, 1));
  const double scale = enclosures::number_at(element_of(arguments[3], "scale"), arguments[3].data, 0);
  return {heads_of(arrays[0]),
          heads_of(arrays[1]),
          heads_of(arrays[2]),
          heads_of(arrays[3]),
          q.ndim == 4 ? q.shape[0] : 1,
          q.ndim >= 3 ? q.shape[q.ndim - 3] : 1,
          side(0, 2),
          side(1, 2),
          side(0, 1),
          side(2, 1),
          scale,
          is_causal ? 1 : 0};
}

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

  RowsOfAttention(const assay_judge& judge, const Attention& device, std::span<const assay_tensor> arguments,
                  const assay_tensor& result)
      : judge_(judge), device_(device), arguments_(arguments.begin(), arguments.end()), result_(result) {}

  /// Judges a row by its own formula, once.
  void judge(std::int64_t row, const Contract& contract) {
    if (!rows_.insert(row).second) return;
    const std::int64_t head = row / device_.queries, query = row % device_.queries;
    std::vector<assay_tensor> given = arguments_;
    const Copy q(given[0], device_.q, start_of(device_.q, head) + query * device_.q.row_step, 1, device_.width);
    const Copy k(given[1], device_.k, start_of(device_.k, head), device_.keys, device_.width);
    const Copy v(given[2], device_.v, start_of(device_.v, head), device_.keys, device_.columns);
    const Copy got(result_, device_.got, start_of(device_.got, head) + query * device_.got.row_step, 1,
                   device_.columns);
    given[0] = q.tensor, given[1] = k.tensor, given[2] = v.tensor;
    auto own = std::make_shared<OwnCase>();
    own->judge = judge_of(enclosures::keys_of_query(device_, query));
    own->of = case_of(*own->judge, given);
    const std::vector<std::uint64_t> bits = bits_of_result(*own->of, got.tensor);
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
  /// Some rows of one head in the memory of the host.
  struct Copy {
    Copy(const assay_tensor& like, const enclosures::Heads& of, std::int64_t start, std::int64_t rows,
         std::int64_t columns)
        : memory(copied(of.data, start, (rows - 1) * of.row_step + columns, like.bits / 8U)),
          shape{rows, columns},
          steps{of.row_step, 1},
          tensor(on_host(like, memory.data(), shape, steps)) {}
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    std::vector<std::byte> memory;
    std::array<std::int64_t, 2> shape, steps;
    assay_tensor tensor;
  };

  [[nodiscard]] std::int64_t start_of(const enclosures::Heads& of, std::int64_t head) const {
    return head / device_.heads * of.batch_step + head % device_.heads * of.head_step;
  }
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
  const Attention& device_;
  std::vector<assay_tensor> arguments_;
  assay_tensor result_;
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
  const Attention device = attention_of(arguments, result, *is_causal);
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
  RowsOfAttention exactly(judge, device, arguments, result);
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
