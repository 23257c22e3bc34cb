#include "properties/formulas/door/elementwise.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/decode.hpp"
#include "properties/formulas/door/passes.hpp"

namespace assay::formulas {
namespace {

using enclosures::ElementwiseFormula;

double largest_of(const oracle::Format& format) {
  return oracle::decode_finite(format, format.largest_finite()).to_double_nearest();
}

enclosures::ElementwiseCosts costs_of(const Machine* machine) {
  enclosures::ElementwiseCosts costs{};
  costs.farthest_exponent = enclosures::farthest_exponent;
  costs.precision = costs.stored_precision = oracle::binary32.precision;
  costs.largest = costs.largest_wide = largest_of(oracle::binary32);
  if (machine == nullptr) return costs;
  const oracle::Format& wide = machine->wide;
  const oracle::Format& stored = machine->store.value_or(wide);
  costs.precision = wide.precision;
  costs.unit = std::ldexp(1.0, -wide.precision);
  costs.half_eta = std::ldexp(1.0, wide.emin - wide.precision);
  costs.least_normal = std::ldexp(1.0, wide.emin);
  costs.functions = static_cast<double>(machine->functions);
  costs.quotient = static_cast<double>(machine->quotient);
  costs.exp_difference = static_cast<double>(machine->exp_difference);
  costs.exp_shift = static_cast<double>(machine->exp_shift);
  costs.is_online = machine->is_online ? 1 : 0;
  costs.has_one_pass = machine->has_one_pass ? 1 : 0;
  costs.form = machine->exp_difference > 1 ? 3 * costs.unit * (1 + 8 * costs.unit) : 0;
  costs.farthest_exponent = std::min(enclosures::farthest_exponent, 2.0 * wide.emax + 4);
  costs.largest = std::min(largest_of(wide), largest_of(stored));
  costs.largest_wide = largest_of(wide);
  costs.stored_precision = stored.precision;
  costs.stored_unit = std::ldexp(1.0, -stored.precision);
  costs.stored_eta = std::ldexp(1.0, stored.emin - stored.precision + 1);
  return costs;
}

/// The axes along which reductions run.
std::vector<std::size_t> reduced_axes(const Formula& formula) {
  std::vector<std::size_t> all;
  for (const Node& node : formula.nodes) {
    for (const std::size_t axis : node.over) {
      if (std::ranges::find(all, axis) == all.end()) all.push_back(axis);
    }
  }
  return all;
}

}  // namespace

std::optional<RowAxes> row_axes_of(const Formula& formula) {
  const std::vector<std::size_t>& of_result = formula.result_axes();
  const std::vector<std::size_t> reduced = reduced_axes(formula);
  const bool has_given_lengths =
      std::ranges::any_of(formula.axes, [](const Axis& each) { return each.length.has_value(); });
  if (has_given_lengths) return std::nullopt;
  RowAxes axes;
  const auto arrays =
      std::ranges::count_if(formula.parameters, [](const Parameter& each) { return !each.axes.empty(); });
  if (arrays == 0 || arrays > enclosures::most_arrays) return std::nullopt;
  axes.is_flat = reduced.empty() && std::ranges::all_of(formula.parameters, [&](const Parameter& each) {
                   return !each.index_of && (each.axes.empty() || each.axes == of_result);
                 });
  if (axes.is_flat) {
    axes.columns = of_result;
    return axes;
  }
  if (reduced.empty() && of_result.empty()) return std::nullopt;
  for (std::size_t axis = 0; axis < formula.axes.size(); ++axis) {
    const bool is_column = reduced.empty() ? axis == of_result.back() : has_all(reduced, {axis});
    if (!is_column) axes.rows.push_back(axis);
  }
  const bool is_of_row = std::ranges::none_of(of_result, [&](std::size_t axis) { return has_all(reduced, {axis}); });
  axes.has_result_of_row = !reduced.empty() && is_of_row;
  // Columns of a result come in the order of its axes.
  for (const std::size_t axis : axes.has_result_of_row ? reduced : of_result) {
    if (!has_all(axes.rows, {axis})) axes.columns.push_back(axis);
  }
  const auto fits = [&](const Parameter& each) {
    return !each.index_of || (has_all(axes.rows, each.axes) && axes.columns == std::vector{*each.index_of});
  };
  const bool has_all_columns = reduced.empty() || axes.columns.size() == reduced.size();
  // Else a row would have more numbers than arrays have.
  const bool has_whole_array = std::ranges::any_of(formula.parameters, [&](const Parameter& each) {
    return each.axes.size() == axes.rows.size() + axes.columns.size();
  });
  const bool is_known = has_whole_array && has_all(of_result, axes.rows) && has_all_columns &&
                        axes.rows.size() <= enclosures::most_axes_of_rows &&
                        axes.columns.size() <= enclosures::most_axes_of_columns &&
                        std::ranges::all_of(formula.parameters, fits);
  return is_known ? std::optional(axes) : std::nullopt;
}

std::optional<ElementwiseFormula> elementwise_formula(const Typed& typed, const Machine* machine,
                                                      const std::vector<double>& scalars,
                                                      const std::vector<std::int64_t>& lengths) {
  const Formula& formula = *typed.formula;
  const auto axes = row_axes_of(formula);
  if (!axes || (machine != nullptr && (machine->flushes || machine->wide.precision > oracle::binary32.precision))) {
    return std::nullopt;
  }
  ElementwiseFormula out{};
  out.costs = costs_of(machine);
  if (!add_passes(formula, typed, *axes, machine, scalars, lengths, out)) return std::nullopt;
  out.may_refute = machine == nullptr || !machine->is_stochastic;
  if (machine != nullptr && machine->has_ways) {
    for (const auto& [name, way] : formula.ways) {
      const bool is_added = add_passes(way, typed, *axes, machine, scalars, lengths, out);
      out.may_refute = out.may_refute && is_added;
    }
  }
  return out;
}

}  // namespace assay::formulas
