#pragma once
// What the graph of a formula and those of its ways have in common.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "properties/formulas/graph.hpp"

namespace assay::formulas {

enum class Same : std::uint8_t {
  value,  ///< over the reals
  errors  ///< also E and λ on every machine: how programs may compute it
};

/// For each node of a way the node of its formula that is the same in every case: the same function of such nodes.
std::vector<std::optional<std::size_t>> known_nodes(const Formula& way, const Formula& formula, Same same);

}  // namespace assay::formulas
