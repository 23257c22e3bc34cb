#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/formulas/door/elementwise.hpp"

namespace assay::formulas {

/// Whether axes are among others.
inline bool has_all(const std::vector<std::size_t>& of, const std::vector<std::size_t>& axes) {
  return std::ranges::all_of(axes, [&](std::size_t axis) { return std::ranges::find(of, axis) != of.end(); });
}

/// Adds the passes of one graph: of a formula, or of one of its ways. False where an operation is not one of a device;
/// then nothing is added. The other arguments are those of elementwise_formula().
bool add_passes(const Formula& graph, const Typed& typed, const RowAxes& axes, const Machine* machine,
                const std::vector<double>& scalars, const std::vector<std::int64_t>& lengths,
                enclosures::ElementwiseFormula& out);

}  // namespace assay::formulas
