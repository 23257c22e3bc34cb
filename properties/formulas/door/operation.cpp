#include "properties/formulas/door/operation.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/formula_theorems.hpp"
#include "properties/formulas/door/library.hpp"
#include "properties/framework/nearest.hpp"

namespace assay::formulas {
namespace {

const std::vector<std::string> formats{"f64", "f32", "f16", "bf16", "f16:f32", "bf16:f32"};

/// void f(size_t n, …, const T* x, …, T* y).
std::string declaration(const Formula& formula) {
  std::string text = "void f(";
  for (const Axis& each : formula.axes) {
    if (!each.length) text += "size_t " + each.name + ", ";
  }
  for (const Parameter& each : formula.parameters) {
    text += std::string("const ") +
            (each.index_of         ? "int64_t"
             : each.format.empty() ? "T"
                                   : each.format) +
            "* " + each.name + ", ";
  }
  return text + "T* " + formula.result_name + ")";
}

/// The ladders of all formats in one: machines with the same name are one contract.
std::vector<Contract> contracts_of(const Formula& formula) {
  std::vector<Contract> all{{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful"}},
                            {"faithful", &contract_faithful_1.words}};
  std::map<std::string, std::vector<std::string>> formats_of;
  for (const std::string& format : formats) {
    const oracle::Format inputs = format_of_name(format.substr(0, format.find(':')));
    std::vector<Machine> machines = ladder(formula, inputs);
    machines.push_back(flushing_machine(formula, inputs));
    for (const Machine& machine : machines) {
      auto at = std::ranges::find(all, machine.name, &Contract::id);
      if (at == all.end()) {
        at = all.insert(all.end(), {machine.name, &formula_forward_1.words, describe(machine)});
        at->is_rung = machine.name != flushing;
        if (!at->is_rung) at->kept_by = "right kernels that flush subnormal numbers to zero";
        for (const Machine& weaker : machines) {
          if (&weaker != &machine && admits(weaker, machine)) at->implies.push_back(weaker.name);
        }
      } else {
        // If a machine implies another one, it must do so in all formats.
        std::erase_if(at->implies, [&](const std::string& id) {
          const auto weaker = std::ranges::find(machines, id, &Machine::name);
          return weaker != machines.end() && !admits(*weaker, machine);
        });
        for (const Machine& weaker : machines) {
          const bool is_known = std::ranges::find(at->implies, weaker.name) != at->implies.end();
          const bool is_new = std::ranges::find(all, weaker.name, &Contract::id) == all.end();
          if (!is_known && is_new && admits(weaker, machine)) at->implies.push_back(weaker.name);
        }
      }
      formats_of[machine.name].push_back(format);
    }
  }
  for (Contract& each : all) {
    if (formats_of.contains(each.id) && formats_of[each.id].size() < formats.size()) each.formats = formats_of[each.id];
  }
  // A result that is right up to its rounding is possible for every machine: all machines round at least once, or
  // store.
  for (const auto& [name, of] : formats_of) {
    if (of.size() == formats.size()) all[0].implies.push_back(name);
  }
  std::ranges::stable_partition(all, [](const Contract& each) { return each.id != flushing; });
  for (Contract& each : all) {
    std::ranges::stable_partition(each.implies, [](const std::string& id) { return id != flushing; });
  }
  all.push_back({"exceptional", &formula_exceptional_1.words, {}, {}, false});
  return all;
}

}  // namespace

Formula formula_named(const std::string& path) {
  if (path.find('\n') != std::string::npos) return parse(path, "formula");
  if (path.find('/') != std::string::npos || path.ends_with(".formula")) return read(path);
  std::vector<std::string> names;
  for (const ShippedFormula& each : shipped_formulas) {
    if (each.name == path) return parse(std::string(each.text), path);
    names.emplace_back(each.name);
  }
  std::string near;
  for (const std::string& each : nearest(path, names)) near += (near.empty() ? "; nearest: " : ", ") + each;
  throw FormulaError(path + ": no shipped formula, and no file that ends with .formula" + near +
                     "; `assay contracts formulas` lists all");
}

std::vector<std::string> lines_of_shipped() {
  std::vector<std::string> lines;
  for (const ShippedFormula& each : shipped_formulas) {
    lines.push_back(std::string(each.name) + ": " + parse(std::string(each.text), std::string(each.name)).computes);
  }
  return lines;
}

std::vector<std::int64_t> lengths_of(const Formula& formula, const std::string& shape) {
  std::vector<std::int64_t> lengths;
  if (shape.empty()) return lengths;
  std::map<std::string, std::int64_t> given;
  std::istringstream parts(shape);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    const std::string number = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string::npos) {
      throw FormulaError("--shape " + shape + ": lengths are given as n=64,d=32");
    }
    given[part.substr(0, equals)] = std::stol(number);
  }
  std::string names;
  for (const Axis& each : formula.axes) {
    if (each.length) continue;
    names += (names.empty() ? "" : ", ") + each.name;
    const auto at = given.find(each.name);
    if (at != given.end()) lengths.push_back(at->second), given.erase(at);
  }
  const auto wanted = std::ranges::count_if(formula.axes, [](const Axis& each) { return !each.length; });
  if (!given.empty() || lengths.size() != static_cast<std::size_t>(wanted)) {
    throw FormulaError("--shape " + shape + ": " + formula.name + " has the axes " + names);
  }
  return lengths;
}

std::vector<AskedShape> several_shapes_of(const Formula& formula, const std::string& shape) {
  bool is_single = shape.find(';') == std::string::npos && shape.find("..") == std::string::npos;
  std::istringstream parts(shape);
  for (std::string part; std::getline(parts, part, ',');) is_single = is_single && part.find('=') != std::string::npos;
  if (shape.empty() || is_single) return {};
  std::vector<AskedShape> shapes = shapes_of(shape);
  for (const AskedShape& each : shapes) {
    std::string greatest;
    for (const Dimension& dimension : each) {
      greatest += (greatest.empty() ? "" : ",") + dimension.name + "=" + std::to_string(dimension.high);
    }
    lengths_of(formula, greatest);  // refuses names that are not axis, and missing axes
  }
  return shapes;
}

std::vector<std::int64_t> single_lengths_of(const Formula& formula, const std::string& shape) {
  return several_shapes_of(formula, shape).empty() ? lengths_of(formula, shape) : std::vector<std::int64_t>{};
}

Operation operation_of(const std::shared_ptr<const Formula>& formula, const std::vector<std::int64_t>& lengths) {
  Operation operation;
  operation.name = formula->name;
  operation.computes = formula->computes.empty() ? "a formula" : formula->computes;
  operation.formats = formats;
  operation.signatures = {{CallForm::plain, declaration(*formula)}};
  operation.contracts = contracts_of(*formula);
  operation.is_one_number = formula->result_axes().empty();
  operation.graph = to_json(*formula);
  operation.property = [formula, lengths](const Question& question, const ForeignKernel& kernel) {
    return property_of(formula, lengths, question, kernel);
  };
  return operation;
}

std::string register_file(const std::string& path, const std::string& shape) {
  const auto formula = std::make_shared<const Formula>(formula_named(path));
  if (find_operation(formula->name) != nullptr) {
    throw FormulaError(path + ": " + formula->name + " is the name of another operation; give the formula another one");
  }
  const OperationRegistration registration(operation_of(formula, single_lengths_of(*formula, shape)));
  return formula->name;
}

}  // namespace assay::formulas
