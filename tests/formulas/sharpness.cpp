// How sharp the bounds of the shipped formulas are: for each machine the error of the adversary of formula.sharp.1 over
// the bound of formula.mean.1, and the bound of formula.mean.1 over that of formula.forward.1.
//
// sharpness [--cases N] [--formulas a,b] [--format f32] [--least X]
//
// Fails if the median of a formula on a machine is below X, in hundredths.

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "properties/formulas/door/library.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/property.hpp"
#include "tests/formulas/adversary.hpp"

namespace assay::formulas {
namespace {

constexpr long bits = 192;

struct Options {
  std::size_t cases = 5;
  std::vector<std::string> formulas = {};
  std::string format = "f32";
  std::size_t least = 0;
};

struct Found {
  std::vector<double> reached = {};
  std::vector<double> of_forward = {};
  std::size_t silent = 0;
};

double middle(std::vector<double>& all) {
  if (all.empty()) return 1;
  std::ranges::sort(all);
  return all[all.size() / 2];
}

/// One line for each machine. Whether all medians are at least `least` hundredths.
bool print(const std::string& name, const Options& options) {
  const Typed typed_formula = typed(std::make_shared<const Formula>(formula_named(name)), options.format);
  const Formula& formula = *typed_formula.formula;
  const std::vector<Machine> machines = ladder(formula, typed_formula.parameters.front());
  std::vector<Found> found(machines.size());
  for (std::size_t n = 0; n < options.cases; ++n) {
    const Case c = typical_case(typed_formula, n + 1);
    const Inputs inputs = inputs_of(typed_formula, c);
    const Shaped shaped(formula, c.lengths, inputs.integers);
    const Balls values = evaluate(shaped, inputs, bits);
    const std::size_t entries = values[formula.result].size();
    for (std::size_t m = 0; m < machines.size(); ++m) {
      const Errors errors = forward(shaped, values, machines[m], typed_formula.parameters, bits);
      for (const std::size_t i : {std::size_t{0}, entries / 2, entries - 1}) {
        const double part = reached(shaped, inputs, values, errors, i, bits);
        if (part < 0) {
          ++found[m].silent;
          continue;
        }
        found[m].reached.push_back(part);
        const double by_mean = mean(shaped, inputs, values, errors, i).to_double();
        const double by_forward = errors.total[formula.result][i].to_double();
        found[m].of_forward.push_back(by_forward == 0 ? 1 : by_mean / by_forward);
      }
    }
  }
  bool are_sharp = true;
  for (std::size_t m = 0; m < machines.size(); ++m) {
    Found& of = found[m];
    const double reached = middle(of.reached);
    const bool is_sharp = 100 * reached >= static_cast<double>(options.least);
    are_sharp = are_sharp && is_sharp;
    std::cout << std::left << std::setw(34) << name << std::setw(14) << machines[m].name << std::fixed
              << std::setprecision(4) << " reached " << reached << ", least "
              << (of.reached.empty() ? 1 : of.reached.front()) << "; MEAN/FORWARD " << middle(of.of_forward)
              << "; silent " << of.silent << (is_sharp ? "" : "  BELOW") << "\n";
  }
  return are_sharp;
}

int run(int count, char** arguments) {
  Options options;
  for (const ShippedFormula& each : shipped_formulas) options.formulas.emplace_back(each.name);
  for (int a = 1; a + 1 < count; a += 2) {
    const std::string name = arguments[a];
    const std::string value = arguments[a + 1];
    if (name == "--formulas") {
      options.formulas.clear();
      std::istringstream in(value);
      for (std::string part; std::getline(in, part, ',');) options.formulas.push_back(part);
    } else if (name == "--format") {
      options.format = value;
    } else if (name == "--cases") {
      options.cases = std::stoul(value);
    } else if (name == "--least") {
      options.least = std::stoul(value);
    } else {
      std::cerr << "sharpness: accepted are --cases N, --formulas a,b, --format f32 and --least N\n";
      return 2;
    }
  }
  bool are_sharp = true;
  for (const std::string& each : options.formulas) are_sharp = print(each, options) && are_sharp;
  return are_sharp ? 0 : 1;
}

}  // namespace
}  // namespace assay::formulas

int main(int count, char** arguments) {
  try {
    return assay::formulas::run(count, arguments);
  } catch (const std::exception& error) {
    std::cerr << "sharpness: " << error.what() << "\n";
    return 2;
  }
}
