#pragma once
// Formulas whose entries depend on one number of each array, for a judge on a device.

#include <optional>
#include <vector>

#include "enclosures/elementwise.hpp"
#include "properties/formulas/machine.hpp"

namespace assay::formulas {

/// What kernels on a device compute of a formula and, for a machine that admits them, of its ways. `machine`: null
/// where no bound is asked. `scalars`: the numbers of the parameters without axes, in their order. Nothing for a
/// formula with another operation than theorem elementwise.enclosure.1 has, with an array that has other axes than the
/// result, and for a machine that flushes to zero or computes in binary64.
std::optional<enclosures::ElementwiseFormula> elementwise_formula(const Formula& formula, const Machine* machine,
                                                                  const std::vector<double>& scalars);

}  // namespace assay::formulas
