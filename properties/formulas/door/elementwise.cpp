#include "properties/formulas/door/elementwise.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "oracle/decode.hpp"
#include "oracle/magnitude.hpp"
#include "properties/formulas/values.hpp"

namespace assay::formulas {
namespace {

using enclosures::ElementwiseFormula;
using enclosures::ElementwiseGraph;
using enclosures::ElementwiseNode;
using enclosures::ElementwiseNumber;
using oracle::Ball;
using oracle::Dyadic;
using oracle::Magnitude;

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

double largest_of(const oracle::Format& format) {
  return oracle::decode_finite(format, format.largest_finite()).to_double_nearest();
}

enclosures::ElementwiseCosts costs_of(const Machine* machine) {
  enclosures::ElementwiseCosts costs{};
  costs.farthest_exponent = enclosures::farthest_exponent;
  costs.precision = costs.stored_precision = oracle::binary32.precision;
  costs.largest = largest_of(oracle::binary32);
  if (machine == nullptr) return costs;
  const oracle::Format& wide = machine->wide;
  const oracle::Format& stored = machine->store.value_or(wide);
  costs.precision = wide.precision;
  costs.unit = std::ldexp(1.0, -wide.precision);
  costs.half_eta = std::ldexp(1.0, wide.emin - wide.precision);
  costs.least_normal = std::ldexp(1.0, wide.emin);
  costs.functions = static_cast<double>(machine->functions);
  costs.quotient = static_cast<double>(machine->quotient);
  costs.form = machine->exp_difference > 1 ? 3 * costs.unit * (1 + 8 * costs.unit) : 0;
  costs.farthest_exponent = std::min(enclosures::farthest_exponent, 2.0 * wide.emax + 4);
  costs.largest = std::min(largest_of(wide), largest_of(stored));
  costs.stored_precision = stored.precision;
  costs.stored_unit = std::ldexp(1.0, -stored.precision);
  costs.stored_eta = std::ldexp(1.0, stored.emin - stored.precision + 1);
  return costs;
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

/// Adds the nodes of one graph.
class Graph {
 public:
  Graph(const Formula& formula, const Machine* machine, const std::vector<double>& scalars, ElementwiseFormula& out)
      : formula_(formula), machine_(machine), scalars_(scalars), out_(out) {}

  /// False where an operation is not one of a device.
  bool add() {
    const std::size_t count = formula_.nodes.size();
    places_.assign(count, 0);
    last_use_.assign(count, 0);
    for (std::size_t k = 0; k < count; ++k) {
      for (const std::size_t a : formula_.nodes[k].arguments) last_use_[a] = k;
    }
    last_use_[formula_.result] = count;
    Inputs inputs;
    for (std::size_t p = 0; p < formula_.parameters.size(); ++p) inputs.numbers.push_back({Dyadic(1)});
    const std::vector<std::int64_t> ones(formula_.axes.size(), 1);
    values_ = evaluate(Shaped(formula_, ones), inputs, 128);
    ElementwiseGraph graph{static_cast<int>(out_.nodes.size()), 0, 0};
    for (std::size_t k = 0; k < count; ++k) {
      if (!node(k)) return false;
    }
    graph.end = static_cast<int>(out_.nodes.size());
    graph.result = places_[formula_.result];
    out_.graphs.push_back(graph);
    return graph.result >= 0;
  }

 private:
  int constant(const ElementwiseNumber& number) {
    out_.constants.push_back(number);
    return -static_cast<int>(out_.constants.size());
  }
  std::optional<int> free_slot(std::size_t k) {
    for (int slot = 0; slot < enclosures::most_slots; ++slot) {
      const auto is_in_use = [&](std::size_t j) { return places_[j] == slot && is_slot_[j] && last_use_[j] > k; };
      if (std::ranges::none_of(std::views::iota(std::size_t{0}, k), is_in_use)) return slot;
    }
    return std::nullopt;
  }
  bool node(std::size_t k) {
    const Node& of = formula_.nodes[k];
    is_slot_.push_back(false);
    if (of.is_constant || of.op == Op::constant) {
      if (of.length || !values_[k][0].is_finite()) return false;
      places_[k] = constant(constant_of(values_[k][0], machine_));
      return true;
    }
    ElementwiseNode to{};
    if (of.op == Op::input) {
      const auto array_before = [&](bool has_axes) {
        return std::ranges::count_if(formula_.parameters | std::views::take(of.parameter),
                                     [&](const Parameter& each) { return each.axes.empty() != has_axes; });
      };
      if (formula_.parameters[of.parameter].axes.empty()) {
        const double x = scalars_[static_cast<std::size_t>(array_before(false))];
        places_[k] = constant({x, 0, 0, 0});
        return std::isfinite(x);
      }
      to.op = enclosures::op_input;
      to.detail = static_cast<int>(array_before(true));
    } else {
      const auto operation = operation_of(of.op);
      if (!operation || of.exponent > 16) return false;
      std::tie(to.op, to.detail) = *operation;
      if (of.op == Op::power) to.detail = static_cast<int>(of.exponent);
      to.a = places_[of.arguments[0]];
      to.b = places_[of.arguments.back()];
      const auto is_shift = [&](std::size_t a) {
        return formula_.nodes[a].is_constant && is_power_of_two(values_[a][0]);
      };
      to.is_shift = (of.op == Op::mul && std::ranges::any_of(of.arguments, is_shift)) ||
                    (of.op == Op::div && is_shift(of.arguments[1]));
      to.is_stored = machine_ != nullptr && machine_->stores(of) && k != formula_.result;
    }
    const std::optional<int> slot = free_slot(k);
    if (!slot) return false;
    to.slot = places_[k] = *slot;
    is_slot_[k] = true;
    out_.nodes.push_back(to);
    return true;
  }

  const Formula& formula_;
  const Machine* machine_;
  const std::vector<double>& scalars_;
  ElementwiseFormula& out_;
  Balls values_;
  std::vector<int> places_;  ///< by node: its slot, or its constant
  std::vector<bool> is_slot_;
  std::vector<std::size_t> last_use_;
};

bool is_elementwise(const Formula& formula) {
  const std::vector<std::size_t>& axes = formula.result_axes();
  const auto fits = [&](const Parameter& each) {
    return !each.index_of && !each.is_one_hot && (each.axes.empty() || each.axes == axes);
  };
  const auto arrays =
      std::ranges::count_if(formula.parameters, [](const Parameter& each) { return !each.axes.empty(); });
  return !axes.empty() && arrays > 0 && arrays <= enclosures::most_arrays && formula.axes.size() == axes.size() &&
         std::ranges::all_of(formula.parameters, fits) &&
         std::ranges::none_of(formula.axes, [](const Axis& each) { return each.length.has_value(); });
}

}  // namespace

std::optional<ElementwiseFormula> elementwise_formula(const Formula& formula, const Machine* machine,
                                                      const std::vector<double>& scalars) {
  if (!is_elementwise(formula)) return std::nullopt;
  if (machine != nullptr && (machine->flushes || machine->wide.precision > oracle::binary32.precision)) {
    return std::nullopt;
  }
  ElementwiseFormula out{{}, {}, {}, costs_of(machine)};
  if (!Graph(formula, machine, scalars, out).add()) return std::nullopt;
  if (machine != nullptr && machine->has_ways) {
    for (const auto& [name, way] : formula.ways) {
      if (!Graph(way, machine, scalars, out).add()) return std::nullopt;
    }
  }
  return out;
}

}  // namespace assay::formulas
