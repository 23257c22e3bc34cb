#include "properties/formulas/machine.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "oracle/low_precision.hpp"

namespace assay::formulas {
namespace {

constexpr std::array<std::pair<const char*, oracle::Format>, 4> names{
    {{"f64", oracle::binary64}, {"f32", oracle::binary32}, {"f16", oracle::binary16}, {"bf16", oracle::bfloat16}}};

/// The finite numbers of a format, where they are all ±m·2^e with the bits of its precision and exponents.
std::optional<oracle::Format> finite_numbers(const oracle::NumberFormat& format) {
  using oracle::Codes;
  static constexpr std::array fits{Codes::ieee, Codes::finite_nan, Codes::finite, Codes::fnuz};
  if (!format.is_signed || format.is_pair || std::ranges::find(fits, format.codes) == fits.end()) return std::nullopt;
  const int fields = 1 << (format.bits - format.precision);
  const int emax = format.emin + fields - (format.codes == Codes::ieee ? 3 : 2);
  const bool is_cut = format.codes == Codes::finite_nan;
  return oracle::Format{format.precision, format.emin, emax,
                        is_cut ? oracle::Specials::finite_nan : oracle::Specials::ieee};
}

/// Whether rounding to `narrow` has at least the error of rounding to `wide`, everywhere.
bool errs_more(const oracle::Format& narrow, const oracle::Format& wide) {
  return narrow.precision <= wide.precision && narrow.emin >= wide.emin && narrow.emax <= wide.emax;
}

bool has(const Formula& formula, std::initializer_list<Op> ops) {
  return std::ranges::any_of(formula.nodes,
                             [&](const Node& node) { return std::ranges::find(ops, node.op) != ops.end(); });
}

unsigned long number_of(const MachineText& text, const MachineText::Setting& setting) {
  if (setting.words.empty() || setting.words[0].find_first_not_of("0123456789") != std::string::npos ||
      setting.words[0].size() > 6) {
    throw FormulaError("machine " + text.name + ", line " + std::to_string(setting.line) + ": " + setting.name +
                       " needs a number");
  }
  return std::stoul(setting.words[0]);
}

/// Whether a machine may store the node.
bool is_definition(const Node& node) { return !node.name.empty() && node.op != Op::input && !node.is_constant; }

/// The names of definitions, as in "z, s".
std::string definitions_of(const Formula& formula) {
  std::set<std::string> names;
  std::string text;
  for (const Node& node : formula.nodes) {
    if (is_definition(node) && names.insert(node.name).second) text += (text.empty() ? "" : ", ") + node.name;
  }
  return text;
}

Machine machine_of(const MachineText& text, const Machine& strongest, const Formula& formula) {
  Machine machine = strongest;
  machine.name = text.name;
  for (const auto& setting : text.settings) {
    const auto wrong = [&](const std::string& what) {
      throw FormulaError("machine " + text.name + ", line " + std::to_string(setting.line) + ": " + what);
    };
    const std::string word = setting.words.empty() ? "" : setting.words[0];
    if (setting.name == "wide") {
      machine.wide = format_of_name(word);
    } else if (setting.name == "sum") {
      if (word != "tree" && word != "chains" && word != "any") wrong("sum is tree, chains or any");
      machine.order = word == "tree" ? Order::tree : word == "chains" ? Order::chains : Order::any;
    } else if (setting.name == "functions") {
      machine.functions = std::max(1UL, number_of(text, setting));
    } else if (setting.name == "reciprocal") {
      machine.quotient = 2;
    } else if (setting.name == "exp2") {
      machine.exp_difference = 4;
      machine.exp_shift = 1;
    } else if (setting.name == "online") {
      machine.is_online = true;
    } else if (setting.name == "one_pass") {
      machine.has_one_pass = true;
    } else if (setting.name == "unit") {
      machine.has_unit = true;
    } else if (setting.name == "ways") {
      machine.has_ways = true;
    } else if (setting.name == "stochastic") {
      machine.is_stochastic = true;
    } else if (setting.name == "ftz") {
      machine.flushes = true;
    } else if (setting.name == "store") {
      if (setting.words.size() < 2) wrong("store needs names and a format, as in \"store p, s bf16\"");
      machine.store = stored_format_of_name(setting.words.back());
      for (std::size_t i = 0; i + 1 < setting.words.size(); ++i) {
        const std::string& each = setting.words[i];
        if (each == "all") machine.stores_all = true;
        if (each == "," || each == "all") continue;
        if (std::ranges::none_of(formula.nodes,
                                 [&](const Node& node) { return is_definition(node) && node.name == each; }))
          wrong("store: no definition " + each + "; there are: all, " + definitions_of(formula));
        machine.stored.push_back(each);
      }
    } else {
      wrong(
          "no setting " + setting.name +
          "; there are: wide, sum, functions, reciprocal, exp2, online, one_pass, unit, ways, stochastic, ftz, store");
    }
  }
  return machine;
}

}  // namespace

oracle::Format format_of_name(const std::string& name) {
  const auto at = std::ranges::find_if(names, [&](const auto& each) { return name == each.first; });
  if (at == names.end()) throw FormulaError("no format \"" + name + "\"; there are: f64, f32, f16, bf16");
  return at->second;
}

oracle::Format stored_format_of_name(const std::string& name) {
  const oracle::NumberFormat* const format = oracle::find_number_format(name);
  const auto numbers = format == nullptr ? std::nullopt : finite_numbers(*format);
  if (numbers) return *numbers;
  std::string known;
  for (const oracle::NumberFormat& each : oracle::number_formats()) {
    if (finite_numbers(each)) known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw FormulaError("no format \"" + name + "\" to store in; there are: " + known);
}

std::string name_of_format(const oracle::Format& format) {
  for (const oracle::NumberFormat& each : oracle::number_formats()) {
    if (finite_numbers(each) == format) return std::string(each.name);
  }
  return oracle::name(format);
}

bool Machine::stores(const Node& node) const {
  return store && is_definition(node) && (stores_all || std::ranges::find(stored, node.name) != stored.end());
}

bool Machine::may_saturate() const { return store && store->precision < oracle::bfloat16.precision; }

bool admits(const Machine& weak, const Machine& strong) {
  const bool has_all_stored =
      weak.stores_all || (!strong.stores_all && std::ranges::all_of(strong.stored, [&](const std::string& each) {
        return std::ranges::find(weak.stored, each) != weak.stored.end();
      }));
  // In the format of the result, a machine has no other neighbor than the number that it computes.
  const bool has_neighbors = !strong.is_stochastic || (weak.is_stochastic && weak.wide == strong.wide);
  const bool stores_as_wide = !strong.store || (weak.store && errs_more(*weak.store, *strong.store));
  return errs_more(weak.wide, strong.wide) && weak.order >= strong.order && weak.functions >= strong.functions &&
         weak.quotient >= strong.quotient && weak.exp_difference >= strong.exp_difference &&
         weak.exp_shift >= strong.exp_shift && weak.is_online >= strong.is_online &&
         weak.has_one_pass >= strong.has_one_pass && weak.has_unit >= strong.has_unit &&
         weak.has_ways >= strong.has_ways && weak.flushes >= strong.flushes && has_neighbors && has_all_stored &&
         stores_as_wide;
}

std::vector<Machine> ladder(const Formula& formula, const oracle::Format& inputs) {
  const bool is_narrow = inputs.precision < oracle::binary32.precision;
  const bool has_sums = has(formula, {Op::sum, Op::dot, Op::cumsum, Op::norm, Op::logsumexp, Op::variance});
  Machine machine{.name = "tree", .wide = is_narrow ? oracle::binary32 : inputs, .order = Order::tree};
  std::vector<Machine> all;
  const auto add = [&](const std::string& name) {
    machine.name = name;
    all.push_back(machine);
  };
  if (has_sums) {
    add("tree");
    machine.order = Order::chains;
    add("chains");
  }
  machine.order = Order::any;
  add("any_order");
  machine.functions = 4;
  machine.quotient = 2;
  machine.exp_difference = 4;
  machine.exp_shift = 1;
  machine.is_online = true;
  if (has(formula, {Op::div, Op::exp, Op::exp2, Op::expm1, Op::log, Op::log1p, Op::rsqrt, Op::tanh, Op::erf,
                    Op::sigmoid, Op::sin, Op::cos, Op::pow, Op::atan2, Op::logits, Op::variance})) {
    add("fast");
  }
  if (!formula.ways.empty()) {
    machine.has_ways = true;
    add("ways");
  }
  if (has(formula, {Op::variance})) {
    machine.has_one_pass = true;
    add("one_pass");
  }
  if (is_narrow) {
    if (has(formula, {Op::dot})) {
      machine.has_unit = true;
      add("unit");
    }
    machine.store = inputs;
    const Machine before = machine;
    std::set<std::string> done;
    for (std::size_t k = 0; k < formula.nodes.size(); ++k) {
      const Node& node = formula.nodes[k];
      if (!is_definition(node) || k == formula.result) continue;
      machine = before;
      machine.stored = {node.name};
      if (done.insert(node.name).second) add("stored_" + node.name);
    }
    machine = before;
    machine.stores_all = true;
    if (!done.empty()) add("stored");
    machine.wide = inputs;
    add("narrow");
  }
  Machine strongest{.name = "", .wide = is_narrow ? oracle::binary32 : inputs, .order = Order::tree};
  constexpr std::array of_every_formula{"correctly_rounded", "faithful", "exceptional", flushing};
  for (const MachineText& each : formula.machines) {
    if (std::ranges::find(of_every_formula, each.name) != of_every_formula.end() ||
        std::ranges::find(all, each.name, &Machine::name) != all.end()) {
      throw FormulaError("machine " + each.name + ": another contract of the formula has this name");
    }
    all.push_back(machine_of(each, strongest, formula));
  }
  return all;
}

Machine usual_machine(const Formula& formula, const oracle::Format& inputs) {
  Machine usual;
  for (const Machine& each : ladder(formula, inputs)) {
    if (!formula.machines.empty() && each.name == formula.machines.front().name) return each;
    if (each.name != "one_pass" && each.name != "narrow") usual = each;
  }
  return usual;
}

Machine flushing_machine(const Formula& formula, const oracle::Format& inputs) {
  Machine machine = usual_machine(formula, inputs);
  machine.name = flushing;
  machine.flushes = true;
  return machine;
}

std::vector<Machine> machines_beside(const std::string& name, const Formula& formula, const oracle::Format& inputs) {
  return name == flushing ? std::vector{flushing_machine(formula, inputs)} : ladder(formula, inputs);
}

std::string describe(const Machine& machine) {
  std::string text = "sums in " + name_of_format(machine.wide);
  text += machine.order == Order::tree     ? " by trees of the least height"
          : machine.order == Order::chains ? " by chains of 64"
                                           : " in any order";
  text += ", functions within " + std::to_string(machine.functions) + (machine.functions == 1 ? " ulp" : " ulps");
  if (machine.quotient == 2) text += ", quotients by reciprocals";
  if (machine.exp_difference > 1) text += ", exponentials by exp2";
  if (machine.is_online) text += ", online softmax";
  if (machine.has_ways) text += ", the ways of the formula";
  if (machine.has_one_pass) text += ", variance in one pass";
  if (machine.has_unit) text += ", matrix units";
  if (machine.is_stochastic) text += ", a result in another format rounded to either neighbor";
  if (machine.flushes) text += ", subnormal numbers as 0";
  if (machine.store && machine.stores_all) text += ", every definition stored in " + name_of_format(*machine.store);
  if (machine.store && !machine.stored.empty()) {
    text += ", stored in " + name_of_format(*machine.store) + ":";
    for (const std::string& each : machine.stored) text += " " + each;
  }
  return text;
}

}  // namespace assay::formulas
