// Results of operations on rows that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "enclosures/rows.hpp"

namespace assay::judge {
namespace {

using enclosures::BlockCount;
using enclosures::NoDevice;

constexpr std::int64_t most_rows = std::int64_t{1} << 22;
constexpr std::int64_t most_open_rows = 32;   // rows that no enclosure decides
constexpr std::int64_t most_broken_rows = 8;  // rows that are worth to be counted

/// Where the host judges: x lies at `x` of the arguments, after ε of a norm.
struct Inputs {
  std::vector<assay_tensor> arguments;
  assay_tensor result;
  std::size_t x;
  enclosures::DeviceRows device;
};

/// Errors: NoDevice for what the host alone judges, or refuses.
Inputs inputs_of(const RowRules& rules, std::vector<assay_tensor> arguments, const assay_tensor& result) {
  const auto refuse = [](bool fits) {
    if (!fits) throw NoDevice("rows of this layout are judged on the host alone");
  };
  const bool is_norm = rules.operation == enclosures::layer_norm || rules.operation == enclosures::rms_norm;
  refuse(arguments.size() == (rules.operation == enclosures::layer_norm ? 4U : is_norm ? 3U : 1U));
  Inputs all{std::move(arguments), result, is_norm ? 1U : 0U, {}};
  const assay_tensor& x = all.arguments[all.x];
  const auto is_like_x = [&](const assay_tensor& each) { return each.code == x.code && each.bits == x.bits; };
  const auto step_of = [&](const assay_tensor& each) {
    refuse(each.ndim == 2 && is_like_x(each) && std::ranges::equal(shape_of(each), shape_of(x)));
    const Layout layout = layout_of(each);
    refuse(layout.shape[1] == 1 || layout.strides[1] == 1);
    return layout.strides[0];
  };
  const auto column_of = [&](std::size_t at) -> const void* {
    if (at >= all.arguments.size()) return nullptr;
    const assay_tensor& each = all.arguments[at];
    refuse(each.ndim == 1 && is_like_x(each) && each.shape[0] == x.shape[1] && layout_of(each).strides[0] == 1);
    return each.data;
  };
  refuse(x.ndim == 2 && x.shape[0] > 0 && x.shape[1] > 0 && x.shape[0] <= most_rows);
  all.device = {
      rules.operation,
      element_of(x, "x"),
      x.shape[0],
      {x.data, result.data, column_of(all.x + 1), column_of(all.x + 2), step_of(x), step_of(result), x.shape[1]}};
  return all;
}

/// The judgments of single rows on the host.
class RowsOfHost {
 public:
  RowsOfHost(assay_judge& judge, const Inputs& inputs)
      : judge_(judge), prototype_(prototype_of(judge)), inputs_(inputs) {
    for (std::size_t at = inputs.x + 1; at < inputs.arguments.size(); ++at) {
      columns_.push_back(copied(inputs.arguments[at].data, 0, rows().columns, width()));
    }
  }

  /// Weights, or biases; null without them.
  [[nodiscard]] const std::byte* columns(std::size_t at) const {
    return at < columns_.size() ? columns_[at].data() : nullptr;
  }

  /// Errors: NoDevice for a row of which the contract says nothing.
  void judge(std::int64_t row, const Contract& contract) {
    std::vector<std::byte> x = copied(rows().x, row * rows().x_step, rows().columns, width());
    std::vector<std::byte> got = copied(rows().got, row * rows().got_step, rows().columns, width());
    const std::array<std::int64_t, 2> shape{1, rows().columns};
    const std::array<std::int64_t, 2> steps{rows().columns, 1};
    std::vector<assay_tensor> given = inputs_.arguments;
    given[inputs_.x] = on_host(given[inputs_.x], x.data(), shape, steps);
    for (std::size_t at = 0; at < columns_.size(); ++at) given[inputs_.x + 1 + at].data = columns_[at].data();
    std::unique_ptr<assay_case> of = case_of(judge_, prototype_, given);
    judge_.kernel->answer(of->record, bits_of_result(*of, on_host(inputs_.result, got.data(), shape, steps)));
    assay_verdict verdict{};
    verdict.struct_size = sizeof verdict;
    const std::array told{&verdict};
    judge_case(*of, told, &contract);
    if (verdict.verdict != ASSAY_KEPT && verdict.verdict != ASSAY_BROKEN) {
      throw NoDevice("rows of which the contract says nothing are judged on the host alone");
    }
    const bool is_broken = verdict.verdict == ASSAY_BROKEN;
    ++judged_;
    broken_ += is_broken ? 1 : 0;
    violated_ += verdict.violated;
    if (case_ != nullptr &&
        std::pair(is_broken, verdict.ratio) <= std::pair(worst_.verdict == ASSAY_BROKEN, worst_.ratio))
      return;
    verdict.component += static_cast<std::size_t>(row * rows().columns);
    worst_ = verdict;
    case_ = std::move(of);
  }

  [[nodiscard]] std::int64_t judged() const { return judged_; }
  [[nodiscard]] std::int64_t broken() const { return broken_; }
  [[nodiscard]] std::size_t violated() const { return violated_; }
  [[nodiscard]] const assay_verdict& worst() const { return worst_; }
  [[nodiscard]] std::shared_ptr<assay_case> take() { return std::move(case_); }

 private:
  [[nodiscard]] const enclosures::Rows& rows() const { return inputs_.device.arrays; }
  [[nodiscard]] std::size_t width() const { return enclosures::bytes_of(inputs_.device.type); }

  assay_judge& judge_;
  Record prototype_;
  const Inputs& inputs_;
  std::vector<std::vector<std::byte>> columns_{};
  assay_verdict worst_{};
  std::shared_ptr<assay_case> case_{};
  std::int64_t judged_ = 0, broken_ = 0;
  std::size_t violated_ = 0;
};

double eps_of(const Inputs& inputs) {
  const assay_tensor& eps = inputs.arguments.front();
  return inputs.x == 0 ? 0 : enclosures::number_at(element_of(eps, "eps"), eps.data, 0);
}

}  // namespace

assay_verdict judged_rows(assay_judge& judge, const RowRules& rules, std::vector<assay_tensor> arguments,
                          const assay_tensor& result, const Contract& contract) {
  const Inputs inputs = inputs_of(rules, std::move(arguments), result);
  const enclosures::DeviceRows& device = inputs.device;
  const std::int64_t columns = device.arrays.columns;
  if (format_of(device.type) != judge.question.format) throw NoDevice("another format than that of the judge");
  const auto rule = rules.rule(contract.id, judge.question.format, columns, eps_of(inputs));
  if (!rule) throw NoDevice(judge.operation.name + ": " + contract.id + " is judged on the host alone");
  const enclosures::RowScreen screen(device);
  RowsOfHost exactly(judge, inputs);
  for (std::int64_t i = 0; i < columns && rule->speaks_of; ++i) {
    const std::byte* const biases = exactly.columns(1);
    const double bias = biases == nullptr ? 0 : enclosures::number_at(device.type, biases, i);
    if (!rule->speaks_of(enclosures::number_at(device.type, exactly.columns(0), i), bias)) {
      throw NoDevice("columns of which the bounds do not speak are judged on the host alone");
    }
  }

  const std::vector<BlockCount> counts = screen.screen(*rule);
  std::int64_t kept = 0, open_rows = 0;
  for (const BlockCount& each : counts) {
    kept += each.kept;
    open_rows += each.kept != columns ? 1 : 0;
  }
  for (std::int64_t row = 0; row < device.rows; ++row) {
    const std::int64_t kept_here = counts[static_cast<std::size_t>(row)].kept;
    if (kept_here == columns) continue;
    if (exactly.judged() == most_open_rows || exactly.broken() == most_broken_rows) break;
    exactly.judge(row, contract);
    kept += columns - kept_here;
  }
  if (exactly.broken() == 0) {
    if (open_rows > exactly.judged()) throw NoDevice("too many rows are open on the device");
    const auto nearest = std::ranges::max_element(counts, {}, &BlockCount::nearest) - counts.begin();
    exactly.judge(nearest, contract);
    if (nearest != device.rows - 1) exactly.judge(device.rows - 1, contract);
  }
  assay_verdict told = exactly.worst();
  told.contract = contract.id.c_str();
  told.components = static_cast<std::size_t>(device.rows * columns);
  told.exactly = static_cast<std::size_t>(exactly.judged() * columns);
  told.judged = static_cast<std::size_t>(kept);
  told.violated = exactly.violated();
  judge.in_place.of = exactly.take();
  return told;
}

}  // namespace assay::judge
