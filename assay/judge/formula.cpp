#include "assay/judge/formula.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "assay/judge/objects.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::judge {
namespace {

std::string first_format(const std::string& format) { return format.substr(0, format.find(':')); }

/// The array that determined the length of an axis.
struct Known {
  std::int64_t length;
  std::string from;
};

std::string listed(const std::vector<formulas::Parameter>& parameters) {
  std::string names;
  for (const formulas::Parameter& each : parameters) names += (names.empty() ? "" : ", ") + each.name;
  return names;
}

}  // namespace

std::shared_ptr<const OfFormula> formula_of(const assay_judge_options& given) {
  if (given.formula == nullptr) return nullptr;
  if (given.operation != nullptr) throw std::invalid_argument("operation: the formula says what the kernel computes");
  std::vector<std::string> formats;
  if (given.format_of_parameter != nullptr) {
    for (std::size_t p = 0; p < given.parameter_count; ++p) {
      formats.emplace_back(given.format_of_parameter[p] == nullptr ? "" : given.format_of_parameter[p]);
    }
  }
  return std::make_shared<const OfFormula>(given.formula, given.shape == nullptr ? "" : given.shape, formats);
}

OfFormula::OfFormula(const std::string& formula, const std::string& shape, const std::vector<std::string>& formats) {
  formulas::Formula read = formulas::formula_named(formula);
  if (formats.size() > read.parameters.size()) {
    throw std::invalid_argument(read.name + ": it takes " + std::to_string(read.parameters.size()) + " arguments, " +
                                listed(read.parameters) + ", not " + std::to_string(formats.size()));
  }
  for (std::size_t p = 0; p < formats.size(); ++p) {
    if (read.parameters[p].format.empty() && !read.parameters[p].index_of) read.parameters[p].format = formats[p];
  }
  lengths_ = formulas::single_lengths_of(read, shape);
  formula_ = std::make_shared<const formulas::Formula>(std::move(read));
  operation_ = formulas::operation_of(formula_, lengths_);
}

formulas::Typed OfFormula::typed(const std::string& format) const {
  formulas::Typed typed = formulas::typed(formula_, format);
  typed.lengths = lengths_;
  return typed;
}

std::vector<formulas::Machine> OfFormula::machines(const std::string& format, const std::string& contract) const {
  return formulas::machines_beside(contract, *formula_, formulas::format_of_name(first_format(format)));
}

std::string OfFormula::usual_contract(const std::string& format) const {
  return formulas::usual_machine(*formula_, formulas::format_of_name(first_format(format))).name;
}

std::vector<std::int64_t> OfFormula::shape_of(std::span<const std::size_t> axes,
                                              std::span<const std::int64_t> lengths) const {
  std::vector<std::int64_t> shape;
  for (const std::size_t each : axes) shape.push_back(lengths[each]);
  return shape;
}

std::vector<std::int64_t> OfFormula::lengths_of(const Record& record) const {
  std::vector<std::int64_t> free;
  for (const FieldValue& each : record.fields) {
    if (const auto* const length = std::get_if<std::int64_t>(&each.value)) free.push_back(*length);
  }
  return formulas::lengths_of_axes(*formula_, free);
}

Record OfFormula::record_of(const std::string& format, std::span<const assay_tensor> arguments) const {
  const std::vector<formulas::Parameter>& parameters = formula_->parameters;
  if (arguments.size() != parameters.size()) {
    throw std::invalid_argument(formula_->name + ": it takes " + std::to_string(parameters.size()) + " arguments, " +
                                listed(parameters) + ", not " + std::to_string(arguments.size()));
  }
  const auto shape_text = [&](std::size_t p) {
    std::string names;
    for (const std::size_t axis : parameters[p].axes) names += (names.empty() ? "" : ", ") + formula_->axes[axis].name;
    return parameters[p].name + ": it has shape " + text_of(judge::shape_of(arguments[p])) + ", not [" + names + "]";
  };
  std::map<std::size_t, Known> known;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const std::vector<std::size_t>& axes = parameters[p].axes;
    const std::span<const std::int64_t> shape = judge::shape_of(arguments[p]);
    const bool is_single = axes.empty() && layout_of(arguments[p]).entries() == 1;
    if (shape.size() != axes.size() && !is_single) throw std::invalid_argument(shape_text(p));
    for (std::size_t d = 0; d < axes.size(); ++d) {
      const auto [at, is_new] = known.emplace(axes[d], Known{shape[d], parameters[p].name});
      if (is_new || at->second.length == shape[d]) continue;
      throw std::invalid_argument(shape_text(p) + ", where " + formula_->axes[axes[d]].name + " is " +
                                  std::to_string(at->second.length) + " by " + at->second.from);
    }
  }
  const formulas::Typed of = typed(format);
  formulas::Case c;
  for (const std::size_t axis : of.free_axes()) {
    const auto at = known.find(axis);
    c.lengths.push_back(at != known.end() ? at->second.length : length_by_places(axis, arguments));
  }
  std::vector<std::int64_t> lengths;
  try {
    lengths = formulas::lengths_of_axes(*formula_, c.lengths);
  } catch (const formulas::FormulaError& error) {
    throw OutsideDomain(formula_->name + ": " + error.what());
  }
  refuse_too_large(lengths);
  for (const auto& [axis, of_axis] : known) {
    if (lengths[axis] == of_axis.length) continue;
    throw std::invalid_argument(of_axis.from + ": its axis " + formula_->axes[axis].name + " has " +
                                std::to_string(of_axis.length) + " entries, not " + std::to_string(lengths[axis]));
  }
  c.words.resize(parameters.size());
  Record record = formulas::record_of(of, c);
  const std::size_t first = c.lengths.size();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    FieldValue& field = record.fields[first + p];
    field = field_of(field, arguments[p], layout_of(arguments[p]));
    if (!parameters[p].index_of) continue;
    const std::vector<std::uint64_t>& places = std::get<Words>(field.value).bits;
    const auto length = static_cast<std::uint64_t>(lengths[*parameters[p].index_of]);
    const std::optional<std::int64_t> ignored = parameters[p].ignored;
    const auto wrong = std::ranges::find_if(
        places, [&](std::uint64_t each) { return each >= length && static_cast<std::int64_t>(each) != ignored; });
    if (wrong == places.end()) continue;
    throw OutsideDomain(parameters[p].name + ": its number " + std::to_string(wrong - places.begin()) + " is " +
                        std::to_string(static_cast<std::int64_t>(*wrong)) + ", and the axis " +
                        formula_->axes[*parameters[p].index_of].name + " has " + std::to_string(length) + " entries");
  }
  return record;
}

std::int64_t OfFormula::length_by_places(std::size_t axis, std::span<const assay_tensor> arguments) const {
  std::optional<std::int64_t> largest;
  for (std::size_t p = 0; p < arguments.size(); ++p) {
    const formulas::Parameter& parameter = formula_->parameters[p];
    if (parameter.index_of != axis) continue;
    largest = largest.value_or(0);
    const Words none{limb_format, parameter.axes.empty() ? Words::Shape::scalar : Words::Shape::list, {}};
    const FieldValue places = field_of({parameter.name, none}, arguments[p], layout_of(arguments[p]));
    for (const std::uint64_t each : std::get<Words>(places.value).bits) {
      largest = std::max(*largest, static_cast<std::int64_t>(each));
    }
  }
  const bool is_of_result = std::ranges::count(formula_->result_axes(), axis) > 0;
  if (!largest || is_of_result) {
    throw std::invalid_argument("no array tells the length of " + formula_->axes[axis].name);
  }
  return *largest + 1;
}

std::vector<Array> OfFormula::arguments_of(const Record& record) const {
  const std::vector<std::int64_t> lengths = lengths_of(record);
  std::vector<Array> arrays = judge::arguments_of("", record);
  const auto parameters = static_cast<std::ptrdiff_t>(formula_->parameters.size());
  arrays.erase(arrays.begin(), arrays.end() - parameters);
  for (std::size_t p = 0; p < arrays.size(); ++p) {
    arrays[p].layout = contiguous(shape_of(formula_->parameters[p].axes, lengths));
  }
  return arrays;
}

Layout OfFormula::layout_of_result(const Record& record) const {
  return contiguous(shape_of(formula_->result_axes(), lengths_of(record)));
}

void OfFormula::refuse_too_large(std::span<const std::int64_t> lengths) const {
  constexpr double bytes_an_entry = 500;  // a ball at two precisions, its bounds on two machines, its places
  constexpr double most_operations = 0x1p33;
  constexpr double operations_a_minute = 1e9;  // speed of one core: a ball and two magnitudes for each
  const auto product = [&](std::span<const std::size_t> axes) {
    double all = 1;
    for (const std::size_t each : axes) all *= static_cast<double>(lengths[each]);
    return all;
  };
  double entries = 0;
  double operations = 0;
  const auto add = [&](const formulas::Formula& each) {
    for (const formulas::Node& node : each.nodes) {
      const bool runs = node.op == formulas::Op::sum || node.op == formulas::Op::dot || node.op == formulas::Op::prod;
      entries += product(node.axes);
      operations += product(node.axes) * (runs ? product(node.over) : 1);
    }
  };
  add(*formula_);
  for (const auto& [name, way] : formula_->ways) add(way);
  std::ostringstream what;
  if (operations > most_operations) {
    what << formula_->name << ": " << operations << " operations, which take about "
         << std::ceil(operations / operations_a_minute) << " minutes; judge fewer rows of it";
    throw OutsideDomain(what.str());
  }
  what << "the definitions of " << formula_->name << " have " << entries << " entries";
  refuse_beyond_memory(what.str(), entries * bytes_an_entry);
}

}  // namespace assay::judge
