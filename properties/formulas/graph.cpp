#include "properties/formulas/graph.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

namespace assay::formulas {
namespace {

/// The indices of place `at` for axes with these lengths.
void indices_of(std::size_t at, std::span<const std::size_t> axes, std::span<const std::int64_t> lengths,
                std::vector<std::int64_t>& by_axis) {
  for (std::size_t k = axes.size(); k-- > 0;) {
    const auto length = static_cast<std::size_t>(lengths[axes[k]]);
    by_axis[axes[k]] = static_cast<std::int64_t>(at % length);
    at /= length;
  }
}

std::int64_t at_indices(const Affine& expression, std::span<const std::int64_t> indices,
                        std::span<const std::int64_t> lengths) {
  std::int64_t value = expression.constant;
  for (const Affine::Term& each : expression.indices) value += each.factor * indices[each.axis];
  for (const Affine::Term& each : expression.lengths) value += each.factor * lengths[each.axis];
  return value;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') out += '\\';
    out += each == '\n' ? ' ' : each;
  }
  return out + "\"";
}

}  // namespace

const char* name_of(Op op) {
  constexpr std::array names{
      "input",      "constant", "add",   "sub",     "mul",   "div",      "neg",       "abs",     "relu", "sign",
      "max",        "min",      "power", "pow",     "atan2", "fmod",     "remainder", "exp",     "exp2", "expm1",
      "log",        "log1p",    "sqrt",  "rsqrt",   "tanh",  "erf",      "sigmoid",   "sin",     "cos",  "sum",
      "dot",        "cumsum",   "prod",  "cumprod", "sort",  "max_over", "argmax",    "gather",  "pick", "spread",
      "stochastic", "stack",    "where", "logits",  "norm",  "softmax",  "logsumexp", "variance"};
  return names.at(static_cast<std::size_t>(op));
}

Formula read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw FormulaError(path + ": not readable");
  return parse({std::istreambuf_iterator<char>(stream), {}}, path);
}

namespace {

/// The parts of a formula as JSON.
class Written {
 public:
  explicit Written(const Formula& formula) : formula_(formula) {}

  std::string axes(const std::vector<std::size_t>& of) const {
    return list(of, [&](std::size_t each) { return quoted(formula_.axes[each].name); });
  }
  std::string terms(const std::vector<Affine::Term>& of) const {
    return list(of, [&](const Affine::Term& each) {
      return "[" + quoted(formula_.axes[each.axis].name) + ", " + std::to_string(each.factor) + "]";
    });
  }
  std::string integers(const std::vector<Affine::Integer>& of) const {
    return list(of, [&](const Affine::Integer& each) {
      return "[" + quoted(formula_.parameters[each.parameter].name) + ", " + std::to_string(each.factor) + "]";
    });
  }
  std::string affine(const Affine& of) const {
    return "{\"indices\": " + terms(of.indices) + ", \"lengths\": " + terms(of.lengths) +
           ", \"constant\": " + std::to_string(of.constant) +
           (of.integers.empty() ? "" : ", \"integers\": " + integers(of.integers)) + "}";
  }
  std::string parameter(const Parameter& each) const {
    return "{\"name\": " + quoted(each.name) + ", \"axes\": " + axes(each.axes) +
           ", \"format\": " + quoted(each.format) +
           ", \"index\": " + quoted(each.index_of ? formula_.axes[*each.index_of].name : "") +
           (each.ignored ? ", \"ignored\": " + std::to_string(*each.ignored) : "") + "}";
  }
  std::string axis(const Axis& each) const {
    return "{\"name\": " + quoted(each.name) + ", \"length\": " + (each.length ? affine(*each.length) : "null") + "}";
  }
  std::string mask(const Mask& each) const {
    const char* const compare = each.compare == Compare::less ? "<" : each.compare == Compare::equal ? "==" : "<=";
    return "{\"name\": " + quoted(each.name) + ", \"left\": " + affine(each.left) +
           ", \"compare\": " + quoted(compare) + ", \"right\": " + affine(each.right) + "}";
  }
  /// Members that only nodes of one operation have are present for those nodes only.
  std::string node(const Node& each) const {
    std::string text = "{\"op\": " + quoted(name_of(each.op)) + ", \"name\": " + quoted(each.name) +
                       ", \"axes\": " + axes(each.axes) + ", \"over\": " + axes(each.over) +
                       ", \"arguments\": " + places(each.arguments);
    if (each.mask) text += ", \"mask\": " + quoted(formula_.masks[*each.mask].name);
    if (each.op == Op::gather) {
      text += ", \"index\": " + list(each.index, [&](const Affine& index) { return affine(index); });
    }
    if (each.op == Op::power) text += ", \"exponent\": " + std::to_string(each.exponent);
    if (each.op == Op::input || each.op == Op::pick || each.op == Op::spread || each.op == Op::stochastic) {
      text += ", \"parameter\": " + quoted(formula_.parameters[each.parameter].name);
    }
    if (each.to) {
      text += ", \"to\": [" + std::to_string(each.to->precision) + ", " + std::to_string(each.to->emin) + ", " +
              std::to_string(each.to->emax) + "]";
    }
    if (each.op == Op::constant) text += ", \"value\": " + constant(each);
    if (each.is_recomputed) text += ", \"is_recomputed\": true";
    if (each.extra != 0) text += ", \"factors\": " + places(each.factors);
    return text + "}";
  }

  template <class List, class F>
  static std::string list(const List& of, const F& written, const char* separator = ", ") {
    std::string text = "[";
    for (const auto& each : of) text += (text.size() > 1 ? separator : "") + written(each);
    return text + "]";
  }

 private:
  static std::string places(const std::vector<std::size_t>& of) {
    return list(of, [](std::size_t each) { return std::to_string(each); });
  }
  std::string constant(const Node& each) const {
    if (each.is_pi) return quoted("pi");
    return each.length ? affine(*each.length) : quoted(to_string(each.value));
  }

  const Formula& formula_;
};

}  // namespace

std::string to_json(const Formula& formula) {
  const Written written(formula);
  return "{\"formula\": " + quoted(formula.name) + ", \"parameters\": " +
         Written::list(formula.parameters, [&](const Parameter& each) { return written.parameter(each); }) +
         ", \"axes\": " + Written::list(formula.axes, [&](const Axis& each) { return written.axis(each); }) +
         ", \"masks\": " + Written::list(formula.masks, [&](const Mask& each) { return written.mask(each); }) +
         ", \"result\": " + quoted(formula.result_name) + ", \"place\": " + std::to_string(formula.result) +
         ", \"nodes\": " +
         Written::list(
             formula.nodes, [&](const Node& each) { return "\n  " + written.node(each); }, ",") +
         "}\n";
}

std::vector<std::int64_t> lengths_of_axes(const Formula& formula, std::span<const std::int64_t> free) {
  std::vector<std::int64_t> lengths(formula.axes.size());
  std::size_t next = 0;
  for (std::size_t a = 0; a < formula.axes.size(); ++a) {
    if (!formula.axes[a].length) lengths[a] = next < free.size() ? free[next++] : 0;
  }
  for (std::size_t a = 0; a < formula.axes.size(); ++a) {
    if (formula.axes[a].length) lengths[a] = at_indices(*formula.axes[a].length, {}, lengths);
    if (lengths[a] < 1) throw FormulaError("the axis " + formula.axes[a].name + " has no entries");
  }
  return lengths;
}

Shaped::Shaped(const Formula& formula, std::span<const std::int64_t> free,
               std::vector<std::vector<std::int64_t>> integers)
    : formula_(formula), lengths_(lengths_of_axes(formula, free)), integers_(std::move(integers)) {
  places_.resize(formula.nodes.size());
  steps_.resize(formula.nodes.size());
  rows_.resize(formula.nodes.size());
  in_mask_.resize(formula.nodes.size());
  excluded_.resize(formula.nodes.size());
  for (std::size_t k = 0; k < formula.nodes.size(); ++k) place(k);
}

std::size_t Shaped::size_of(std::span<const std::size_t> axes) const {
  std::size_t size = 1;
  for (const std::size_t each : axes) size *= static_cast<std::size_t>(lengths_[each]);
  return size;
}

std::int64_t Shaped::value(const Affine& expression) const { return at_indices(expression, {}, lengths_); }

std::vector<std::size_t> Shaped::offsets(std::span<const std::size_t> axes, std::span<const std::size_t> of) const {
  std::vector<std::size_t> strides(lengths_.size());
  std::size_t stride = 1;
  for (std::size_t k = of.size(); k-- > 0;) {
    strides[of[k]] = stride;
    stride *= static_cast<std::size_t>(lengths_[of[k]]);
  }
  std::vector<std::size_t> offsets{0};
  for (const std::size_t axis : axes) {
    std::vector<std::size_t> wider;
    for (const std::size_t each : offsets) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(lengths_[axis]); ++i)
        wider.push_back(each + i * strides[axis]);
    }
    offsets = std::move(wider);
  }
  return offsets;
}

std::vector<std::size_t> Shaped::factors(std::size_t node, std::size_t entry) const {
  std::vector<std::size_t> places;
  if (formula_.nodes[node].op == Op::prod) {
    for (const std::size_t step : steps_[node][0]) places.push_back(places_[node][0][entry] + step);
    return places;
  }
  const std::vector<std::size_t>& steps = rows_[node].steps;
  const std::size_t stride = steps.size() > 1 ? steps[1] : 1;
  const std::size_t last = entry / stride % steps.size();
  for (std::size_t j = 0; j <= last; ++j) places.push_back(places_[node][0][entry - (last - j) * stride]);
  return places;
}

bool Shaped::holds(const Mask& mask, std::span<const std::int64_t> indices) const {
  bool is_known = true;
  const auto side = [&](const Affine& of) {
    std::int64_t value = at_indices(of, indices, lengths_);
    for (const Affine::Integer& each : of.integers) {
      std::size_t at = 0;
      for (const std::size_t axis : formula_.parameters[each.parameter].axes) {
        at = at * static_cast<std::size_t>(lengths_[axis]) + static_cast<std::size_t>(indices[axis]);
      }
      is_known = is_known && !integers_.empty();
      if (is_known) value += each.factor * integers_[each.parameter][at];
    }
    return value;
  };
  const std::int64_t left = side(mask.left);
  const std::int64_t right = side(mask.right);
  if (!is_known) return false;
  return mask.compare == Compare::less ? left < right : mask.compare == Compare::equal ? left == right : left <= right;
}

void Shaped::place(std::size_t k) {
  const Node& node = formula_.nodes[k];
  std::vector<std::int64_t> indices(lengths_.size());
  if (node.mask) {
    for (std::size_t i = 0; i < size(k); ++i) {
      indices_of(i, node.axes, lengths_, indices);
      in_mask_[k].push_back(holds(formula_.masks[*node.mask], indices));
    }
  }
  if (node.op == Op::logits || node.op == Op::cumsum || node.op == Op::cumprod || node.op == Op::sort) {
    std::vector<std::size_t> others;
    for (const std::size_t each : node.axes) {
      if (std::ranges::find(node.over, each) == node.over.end()) others.push_back(each);
    }
    rows_[k] = {offsets(others, node.axes), offsets(node.over, node.axes)};
  }
  for (const std::size_t a : node.arguments) {
    const std::vector<std::size_t>& of = formula_.nodes[a].axes;
    steps_[k].push_back(offsets(node.over, of));
    if (node.op != Op::gather) {
      places_[k].push_back(offsets(node.axes, of));
      continue;
    }
    std::vector<std::size_t>& places = places_[k].emplace_back();
    for (std::size_t i = 0; i < size(k); ++i) {
      indices_of(i, node.axes, lengths_, indices);
      std::size_t at = 0;
      for (std::size_t d = 0; d < of.size(); ++d) {
        const std::int64_t index = at_indices(node.index[d], indices, lengths_);
        if (index < 0 || index >= lengths_[of[d]]) {
          throw FormulaError("an index of the axis " + formula_.axes[of[d]].name + " is " + std::to_string(index) +
                             ", and it has " + std::to_string(lengths_[of[d]]) + " entries");
        }
        at = at * static_cast<std::size_t>(lengths_[of[d]]) + static_cast<std::size_t>(index);
      }
      places.push_back(at);
    }
  }
}

}  // namespace assay::formulas
