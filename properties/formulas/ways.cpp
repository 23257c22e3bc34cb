#include "properties/formulas/ways.hpp"

#include <algorithm>

namespace assay::formulas {
namespace {

/// What an entry of the node is of its arguments, without what only says how programs may compute it.
Node value_of(Node node) {
  node.is_recomputed = false;
  node.extra = 0;
  node.factors.clear();
  node.name.clear();
  return node;
}

}  // namespace

std::vector<std::optional<std::size_t>> known_nodes(const Formula& way, const Formula& formula, Same same) {
  std::vector<Node> nodes = formula.nodes;
  if (same == Same::value) std::ranges::transform(nodes, nodes.begin(), value_of);
  std::vector<std::optional<std::size_t>> known;
  const auto is_known = [&](std::size_t k) { return k < known.size() && known[k]; };
  for (std::size_t k = 0; k < way.nodes.size(); ++k) {
    Node node = same == Same::value ? value_of(way.nodes[k]) : way.nodes[k];
    const bool are_known = std::ranges::all_of(node.arguments, is_known) && std::ranges::all_of(node.factors, is_known);
    std::optional<std::size_t> found;
    if (are_known) {
      for (std::size_t& each : node.arguments) each = *known[each];
      for (std::size_t& each : node.factors) each = *known[each];
      const auto at = std::ranges::find(nodes, node);
      if (at != nodes.end()) found = static_cast<std::size_t>(at - nodes.begin());
    }
    // The result is not stored.
    if (found && same == Same::errors && (k == way.result) != (*found == formula.result)) found.reset();
    known.push_back(found);
  }
  return known;
}

}  // namespace assay::formulas
