#include <fmt/core.h>

#include <algorithm>

#include "assay/cli/commands.hpp"
#include "assay/report/exit_codes.hpp"
#include "properties/formulas/door/operation.hpp"

namespace assay::cli {
namespace {

void print_machine(const formulas::Machine& machine, std::size_t place, const formulas::Truth& truth,
                   const oracle::Format& format, bool derives) {
  const formulas::Tolerance tolerance = tolerance_of(truth, place, machine, format);
  const std::size_t entries = tolerance.bounds.size();
  if (tolerance.silent == entries) {
    fmt::print("{}: nothing is said of {} entries\n  {}\n", machine.name, entries, describe(machine));
    return;
  }
  fmt::print(
      "{}: largest bound {:.3g}, median {:.3g}, largest of bound/|value| {:.3g}; nothing is said of {} of {} entries\n "
      " {}\n",
      machine.name, tolerance.largest, tolerance.median, tolerance.relative, tolerance.silent, entries,
      describe(machine));
  if (tolerance.blind != 0) fmt::print("  a kernel that returns 0 is within it at {} entries\n", tolerance.blind);
  if (derives) fmt::print("{}", truth.derivation(place, tolerance.at));
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
    const formulas::Case c = formulas::typical_case(typed, options.seed);
    fmt::print("{}: {}\nfor nearly normal numbers of {}", formula->name, formula->computes, format);
    const std::vector<std::size_t> free = typed.free_axes();
    for (std::size_t a = 0; a < free.size(); ++a) fmt::print(", {} = {}", formula->axes[free[a]].name, c.lengths[a]);
    fmt::print("\n");
    const formulas::Truth truth(typed, c, machines);
    for (std::size_t m = 0; m < machines.size(); ++m) {
      if (options.machine.empty() || options.machine == machines[m].name) {
        print_machine(machines[m], m, truth, typed.result, options.derivation);
      }
    }
  } catch (const formulas::FormulaError& error) {
    throw UsageError(error.what());
  }
  return report::exit_holds;
}

}  // namespace assay::cli
