#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>

#include "oracle/decode.hpp"
#include "properties/formulas/door/case.hpp"
#include "properties/formulas/forward.hpp"

namespace assay::formulas {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Magnitude;

/// Numbers of a format and their squares are below 2^far.
constexpr long far = 5000;

/// Evaluations at more bits, kept for all entries of a case.
struct Evaluations {
  std::shared_ptr<const Formula> formula;
  std::vector<std::int64_t> lengths;
  std::shared_ptr<const Inputs> inputs;
  std::vector<std::pair<std::size_t, std::size_t>> excluded;  ///< by node and entry
  std::map<long, Column<Ball>> results = {};

  /// The largest number of bits: beyond it, undecided values such as 1 − e^−(2^60) next to 1 stay undecided.
  static constexpr long most_bits = 2048;

  /// With at least this many bits: an earlier evaluation is used if it has them.
  const Column<Ball>& at(long bits) {
    bits = std::min(bits, most_bits);
    const auto known = results.lower_bound(bits);
    if (known != results.end()) return known->second;
    Shaped shaped(*formula, lengths, inputs->integers);
    for (const auto& [node, entry] : excluded) shaped.exclude(node, entry);
    Balls values = evaluate(shaped, *inputs, bits);
    return results.emplace(bits, std::move(values[formula->result])).first->second;
  }
};

/// "z[12, 6]", "z" of a scalar.
std::string label_of(const Shaped& shaped, std::size_t entry) {
  const Formula& formula = shaped.formula();
  const std::vector<std::size_t> axes = formula.result_axes();
  std::string text;
  for (std::size_t a = axes.size(); a-- > 0;) {
    const auto length = static_cast<std::size_t>(shaped.lengths()[axes[a]]);
    text = std::to_string(entry % length) + (text.empty() ? "" : ", ") + text;
    entry /= length;
  }
  return formula.result_name + (text.empty() ? "" : "[" + text + "]");
}

void unite(std::vector<EntryKinds>& all, const std::vector<EntryKinds>& more) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    all[i].is_special = all[i].is_special || more[i].is_special;
    all[i].kinds |= more[i].kinds;
  }
}

}  // namespace

Truth::Truth(const Typed& typed, const Case& c, const std::vector<Machine>& machines)
    : typed_(typed),
      machines_(machines),
      shared_inputs_(std::make_shared<const Inputs>(inputs_of(typed, c))),
      inputs_(*shared_inputs_),
      bounds_(machines.size()),
      outcomes_(machines.size()) {
  const Formula& formula = *typed.formula;
  SpecialInputs special;
  for (std::size_t p = 0; p < formula.parameters.size(); ++p) {
    std::vector<Kinds>& kinds = special.emplace_back();
    if (formula.parameters[p].index_of) continue;
    for (const std::uint64_t word : c.words[p]) {
      const oracle::Decoded decoded = oracle::decode(typed.parameters[p], word);
      kinds.push_back(decoded.kind == oracle::Decoded::Kind::finite ? 0
                      : decoded.kind == oracle::Decoded::Kind::nan  ? not_a_number
                      : decoded.negative                            ? minus_infinity
                                                                    : plus_infinity);
    }
  }
  const long bits = first_bits(typed);
  const auto add = [&](const Formula& each) {
    graphs_.push_back({&each, std::make_unique<Shaped>(each, c.lengths, inputs_.integers), {}, {}});
    graphs_.back().errors.resize(machines.size());
  };
  add(formula);
  for (const auto& [name, way] : formula.ways) add(way);
  graphs_.front().values = evaluate(*graphs_.front().shaped, inputs_, bits);
  for_each_graph(formula.ways.size(), [&](std::size_t way) {
    Graph& graph = graphs_[way + 1];
    graph.values = evaluate_way(*graph.shaped, inputs_, bits, formula, graphs_.front().values);
  });
  // The machines of the author come last: none of them need be weaker than the one before.
  const std::size_t weakest = machines.size() - 1 - std::min(formula.machines.size(), machines.size() - 1);
  const bool has_special = std::ranges::any_of(special, [](const std::vector<Kinds>& each) {
    return std::ranges::any_of(each, [](Kinds kinds) { return kinds != 0; });
  });
  const auto of_nodes = [&](Graph& each, Sources sources) {
    std::vector<std::vector<EntryKinds>> all;
    for (std::size_t m = weakest; m < machines.size(); ++m) {
      auto kinds = kinds_of(*each.shaped, inputs_, special, each.values, errors(each, m), machines[m], sources);
      if (m == weakest) {
        all = std::move(kinds);
        continue;
      }
      for (std::size_t k = 0; k < kinds.size(); ++k) unite(all[k], kinds[k]);
    }
    return all;
  };
  std::vector<std::pair<std::size_t, std::size_t>> excluded;  // in the graph of the formula
  for (Graph& each : graphs_) {
    const bool has_logits = std::ranges::count(each.formula->nodes, Op::logits, &Node::op) > 0;
    if (!has_special || !has_logits) continue;
    // What is left out of a node decides what its users are.
    for (;;) {
      const auto more = exclude_minus_infinities(*each.shaped, of_nodes(each, Sources::inputs));
      if (more.empty()) break;
      each.values = evaluate(*each.shaped, inputs_, bits);
      each.errors.assign(machines.size(), std::nullopt);
      if (each.formula == &formula) excluded.insert(excluded.end(), more.begin(), more.end());
    }
  }
  const Column<Ball>& result = graphs_.front().values[formula.result];
  const auto of_all_ways = [&](Sources sources) {
    std::vector<EntryKinds> all(result.size(), EntryKinds{.kinds = 0});
    for (Graph& each : graphs_) {
      unite(all, of_nodes(each, sources)[each.formula->result]);
    }
    return all;
  };
  std::vector<EntryKinds> kinds(result.size());
  if (has_special) kinds = of_all_ways(Sources::inputs);
  const auto is_undefined = [&](std::size_t i) { return !kinds[i].is_special && !result[i].is_finite(); };
  if (std::ranges::any_of(std::views::iota(std::size_t{0}, kinds.size()), is_undefined)) {
    const std::vector<EntryKinds> all = of_all_ways(Sources::undefined_entries_too);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (is_undefined(i)) kinds[i] = all[i];
    }
  }
  const auto evaluations = std::make_shared<Evaluations>(
      Evaluations{typed.formula, c.lengths, shared_inputs_, std::move(excluded), {{bits, result}}});
  for (std::size_t i = 0; i < result.size(); ++i) {
    const EntryKinds& entry = kinds[i];
    const bool is_number =
        !entry.is_special && result[i].is_finite() && Magnitude(result[i]) < Magnitude::power_of_two(far);
    is_number_.push_back(is_number);
    kinds_.push_back(entry.is_special ? entry.kinds : every_kind);
    if (!is_number) {
      exact_.emplace_back(Dyadic());
    } else if (Magnitude::radius(result[i]).is_zero()) {
      exact_.emplace_back(result[i].lower());
    } else {
      exact_.emplace_back(oracle::Enclosure{[evaluations, i](long more) { return evaluations->at(more)[i]; }});
    }
  }
}

const Errors& Truth::errors(Graph& graph, std::size_t machine) const {
  std::optional<Errors>& known = graph.errors[machine];
  if (!known) known = forward(*graph.shaped, graph.values, machines_[machine], typed_.parameters, first_bits(typed_));
  return *known;
}

void Truth::compute_errors(std::size_t machine) const {
  const Graph& formula = graphs_.front();
  const auto forward_of = [&](const Graph& graph) {
    return Forward(*graph.shaped, graph.values, machines_[machine], typed_.parameters, first_bits(typed_),
                   Overflow::unsaid);
  };
  const bool has_excluded = std::ranges::any_of(graphs_, [](const Graph& each) { return each.shaped->has_excluded(); });
  if (formula.errors[machine] || has_excluded) {
    for_each_graph(graphs_of(machine), [&](std::size_t g) { errors(graphs_[g], machine); });
    return;
  }
  Forward of_formula = forward_of(formula);
  graphs_.front().errors[machine] = of_formula.run();
  for_each_graph(graphs_of(machine) - 1, [&](std::size_t way) {
    graphs_[way + 1].errors[machine] = forward_of(graphs_[way + 1]).run(of_formula);
  });
}

const Column<Magnitude>& Truth::bounds(std::size_t machine) const {
  std::optional<Column<Magnitude>>& known = bounds_[machine];
  if (known) return *known;
  compute_errors(machine);
  for (std::size_t g = 0; g < graphs_of(machine); ++g) {
    const Column<Magnitude>& of_way = errors(graphs_[g], machine).total[graphs_[g].formula->result];
    if (!known) {
      known = of_way;
      continue;
    }
    for (std::size_t i = 0; i < of_way.size(); ++i) (*known)[i] = max((*known)[i], of_way[i]);
  }
  return *known;
}

Errors Truth::followed(const Graph& graph, std::size_t machine) const {
  return forward(*graph.shaped, graph.values, machines_[machine], typed_.parameters, first_bits(typed_),
                 Overflow::followed);
}

const std::vector<Truth::Outcome>& Truth::outcomes(std::size_t machine) const {
  std::optional<std::vector<Outcome>>& known = outcomes_[machine];
  if (known) return *known;
  known.emplace(exact_.size());
  for (std::size_t g = 0; g < graphs_of(machine); ++g) {
    const Errors errors = followed(graphs_[g], machine);
    const std::size_t result = graphs_[g].formula->result;
    for (std::size_t i = 0; i < known->size(); ++i) {
      Outcome& each = (*known)[i];
      const Kinds beyond = errors.beyond[result][i];
      each.beyond |= beyond & ~no_number;
      if ((beyond & no_number) != 0) continue;
      each.is_number = true;
      each.bound = max(each.bound, errors.total[result][i]);
    }
  }
  return *known;
}

std::string Truth::why_unsaid(std::size_t machine, std::size_t entry) const {
  for (std::size_t g = 0; g < graphs_of(machine); ++g) {
    const Errors errors = followed(graphs_[g], machine);
    if (errors.total[graphs_[g].formula->result][entry].is_finite()) continue;
    const std::string why = formulas::why_unsaid(*graphs_[g].shaped, machines_[machine], errors, entry);
    return g == 0 ? why : "in way " + std::to_string(g) + ", " + why;
  }
  return "";
}

Mean& Truth::mean_of(Graph& graph, std::size_t machine) const {
  if (graph.mean == nullptr || graph.mean_of != machine) {
    graph.mean = std::make_unique<Mean>(*graph.shaped, inputs_, graph.values, errors(graph, machine));
    graph.mean_of = machine;
  }
  return *graph.mean;
}

Magnitude Truth::bound(std::size_t machine, std::size_t entry, std::size_t* steps) const {
  std::vector<Magnitude> bounds(graphs_of(machine));
  std::vector<std::size_t> visited(bounds.size());
  for_each_graph(bounds.size(), [&](std::size_t g) {
    Mean& mean = mean_of(graphs_[g], machine);
    const std::size_t before = mean.steps();
    bounds[g] = min(errors(graphs_[g], machine).total[graphs_[g].formula->result][entry], mean.of(entry));
    visited[g] = mean.steps() - before;
  });
  if (steps != nullptr) *steps += std::accumulate(visited.begin(), visited.end(), std::size_t{0});
  Magnitude most;
  for (const Magnitude& each : bounds) most = max(most, each);
  return most;
}

std::vector<Truth::Derivation> Truth::derive(std::size_t machine, std::size_t entry) const {
  std::vector<Derivation> all(graphs_of(machine));
  for_each_graph(all.size(), [&](std::size_t g) {
    Graph& graph = graphs_[g];
    const Errors& of_way = errors(graph, machine);
    all[g] = {graph.formula, &graph.values, &of_way, {}, of_way.total[graph.formula->result][entry], {}};
    all[g].by_mean = mean_of(graph, machine).of(entry, &all[g].shares);
  });
  return all;
}

std::string Truth::derivation_of_overflow(std::size_t machine, std::size_t entry) const {
  if (!is_said(machine, entry)) return "  nothing is said of it: " + why_unsaid(machine, entry) + "\n";
  const Outcome& of = outcomes(machine)[entry];
  std::string text = of.is_number ? fmt::format("an error of at most {:.4g}", of.bound.to_double()) : "";
  if (of.beyond != 0) text += (text.empty() ? "" : ", or ") + describe_kinds(of.beyond);
  return "  a number of a program may overflow: its result has " + text + " (formula.overflow.1)\n";
}

std::string Truth::derivation(std::size_t machine, std::size_t entry) const {
  const std::vector<Derivation> graphs = derive(machine, entry);
  const auto& [formula, values, errors, by_mean, by_forward, shares] = *std::ranges::max_element(
      graphs, {}, [](const Derivation& each) { return min(each.by_forward, each.by_mean).to_double(); });
  std::string text = fmt::format("{} = {} on {} ({})\n", label_of(*graphs_.front().shaped, entry),
                                 to_string(graphs_.front().values[graphs_.front().formula->result][entry], 12),
                                 machines_[machine].name, describe(machines_[machine]));
  if (!bounds(machine)[entry].is_finite()) return text + derivation_of_overflow(machine, entry);
  text += fmt::format("  bound {:.4g}: by formula.mean.1 {:.4g}, by formula.forward.1 {:.4g}\n",
                      min(by_mean, by_forward).to_double(), by_mean.to_double(), by_forward.to_double());
  for (const Share& each : shares) {
    const Node& node = formula->nodes[each.node];
    const double part = by_mean.is_zero() ? 0 : 100 * each.error.to_double() / by_mean.to_double();
    text += fmt::format("  {:5.1f} %  {:<10} {:<10} sup|A| {:.3g}, entry {}: value {}, λ {:.3g}  {}{}\n", part,
                        node.name.empty() ? fmt::format("({})", each.node) : node.name, name_of(node.op),
                        each.adjoint.to_double(), each.entry, to_string((*values)[each.node][each.entry], 8),
                        errors->local[each.node][each.entry].to_double(), rule_of(node),
                        machines_[machine].stores(node) ? ", formula.store.1" : "");
  }
  return text;
}

}  // namespace assay::formulas
