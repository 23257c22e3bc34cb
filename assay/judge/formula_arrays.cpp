#include "assay/judge/formula_arrays.hpp"

#include <algorithm>
#include <ranges>

#include "enclosures/rows.hpp"

namespace assay::judge {
namespace {

using enclosures::ArraySteps;
using enclosures::Integer;

constexpr Integer most_entries = Integer{1} << 40;

/// Whether the entries lie one after the other, the last index first.
bool is_contiguous(const assay_tensor& tensor) {
  const Layout layout = layout_of(tensor), wanted = contiguous(layout.shape);
  for (std::size_t d = 0; d < layout.shape.size(); ++d) {
    if (layout.shape[d] != 1 && layout.strides[d] != wanted.strides[d]) return false;
  }
  return true;
}

int element_type_of(const assay_tensor& tensor, const oracle::Format& format, const std::string& name) {
  const enclosures::ElementType type = element_of(tensor, name.c_str());
  const bool has_type = judge::format_of(type) == formulas::name_of_format(format);
  require_fit(has_type && type != enclosures::ElementType::binary64, "arrays of this format");
  return static_cast<int>(type);
}

Integer product_of(const std::vector<std::size_t>& axes, const std::vector<std::int64_t>& lengths) {
  Integer all = 1;
  for (const std::size_t axis : axes) all *= lengths[axis];
  return all;
}

}  // namespace

FormulaOnDevice::FormulaOnDevice(const assay_judge& judge, std::span<const assay_tensor> arguments,
                                 const assay_tensor& result)
    : typed_(judge.formula->typed(judge.question.format)),
      arguments_(arguments.begin(), arguments.end()),
      result_(result) {
  const std::vector<formulas::Parameter>& parameters = formula().parameters;
  const auto axes = formulas::row_axes_of(formula());
  require_fit(axes.has_value(), "formulas of this shape");
  axes_ = *axes;
  require_fit(arguments.size() == parameters.size(), "another number of arguments");
  find_lengths();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (parameters[p].axes.empty()) {
      require_fit(layout_of(arguments[p]).entries() == 1, "arrays of this layout");
      scalars_.push_back(enclosures::number_at(element_of(arguments[p], "number"), arguments[p].data, 0));
      continue;
    }
    const int at = device_.count++;
    if (parameters[p].index_of) {
      const bool is_integer = arguments[p].code == ASSAY_INT && (arguments[p].bits == 32 || arguments[p].bits == 64);
      require_fit(is_integer, "indices of this type");
      device_.types[at] = arguments[p].bits == 32 ? enclosures::integer32 : enclosures::integer64;
    } else {
      device_.types[at] = element_type_of(arguments[p], typed_.parameters[p], parameters[p].name);
    }
    device_.inputs[at] = arguments[p].data;
    device_.steps[at] = steps_of(arguments[p], parameters[p].axes);
  }
  device_.type_of_got = element_type_of(result, typed_.result, "got");
  device_.got = result.data;
  device_.steps_of_got = steps_of(result, formula().result_axes());
  device_.entries = static_cast<Integer>(layout_of(result).entries());
  require_fit(device_.entries > 0 && device_.entries < most_entries, "so many entries");
  if (axes_.is_flat) return;
  device_.rows = product_of(axes_.rows, lengths_);
  device_.columns = product_of(axes_.columns, lengths_);
  device_.entries_of_row = axes_.has_result_of_row ? 1 : device_.columns;
  if (axes_.rows.size() > 1) device_.last_rows = lengths_[axes_.rows.back()];
  if (axes_.columns.size() > 1) device_.last_columns = lengths_[axes_.columns.back()];
  require_fit(device_.columns <= static_cast<Integer>(enclosures::most_terms), "rows of so many numbers");
}

void FormulaOnDevice::find_lengths() {
  lengths_.assign(formula().axes.size(), 0);
  if (axes_.is_flat) {
    // The result may have any shape, unless a length is a number of the formula.
    const auto is_alike = [&](std::size_t p) {
      return formula().parameters[p].axes.empty() || std::ranges::equal(shape_of(arguments_[p]), shape_of(result_));
    };
    require_fit(std::ranges::all_of(std::views::iota(std::size_t{0}, arguments_.size()), is_alike) &&
                    std::ranges::none_of(formula().nodes, [](const auto& node) { return node.length.has_value(); }),
                "arrays of this shape");
    return;
  }
  const auto note = [&](const assay_tensor& array, const std::vector<std::size_t>& axes) {
    require_fit(static_cast<std::size_t>(array.ndim) == axes.size(), "arrays of this shape");
    for (std::size_t d = 0; d < axes.size(); ++d) {
      std::int64_t& length = lengths_[axes[d]];
      require_fit(array.shape[d] > 0 && (length == 0 || length == array.shape[d]), "arrays of this shape");
      length = array.shape[d];
    }
  };
  for (std::size_t p = 0; p < arguments_.size(); ++p) {
    if (!formula().parameters[p].axes.empty()) note(arguments_[p], formula().parameters[p].axes);
  }
  note(result_, formula().result_axes());
  require_fit(std::ranges::find(lengths_, 0) == lengths_.end(), "lengths that no array gives");
}

ArraySteps FormulaOnDevice::steps_of(const assay_tensor& tensor, const std::vector<std::size_t>& axes) const {
  ArraySteps steps;
  if (axes_.is_flat) {
    require_fit(is_contiguous(tensor), "arrays of this layout");
    return steps;
  }
  const Layout layout = layout_of(tensor);
  const auto step = [&](std::size_t axis) {
    const auto at = std::ranges::find(axes, axis);
    if (at == axes.end()) return std::int64_t{0};
    const std::int64_t of_axis = layout.strides[static_cast<std::size_t>(at - axes.begin())];
    require_fit(of_axis >= 0, "arrays of this layout");
    return of_axis;
  };
  steps.columns[0] = 0;
  for (std::size_t a = 0; a < axes_.rows.size(); ++a) steps.rows[a] = step(axes_.rows[a]);
  for (std::size_t a = 0; a < axes_.columns.size(); ++a) steps.columns[a] = step(axes_.columns[a]);
  return steps;
}

FormulaOnDevice::Copies FormulaOnDevice::entries(const std::vector<Integer>& places) const {
  const std::size_t axes = formula().result_axes().size();
  Copies all{{}, arguments_, {}};
  const auto gathered = [&](const assay_tensor& array) {
    const auto width = static_cast<std::size_t>(array.bits) / 8;
    Copies::Array& copy = all.arrays.emplace_back();
    copy.shape.assign(axes, 1);
    copy.shape.front() = static_cast<std::int64_t>(places.size());
    copy.strides.assign(axes, 1);
    for (const Integer place : places)
      std::ranges::copy(copied(array.data, place, 1, width), std::back_inserter(copy.memory));
    return on_host(array, copy.memory.data(), copy.shape, copy.strides);
  };
  for (std::size_t p = 0; p < arguments_.size(); ++p) {
    if (!formula().parameters[p].axes.empty()) all.arguments[p] = gathered(arguments_[p]);
  }
  all.result = gathered(result_);
  return all;
}

std::vector<std::int64_t> FormulaOnDevice::index_of(Integer row, Integer column) const {
  std::vector<std::int64_t> index(lengths_.size());
  for (const std::size_t axis : axes_.rows | std::views::reverse) {
    index[axis] = row % lengths_[axis];
    row /= lengths_[axis];
  }
  for (const std::size_t axis : axes_.columns | std::views::reverse) {
    index[axis] = column % lengths_[axis];
    column /= lengths_[axis];
  }
  return index;
}

assay_tensor FormulaOnDevice::copied_row(const assay_tensor& tensor, const std::vector<std::size_t>& axes, Integer row,
                                         Copies& to) const {
  const auto width = static_cast<std::size_t>(tensor.bits) / 8;
  const Layout layout = layout_of(tensor);
  const std::vector<std::int64_t> index = index_of(row, 0);
  Copies::Array& copy = to.arrays.emplace_back();
  Layout of_row;  // of the row in the memory of the device
  Integer first = 0;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const bool is_row = std::ranges::find(axes_.rows, axes[d]) != axes_.rows.end();
    first += index[axes[d]] * layout.strides[d];
    copy.shape.push_back(is_row ? 1 : layout.shape[d]);
  }
  of_row = {copy.shape, layout.strides};
  copy.strides = contiguous(copy.shape).strides;
  // The numbers that the last axis has lie together, with others between them.
  const std::int64_t count = axes.empty() ? 1 : of_row.shape.back(), step = axes.empty() ? 1 : of_row.strides.back();
  Layout runs = of_row;
  if (!axes.empty()) runs.shape.back() = 1;
  runs.for_each([&](std::int64_t place) {
    const std::vector<std::byte> run = copied(tensor.data, first + place, (count - 1) * step + 1, width);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = run.begin() + static_cast<std::ptrdiff_t>(i * step) * static_cast<std::ptrdiff_t>(width);
      copy.memory.insert(copy.memory.end(), number, number + static_cast<std::ptrdiff_t>(width));
    }
  });
  return on_host(tensor, copy.memory.data(), copy.shape, copy.strides);
}

FormulaOnDevice::Copies FormulaOnDevice::row(Integer row) const {
  Copies all{{}, arguments_, {}};
  for (std::size_t p = 0; p < arguments_.size(); ++p) {
    const std::vector<std::size_t>& axes = formula().parameters[p].axes;
    if (!axes.empty()) all.arguments[p] = copied_row(arguments_[p], axes, row, all);
  }
  all.result = copied_row(result_, formula().result_axes(), row, all);
  return all;
}

double FormulaOnDevice::got(Integer entry) const {
  const enclosures::EntryPlace at = enclosures::place_of_entry(device_, entry);
  const Integer place = enclosures::place_of(device_.steps_of_got, device_, at.row, at.column);
  const std::vector<std::byte> number = copied(result_.data, place, 1, static_cast<std::size_t>(result_.bits) / 8);
  return enclosures::number_at(element_of(result_, "got"), number.data(), 0);
}

std::size_t FormulaOnDevice::component_of(Integer entry) const {
  if (axes_.is_flat) return static_cast<std::size_t>(entry);
  const std::vector<std::int64_t> index = index_of(entry / device_.entries_of_row, entry % device_.entries_of_row);
  Integer component = 0;
  for (const std::size_t axis : formula().result_axes()) component = component * lengths_[axis] + index[axis];
  return static_cast<std::size_t>(component);
}

}  // namespace assay::judge
