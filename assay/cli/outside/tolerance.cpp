#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/tolerances.hpp"
#include "oracle/decode.hpp"
#include "properties/formulas/door/operation.hpp"

namespace assay::cli {
namespace {

void print_machine(const formulas::Machine& machine, std::size_t place, const formulas::Truth& truth,
                   const oracle::Format& format, bool derives) {
  const formulas::Tolerance tolerance = tolerance_of(truth, place, machine, format);
  const std::size_t entries = tolerance.bounds.size();
  const std::string why = tolerance.why.empty() ? "" : ": " + tolerance.why;
  if (tolerance.silent == entries) {
    fmt::print("{}: no bound for {} entries{}\n  {}\n", machine.name, entries, why, describe(machine));
    return;
  }
  fmt::print(
      "{}: largest bound {:.3g}, median {:.3g}, largest bound/|value| {:.3g}; no bound for {} of {} entries{}\n  {}\n",
      machine.name, tolerance.largest, tolerance.median, tolerance.relative, tolerance.silent, entries, why,
      describe(machine));
  if (tolerance.by_forward != 0) {
    fmt::print(
        "  {} smaller bounds by formula.forward.1 alone; a judge also asks that of formula.mean.1 where an error is "
        "largest\n",
        tolerance.by_forward);
  }
  if (tolerance.blind != 0) fmt::print("  a kernel that returns 0 passes at {} entries\n", tolerance.blind);
  if (derives) fmt::print("{}", truth.derivation(place, tolerance.at));
}

/// The case in a file. Errors: UsageError where it is none of the formula in this format.
formulas::Case saved_case(formulas::Typed& typed, const Options& options) {
  const std::optional<formulas::Case> c = case_of(typed, store::read_case(options.data).inputs);
  if (c) typed.lengths = c->lengths;  // of any size
  if (!c || !contains(typed, *c)) {
    const std::string& format = oracle::name(typed.parameters.front());
    throw UsageError(fmt::format("--data {}: no case of {} in {}", options.data, typed.formula->name, format));
  }
  return *c;
}

void print_head(const formulas::Typed& typed, const formulas::Case& c, const std::string& numbers) {
  const formulas::Formula& formula = *typed.formula;
  fmt::print("{}: {}\nfor {}", formula.name, formula.computes, numbers);
  const std::vector<std::size_t> free = typed.free_axes();
  for (std::size_t a = 0; a < free.size(); ++a) fmt::print(", {} = {}", formula.axes[free[a]].name, c.lengths[a]);
  fmt::print("\n");
}

using Json = nlohmann::ordered_json;

/// A number without loss; "inf" if there is no bound.
std::string hexadecimal(double x) { return fmt::format("{:a}", x); }
/// x as a hexadecimal float, rounded up if x is below 2^-1022.
std::string hexadecimal(const oracle::Magnitude& x) {
  return hexadecimal(x.is_finite() ? x.value().to_double_up() : x.to_double());
}

Json by_entry(const formulas::Magnitudes& of) {
  Json nodes = Json::array();
  for (const auto& node : of) {
    Json& entries = nodes.emplace_back(Json::array());
    for (const oracle::Magnitude& each : node) entries.push_back(hexadecimal(each));
  }
  return nodes;
}

Json settings_of(const formulas::Machine& machine) {
  return {{"name", machine.name},
          {"wide", formulas::name_of_format(machine.wide)},
          {"order", machine.order == formulas::Order::tree     ? "tree"
                    : machine.order == formulas::Order::chains ? "chains"
                                                               : "any"},
          {"functions", machine.functions},
          {"quotient", machine.quotient},
          {"exp_difference", machine.exp_difference},
          {"exp_shift", machine.exp_shift},
          {"is_online", machine.is_online},
          {"has_one_pass", machine.has_one_pass},
          {"has_unit", machine.has_unit},
          {"is_stochastic", machine.is_stochastic},
          {"flushes", machine.flushes},
          {"store", machine.store ? formulas::name_of_format(*machine.store) : ""},
          {"stores_all", machine.stores_all},
          {"stored", machine.stored}};
}

/// The derivation of a machine's largest bound: local and whole errors of all entries by formula.forward.1, and the
/// parts of the entry's bound by formula.mean.1.
Json derivation_of(const formulas::Machine& machine, std::size_t place, const formulas::Truth& truth,
                   const oracle::Format& format) {
  const std::size_t entry = tolerance_of(truth, place, machine, format).at;
  Json derivations = Json::array();
  for (const auto& each : truth.derive(place, entry)) {
    Json shares = Json::array();
    for (const formulas::Share& share : each.shares) {
      shares.push_back(
          {{"node", share.node}, {"error", hexadecimal(share.error)}, {"adjoint", hexadecimal(share.adjoint)}});
    }
    derivations.push_back({{"graph", Json::parse(to_json(*each.formula))},
                           {"local", by_entry(each.errors->local)},
                           {"total", by_entry(each.errors->total)},
                           {"by_mean", hexadecimal(each.by_mean)},
                           {"by_forward", hexadecimal(each.by_forward)},
                           {"shares", std::move(shares)}});
  }
  return {{"machine", settings_of(machine)},
          {"entry", entry},
          {"bound", hexadecimal(truth.bound(place, entry))},
          {"derivations", std::move(derivations)}};
}

/// The document of bounds with formula, graph and lengths, but without machines.
store::Tolerances head_of(const formulas::Typed& typed, const formulas::Case& c, const std::string& format,
                          std::uint64_t seed) {
  const formulas::Formula& formula = *typed.formula;
  store::Tolerances told{.formula = formula.name, .format = format, .seed = seed};
  told.graph = Json::parse(to_json(formula));
  const std::vector<std::size_t> free = typed.free_axes();
  for (std::size_t a = 0; a < free.size(); ++a) {
    told.axes.push_back({formula.axes[free[a]].name, static_cast<std::uint64_t>(c.lengths[a])});
  }
  return told;
}

store::Tolerances::Machine bounds_of(const formulas::Machine& machine, std::size_t place, const formulas::Truth& truth,
                                     const oracle::Format& format) {
  const formulas::Tolerance tolerance = tolerance_of(truth, place, machine, format);
  store::Tolerances::Machine told{.name = machine.name,
                                  .description = describe(machine),
                                  .largest = tolerance.largest,
                                  .median = tolerance.median,
                                  .relative = tolerance.relative,
                                  .at = tolerance.at,
                                  .entries = tolerance.bounds.size(),
                                  .silent = tolerance.silent,
                                  .blind = tolerance.blind};
  if (tolerance.silent == tolerance.bounds.size()) {
    told.largest = told.median = told.relative = std::numeric_limits<double>::infinity();
  }
  return told;
}

std::string hexadecimal(const oracle::Format& format, std::uint64_t word) {
  if (oracle::is_finite(format, word)) return hexadecimal(oracle::decode_finite(format, word).to_double_nearest());
  if (oracle::is_nan(format, word)) return "nan";
  return oracle::is_negative(format, word) ? "-inf" : "inf";
}

/// The numbers of each parameter.
Json shown_inputs(const formulas::Typed& typed, const formulas::Case& c) {
  Json inputs = Json::object();
  for (std::size_t p = 0; p < c.words.size(); ++p) {
    const formulas::Parameter& parameter = typed.formula->parameters[p];
    Json& numbers = inputs[parameter.name] = Json::array();
    for (const std::uint64_t word : c.words[p]) {
      if (parameter.index_of) {
        numbers.push_back(static_cast<std::int64_t>(word));
      } else {
        numbers.push_back(hexadecimal(typed.parameters[p], word));
      }
    }
  }
  return inputs;
}

/// Errors: UsageError for an operation that has no formula, FormulaError.
formulas::Formula formula_of_argument(const std::string& name) {
  try {
    return formulas::formula_named(name);
  } catch (const formulas::FormulaError&) {
    if (find_operation(name) == nullptr) throw;
    throw UsageError(name +
                     ": an operation without a formula; assay.tolerance of Python has its bounds for your numbers");
  }
}

/// The largest length of an axis for which a test with one number as absolute and relative tolerance accepts all right
/// results of a machine, for numbers drawn for each length.
class LongestAxis {
 public:
  static constexpr std::int64_t most = 1 << 16;

  LongestAxis(formulas::Typed& typed, const Options& options) : typed_(typed), options_(options) {
    const formulas::Formula& formula = *typed.formula;
    const std::vector<std::size_t> free = typed.free_axes();
    const auto found = std::ranges::find(free, options.longest, [&](std::size_t a) { return formula.axes[a].name; });
    if (found == free.end()) {
      std::string names;
      for (const std::size_t a : free) names += (names.empty() ? "" : ", ") + formula.axes[a].name;
      throw UsageError(fmt::format("--longest {}: {} has {}", options.longest, formula.name, names));
    }
    axis_ = static_cast<std::size_t>(found - free.begin());
    if (("," + options.shape).find("," + options.longest + "=") != std::string::npos) {
      throw UsageError(fmt::format("--shape {}: the length of {} is looked for", options.shape, options.longest));
    }
    const std::string others = options.shape.empty() ? "" : options.shape + ",";
    typed.lengths = formulas::lengths_of(formula, others + options.longest + "=1");
  }

  /// The least number for such a test; infinite if an entry has no bound.
  double tolerance(const formulas::Machine& machine, std::int64_t length) {
    typed_.lengths[axis_] = length;
    const formulas::Case c = formulas::typical_case(typed_, options_.seed);
    const std::vector<formulas::Machine> alone{machine};
    const formulas::Truth truth(typed_, c, alone);
    const formulas::Tolerance told = tolerance_of(truth, 0, machine, typed_.result);
    return told.silent != 0 ? std::numeric_limits<double>::infinity() : told.mixed;
  }

  void print(const formulas::Machine& machine) {
    const std::string& axis = options_.longest;
    std::int64_t fits = 0, exceeds = 1;
    while (exceeds <= most && tolerance(machine, exceeds) <= options_.within) {
      fits = exceeds;
      exceeds *= 2;
    }
    if (fits == 0) {
      fmt::print("{}: no {}: {} = 1 needs {:.3g}\n", machine.name, axis, axis, tolerance(machine, 1));
      return;
    }
    if (fits == most) {
      fmt::print("{}: {} = {} and perhaps more: needs {:.3g}\n", machine.name, axis, fits, tolerance(machine, fits));
      return;
    }
    while (exceeds - fits > 1) {
      const std::int64_t middle = (fits + exceeds) / 2;
      (tolerance(machine, middle) <= options_.within ? fits : exceeds) = middle;
    }
    fmt::print("{}: {} = {} needs {:.3g}, {} needs {:.3g}\n", machine.name, axis, fits, tolerance(machine, fits),
               exceeds, tolerance(machine, exceeds));
  }

 private:
  formulas::Typed& typed_;
  const Options& options_;
  std::size_t axis_ = 0;
};

}  // namespace

int run_tolerance(const Options& options) {
  try {
    const auto formula = std::make_shared<const formulas::Formula>(formula_of_argument(options.arguments.front()));
    const std::string format = options.format.empty() ? "f32" : options.format;
    formulas::Typed typed = formulas::typed(formula, format);
    if (options.longest.empty()) typed.lengths = formulas::lengths_of(*formula, options.shape);
    const std::vector<formulas::Machine> machines = formulas::machines_beside(
        options.machine, *formula, formulas::format_of_name(format.substr(0, format.find(':'))));
    const bool is_known = std::ranges::find(machines, options.machine, &formulas::Machine::name) != machines.end();
    if (!options.machine.empty() && !is_known) {
      std::string names;
      for (const auto& each : machines) names += (names.empty() ? "" : ", ") + each.name;
      throw UsageError(fmt::format("--machine {}: {} has {}", options.machine, formula->name, names));
    }
    if (!options.longest.empty()) {
      if (!(options.within > 0)) throw UsageError(fmt::format("--within {}: it is above 0", options.within));
      LongestAxis longest(typed, options);
      fmt::print(
          "{}: {}\nall right results pass a test with rtol = atol = {} up to this {}, for nearly standard normal "
          "numbers of {}\n",
          formula->name, formula->computes, options.within, options.longest, format);
      for (const formulas::Machine& machine : machines) {
        if (options.machine.empty() || options.machine == machine.name) longest.print(machine);
      }
      return report::exit_holds;
    }
    const formulas::Case c =
        options.data.empty() ? formulas::typical_case(typed, options.seed) : saved_case(typed, options);
    const formulas::Truth truth(typed, c, machines);
    const bool lists_bounds = options.json && !options.derivation;
    Json derivations = Json::array();
    store::Tolerances told = head_of(typed, c, format, options.seed);
    if (!options.json) {
      const std::string from =
          options.data.empty() ? "nearly standard normal numbers" : "the numbers of " + options.data;
      print_head(typed, c, from + " of " + format);
    }
    for (std::size_t m = 0; m < machines.size(); ++m) {
      if (!options.machine.empty() && options.machine != machines[m].name) continue;
      if (lists_bounds) {
        told.machines.push_back(bounds_of(machines[m], m, truth, typed.result));
      } else if (options.json) {
        derivations.push_back(derivation_of(machines[m], m, truth, typed.result));
      } else {
        print_machine(machines[m], m, truth, typed.result, options.derivation);
      }
    }
    if (lists_bounds) {
      fmt::print("{}", store::pretty(store::tolerances_document(told)));
    } else if (options.json) {
      Json lengths = Json::object();
      const std::vector<std::int64_t> all = lengths_of_axes(*formula, c.lengths);
      for (std::size_t a = 0; a < all.size(); ++a) lengths[formula->axes[a].name] = all[a];
      Json formats = Json::object();
      for (std::size_t p = 0; p < typed.parameters.size(); ++p) {
        formats[formula->parameters[p].name] =
            formula->parameters[p].index_of ? "" : formulas::name_of_format(typed.parameters[p]);
      }
      const Json document{{"formula", formula->name},
                          {"lengths", lengths},
                          {"formats", formats},
                          {"inputs", shown_inputs(typed, c)},
                          {"machines", derivations}};
      fmt::print("{}\n", document.dump(1));
    }
  } catch (const formulas::FormulaError& error) {
    throw UsageError(error.what());
  }
  return report::exit_holds;
}

}  // namespace assay::cli
