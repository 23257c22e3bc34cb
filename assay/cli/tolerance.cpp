#include <fmt/core.h>

#include <algorithm>

#include "assay/cli/commands.hpp"
#include "assay/report/exit_codes.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::cli {
namespace {

/// |x|, for display.
double size_of(const oracle::Exact& x) {
  return std::abs(std::visit(
      [](const auto& exact) {
        using Kind = std::decay_t<decltype(exact)>;
        if constexpr (std::is_same_v<Kind, oracle::Dyadic>) return exact.to_double_nearest();
        if constexpr (std::is_same_v<Kind, oracle::Enclosure>) return exact.at(64).lower().to_double_nearest();
        return 0.0;
      },
      x));
}

void print_machine(const formulas::Machine& machine, std::size_t place, const formulas::Truth& truth, bool derives) {
  std::vector<double> bounds;
  double largest = 0;
  double relative = 0;
  std::size_t at = 0;
  std::size_t silent = 0;
  for (std::size_t i = 0; i < truth.exact().size(); ++i) {
    if (!truth.is_number(i) || !truth.bounds(place)[i].is_finite()) {
      ++silent;
      continue;
    }
    const double bound = truth.bounds(place)[i].to_double();
    bounds.push_back(bound);
    if (bound > largest) largest = bound, at = i;
    if (const double size = size_of(truth.exact()[i]); size > 0) relative = std::max(relative, bound / size);
  }
  if (bounds.empty()) {
    fmt::print("{}: nothing is said of {} entries\n  {}\n", machine.name, silent, describe(machine));
    return;
  }
  std::ranges::sort(bounds);
  fmt::print(
      "{}: largest bound {:.3g}, median {:.3g}, largest of bound/|value| {:.3g}; nothing is said of {} of {} entries\n "
      " {}\n",
      machine.name, largest, bounds[bounds.size() / 2], relative, silent, truth.exact().size(), describe(machine));
  if (derives) fmt::print("{}", truth.derivation(place, at));
}

}  // namespace

int run_tolerance(const Options& options) {
  try {
    const auto formula = std::make_shared<const formulas::Formula>(formulas::formula_named(options.arguments.front()));
    if (options.json) {
      fmt::print("{}", to_json(*formula));
      return report::exit_holds;
    }
    const std::string format = options.format.empty() ? "f32" : options.format;
    formulas::Typed typed = formulas::typed(formula, format);
    typed.lengths = formulas::lengths_of(*formula, options.shape);
    const std::vector<formulas::Machine> machines =
        formulas::ladder(*formula, formulas::format_of_name(format.substr(0, format.find(':'))));
    const bool is_known = std::ranges::find(machines, options.machine, &formulas::Machine::name) != machines.end();
    if (!options.machine.empty() && !is_known) {
      std::string names;
      for (const auto& each : machines) names += (names.empty() ? "" : ", ") + each.name;
      throw UsageError(fmt::format("--machine {}: {} has {}", options.machine, formula->name, names));
    }
    constexpr std::size_t of_normal = 3;
    Draw draw(random_for(options.seed, formula->name, 0));
    const formulas::Case c = formulas::draw_case(typed, of_normal, draw);
    fmt::print("{}: {}\nfor {} of {}", formula->name, formula->computes, formulas::input_classes()[of_normal].name,
               format);
    const std::vector<std::size_t> free = typed.free_axes();
    for (std::size_t a = 0; a < free.size(); ++a) fmt::print(", {} = {}", formula->axes[free[a]].name, c.lengths[a]);
    fmt::print("\n");
    const formulas::Truth truth(typed, c, machines);
    for (std::size_t m = 0; m < machines.size(); ++m) {
      if (options.machine.empty() || options.machine == machines[m].name) {
        print_machine(machines[m], m, truth, options.derivation);
      }
    }
  } catch (const formulas::FormulaError& error) {
    throw UsageError(error.what());
  }
  return report::exit_holds;
}

}  // namespace assay::cli
