// The classes of inputs of a formula, and its large shapes.

#include <algorithm>
#include <string>
#include <utility>

#include "properties/formulas/door/case.hpp"

namespace assay::formulas {

std::vector<FormulaClass> input_classes(const Formula& formula) {
  std::vector<FormulaClass> classes{{"numbers of one sign", 3, Drawing::one_sign},
                                    {"exact data: few small integers", 2, Drawing::exact},
                                    {"few large numbers among small ones", 2, Drawing::few_large},
                                    {"nearly normal numbers", 3, Drawing::normal},
                                    {"an offset of up to 128", 2, Drawing::offset},
                                    {"spread over exponents", 2, Drawing::spread},
                                    {"ones and their neighbors", 2, Drawing::ones},
                                    {"integers", 1, Drawing::integers},
                                    {"mostly zeros", 1, Drawing::sparse},
                                    {"ones and halves of their ulps", 2, Drawing::ties},
                                    {"numbers that cancel in pairs", 2, Drawing::pairs},
                                    {"infinities, NaN, subnormal numbers and zeros anywhere", 3, Drawing::specials},
                                    {"far apart exponents", 1, Drawing::extreme},
                                    {"larger shapes", 1, Drawing::normal, true},
                                    {"numbers of another scale", 1, Drawing::scaled}};
  // Of products of several parameters, kernels that multiply in another order may overflow.
  const auto is_tensor = [](const Parameter& each) { return !each.axes.empty(); };
  const bool is_one_operation =
      formula.nodes.size() == formula.parameters.size() + 1 && formula.nodes.back().over.empty();
  if (is_one_operation || std::ranges::count_if(formula.parameters, is_tensor) == 1) {
    classes.push_back({"any numbers of the format", 1, Drawing::any});
  }
  const auto add_aim = [&](const char* name, Aim aim) {
    if (has_aim(formula, aim)) classes.push_back({.name = name, .weight = 2, .aim = aim});
  };
  add_aim("sums whose last term nearly cancels the others", Aim::cancellation);
  add_aim("divisors and arguments near a pole", Aim::pole);
  add_aim("functions where they overflow, vanish or become flat", Aim::saturation);
  for (std::size_t k = 0; k < formula.classes.size(); ++k) {
    const std::string& name = formula.classes[k].name;
    if (std::ranges::find(classes, name, &FormulaClass::name) != classes.end()) {
      throw FormulaError(formula.name + ": every formula has a class \"" + name + "\"; give yours another name");
    }
    classes.push_back({.name = name, .weight = 2, .own = k});
  }
  return classes;
}

namespace {

/// Lengths of the free axes: the last one long, the first one long, and all alike, each as long as 2^21 numbers and
/// 2^25 operations allow.
std::vector<std::vector<std::int64_t>> large_lengths(const Formula& formula) {
  const auto axes =
      static_cast<std::size_t>(std::ranges::count_if(formula.axes, [](const Axis& each) { return !each.length; }));
  const auto fits = [&](const std::vector<std::int64_t>& free) {
    try {
      const std::vector<std::int64_t> lengths = lengths_of_axes(formula, free);
      return numbers(formula, lengths) <= 0x1p21 && work(formula, lengths) <= 0x1p25 &&
             Shaped(formula, free).lengths() == lengths;  // throws where the formula has no shape
    } catch (const FormulaError&) {
      return false;
    }
  };
  std::vector<std::vector<std::int64_t>> found;
  const auto add = [&](std::int64_t others, std::size_t place) {
    for (int power = 21; power > 3; --power) {
      const std::int64_t length = (std::int64_t{1} << power) + 1;
      std::vector<std::int64_t> lengths(axes, others == 0 ? length : others);
      lengths[place] = length;
      if (!fits(lengths)) continue;
      if (std::ranges::find(found, lengths) == found.end()) found.push_back(lengths);
      return;
    }
  };
  if (axes == 0) return found;
  add(3, axes - 1);
  add(3, 0);
  add(0, 0);
  return found;
}

}  // namespace

std::vector<FormulaClass> large_classes(const Formula& formula) {
  std::vector<FormulaClass> classes;
  for (std::vector<std::int64_t>& lengths : large_lengths(formula)) {
    std::string name;
    auto length = lengths.begin();
    for (const Axis& each : formula.axes) {
      if (!each.length) name += (name.empty() ? "large: " : ",") + each.name + "=" + std::to_string(*length++);
    }
    classes.push_back({.name = name, .weight = 1, .lengths = std::move(lengths)});
  }
  return classes;
}

}  // namespace assay::formulas
