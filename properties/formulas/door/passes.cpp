// The passes of a device through the rows of a formula.

#include "properties/formulas/door/passes.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>

#include "oracle/decode.hpp"
#include "oracle/magnitude.hpp"
#include "properties/formulas/forward.hpp"
#include "properties/formulas/values.hpp"

namespace assay::formulas {
namespace {

using enclosures::ElementwiseFormula;
using enclosures::ElementwiseGraph;
using enclosures::ElementwiseNode;
using enclosures::ElementwiseNumber;
using enclosures::FormulaPass;
using enclosures::Reduction;

/// An operation and, for a function, its name.
std::optional<std::pair<int, int>> operation_of(Op op) {
  static const std::map<Op, std::pair<int, int>> all{{Op::add, {enclosures::op_add, 0}},
                                                     {Op::sub, {enclosures::op_sub, 0}},
                                                     {Op::mul, {enclosures::op_mul, 0}},
                                                     {Op::div, {enclosures::op_div, 0}},
                                                     {Op::neg, {enclosures::op_neg, 0}},
                                                     {Op::abs, {enclosures::op_abs, 0}},
                                                     {Op::relu, {enclosures::op_relu, 0}},
                                                     {Op::sign, {enclosures::op_sign, 0}},
                                                     {Op::maximum, {enclosures::op_maximum, 0}},
                                                     {Op::minimum, {enclosures::op_minimum, 0}},
                                                     {Op::power, {enclosures::op_power, 0}},
                                                     {Op::exp, {enclosures::op_function, enclosures::exp_of}},
                                                     {Op::expm1, {enclosures::op_function, enclosures::expm1_of}},
                                                     {Op::log, {enclosures::op_function, enclosures::log_of}},
                                                     {Op::log1p, {enclosures::op_function, enclosures::log1p_of}},
                                                     {Op::sqrt, {enclosures::op_function, enclosures::sqrt_of}},
                                                     {Op::rsqrt, {enclosures::op_function, enclosures::rsqrt_of}},
                                                     {Op::tanh, {enclosures::op_function, enclosures::tanh_of}},
                                                     {Op::erf, {enclosures::op_function, enclosures::erf_of}},
                                                     {Op::sigmoid, {enclosures::op_function, enclosures::sigmoid_of}}};
  const auto at = all.find(op);
  return at == all.end() ? std::nullopt : std::optional(at->second);
}

/// formula.const.1
ElementwiseNumber constant_of(const Ball& c, const Machine* machine) {
  const double value = c.lower().to_double_nearest();
  const Magnitude off(sub(c, Ball(oracle::exact(value)), 128));
  ElementwiseNumber number{value, off.value().to_double_up(), 0, 0};
  if (machine == nullptr) return number;
  const oracle::Format& wide = machine->wide;
  const Dyadic low = c.lower();
  const bool is_number =
      Magnitude::radius(c).is_zero() && (low.is_zero() || (low.bit_length() <= wide.precision &&
                                                           low.lowest_exponent() >= wide.emin - wide.precision + 1));
  if (is_number) return number;
  const double error = std::ldexp(std::abs(value), -wide.precision) + std::ldexp(1.0, wide.emin - wide.precision);
  number.least = error * enclosures::elementwise_down;
  number.most = error * enclosures::elementwise_up;
  return number;
}

bool is_power_of_two(const Ball& c) { return Magnitude::radius(c).is_zero() && c.lower().bit_length() == 1; }

/// A formula with numbers in place of lengths.
Formula with_lengths(Formula formula, const std::vector<std::int64_t>& lengths) {
  for (Node& node : formula.nodes) {
    if (!node.length) continue;
    std::int64_t value = node.length->constant;
    for (const Affine::Term& each : node.length->lengths) value += each.factor * lengths[each.axis];
    node.value = oracle::Rational(value);
    node.length.reset();
  }
  return formula;
}

/// Adds the passes of one graph.
class Graph {
 public:
  Graph(const Formula& formula, const Typed& typed, const RowAxes& axes, const Machine* machine,
        const std::vector<double>& scalars, const std::vector<std::int64_t>& lengths, ElementwiseFormula& out)
      : formula_(with_lengths(formula, lengths)),
        typed_(typed),
        axes_(axes),
        machine_(machine),
        scalars_(scalars),
        out_(out),
        places_(formula_.nodes.size()),
        level_(formula_.nodes.size()),
        is_one_sided_(formula_.nodes.size()) {
    for (const std::size_t axis : axes.columns) terms_ *= axes.is_flat ? 1 : lengths[axis];
  }

  /// False where an operation is not one of a device; then nothing is added.
  bool add() {
    ElementwiseFormula before = out_;
    const bool is_added = find_values() && classify() && emit();
    if (!is_added) out_ = std::move(before);
    return is_added;
  }

 private:
  static constexpr int most_row_numbers = 96;
  /// A reduction and the nodes of its terms.
  struct Planned {
    Reduction reduction;
    std::size_t a, b;
  };

  /// The values of constants: those of a case with one entry along each axis.
  bool find_values() {
    Inputs inputs;
    inputs.integers.resize(formula_.parameters.size());
    for (std::size_t p = 0; p < formula_.parameters.size(); ++p) {
      inputs.numbers.push_back({Dyadic(1)});
      if (formula_.parameters[p].index_of) inputs.integers[p] = {0};
    }
    const std::vector<std::int64_t> ones(formula_.axes.size(), 1);
    try {
      values_ = evaluate(Shaped(formula_, ones, inputs.integers), inputs, 128);
    } catch (const FormulaError&) {
      return false;  // a slice leaves an axis that is so short
    }
    return true;
  }

  [[nodiscard]] const Node& node_of(std::size_t k) const { return formula_.nodes[k]; }
  [[nodiscard]] bool is_of_columns(std::size_t k) const {
    return std::ranges::any_of(node_of(k).axes, [&](std::size_t axis) { return has_all(axes_.columns, {axis}); });
  }
  [[nodiscard]] bool is_scalar(std::size_t k) const {
    if (node_of(k).op != Op::input) return false;
    const Parameter& parameter = formula_.parameters[node_of(k).parameter];
    return parameter.axes.empty() && !parameter.index_of;
  }
  /// The node whose numbers a node has.
  [[nodiscard]] std::size_t same_as(std::size_t k) const {
    while (node_of(k).op == Op::gather || node_of(k).op == Op::logits) k = node_of(k).arguments[0];
    return k;
  }
  /// How many parameters before this one have axes, or have none.
  [[nodiscard]] std::size_t parameters_before(std::size_t parameter, bool has_axes) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(formula_.parameters | std::views::take(parameter),
                              [&](const Parameter& each) { return each.axes.empty() != has_axes; }));
  }
  [[nodiscard]] bool stores(std::size_t k) const {
    return machine_ != nullptr && machine_->stores(node_of(k)) && k != formula_.result;
  }
  int constant(const ElementwiseNumber& number) {
    out_.constants.push_back(number);
    return -static_cast<int>(out_.constants.size());
  }
  int row_numbers(int count) {
    out_.row_numbers += count;
    return out_.row_numbers - count;
  }

  /// Finds the level of each node, which is the number of the pass in which it is there, and the reductions.
  bool classify() {
    for (std::size_t k = 0; k < formula_.nodes.size(); ++k) {
      if (is_number(k) && !classify_number(k)) return false;
    }
    for (std::size_t k = 0; k < formula_.nodes.size(); ++k) {
      if (!is_number(k) && !classify(k)) return false;
    }
    return out_.row_numbers <= most_row_numbers;
  }
  /// Whether a node has one number for all rows.
  [[nodiscard]] bool is_number(std::size_t k) const {
    return node_of(k).is_constant || node_of(k).op == Op::constant || is_scalar(k);
  }
  bool classify_number(std::size_t k) {
    const bool is_input = is_scalar(k);
    const double x = is_input ? scalars_[parameters_before(node_of(k).parameter, false)] : 0;
    places_[k] = constant(is_input ? ElementwiseNumber{x, 0, 0, 0} : constant_of(values_[k][0], machine_));
    // A machine may not have a number so large.
    const double most = out_.costs.largest_wide;
    return is_input ? std::abs(x) <= most : values_[k][0].is_finite() && Magnitude(values_[k][0]).to_double() <= most;
  }
  bool classify(std::size_t k) {
    const Node& node = node_of(k);
    const bool is_index = node.op == Op::input && formula_.parameters[node.parameter].index_of;
    if (is_index) return !formula_.parameters[node.parameter].axes.empty();
    if (node.mask) return false;
    const std::size_t count = node.op == Op::pick ? 1 : node.arguments.size();
    for (std::size_t a = 0; a < count; ++a) level_[k] = std::max(level_[k], level_[node.arguments[a]]);
    switch (node.op) {
      case Op::sum:
      case Op::dot:
      case Op::maximum_over:
      case Op::pick:
      case Op::variance:
        return is_of_row(node) && reduce(k);
      case Op::logits:
        return is_of_row(node) && reduce_logits(k);
      case Op::logsumexp:
      case Op::norm:
      case Op::softmax:
        level_[k] = level_[node.arguments[0]] + 2;
        places_[k] = enclosures::most_slots + exponentials_.at(node.arguments[0]);
        if (node.op == Op::logsumexp) store_logarithm(k);
        return true;
      case Op::gather:
        places_[k] = places_[node.arguments[0]];
        return is_arrangement(node);
      default:
        break;
    }
    if (node.op != Op::input && (!operation_of(node.op) || node.exponent > 16)) return false;
    const bool hands_on = node.op == Op::add || node.op == Op::sqrt || node.op == Op::rsqrt;
    is_one_sided_[k] = hands_on && !stores(k) && std::ranges::any_of(node.arguments, [&](std::size_t a) {
                         return static_cast<bool>(is_one_sided_[a]);
                       });
    if (!is_of_columns(k)) places_[k] = enclosures::most_slots + row_numbers(1);
    return true;
  }

  /// Whether a reduction runs along all columns of an argument that has some.
  [[nodiscard]] bool is_of_row(const Node& node) const {
    return !axes_.is_flat && has_all(node.over, axes_.columns) && has_all(axes_.columns, node.over) &&
           std::ranges::any_of(node.arguments, [&](std::size_t a) { return is_of_columns(a); });
  }
  /// Whether a slice has all entries in their places, in another order of the axes.
  [[nodiscard]] bool is_arrangement(const Node& node) const {
    const std::vector<std::size_t>& axes = node_of(node.arguments[0]).axes;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      const Affine& each = node.index[d];
      const bool is_own_axis =
          each.indices.size() == 1 && each.indices[0].axis == axes[d] && each.indices[0].factor == 1;
      if (!is_own_axis || each.constant != 0 || !each.lengths.empty() || !each.integers.empty()) return false;
    }
    return true;
  }

  Planned planned(int op, std::size_t k, int numbers) {
    Planned of{};
    of.reduction.op = op;
    of.reduction.slot = row_numbers(numbers);
    of.reduction.terms = static_cast<double>(terms_);
    const Order order = machine_ == nullptr ? Order::any : machine_->order;
    of.reduction.height = static_cast<double>(height(order, static_cast<unsigned long>(terms_)));
    of.a = same_as(node_of(k).arguments[0]);
    of.b = op == enclosures::products_of_row ? same_as(node_of(k).arguments[1]) : of.a;
    return of;
  }
  void plan(std::size_t level, const Planned& of) {
    planned_.resize(std::max(planned_.size(), level + 1));
    planned_[level].push_back(of);
  }

  bool reduce(std::size_t k) {
    const Node& node = node_of(k);
    if (node.op == Op::variance) {
      Planned first = planned(enclosures::moments_of_row, k, enclosures::numbers_of_moments);
      Planned of = planned(enclosures::deviations_of_row, k, 1);
      of.reduction.needed = first.reduction.slot;
      of.reduction.is_stored = stores(k) ? 1 : 0;
      plan(level_[k], first);
      plan(level_[k] + 1, of);
      is_one_sided_[k] = !stores(k) && machine_ != nullptr && !machine_->has_one_pass;
      places_[k] = enclosures::most_slots + of.reduction.slot;
      level_[k] += 2;
      return true;
    }
    const bool is_dot = node.op == Op::dot, selects = node.op == Op::maximum_over;
    Planned of = planned(is_dot                ? enclosures::products_of_row
                         : selects             ? enclosures::largest_of_row
                         : node.op == Op::pick ? enclosures::picked_of_row
                                               : enclosures::sum_of_row,
                         k, selects ? enclosures::numbers_of_largest : 1);
    of.reduction.is_stored = stores(k) ? 1 : 0;
    if (node.op == Op::pick) {
      const Parameter& label = formula_.parameters[node.parameter];
      of.reduction.label = static_cast<int>(parameters_before(node.parameter, true));
      of.reduction.has_ignored = label.ignored ? 1 : 0;
      of.reduction.ignored = label.ignored.value_or(0);
    }
    if (node.op == Op::sum || is_dot) find_roundings(node, of.reduction);
    plan(level_[k], of);
    places_[k] = enclosures::most_slots + of.reduction.slot;
    level_[k] += 1;
    return true;
  }

  bool reduce_logits(std::size_t k) {
    const Planned largest = planned(enclosures::largest_of_row, k, enclosures::numbers_of_largest);
    Planned of = planned(enclosures::exponentials_of_row, k, enclosures::numbers_of_exponentials);
    of.reduction.needed = largest.reduction.slot;
    plan(level_[k], largest);
    plan(level_[k] + 1, of);
    exponentials_[k] = of.reduction.slot;
    largest_[k] = largest.reduction.slot;
    return true;
  }
  void store_logarithm(std::size_t k) {
    for (Planned& each : planned_[level_[k] - 1]) {
      const bool is_own = each.reduction.slot == exponentials_.at(node_of(k).arguments[0]);
      if (is_own) each.reduction.is_stored = stores(k) ? 1 : 0;
    }
  }

  /// formula.factor.1, formula.dot.1, formula.unit.1
  void find_roundings(const Node& node, Reduction& of) const {
    of.extra = node.extra;
    of.may_be_exact = 1;
    of.least_moved = of.most_moved = 1;
    for (const std::size_t f : node.factors) {
      if (!is_number(f)) {
        of.most_moved = std::max(of.most_moved, 3 * enclosures::farthest_factor);
        continue;
      }
      const double c = std::abs(out_.constants[static_cast<std::size_t>(-1 - places_[f])].value);
      if (c == 0) continue;
      int exponent = 0;
      const bool is_power = std::frexp(c, &exponent) == 0.5 && (node.op == Op::sum || exponent % 2 != 0);
      if (!is_power) of.may_be_exact = 0;
      of.least_moved = std::max(of.least_moved, 3 * std::max(c, 1 / c) * enclosures::elementwise_down);
      of.most_moved = std::max(of.most_moved, 3 * std::max(c, 1 / c) * enclosures::elementwise_up);
    }
    if (node.op != Op::dot || machine_ == nullptr) return;
    const auto a = narrow_format(node.arguments[0]), b = narrow_format(node.arguments[1]);
    const oracle::Format& wide = machine_->wide;
    const bool are_inputs = is_of_input(node.arguments[0]) && is_of_input(node.arguments[1]);
    of.has_exact_products = node.extra == 0 && are_inputs && a && b && a->precision + b->precision <= wide.precision &&
                            a->emin - a->precision + 1 + b->emin - b->precision + 1 >= wide.emin - wide.precision + 1 &&
                            a->emax + b->emax + 1 <= 127;
    of.has_weights = has_weights(node.arguments[0]) || has_weights(node.arguments[1]);
    of.has_unit = machine_->has_unit && a && b;
    if (of.has_unit != 0) {
      of.normal_a = std::ldexp(1.0, a->emin);
      of.normal_b = std::ldexp(1.0, b->emin);
    }
  }
  [[nodiscard]] bool is_of_input(std::size_t k) const {
    return node_of(k).op == Op::gather ? is_of_input(node_of(k).arguments[0]) : node_of(k).op == Op::input;
  }
  /// The format of the numbers of a node, if it is known to be narrow.
  [[nodiscard]] std::optional<oracle::Format> narrow_format(std::size_t k) const {
    const Node& node = node_of(k);
    if (node.op == Op::gather) return narrow_format(node.arguments[0]);
    const bool is_input = node.op == Op::input;
    if (!is_input && !machine_->stores(node)) return std::nullopt;
    const oracle::Format format = is_input ? typed_.parameters[node.parameter] : *machine_->store;
    return format.precision <= oracle::binary16.precision ? std::optional(format) : std::nullopt;
  }
  [[nodiscard]] bool has_weights(std::size_t k) const {
    while (node_of(k).op == Op::gather || node_of(k).op == Op::neg) k = node_of(k).arguments[0];
    return node_of(k).op == Op::softmax;
  }

  // The passes

  bool emit() {
    const std::size_t result = same_as(formula_.result), last = level_[formula_.result];
    planned_.resize(last + 1);
    ElementwiseGraph graph{static_cast<int>(out_.passes.size()), 0, 0};
    for (std::size_t level = 0; level <= last; ++level) {
      FormulaPass pass{};
      pass.row_first = static_cast<int>(out_.nodes.size());
      for (std::size_t k = 0; k < formula_.nodes.size(); ++k) {
        if (level_[k] == level && is_node_of_row(k)) out_.nodes.push_back(emitted(k));
      }
      pass.row_end = pass.first = static_cast<int>(out_.nodes.size());
      std::vector<std::size_t> roots;
      if (level == last) roots.push_back(result);
      for (const Planned& each : planned_[level]) roots.insert(roots.end(), {each.a, each.b});
      if (!emit_columns(roots)) return false;
      pass.end = static_cast<int>(out_.nodes.size());
      pass.reduction = static_cast<int>(out_.reductions.size());
      for (Planned& each : planned_[level]) {
        each.reduction.a = places_[each.a];
        each.reduction.b = places_[each.b];
        out_.reductions.push_back(each.reduction);
      }
      pass.reduction_end = static_cast<int>(out_.reductions.size());
      if (pass.reduction_end - pass.reduction > enclosures::most_reductions) return false;
      out_.passes.push_back(pass);
    }
    graph.end = static_cast<int>(out_.passes.size());
    graph.result = places_[result];
    out_.graphs.push_back(graph);
    return graph.result >= 0;
  }

  [[nodiscard]] bool is_node_of_row(std::size_t k) const {
    const Node& node = node_of(k);
    const bool is_index = node.op == Op::input && formula_.parameters[node.parameter].index_of;
    return !is_number(k) && !is_index && !is_of_columns(k) && (node.op == Op::input || operation_of(node.op));
  }

  /// Adds the nodes of columns that lead to some nodes.
  bool emit_columns(const std::vector<std::size_t>& roots) {
    std::vector<bool> leads(formula_.nodes.size());
    std::vector<std::size_t> last_use(formula_.nodes.size());
    for (const std::size_t root : roots) {
      leads[root] = true;
      last_use[root] = formula_.nodes.size();
    }
    for (std::size_t k = formula_.nodes.size(); k-- > 0;) {
      if (!leads[k] || !is_of_columns(k) || node_of(k).op == Op::input) continue;
      for (const std::size_t a : arguments_of(k)) {
        leads[a] = true;
        last_use[a] = std::max(last_use[a], k);
      }
    }
    std::vector<std::size_t> in_slots;
    for (std::size_t k = 0; k < formula_.nodes.size(); ++k) {
      if (!leads[k] || !is_of_columns(k)) continue;
      int slot = 0;
      const auto is_in_use = [&](std::size_t j) { return places_[j] == slot && last_use[j] > k; };
      while (std::ranges::any_of(in_slots, is_in_use)) ++slot;
      if (slot == enclosures::most_slots) return false;
      ElementwiseNode node = emitted(k);
      node.slot = places_[k] = slot;
      out_.nodes.push_back(node);
      in_slots.push_back(k);
    }
    return true;
  }

  /// The nodes that a node needs, but for those of a row that a softmax does.
  [[nodiscard]] std::vector<std::size_t> arguments_of(std::size_t k) const {
    std::vector<std::size_t> all;
    for (const std::size_t a : node_of(k).arguments) all.push_back(same_as(a));
    if (node_of(k).op == Op::softmax) all.pop_back();
    return all;
  }

  ElementwiseNode emitted(std::size_t k) {
    const Node& of = node_of(k);
    ElementwiseNode to{};
    to.slot = places_[k];
    if (of.op == Op::input) {
      to.op = enclosures::op_input;
      to.detail = static_cast<int>(parameters_before(of.parameter, true));
      return to;
    }
    const std::vector<std::size_t> arguments = arguments_of(k);
    to.a = places_[arguments.front()];
    to.is_stored = stores(k) ? 1 : 0;
    if (of.op == Op::softmax) {
      to.op = enclosures::op_weight;
      to.b = largest_.at(of.arguments[0]);
      to.detail = exponentials_.at(of.arguments[0]);
      return to;
    }
    std::tie(to.op, to.detail) = *operation_of(of.op);
    if (of.op == Op::power) to.detail = static_cast<int>(of.exponent);
    to.b = places_[arguments.back()];
    const auto is_shift = [&](std::size_t a) { return node_of(a).is_constant && is_power_of_two(values_[a][0]); };
    to.is_shift = (of.op == Op::mul && std::ranges::any_of(of.arguments, is_shift)) ||
                  (of.op == Op::div && is_shift(of.arguments[1]));
    to.is_one_sided = is_one_sided_[of.arguments[0]] ? 1 : 0;
    const auto is_factor = [&](std::size_t a) {
      const std::size_t f = of.arguments[a];
      return node_of(of.arguments[1 - a]).extra != 0 && !is_number(f);
    };
    if (of.op == Op::mul && is_factor(0)) to.factors |= 1;
    if ((of.op == Op::mul || of.op == Op::div) && is_factor(1)) to.factors |= 2;
    // The sum is one for each column, then, with the factors of all columns in its bound.
    const auto is_of_column = [&](std::size_t a) { return is_of_columns(of.arguments[a]); };
    if (to.factors != 0 && (is_of_column(0) || is_of_column(1))) to.factors |= enclosures::factor_of_columns;
    return to;
  }

  Formula formula_;
  const Typed& typed_;
  const RowAxes& axes_;
  const Machine* machine_;
  const std::vector<double>& scalars_;
  std::int64_t terms_ = 1;
  ElementwiseFormula& out_;
  Balls values_{};
  std::vector<int> places_;  ///< by node: its slot, its number of the row, or its constant
  std::vector<std::size_t> level_;
  std::vector<bool> is_one_sided_;
  std::vector<std::vector<Planned>> planned_{};            ///< by level
  std::map<std::size_t, int> exponentials_{}, largest_{};  ///< of nodes of logits
};

}  // namespace

bool add_passes(const Formula& graph, const Typed& typed, const RowAxes& axes, const Machine* machine,
                const std::vector<double>& scalars, const std::vector<std::int64_t>& lengths, ElementwiseFormula& out) {
  return Graph(graph, typed, axes, machine, scalars, lengths, out).add();
}

}  // namespace assay::formulas
